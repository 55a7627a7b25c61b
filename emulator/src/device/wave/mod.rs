//! The state of a wave: registers, masks, its place in the program.

pub(crate) mod code_object;
pub(crate) mod dispatch;
pub(crate) mod inst;
pub(crate) mod program;
pub(crate) mod races;
pub(crate) mod running;

use crate::device::memory::lds::Lds;
use crate::device::memory::scratch::Scratch;
use crate::device::model::costs::Counts;
use crate::device::model::findings::{Fault, FaultKind, FindingKind};
use crate::device::wave::inst::{Inst, Operand};
use crate::device::wave::running::Running;

/// Lanes that are worked on at a time. A wave has one or two such halves.
pub(crate) const LANES: usize = 32;

/// One vector register of half a wave (or of a whole one with 32 lanes).
pub(crate) type Row = [u32; LANES];

/// Index of VCC among the scalar registers.
pub(crate) const VCC: usize = 106;
/// Index of M0.
pub(crate) const M0: usize = 124;
/// Index of EXEC.
pub(crate) const EXEC: usize = 126;
/// Index of FLAT_SCRATCH.
pub(crate) const FLAT_SCRATCH: usize = 128;
/// Index of XNACK_MASK.
pub(crate) const XNACK_MASK: usize = 130;
/// Index of the first trap register.
pub(crate) const TTMP: usize = 132;
/// Number of scalar registers, special ones included; 16 more so that a wide read at the end stays inside.
const SCALARS: usize = 176;

/// Upper half of addresses that lead to LDS.
pub(crate) const SHARED_HIGH: u32 = 0x0001_0000;
/// Upper half of addresses that lead to scratch.
pub(crate) const PRIVATE_HIGH: u32 = 0x0002_0000;

/// The base address in a descriptor that stands for scratch. No memory of a process lies there.
pub(crate) const SCRATCH_BASE: u64 = 0x5c00_0000_0000;

/// What a wave does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Goes on.
    Ready,
    /// Gives its turn away (`s_sleep`), then goes on.
    Yield,
    /// Waits for the other waves of its group.
    Barrier,
    /// Waits for all groups of the grid: the number of the barrier.
    GridBarrier(u64),
    /// Ended.
    Done,
    /// Stopped by a fault, see [`Wave::fault`].
    Faulted,
}

/// A range of memory that was looked up, kept for each of some instructions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Range {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// The state of a wave.
pub(crate) struct Wave<'a> {
    /// The launch it belongs to.
    pub(crate) running: &'a Running<'a>,
    /// Vector registers: row r of half h at `r * halves + h`.
    pub(crate) v: Vec<Row>,
    /// Scalar registers, with VCC, M0, EXEC and others at fixed indices.
    pub(crate) s: [u32; SCALARS],
    /// Scalar condition code.
    pub(crate) scc: bool,
    /// Word of the program that comes next.
    pub(crate) pc: u32,
    /// Word of the instruction that is executed.
    pub(crate) at: u32,
    /// Halves of 32 lanes: 1 or 2.
    pub(crate) halves: usize,
    /// What comes next.
    pub(crate) state: State,
    /// Lanes that the instruction writes.
    pub(crate) write: [u32; 2],
    /// First source after its data-parallel primitive: low and high words of both halves.
    pub(crate) moved: [[Row; 2]; 2],
    /// LDS of its group, while it runs.
    pub(crate) lds: Lds,
    /// Its scratch.
    pub(crate) scratch: Scratch,
    /// Float modes: rounding in bits 0-3, denormals in bits 4-7 (bits 4, 5 of 32-bit floats), as the MODE register.
    pub(crate) mode: u32,
    /// 32-bit denormals count as zero.
    pub(crate) flush: bool,
    /// It changed memory since this was last asked.
    pub(crate) changed: bool,
    /// Instructions that it executed.
    pub(crate) executed: u64,
    /// Bits of `s_set_gpr_idx_on`: which operands are indexed by M0.
    pub(crate) indexed: u8,
    /// Number in its group.
    pub(crate) id: u32,
    /// Lanes that exist.
    pub(crate) full: u64,
    /// Group index.
    pub(crate) group: [u32; 3],
    /// Barriers that it passed.
    pub(crate) barriers: u32,
    /// Why it stopped.
    pub(crate) stopped: Option<Box<Fault>>,
    /// What it and others before it did, where that is counted.
    pub(crate) counts: Option<Box<Counts>>,
    /// Looked-up ranges by instruction, valid for `epoch` of the memory table.
    pub(crate) ranges: [Range; 16],
    /// See `ranges`.
    pub(crate) epoch: u64,
}

