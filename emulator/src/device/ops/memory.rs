//! Loads and stores of flat, global and scratch memory.

use super::table::{Def, Form, Table, def};
use crate::device::ops::address::{
    self, Addresses, Spot, addresses, further, locate, one_allocation,
};
use crate::device::ops::global;
use crate::device::wave::inst::{Inst, Operand};
use crate::device::wave::{LANES, M0, Wave};

/// Lanes that are on, one after another.
pub(crate) fn on(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}

#[inline(always)]
fn load<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    let all = addresses(wave, inst);
    if inst.to_lds {
        return load_to_lds::<N>(wave, inst, &all);
    }
    let (Operand::V(row), true) = (inst.dst, one_allocation(wave, inst, &all, 4 * N as u64)) else {
        return load_each::<N>(wave, inst, &all);
    };
    let exec = wave.exec();
    for half in 0..wave.halves {
        let on = (exec >> (32 * half)) as u32;
        let at = &all[half * LANES..][..LANES];
        for l in 0..LANES {
            if on >> l & 1 != 0 {
                // SAFETY: all lanes that are on are inside of one allocation.
                let words = unsafe { global::read_words::<N>(at[l]) };
                for word in 0..N {
                    wave.v[(row as usize + word) * wave.halves + half][l] = words[word];
                }
            }
        }
    }
}

#[cold]
#[inline(never)]
fn load_each<const N: usize>(wave: &mut Wave<'_>, inst: &Inst, all: &Addresses) {
    for lane in on(wave.exec()) {
        let Some(spot) = locate(wave, inst, lane, all[lane], 4 * N as u32) else {
            return;
        };
        let words: [u32; N] = address::read_words(wave, inst, lane, spot);
        for (word, bits) in words.into_iter().enumerate() {
            wave.set_lane(inst.dst, word, lane, bits);
        }
    }
}

/// The loaded words go to LDS: lane after lane from M0 on.
fn load_to_lds<const N: usize>(wave: &mut Wave<'_>, inst: &Inst, all: &Addresses) {
    let base = wave.s[M0] & 0xffff;
    for lane in on(wave.exec()) {
        let Some(spot) = locate(wave, inst, lane, all[lane], 4 * N as u32) else {
            return;
        };
        for word in 0..N as u32 {
            let bits = address::read(wave, inst, lane, further(spot, 4 * word), 4);
            address::write_lds(
                wave,
                inst,
                lane,
                base + 4 * (lane as u32 * N as u32 + word),
                4,
                bits,
            );
        }
    }
}

#[inline(always)]
fn store<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    let all = addresses(wave, inst);
    let (Operand::V(row), true) = (inst.src[1], one_allocation(wave, inst, &all, 4 * N as u64))
    else {
        return store_each::<N>(wave, inst, &all);
    };
    let exec = wave.exec();
    wave.changed = true;
    // Lane after lane, so that of lanes with one address the highest wins with all of its words.
    for lane in on(exec) {
        let words: [u32; N] = std::array::from_fn(|word| {
            wave.v[(row as usize + word) * wave.halves + lane / LANES][lane % LANES]
        });
        // SAFETY: all lanes that are on are inside of one allocation.
        unsafe { global::write_words(all[lane], words) };
    }
}

#[cold]
#[inline(never)]
fn store_each<const N: usize>(wave: &mut Wave<'_>, inst: &Inst, all: &Addresses) {
    for lane in on(wave.exec()) {
        let Some(spot) = locate(wave, inst, lane, all[lane], 4 * N as u32) else {
            return;
        };
        let words: [u32; N] = std::array::from_fn(|word| wave.lane(inst.src[1], word, lane));
        address::write_words(wave, inst, lane, spot, words);
    }
}

/// [`Inst::param`] of loads and stores of less than a word.
pub(crate) const SIGNED: u32 = 1;
/// Two bytes rather than one.
pub(crate) const SHORT: u32 = 2;
/// Only the low half of the register is written.
pub(crate) const TO_LOW: u32 = 8;
/// Only the high half of the register takes part.
pub(crate) const HIGH: u32 = 16;

/// Bytes of an access.
pub(crate) fn size(param: u32) -> u32 {
    if param & SHORT != 0 { 2 } else { 1 }
}

/// A part of a word with its sign, put beside what was in the register.
pub(crate) fn widen(param: u32, bits: u32, old: u32) -> u32 {
    let value = match (param & SHORT != 0, param & SIGNED != 0) {
        (false, false) => bits & 0xff,
        (false, true) => bits as i8 as u32,
        (true, false) => bits & 0xffff,
        (true, true) => bits as i16 as u32,
    };
    match param & (TO_LOW | HIGH) {
        0 => value,
        TO_LOW => old & 0xffff_0000 | value & 0xffff,
        _ => old & 0xffff | value << 16,
    }
}

