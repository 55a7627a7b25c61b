//! Reads and writes of LDS.

use super::memory::{HIGH, SHORT, SIGNED, TO_LOW, on, size, widen};
use super::table::{Def, Form, Table, def};
use crate::device::ops::address::{read_lds, write_lds};
use crate::device::wave::inst::{Inst, Operand};
use crate::device::wave::{LANES, Wave};

/// The offset of a lane.
#[inline(always)]
pub(crate) fn offset(wave: &Wave<'_>, inst: &Inst, lane: usize) -> u32 {
    wave.lane(inst.src[0], 0, lane)
        .wrapping_add(inst.offset as u32)
}

/// Whether all lanes that are on stay inside of LDS, and nothing is checked.
#[inline(always)]
fn all_inside(wave: &Wave<'_>, inst: &Inst, bytes: u32) -> bool {
    let Operand::V(row) = inst.src[0] else {
        return false;
    };
    let exec = wave.exec();
    let mut high = 0;
    for half in 0..wave.halves {
        let (on, at) = (
            (exec >> (32 * half)) as u32,
            &wave.v[row as usize * wave.halves + half],
        );
        for l in 0..LANES {
            high = high.max(if on >> l & 1 != 0 { at[l] } else { 0 });
        }
    }
    wave.lds.shadow.is_none()
        && u64::from(high) + inst.offset as u64 + u64::from(bytes) <= wave.lds.len() as u64
}

#[inline(always)]
fn read<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    let (true, Operand::V(from), Operand::V(to)) =
        (all_inside(wave, inst, 4 * N as u32), inst.src[0], inst.dst)
    else {
        return read_each::<N>(wave, inst);
    };
    let exec = wave.exec();
    for half in 0..wave.halves {
        let on = (exec >> (32 * half)) as u32;
        let at = wave.v[from as usize * wave.halves + half];
        for word in 0..N {
            let offset = (inst.offset as u32).wrapping_add(4 * word as u32);
            let out = &mut wave.v[(to as usize + word) * wave.halves + half];
            for l in 0..LANES {
                if on >> l & 1 != 0 {
                    out[l] = wave.lds.read32(at[l].wrapping_add(offset)).unwrap_or(0);
                }
            }
        }
    }
}

#[inline(never)]
fn read_each<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let at = offset(wave, inst, lane);
        let words: [u32; N] =
            std::array::from_fn(|k| read_lds(wave, inst, lane, at.wrapping_add(4 * k as u32), 4));
        for (word, bits) in words.into_iter().enumerate() {
            wave.set_lane(inst.dst, word, lane, bits);
        }
    }
}

#[inline(always)]
fn write<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    let plain = all_inside(wave, inst, 4 * N as u32);
    wave.changed = true;
    for lane in on(wave.exec()) {
        let at = offset(wave, inst, lane);
        for word in 0..N {
            let bits = wave.lane(inst.src[1], word, lane);
            let at = at.wrapping_add(4 * word as u32);
            if plain {
                let _ = wave.lds.write32(at, bits);
            } else {
                write_lds(wave, inst, lane, at, 4, bits);
            }
        }
    }
}

fn read_part(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let at = offset(wave, inst, lane);
        let bits = read_lds(wave, inst, lane, at, size(inst.param));
        let old = wave.lane(inst.dst, 0, lane);
        wave.set_lane(inst.dst, 0, lane, widen(inst.param, bits, old));
    }
}

fn write_part(wave: &mut Wave<'_>, inst: &Inst) {
    let shift = if inst.param & HIGH != 0 { 16 } else { 0 };
    for lane in on(wave.exec()) {
        let at = offset(wave, inst, lane);
        let bits = wave.lane(inst.src[1], 0, lane) >> shift;
        write_lds(wave, inst, lane, at, size(inst.param), bits);
    }
}

/// [`Inst::param`] of accesses with two offsets: words of an element in the low byte, and above it what the offsets count elements in.
const STRIDE_64: u32 = 64 << 8;
const STRIDE_1: u32 = 1 << 8;

/// Where the two elements of a lane lie, and their words.
#[inline(always)]
fn two_places(wave: &Wave<'_>, inst: &Inst, lane: usize) -> ([u32; 2], u32) {
    let (words, stride) = (inst.param & 255, inst.param >> 8);
    let base = wave.lane(inst.src[0], 0, lane);
    let place = |offset: i32| base.wrapping_add(offset as u32 * stride * words * 4);
    ([place(inst.offset), place(inst.offset1)], words)
}

fn read_two(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let (places, words) = two_places(wave, inst, lane);
        let mut bits = [0; 4];
        for k in 0..2 * words {
            bits[k as usize] = read_lds(
                wave,
                inst,
                lane,
                places[(k / words) as usize].wrapping_add(4 * (k % words)),
                4,
            );
        }
        for k in 0..2 * words as usize {
            wave.set_lane(inst.dst, k, lane, bits[k]);
        }
    }
}