impl<'a> Wave<'a> {
    /// A wave with `rows` vector registers, all zero.
    pub(crate) fn new(running: &'a Running<'a>, rows: usize, halves: usize) -> Wave<'a> {
        Wave {
            running,
            v: vec![[0; LANES]; rows * halves],
            s: [0; SCALARS],
            scc: false,
            pc: 0,
            at: 0,
            halves,
            state: State::Ready,
            write: [0; 2],
            moved: [[[0; LANES]; 2]; 2],
            lds: Lds::default(),
            scratch: Scratch::default(),
            mode: 0,
            flush: false,
            changed: false,
            executed: 0,
            indexed: 0,
            id: 0,
            full: 0,
            group: [0; 3],
            barriers: 0,
            stopped: None,
            counts: running.costs.as_ref().map(|_| Box::default()),
            ranges: [Range::default(); 16],
            epoch: 0,
        }
    }

    /// A number of all that decides what the wave does next: registers, masks and its place, but not memory.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mix = |hash: u64, word: u32| {
            (hash ^ u64::from(word))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        };
        let special = [self.pc, self.scc.into(), self.mode, self.indexed.into()];
        let words = special.iter().chain(&self.s).chain(self.v.iter().flatten());
        words.fold(1, |hash, word| mix(hash, *word))
    }

    /// Lanes of the wave.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        self.halves * LANES
    }

    /// Two scalar registers.
    #[inline(always)]
    pub(crate) fn pair(&self, index: usize) -> u64 {
        u64::from(self.s[index]) | u64::from(self.s[index + 1]) << 32
    }

    /// Writes two scalar registers.
    #[inline(always)]
    pub(crate) fn set_pair(&mut self, index: usize, value: u64) {
        self.s[index] = value as u32;
        self.s[index + 1] = (value >> 32) as u32;
    }

    /// Lanes that are on.
    #[inline(always)]
    pub(crate) fn exec(&self) -> u64 {
        if self.halves == 2 {
            self.pair(EXEC)
        } else {
            u64::from(self.s[EXEC])
        }
    }

    /// Sets the lanes that are on.
    pub(crate) fn set_exec(&mut self, mask: u64) {
        self.s[EXEC] = mask as u32;
        if self.halves == 2 {
            self.s[EXEC + 1] = (mask >> 32) as u32;
        }
    }

    /// VCC as a mask of lanes.
    pub(crate) fn vcc(&self) -> u64 {
        if self.halves == 2 {
            self.pair(VCC)
        } else {
            u64::from(self.s[VCC])
        }
    }

    /// A scalar operand of 32 bits. Of a vector register the first lane is taken.
    pub(crate) fn scalar(&self, operand: Operand) -> u32 {
        match operand {
            Operand::S(index) => self.s[index as usize],
            Operand::Imm(bits) | Operand::Aperture(bits) => bits as u32,
            Operand::Scc => self.scc.into(),
            Operand::Vccz => (self.vcc() == 0).into(),
            Operand::Execz => (self.exec() == 0).into(),
            Operand::V(row) => self.v[row as usize * self.halves][0],
            Operand::None | Operand::Null | Operand::Off => 0,
        }
    }

    /// A scalar operand of 64 bits.
    pub(crate) fn scalar64(&self, operand: Operand) -> u64 {
        match operand {
            Operand::S(index) => self.pair(index as usize),
            Operand::Imm(bits) | Operand::Aperture(bits) => bits,
            other => self.scalar(other).into(),
        }
    }

    /// Writes a scalar register.
    pub(crate) fn set_scalar(&mut self, operand: Operand, value: u32) {
        if let Operand::S(index) = operand {
            self.s[index as usize] = value;
        }
    }

    /// Writes two scalar registers.
    pub(crate) fn set_scalar64(&mut self, operand: Operand, value: u64) {
        if let Operand::S(index) = operand {
            self.set_pair(index as usize, value);
        }
    }

    /// A mask of lanes in one or two scalar registers, by the size of the wave.
    pub(crate) fn mask(&self, operand: Operand) -> u64 {
        if self.halves == 2 {
            self.scalar64(operand)
        } else {
            self.scalar(operand).into()
        }
    }

    /// Writes a mask of lanes.
    pub(crate) fn set_mask(&mut self, operand: Operand, mask: u64) {
        if self.halves == 2 {
            self.set_scalar64(operand, mask)
        } else {
            self.set_scalar(operand, mask as u32)
        }
    }

    /// One lane of a vector register, or the scalar.
    #[inline(always)]
    pub(crate) fn lane(&self, operand: Operand, word: usize, lane: usize) -> u32 {
        match operand {
            Operand::V(row) => {
                self.v[(row as usize + word) * self.halves + lane / LANES][lane % LANES]
            }
            Operand::Imm(bits) => (bits >> (32 * word)) as u32,
            Operand::S(index) => self.s[index as usize + word],
            other => self.scalar(other),
        }
    }

    /// Writes one lane of a vector register.
    #[inline(always)]
    pub(crate) fn set_lane(&mut self, operand: Operand, word: usize, lane: usize, value: u32) {
        if let Operand::V(row) = operand {
            self.v[(row as usize + word) * self.halves + lane / LANES][lane % LANES] = value;
        }
    }

    /// Stops the wave. Only the first fault of it counts.
    #[cold]
    pub(crate) fn fault(&mut self, inst: &Inst, lane: usize, kind: FaultKind, message: String) {
        self.state = State::Faulted;
        if self.stopped.is_none() {
            let place = Some(Box::new(self.running.place(self, inst, lane)));
            self.stopped = Some(Box::new(Fault {
                kind,
                message,
                place,
                findings: Vec::new(),
            }));
        }
    }

    /// Stops the wave, which ran past the end of its program.
    #[cold]
    pub(crate) fn left_program(&mut self) {
        self.state = State::Faulted;
        let message = format!(
            "the wave left the program at {:#x}",
            self.running.program.address(self.pc)
        );
        self.stopped = Some(Box::new(Fault {
            kind: FaultKind::Memory,
            message,
            place: None,
            findings: Vec::new(),
        }));
    }

    /// Notes something suspicious; the wave goes on.
    #[cold]
    pub(crate) fn find(&self, inst: &Inst, lane: usize, kind: FindingKind, message: String) {
        self.running.find(self, inst, lane, kind, message, None);
    }

    /// Sets the MODE register.
    pub(crate) fn set_mode(&mut self, mode: u32) {
        self.mode = mode;
        self.flush = mode >> 4 & 3 != 3;
    }
}
