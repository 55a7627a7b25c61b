//! Scalar loads.

use super::table::{Def, Form, Table, def};
use crate::device::model::findings::FaultKind;
use crate::device::ops::address::known_range;
use crate::device::ops::global;
use crate::device::wave::inst::{Inst, Operand};
use crate::device::wave::{SCRATCH_BASE, Wave};

/// Loads the words at an address to the destination.
fn load_from(wave: &mut Wave<'_>, inst: &Inst, address: u64) {
    let (address, words) = (address & !3, inst.param);
    let range = known_range(wave, address);
    if address >= range.high || range.high - address < 4 * u64::from(words) {
        let around = wave.running.memory.around(address);
        let message = format!(
            "memory access fault: {} bytes at {address:#x} are not allocated ({around})",
            4 * words
        );
        return wave.fault(inst, 0, FaultKind::Memory, message);
    }
    let Operand::S(first) = inst.dst else { return };
    if words == 1 {
        // SAFETY: the range is in the table of memory.
        wave.s[usize::from(first)] = unsafe { global::read32(address) };
        return;
    }
    for pair in 0..words / 2 {
        // SAFETY: as above.
        let both = unsafe { global::read64(address + 8 * u64::from(pair)) };
        wave.set_pair((u32::from(first) + 2 * pair) as usize, both);
    }
}

/// The offset of source 1, which as a constant has a sign.
fn offset(wave: &Wave<'_>, inst: &Inst) -> u64 {
    let source = match inst.src[1] {
        Operand::Imm(bits) => i64::from(bits as u32 as i32),
        other => i64::from(wave.scalar(other)),
    };
    source.wrapping_add(inst.offset.into()) as u64
}

fn load(wave: &mut Wave<'_>, inst: &Inst) {
    let address = wave.scalar64(inst.src[0]).wrapping_add(offset(wave, inst));
    load_from(wave, inst, address);
}

/// From a buffer: past its end 0.
fn buffer_load(wave: &mut Wave<'_>, inst: &Inst) {
    let Operand::S(descriptor) = inst.src[0] else {
        return;
    };
    let base = wave.pair(descriptor as usize) & 0xffff_ffff_ffff;
    let (at, records) = (
        offset(wave, inst),
        u64::from(wave.s[descriptor as usize + 2]),
    );
    let stride = u64::from(wave.s[descriptor as usize + 1] >> 16 & 0x3fff);
    let bytes = records * stride.max(1);
    if base == SCRATCH_BASE {
        return wave.fault(
            inst,
            0,
            FaultKind::Unsupported,
            "a scalar load from scratch is not emulated".to_string(),
        );
    }
    if at + 4 * u64::from(inst.param) <= bytes {
        return load_from(wave, inst, base + at);
    }
    let Operand::S(first) = inst.dst else { return };
    for k in 0..inst.param {
        wave.s[(u32::from(first) + k) as usize] = 0;
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    let sizes = [
        ("dword", "b32", 1),
        ("dwordx2", "b64", 2),
        ("dwordx4", "b128", 4),
        ("dwordx8", "b256", 8),
        ("dwordx16", "b512", 16),
    ];
    for (old, new, param) in sizes {
        let plain = Def {
            param,
            ..def(same!(load), Form::ScalarLoad, 1, &[])
        };
        t.add(
            &format!("s_load_{old}|s_load_{new}|s_scratch_load_{old}"),
            plain,
        );
        let buffer = Def {
            param,
            ..def(same!(buffer_load), Form::ScalarLoad, 1, &[])
        };
        t.add(&format!("s_buffer_load_{old}|s_buffer_load_{new}"), buffer);
    }
}
