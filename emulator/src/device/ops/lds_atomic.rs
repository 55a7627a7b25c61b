//! Atomics of LDS.

use super::atomic::{Update, apply32, apply64};
use super::lds::offset;
use super::memory::on;
use super::table::{Def, Form, Table, def};
use crate::device::ops::address::update_lds;
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand};

/// Bits of [`Inst::param`] above the update: the value to compare with stands before the new one (gfx9 and gfx10).
const COMPARE_FIRST: u32 = 1 << 8;

fn two(wave: &Wave<'_>, operand: Operand, lane: usize) -> u64 {
    u64::from(wave.lane(operand, 0, lane)) | u64::from(wave.lane(operand, 1, lane)) << 32
}

/// The new value and what to compare with, in the order of the instruction.
fn operands<T>(inst: &Inst, first: T, second: T) -> (T, T) {
    if inst.param & COMPARE_FIRST != 0 {
        (second, first)
    } else {
        (first, second)
    }
}

fn atomic(wave: &mut Wave<'_>, inst: &Inst, wide: bool) {
    let kind = Update::numbered(inst.param & 255);
    for lane in on(wave.exec()) {
        let at = offset(wave, inst, lane);
        let old = if wide {
            let (value, compare) = operands(
                inst,
                two(wave, inst.src[1], lane),
                two(wave, inst.src[2], lane),
            );
            update_lds(wave, inst, lane, at, true, |old| {
                apply64(kind, old, value, compare)
            })
        } else {
            let (value, compare) = operands(
                inst,
                wave.lane(inst.src[1], 0, lane),
                wave.lane(inst.src[2], 0, lane),
            );
            update_lds(wave, inst, lane, at, false, |old| {
                apply32(kind, old as u32, value, compare).into()
            })
        };
        wave.set_lane(inst.dst, 0, lane, old as u32);
        if wide {
            wave.set_lane(inst.dst, 1, lane, (old >> 32) as u32);
        }
    }
}

fn atomic32(wave: &mut Wave<'_>, inst: &Inst) {
    atomic(wave, inst, false);
}

fn atomic64(wave: &mut Wave<'_>, inst: &Inst) {
    atomic(wave, inst, true);
}

/// Name before the type, type without its size, update.
const NAMES: [(&str, &str, u32); 22] = [
    ("add", "u", Update::Add as u32),
    ("sub", "u", Update::Sub as u32),
    ("rsub", "u", Update::ReverseSub as u32),
    ("inc", "u", Update::Inc as u32),
    ("dec", "u", Update::Dec as u32),
    ("min", "i", Update::SignedMin as u32),
    ("min", "u", Update::UnsignedMin as u32),
    ("max", "i", Update::SignedMax as u32),
    ("max", "u", Update::UnsignedMax as u32),
    ("and", "b", Update::And as u32),
    ("or", "b", Update::Or as u32),
    ("xor", "b", Update::Xor as u32),
    ("mskor", "b", Update::MaskedOr as u32),
    ("wrxchg", "b", Update::Swap as u32),
    ("storexchg", "b", Update::Swap as u32),
    ("cmpst", "b", Update::CompareSwap as u32 | COMPARE_FIRST),
    (
        "cmpst",
        "f",
        Update::FloatCompareSwap as u32 | COMPARE_FIRST,
    ),
    ("cmpstore", "b", Update::CompareSwap as u32),
    ("cmpstore", "f", Update::FloatCompareSwap as u32),
    ("add", "f", Update::FloatAdd as u32),
    ("min", "f", Update::FloatMin as u32),
    ("max", "f", Update::FloatMax as u32),
];

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    for (name, ty, param) in NAMES {
        for (size, run) in [(32, same!(atomic32)), (64, same!(atomic64))] {
            t.add(
                &format!("ds_{name}_{ty}{size}"),
                Def {
                    param,
                    ..def(run, Form::Lds, 0, &[])
                },
            );
            t.add(
                &format!("ds_{name}_rtn_{ty}{size}"),
                Def {
                    param,
                    ..def(run, Form::LdsResult, 1, &[])
                },
            );
        }
    }
    for (ty, update) in [("f16", Update::HalvesAdd), ("bf16", Update::BrainHalvesAdd)] {
        let param = update as u32;
        t.add(
            &format!("ds_pk_add_{ty}"),
            Def {
                param,
                ..def(same!(atomic32), Form::Lds, 0, &[])
            },
        );
        t.add(
            &format!("ds_pk_add_rtn_{ty}"),
            Def {
                param,
                ..def(same!(atomic32), Form::LdsResult, 1, &[])
            },
        );
    }
}