fn write_two(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let (places, words) = two_places(wave, inst, lane);
        for k in 0..2 * words {
            let bits = wave.lane(
                inst.src[1 + (k / words) as usize],
                (k % words) as usize,
                lane,
            );
            write_lds(
                wave,
                inst,
                lane,
                places[(k / words) as usize].wrapping_add(4 * (k % words)),
                4,
                bits,
            );
        }
    }
}

fn exchange_two(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let (places, words) = two_places(wave, inst, lane);
        let mut old = [0; 4];
        for k in 0..2 * words {
            let bits = wave.lane(
                inst.src[1 + (k / words) as usize],
                (k % words) as usize,
                lane,
            );
            let at = places[(k / words) as usize].wrapping_add(4 * (k % words));
            old[k as usize] = read_lds(wave, inst, lane, at, 4);
            write_lds(wave, inst, lane, at, 4, bits);
        }
        for k in 0..2 * words as usize {
            wave.set_lane(inst.dst, k, lane, old[k]);
        }
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    let reads = [
        both!(read::<1>),
        both!(read::<2>),
        both!(read::<3>),
        both!(read::<4>),
    ];
    let writes = [
        both!(write::<1>),
        both!(write::<2>),
        both!(write::<3>),
        both!(write::<4>),
    ];
    for ((bits, read), write) in ["b32", "b64", "b96", "b128"]
        .into_iter()
        .zip(reads)
        .zip(writes)
    {
        t.add(
            &format!("ds_read_{bits}|ds_load_{bits}"),
            def(read, Form::LdsResult, 1, &[]),
        );
        t.add(
            &format!("ds_write_{bits}|ds_store_{bits}"),
            def(write, Form::Lds, 0, &[]),
        );
    }
    for (names, param) in READS {
        t.add(
            names,
            Def {
                param,
                ..def(same!(read_part), Form::LdsResult, 1, &[])
            },
        );
    }
    for (names, param) in WRITES {
        t.add(
            names,
            Def {
                param,
                ..def(same!(write_part), Form::Lds, 0, &[])
            },
        );
    }
    for (old, new, bits, param) in TWO {
        let named = |old_name: &str, new_name: &str| {
            format!("ds_{old_name}{old}_{bits}|ds_{new_name}_{new}_{bits}")
        };
        t.add(
            &named("read", "load"),
            Def {
                param,
                ..def(same!(read_two), Form::LdsResult, 1, &[])
            },
        );
        t.add(
            &named("write", "store"),
            Def {
                param,
                ..def(same!(write_two), Form::Lds, 0, &[])
            },
        );
        let names = format!("ds_wrxchg{old}_rtn_{bits}|ds_storexchg_{new}_rtn_{bits}");
        t.add(
            &names,
            Def {
                param,
                ..def(same!(exchange_two), Form::LdsResult, 1, &[])
            },
        );
    }
}

const READS: [(&str, u32); 10] = [
    ("ds_read_u8|ds_load_u8", 0),
    ("ds_read_i8|ds_load_i8", SIGNED),
    ("ds_read_u16|ds_load_u16", SHORT),
    ("ds_read_i16|ds_load_i16", SHORT | SIGNED),
    ("ds_read_u8_d16|ds_load_u8_d16", TO_LOW),
    ("ds_read_i8_d16|ds_load_i8_d16", TO_LOW | SIGNED),
    ("ds_read_u16_d16|ds_load_u16_d16", TO_LOW | SHORT),
    ("ds_read_u8_d16_hi|ds_load_u8_d16_hi", HIGH),
    ("ds_read_i8_d16_hi|ds_load_i8_d16_hi", HIGH | SIGNED),
    ("ds_read_u16_d16_hi|ds_load_u16_d16_hi", HIGH | SHORT),
];

const WRITES: [(&str, u32); 4] = [
    ("ds_write_b8|ds_store_b8", 0),
    ("ds_write_b16|ds_store_b16", SHORT),
    ("ds_write_b8_d16_hi|ds_store_b8_d16_hi", HIGH),
    ("ds_write_b16_d16_hi|ds_store_b16_d16_hi", HIGH | SHORT),
];

const TWO: [(&str, &str, &str, u32); 4] = [
    ("2", "2addr", "b32", 1 | STRIDE_1),
    ("2", "2addr", "b64", 2 | STRIDE_1),
    ("2st64", "2addr_stride64", "b32", 1 | STRIDE_64),
    ("2st64", "2addr_stride64", "b64", 2 | STRIDE_64),
];
