//! Atomics: what they compute, and those of flat and global memory.

use super::memory::on;
use super::table::{Def, Form, Table, def};
use crate::device::model::findings::FaultKind;
use crate::device::model::float::{bf16_bits, bf16_value, f16_bits, f16_value};
use crate::device::ops::address::{self, Spot, addresses, locate};
use crate::device::ops::global;
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand};

/// What an atomic computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Update {
    Swap,
    CompareSwap,
    Add,
    Sub,
    ReverseSub,
    SignedMin,
    UnsignedMin,
    SignedMax,
    UnsignedMax,
    And,
    Or,
    Xor,
    /// Counts up to a limit, then from 0.
    Inc,
    /// Counts down from a limit.
    Dec,
    /// Subtracts, but not below 0.
    SubClamped,
    FloatAdd,
    FloatMin,
    FloatMax,
    FloatCompareSwap,
    HalvesAdd,
    BrainHalvesAdd,
    MaskedOr,
}

/// All, by their number.
const UPDATES: [Update; 22] = {
    use Update::*;
    [
        Swap,
        CompareSwap,
        Add,
        Sub,
        ReverseSub,
        SignedMin,
        UnsignedMin,
        SignedMax,
        UnsignedMax,
        And,
        Or,
        Xor,
        Inc,
        Dec,
        SubClamped,
        FloatAdd,
        FloatMin,
        FloatMax,
        FloatCompareSwap,
        HalvesAdd,
        BrainHalvesAdd,
        MaskedOr,
    ]
};

impl Update {
    /// The update of an instruction.
    pub(crate) fn of(inst: &Inst) -> Update {
        Update::numbered(inst.param)
    }

    /// The update of a number.
    pub(crate) fn numbered(number: u32) -> Update {
        UPDATES[number as usize]
    }

    /// Whether a value to compare with is given too.
    pub(crate) fn compares(self) -> bool {
        matches!(self, Update::CompareSwap | Update::FloatCompareSwap)
    }
}

fn pair(old: u32, new: u32, value: fn(u32) -> f32, bits: fn(f32) -> u32) -> u32 {
    let add = |shift: u32| bits(value(old >> shift & 0xffff) + value(new >> shift & 0xffff));
    add(0) | add(16) << 16
}

