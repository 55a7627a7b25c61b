//! Vector operations across lanes: reads and writes of one lane, counts of lower lanes, permutations of rows, indexed registers.

use super::table::{Form, Table, def};
use crate::device::lanes::{Kind, U32, begin, fetch, put};
use crate::device::model::findings::FaultKind;
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{LANES, M0, Wave};

/// The lowest lane that is on; lane 0 where none is.
fn first_lane(wave: &Wave<'_>) -> usize {
    let exec = wave.exec();
    if exec == 0 {
        0
    } else {
        exec.trailing_zeros() as usize
    }
}

fn read_first_lane(wave: &mut Wave<'_>, inst: &Inst) {
    let bits = wave.lane(inst.src[0], 0, first_lane(wave));
    wave.set_scalar(inst.dst, bits);
}

/// Reads a lane, whether it is on or not.
fn read_lane(wave: &mut Wave<'_>, inst: &Inst) {
    let lane = wave.scalar(inst.src[1]) as usize % wave.lanes();
    let bits = wave.lane(inst.src[0], 0, lane);
    wave.set_scalar(inst.dst, bits);
}

/// Writes a lane, whether it is on or not.
fn write_lane(wave: &mut Wave<'_>, inst: &Inst) {
    let lane = wave.scalar(inst.src[1]) as usize % wave.lanes();
    let bits = wave.scalar(inst.src[0]);
    wave.set_lane(inst.dst, 0, lane, bits);
}

/// Bits of the mask below each lane are counted: `which` is the half of the wave that the mask is of.
#[inline(always)]
fn count_below(wave: &mut Wave<'_>, inst: &Inst, which: usize) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let (a, b) = (
            fetch::<U32>(wave, inst, 0, half),
            fetch::<U32>(wave, inst, 1, half),
        );
        let mut r = [0; LANES];
        for l in 0..LANES {
            let below = match half.cmp(&which) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => (1u32 << l) - 1,
                std::cmp::Ordering::Greater => u32::MAX,
            };
            r[l] = b[l].wrapping_add((a[l] & below).count_ones());
        }
        U32::write(wave, inst, half, r);
    }
}

#[inline(always)]
fn count_below_low(wave: &mut Wave<'_>, inst: &Inst) {
    count_below(wave, inst, 0);
}

#[inline(always)]
fn count_below_high(wave: &mut Wave<'_>, inst: &Inst) {
    count_below(wave, inst, 1);
}

fn swap(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let a = crate::device::lanes::words(wave, inst.dst, 0, half);
        let b = crate::device::lanes::words(wave, inst.src[0], 0, half);
        put(wave, inst.dst, 0, half, &b);
        put(wave, inst.src[0], 0, half, &a);
    }
}

/// Each lane reads a lane of its row of 16 (`flip` 0) or of the row beside it (`flip` 16), by numbers of 4 bits.
fn permute_row(wave: &mut Wave<'_>, inst: &Inst, flip: usize) {
    let exec = wave.exec();
    let numbers = u64::from(wave.scalar(inst.src[1])) | u64::from(wave.scalar(inst.src[2])) << 32;
    let (fetch_inactive, bound_ctrl) = (inst.op_sel & 1 != 0, inst.op_sel & 2 != 0);
    let old: Vec<u32> = (0..wave.lanes())
        .map(|lane| wave.lane(inst.src[0], 0, lane))
        .collect();
    for lane in 0..wave.lanes() {
        let from = ((lane & !15) ^ flip) + (numbers >> (4 * (lane & 15)) & 15) as usize;
        let readable = fetch_inactive || exec >> from & 1 != 0;
        if exec >> lane & 1 != 0 && (readable || bound_ctrl) {
            wave.set_lane(inst.dst, 0, lane, if readable { old[from] } else { 0 });
        }
    }
}

fn permlane16(wave: &mut Wave<'_>, inst: &Inst) {
    permute_row(wave, inst, 0);
}

fn permlanex16(wave: &mut Wave<'_>, inst: &Inst) {
    permute_row(wave, inst, 16);
}

/// Exchanges the halves of a wave.
fn permlane64(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    if wave.halves == 2 {
        let rows = [1, 0].map(|half| crate::device::lanes::words(wave, inst.src[0], 0, half));
        put(wave, inst.dst, 0, 0, &rows[0]);
        put(wave, inst.dst, 0, 1, &rows[1]);
    }
}

/// An operand moved by M0 registers.
fn moved(wave: &mut Wave<'_>, inst: &Inst, operand: Operand) -> Operand {
    let Operand::V(row) = operand else {
        return operand;
    };
    let index = u32::from(row) + wave.s[M0];
    if index as usize >= wave.v.len() / wave.halves {
        wave.fault(
            inst,
            0,
            FaultKind::Unsupported,
            format!("an index of registers leads to v{index}, which the kernel has not"),
        );
        return operand;
    }
    Operand::V(index as u16)
}

fn move_from(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let from = moved(wave, inst, inst.src[0]);
    for half in 0..wave.halves {
        let row = crate::device::lanes::words(wave, from, 0, half);
        put(wave, inst.dst, 0, half, &row);
    }
}

fn move_to(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let to = moved(wave, inst, inst.dst);
    for half in 0..wave.halves {
        let row = crate::device::lanes::words(wave, inst.src[0], 0, half);
        put(wave, to, 0, half, &row);
    }
}

fn nothing(_wave: &mut Wave<'_>, _inst: &Inst) {}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    const ONE: &[Ty] = &[Ty::I32, Ty::I32];
    const TWO: &[Ty] = &[Ty::I32, Ty::I32, Ty::I32];
    const THREE: &[Ty] = &[Ty::I32, Ty::I32, Ty::I32, Ty::I32];
    t.add(
        "v_readfirstlane_b32",
        def(same!(read_first_lane), Form::Plain, 1, ONE),
    );
    t.add("v_readlane_b32", def(same!(read_lane), Form::Plain, 1, TWO));
    t.add(
        "v_writelane_b32",
        def(same!(write_lane), Form::Plain, 1, TWO),
    );
    t.add(
        "v_mbcnt_lo_u32_b32",
        def(both!(count_below_low), Form::Plain, 1, TWO),
    );
    t.add(
        "v_mbcnt_hi_u32_b32",
        def(both!(count_below_high), Form::Plain, 1, TWO),
    );
    t.add("v_swap_b32", def(same!(swap), Form::Plain, 1, ONE));
    t.add(
        "v_permlane16_b32",
        def(same!(permlane16), Form::Plain, 1, THREE),
    );
    t.add(
        "v_permlanex16_b32",
        def(same!(permlanex16), Form::Plain, 1, THREE),
    );
    t.add(
        "v_permlane64_b32",
        def(same!(permlane64), Form::Plain, 1, ONE),
    );
    t.add("v_movrels_b32", def(same!(move_from), Form::Plain, 1, ONE));
    t.add("v_movreld_b32", def(same!(move_to), Form::Plain, 1, ONE));
    t.add("v_nop", def(same!(nothing), Form::Bare, 0, &[]));
}
