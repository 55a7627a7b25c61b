//! Buffer instructions: scratch of gfx9 and gfx10, and raw or structured buffers.

use super::atomic::{TWO_WORDS, WORD, lane32, lane64};
use super::memory::{HIGH, PARTS_LOADED, PARTS_STORED, on, size, widen};
use super::table::{Def, Form, Table, def};
use crate::device::model::findings::FaultKind;
use crate::device::ops::address::{self, Spot};
use crate::device::wave::inst::{Inst, Operand};
use crate::device::wave::{SCRATCH_BASE, Wave};

/// Where a lane's access is aimed at, whether or not something is allocated there.
pub(crate) enum Aim {
    /// An address of global memory.
    Global(u64),
    /// An offset in the lane's scratch.
    Scratch(u32),
}

/// Where a lane's access is aimed at; nothing where the buffer ends before, which reads 0 and drops writes.
pub(crate) fn aim(wave: &Wave<'_>, inst: &Inst, lane: usize, bytes: u32) -> Option<Aim> {
    let Operand::S(descriptor) = inst.src[1] else {
        return None;
    };
    let base = wave.pair(descriptor as usize) & 0xffff_ffff_ffff;
    let soffset = wave.scalar(inst.src[2]);
    let index = if inst.idxen {
        wave.lane(inst.src[0], 0, lane)
    } else {
        0
    };
    let vector = if inst.offen {
        wave.lane(inst.src[0], usize::from(inst.idxen), lane)
    } else {
        0
    };
    let offset = vector.wrapping_add(inst.offset as u32);
    if base == SCRATCH_BASE {
        // The scalar offset counts bytes of all lanes.
        return Some(Aim::Scratch(
            offset.wrapping_add(soffset / wave.lanes() as u32),
        ));
    }
    let stride = wave.s[descriptor as usize + 1] >> 16 & 0x3fff;
    let records = u64::from(wave.s[descriptor as usize + 2]);
    let from_base = u64::from(index) * u64::from(stride) + u64::from(offset);
    let beyond = if stride == 0 {
        from_base + u64::from(bytes) > records
    } else {
        u64::from(index) >= records
    };
    (!beyond).then(|| Aim::Global(base + u64::from(soffset) + from_base))
}

/// Where a lane's access leads; nothing where the buffer ends before, and a fault where nothing is allocated.
fn place(wave: &mut Wave<'_>, inst: &Inst, lane: usize, bytes: u32) -> Option<Spot> {
    let address = match aim(wave, inst, lane, bytes)? {
        Aim::Scratch(offset) => return Some(Spot::Scratch(offset)),
        Aim::Global(address) => address,
    };
    let range = address::known_range(wave, address);
    if address < range.high && range.high - address >= bytes.into() {
        return Some(Spot::Global(address));
    }
    let message =
        format!("memory access fault: {bytes} bytes at {address:#x} of a buffer are not allocated");
    wave.fault(inst, lane, FaultKind::Memory, message);
    None
}

fn load<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let spot = place(wave, inst, lane, 4 * N as u32);
        let words: [u32; N] =
            spot.map_or([0; N], |spot| address::read_words(wave, inst, lane, spot));
        for (word, bits) in words.into_iter().enumerate() {
            wave.set_lane(inst.dst, word, lane, bits);
        }
    }
}

fn store<const N: usize>(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        let Some(spot) = place(wave, inst, lane, 4 * N as u32) else {
            continue;
        };
        let words: [u32; N] = std::array::from_fn(|word| wave.lane(inst.dst, word, lane));
        address::write_words(wave, inst, lane, spot, words);
    }
}

fn load_part(wave: &mut Wave<'_>, inst: &Inst) {
    let bytes = size(inst.param);
    for lane in on(wave.exec()) {
        let bits = place(wave, inst, lane, bytes)
            .map_or(0, |spot| address::read(wave, inst, lane, spot, bytes));
        let old = wave.lane(inst.dst, 0, lane);
        wave.set_lane(inst.dst, 0, lane, widen(inst.param, bits, old));
    }
}

fn store_part(wave: &mut Wave<'_>, inst: &Inst) {
    let bytes = size(inst.param);
    let shift = if inst.param & HIGH != 0 { 16 } else { 0 };
    for lane in on(wave.exec()) {
        let bits = wave.lane(inst.dst, 0, lane) >> shift;
        if let Some(spot) = place(wave, inst, lane, bytes) {
            address::write(wave, inst, lane, spot, bytes, bits);
        }
    }
}

fn atomic32(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        if let Some(spot) = place(wave, inst, lane, 4) {
            lane32(wave, inst, lane, spot, inst.dst);
        }
    }
}

fn atomic64(wave: &mut Wave<'_>, inst: &Inst) {
    for lane in on(wave.exec()) {
        if let Some(spot) = place(wave, inst, lane, 8) {
            lane64(wave, inst, lane, spot, inst.dst);
        }
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    let loads = [
        same!(load::<1>),
        same!(load::<2>),
        same!(load::<3>),
        same!(load::<4>),
    ];
    let stores = [
        same!(store::<1>),
        same!(store::<2>),
        same!(store::<3>),
        same!(store::<4>),
    ];
    let names = [
        ("dword", "b32"),
        ("dwordx2", "b64"),
        ("dwordx3", "b96"),
        ("dwordx4", "b128"),
    ];
    for (((old, new), load), store) in names.into_iter().zip(loads).zip(stores) {
        t.add(
            &format!("buffer_load_{old}|buffer_load_{new}"),
            def(load, Form::Buffer, 1, &[]),
        );
        t.add(
            &format!("buffer_store_{old}|buffer_store_{new}"),
            def(store, Form::Buffer, 0, &[]),
        );
    }
    for (name, param) in PARTS_LOADED {
        t.add(
            &format!("buffer_load_{name}"),
            Def {
                param,
                ..def(same!(load_part), Form::Buffer, 1, &[])
            },
        );
    }
    for (name, param) in PARTS_STORED {
        t.add(
            &format!("buffer_store_{name}"),
            Def {
                param,
                ..def(same!(store_part), Form::Buffer, 0, &[])
            },
        );
    }
    for (name, update) in WORD {
        let def = def(same!(atomic32), Form::Buffer, 1, &[]);
        t.add(
            &format!("buffer_atomic_{name}"),
            Def {
                param: update as u32,
                ..def
            },
        );
    }
    for (name, update) in TWO_WORDS {
        let def = def(same!(atomic64), Form::Buffer, 1, &[]);
        t.add(
            &format!("buffer_atomic_{name}"),
            Def {
                param: update as u32,
                ..def
            },
        );
    }
}