macro_rules! apply {
    ($(#[$doc:meta])* $name:ident, $ty:ty, $signed:ty, $float:ty, $halves:expr) => {
        $(#[$doc])*
        pub(crate) fn $name(update: Update, old: $ty, data: $ty, compare: $ty) -> $ty {
            let float = <$float>::from_bits;
            match update {
                Update::Swap => data,
                Update::CompareSwap => if old == compare { data } else { old },
                Update::Add => old.wrapping_add(data),
                Update::Sub => old.wrapping_sub(data),
                Update::ReverseSub => data.wrapping_sub(old),
                Update::SignedMin => (old as $signed).min(data as $signed) as $ty,
                Update::UnsignedMin => old.min(data),
                Update::SignedMax => (old as $signed).max(data as $signed) as $ty,
                Update::UnsignedMax => old.max(data),
                Update::And => old & data,
                Update::Or => old | data,
                Update::Xor => old ^ data,
                Update::Inc => if old >= data { 0 } else { old + 1 },
                Update::Dec => if old == 0 || old > data { data } else { old - 1 },
                Update::SubClamped => old.saturating_sub(data),
                Update::FloatAdd => (float(old) + float(data)).to_bits(),
                Update::FloatMin => if float(data) < float(old) || float(old).is_nan() { data } else { old },
                Update::FloatMax => if float(data) > float(old) || float(old).is_nan() { data } else { old },
                Update::FloatCompareSwap => if float(old) == float(compare) { data } else { old },
                Update::MaskedOr => old & !data | compare,
                Update::HalvesAdd | Update::BrainHalvesAdd => $halves(update, old, data),
            }
        }
    };
}

apply!(
    /// The new value of a word.
    apply32, u32, i32, f32, halves
);
apply!(
    /// The new value of two words.
    apply64, u64, i64, f64, |_, old, _| old
);

fn halves(update: Update, old: u32, data: u32) -> u32 {
    if update == Update::HalvesAdd {
        pair(old, data, f16_value, f16_bits)
    } else {
        pair(old, data, bf16_value, bf16_bits)
    }
}

/// Two words of a lane.
fn two(wave: &Wave<'_>, operand: Operand, word: usize, lane: usize) -> u64 {
    u64::from(wave.lane(operand, word, lane)) | u64::from(wave.lane(operand, word + 1, lane)) << 32
}

/// Updates memory at a place; gives what was there.
pub(crate) fn update(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    spot: Spot,
    wide: bool,
    f: impl Fn(u64) -> u64,
) -> u64 {
    match spot {
        Spot::Global(address) if wide && address % 8 == 0 => {
            // SAFETY: the range is in the table of memory, and aligned.
            let old = unsafe { global::update64(address, &f) };
            wave.changed |= f(old) != old;
            old
        }
        Spot::Global(address) if !wide && address % 4 == 0 => {
            // SAFETY: the range is in the table of memory, and aligned.
            let old = unsafe { global::update32(address, |old| f(old.into()) as u32) };
            wave.changed |= f(old.into()) as u32 != old;
            old.into()
        }
        Spot::Global(address) => {
            wave.fault(
                inst,
                lane,
                FaultKind::Memory,
                format!("an atomic at {address:#x}, which is not aligned"),
            );
            0
        }
        Spot::Lds(offset) => address::update_lds(wave, inst, lane, offset, wide, f),
        Spot::Scratch(offset) => {
            let low = address::read(wave, inst, lane, spot, 4);
            let high = if wide {
                address::read(wave, inst, lane, Spot::Scratch(offset + 4), 4)
            } else {
                0
            };
            let old = u64::from(low) | u64::from(high) << 32;
            let new = f(old);
            address::write(wave, inst, lane, spot, 4, new as u32);
            if wide {
                address::write(
                    wave,
                    inst,
                    lane,
                    Spot::Scratch(offset + 4),
                    4,
                    (new >> 32) as u32,
                );
            }
            old
        }
    }
}

/// An atomic of a lane; `data` holds the value, then what to compare with.
pub(crate) fn lane32(wave: &mut Wave<'_>, inst: &Inst, lane: usize, spot: Spot, data: Operand) {
    let kind = Update::of(inst);
    let value = wave.lane(data, 0, lane);
    let compare = if kind.compares() {
        wave.lane(data, 1, lane)
    } else {
        0
    };
    let old = update(wave, inst, lane, spot, false, |old| {
        apply32(kind, old as u32, value, compare).into()
    });
    if inst.returns {
        wave.set_lane(inst.dst, 0, lane, old as u32);
    }
}

/// The same for two words.
pub(crate) fn lane64(wave: &mut Wave<'_>, inst: &Inst, lane: usize, spot: Spot, data: Operand) {
    let kind = Update::of(inst);
    let value = two(wave, data, 0, lane);
    let compare = if kind.compares() {
        two(wave, data, 2, lane)
    } else {
        0
    };
    let old = update(wave, inst, lane, spot, true, |old| {
        apply64(kind, old, value, compare)
    });
    if inst.returns {
        wave.set_lane(inst.dst, 0, lane, old as u32);
        wave.set_lane(inst.dst, 1, lane, (old >> 32) as u32);
    }
}

fn atomic32(wave: &mut Wave<'_>, inst: &Inst) {
    let all = addresses(wave, inst);
    for lane in on(wave.exec()) {
        let Some(spot) = locate(wave, inst, lane, all[lane], 4) else {
            return;
        };
        lane32(wave, inst, lane, spot, inst.src[1]);
    }
}

fn atomic64(wave: &mut Wave<'_>, inst: &Inst) {
    let all = addresses(wave, inst);
    for lane in on(wave.exec()) {
        let Some(spot) = locate(wave, inst, lane, all[lane], 8) else {
            return;
        };
        lane64(wave, inst, lane, spot, inst.src[1]);
    }
}

/// Names of updates of one word: of gfx9 and gfx10, then of gfx11 and gfx942.
pub(crate) const WORD: [(&str, Update); 36] = [
    ("swap", Update::Swap),
    ("cmpswap", Update::CompareSwap),
    ("add", Update::Add),
    ("sub", Update::Sub),
    ("smin", Update::SignedMin),
    ("umin", Update::UnsignedMin),
    ("smax", Update::SignedMax),
    ("umax", Update::UnsignedMax),
    ("and", Update::And),
    ("or", Update::Or),
    ("xor", Update::Xor),
    ("inc", Update::Inc),
    ("dec", Update::Dec),
    ("fmin", Update::FloatMin),
    ("fmax", Update::FloatMax),
    ("fcmpswap", Update::FloatCompareSwap),
    ("csub", Update::SubClamped),
    ("add_f32", Update::FloatAdd),
    ("pk_add_f16", Update::HalvesAdd),
    ("pk_add_bf16", Update::BrainHalvesAdd),
    ("swap_b32", Update::Swap),
    ("cmpswap_b32", Update::CompareSwap),
    ("add_u32", Update::Add),
    ("sub_u32", Update::Sub),
    ("min_i32", Update::SignedMin),
    ("min_u32", Update::UnsignedMin),
    ("max_i32", Update::SignedMax),
    ("max_u32", Update::UnsignedMax),
    ("and_b32", Update::And),
    ("or_b32", Update::Or),
    ("xor_b32", Update::Xor),
    ("inc_u32", Update::Inc),
    ("dec_u32", Update::Dec),
    ("min_f32", Update::FloatMin),
    ("max_f32", Update::FloatMax),
    ("csub_u32", Update::SubClamped),
];

/// Names of updates of two words.
pub(crate) const TWO_WORDS: [(&str, Update); 32] = [
    ("swap_x2", Update::Swap),
    ("cmpswap_x2", Update::CompareSwap),
    ("add_x2", Update::Add),
    ("sub_x2", Update::Sub),
    ("smin_x2", Update::SignedMin),
    ("umin_x2", Update::UnsignedMin),
    ("smax_x2", Update::SignedMax),
    ("umax_x2", Update::UnsignedMax),
    ("and_x2", Update::And),
    ("or_x2", Update::Or),
    ("xor_x2", Update::Xor),
    ("inc_x2", Update::Inc),
    ("dec_x2", Update::Dec),
    ("fmin_x2", Update::FloatMin),
    ("fmax_x2", Update::FloatMax),
    ("fcmpswap_x2", Update::FloatCompareSwap),
    ("add_f64", Update::FloatAdd),
    ("min_f64", Update::FloatMin),
    ("max_f64", Update::FloatMax),
    ("swap_b64", Update::Swap),
    ("cmpswap_b64", Update::CompareSwap),
    ("add_u64", Update::Add),
    ("sub_u64", Update::Sub),
    ("min_i64", Update::SignedMin),
    ("min_u64", Update::UnsignedMin),
    ("max_i64", Update::SignedMax),
    ("max_u64", Update::UnsignedMax),
    ("and_b64", Update::And),
    ("or_b64", Update::Or),
    ("xor_b64", Update::Xor),
    ("inc_u64", Update::Inc),
    ("dec_u64", Update::Dec),
];

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    for space in ["flat", "global"] {
        for (name, update) in WORD {
            let def = def(same!(atomic32), Form::Atomic, 1, &[]);
            t.add(
                &format!("{space}_atomic_{name}"),
                Def {
                    param: update as u32,
                    ..def
                },
            );
        }
        for (name, update) in TWO_WORDS {
            let def = def(same!(atomic64), Form::Atomic, 1, &[]);
            t.add(
                &format!("{space}_atomic_{name}"),
                Def {
                    param: update as u32,
                    ..def
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_are_found_by_their_number() {
        for (number, update) in UPDATES.into_iter().enumerate() {
            assert_eq!(update as usize, number);
        }
    }

    #[test]
    fn counters_wrap_as_cuda_says() {
        assert_eq!(apply32(Update::Inc, 5, 5, 0), 0);
        assert_eq!(apply32(Update::Inc, 4, 5, 0), 5);
        assert_eq!(apply32(Update::Dec, 0, 5, 0), 5);
        assert_eq!(apply32(Update::Dec, 6, 5, 0), 5);
        assert_eq!(
            apply32(Update::HalvesAdd, 0x3c00_4000, 0x3c00_3c00, 0),
            0x4000_4200
        );
    }
}