#[inline(always)]
fn load_part(wave: &mut Wave<'_>, inst: &Inst) {
    let (all, bytes) = (addresses(wave, inst), size(inst.param));
    let inside = one_allocation(wave, inst, &all, bytes.into());
    for lane in on(wave.exec()) {
        let spot = if inside {
            Some(Spot::Global(all[lane]))
        } else {
            locate(wave, inst, lane, all[lane], bytes)
        };
        let Some(spot) = spot else { return };
        let bits = address::read(wave, inst, lane, spot, bytes);
        if inst.to_lds {
            let offset = (wave.s[M0] & 0xffff) + 4 * lane as u32;
            address::write_lds(wave, inst, lane, offset, 4, widen(inst.param, bits, 0));
        } else {
            let old = wave.lane(inst.dst, 0, lane);
            wave.set_lane(inst.dst, 0, lane, widen(inst.param, bits, old));
        }
    }
}

#[inline(always)]
fn store_part(wave: &mut Wave<'_>, inst: &Inst) {
    let (all, bytes) = (addresses(wave, inst), size(inst.param));
    let inside = one_allocation(wave, inst, &all, bytes.into());
    let shift = if inst.param & HIGH != 0 { 16 } else { 0 };
    for lane in on(wave.exec()) {
        let spot = if inside {
            Some(Spot::Global(all[lane]))
        } else {
            locate(wave, inst, lane, all[lane], bytes)
        };
        let Some(spot) = spot else { return };
        let bits = wave.lane(inst.src[1], 0, lane) >> shift;
        address::write(wave, inst, lane, spot, bytes, bits);
    }
}

/// Names of parts of words that are loaded: of gfx9 and gfx10, then of gfx11.
pub(crate) const PARTS_LOADED: [(&str, u32); 20] = [
    ("ubyte", 0),
    ("sbyte", SIGNED),
    ("ushort", SHORT),
    ("sshort", SHORT | SIGNED),
    ("ubyte_d16", TO_LOW),
    ("sbyte_d16", TO_LOW | SIGNED),
    ("short_d16", TO_LOW | SHORT),
    ("ubyte_d16_hi", HIGH),
    ("sbyte_d16_hi", HIGH | SIGNED),
    ("short_d16_hi", HIGH | SHORT),
    ("u8", 0),
    ("i8", SIGNED),
    ("u16", SHORT),
    ("i16", SHORT | SIGNED),
    ("d16_u8", TO_LOW),
    ("d16_i8", TO_LOW | SIGNED),
    ("d16_b16", TO_LOW | SHORT),
    ("d16_hi_u8", HIGH),
    ("d16_hi_i8", HIGH | SIGNED),
    ("d16_hi_b16", HIGH | SHORT),
];

/// Names of parts of words that are stored.
pub(crate) const PARTS_STORED: [(&str, u32); 8] = [
    ("byte", 0),
    ("short", SHORT),
    ("byte_d16_hi", HIGH),
    ("short_d16_hi", HIGH | SHORT),
    ("b8", 0),
    ("b16", SHORT),
    ("d16_hi_b8", HIGH),
    ("d16_hi_b16", HIGH | SHORT),
];

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    for space in ["flat", "global", "scratch"] {
        words(t, space);
        for (name, param) in PARTS_LOADED {
            let def = def(both!(load_part), Form::Load, 1, &[]);
            t.add(
                &format!("{space}_load_{name}|{space}_load_lds_{name}"),
                Def { param, ..def },
            );
        }
        for (name, param) in PARTS_STORED {
            let def = def(both!(store_part), Form::Store, 0, &[]);
            t.add(&format!("{space}_store_{name}"), Def { param, ..def });
        }
    }
}

fn words(t: &mut Table, space: &str) {
    let runs = [
        both!(load::<1>),
        both!(load::<2>),
        both!(load::<3>),
        both!(load::<4>),
    ];
    let stores = [
        both!(store::<1>),
        both!(store::<2>),
        both!(store::<3>),
        both!(store::<4>),
    ];
    let names = [
        ("dword", "b32"),
        ("dwordx2", "b64"),
        ("dwordx3", "b96"),
        ("dwordx4", "b128"),
    ];
    for (((old, new), load), store) in names.into_iter().zip(runs).zip(stores) {
        let names = format!("{space}_load_{old}|{space}_load_{new}|{space}_load_lds_{old}");
        t.add(&names, def(load, Form::Load, 1, &[]));
        t.add(
            &format!("{space}_store_{old}|{space}_store_{new}"),
            def(store, Form::Store, 0, &[]),
        );
    }
}
