//! A decoded instruction.

use crate::device::model::costs::{Access, Class};
use crate::device::wave::Wave;

/// Executes one instruction for all lanes of a wave.
///
/// Unsafe since one of the two forms of each operation is compiled for vector extensions of the host (see [`crate::device::ops::table`]).
pub(crate) type Run = unsafe fn(&mut Wave<'_>, &Inst);

/// Where an operand comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Operand {
    /// There is none.
    #[default]
    None,
    /// Vector registers from this row of the register file; accumulation registers have rows behind the others.
    V(u16),
    /// Scalar registers from this index, see [`crate::device::wave`].
    S(u16),
    /// A constant, as its bits.
    Imm(u64),
    /// Reads as 0, drops writes.
    Null,
    /// The scalar condition code.
    Scc,
    /// Whether VCC is zero.
    Vccz,
    /// Whether EXEC is zero.
    Execz,
    /// Base or limit of the address range that leads to LDS or scratch.
    Aperture(u64),
    /// `off`: no register takes part in the address.
    Off,
}

/// What type an operand has: it decides how constants read and what the modifiers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    /// 32 bits of integer.
    I32,
    /// 64 bits of integer.
    I64,
    /// 16 bits of integer.
    I16,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// 16-bit float.
    F16,
    /// A pair of 16-bit floats.
    P16,
    /// A pair of 32-bit floats.
    P32,
    /// One bit a lane, in a scalar register or a pair of them.
    Mask,
}

/// The lane each lane reads, for data-parallel primitives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dpp {
    /// Lane that is read, or -1.
    pub(crate) from: [i8; 64],
    /// Lanes whose row and bank are on.
    pub(crate) lanes: u64,
    /// A lane without a source reads 0 rather than staying as it is.
    pub(crate) bound_ctrl: bool,
    /// Lanes that are off can be read.
    pub(crate) fetch_inactive: bool,
}

/// A part of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Part {
    /// Byte 0 to 3.
    Byte(u8),
    /// Half 0 or 1.
    Word(u8),
    /// All of it.
    #[default]
    All,
}

/// What becomes of the bits beside the part that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Unused {
    /// 0.
    #[default]
    Pad,
    /// The sign above, 0 below.
    Sext,
    /// As they were.
    Preserve,
}

/// Sub-dword addressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Sdwa {
    /// The part that is written.
    pub(crate) dst: Part,
    /// The bits beside it.
    pub(crate) unused: Unused,
    /// The parts that are read.
    pub(crate) src: [Part; 2],
}

/// Which memory an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Segment {
    /// By the address: global, LDS or scratch.
    #[default]
    Flat,
    /// Global.
    Global,
    /// Scratch.
    Scratch,
}

/// A decoded instruction.
#[derive(Clone)]
pub(crate) struct Inst {
    /// What it does.
    pub(crate) run: Run,
    /// Words of its encoding.
    pub(crate) words: u32,
    /// No operand has modifiers, and no lane is moved.
    pub(crate) plain: bool,
    /// Operands of its source have modifiers, so that reading them takes the long way.
    pub(crate) in_mods: bool,
    /// So has its result.
    pub(crate) out_mods: bool,
    /// Result.
    pub(crate) dst: Operand,
    /// Second result: carry, or the scale flag.
    pub(crate) dst2: Operand,
    /// Sources.
    pub(crate) src: [Operand; 4],
    /// Bit k: source k is negated (of packed operations: its low half).
    pub(crate) neg: u8,
    /// Bit k: the absolute value of source k is taken first.
    pub(crate) abs: u8,
    /// Bit k: source k is sign-extended (sub-dword addressing).
    pub(crate) sext: u8,
    /// Bit k: source k has its high half taken; bit 3: the result goes to the high half.
    pub(crate) op_sel: u8,
    /// The same for the high half of packed operations.
    pub(crate) op_sel_hi: u8,
    /// Bit k: the high half of source k is negated.
    pub(crate) neg_hi: u8,
    /// The result is limited to 0…1, or saturates.
    pub(crate) clamp: bool,
    /// The result is multiplied: 0 by 1, 1 by 2, 2 by 4, 3 by ½.
    pub(crate) omod: u8,
    /// An atomic gives back what was there.
    pub(crate) returns: bool,
    /// Buffer instructions: an offset, an index in the address registers.
    pub(crate) offen: bool,
    /// See `offen`.
    pub(crate) idxen: bool,
    /// The result goes to LDS.
    pub(crate) to_lds: bool,
    /// Which memory.
    pub(crate) segment: Segment,
    /// A result of 16 bits leaves the upper half as it is.
    pub(crate) keep_high: bool,
    /// Constant of the operation: size, kind of atomic.
    pub(crate) param: u32,
    /// Offset of memory instructions.
    pub(crate) offset: i32,
    /// Second offset of LDS instructions.
    pub(crate) offset1: i32,
    /// Word to which a branch leads.
    pub(crate) target: u32,
    /// Data-parallel primitive.
    pub(crate) dpp: Option<Box<Dpp>>,
    /// Sub-dword addressing.
    pub(crate) sdwa: Option<Box<Sdwa>>,
    /// Further parts, run in this order: dual issue.
    pub(crate) second: Option<Box<Inst>>,
    /// Address registers of image instructions, one after another.
    pub(crate) rows: Option<Box<[u16]>>,
    /// Where it is executed, for counts.
    pub(crate) class: Class,
    /// What each lane touches of memory, for counts.
    pub(crate) access: Option<Access>,
    /// First 8 bytes of its encoding.
    pub(crate) raw: u64,
    /// As LLVM prints it.
    pub(crate) text: Box<str>,
}

impl Inst {
    /// An instruction that does nothing but carry its text.
    pub(crate) fn new(run: Run, words: u32, raw: u64, text: &str) -> Inst {
        Inst {
            run,
            words,
            plain: true,
            in_mods: false,
            out_mods: false,
            dst: Operand::None,
            dst2: Operand::None,
            src: [Operand::None; 4],
            neg: 0,
            abs: 0,
            sext: 0,
            op_sel: 0,
            op_sel_hi: 0xff,
            neg_hi: 0,
            clamp: false,
            omod: 0,
            returns: false,
            offen: false,
            idxen: false,
            to_lds: false,
            segment: Segment::Flat,
            keep_high: false,
            param: 0,
            offset: 0,
            offset1: 0,
            target: 0,
            dpp: None,
            sdwa: None,
            second: None,
            rows: None,
            class: Class::of(text),
            access: Access::of(text.split(' ').next().unwrap_or(text)),
            raw,
            text: text.into(),
        }
    }
}
