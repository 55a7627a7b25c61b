//! Modifiers of operands and results: signs, parts of registers, the output multiplier, clamp, denormals.

use super::words;
use crate::device::model::float::{f16_bits, f16_value};
use crate::device::wave::inst::{Inst, Part, Sdwa, Unused};
use crate::device::wave::{Row, Wave};

#[inline(never)]
pub(super) fn select(bits: &mut Row, part: Part, sext: bool) {
    for x in bits.iter_mut() {
        *x = match (part, sext) {
            (Part::Byte(n), false) => *x >> (8 * n) & 0xff,
            (Part::Byte(n), true) => (*x >> (8 * n)) as i8 as u32,
            (Part::Word(n), false) => *x >> (16 * n) & 0xffff,
            (Part::Word(n), true) => (*x >> (16 * n)) as i16 as u32,
            (Part::All, _) => *x,
        };
    }
}

/// Modifiers of a source of up to 32 bits whose sign is the bit `sign`.
#[inline(never)]
pub(super) fn modify_words(inst: &Inst, k: usize, bits: &mut Row, sign: u32, half_register: bool) {
    match &inst.sdwa {
        Some(sdwa) if k < 2 => select(bits, sdwa.src[k], inst.sext >> k & 1 != 0),
        _ if half_register && inst.op_sel >> k & 1 != 0 => bits.iter_mut().for_each(|x| *x >>= 16),
        _ => {}
    }
    if inst.abs >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x &= !sign);
    }
    if inst.neg >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x ^= sign);
    }
}

/// Puts bits into a part of what was there.
pub(super) fn place(sdwa: Sdwa, old: u32, new: u32) -> u32 {
    let (shift, mask) = match sdwa.dst {
        Part::Byte(n) => (8 * u32::from(n), 0xff),
        Part::Word(n) => (16 * u32::from(n), 0xffff),
        Part::All => return new,
    };
    let part = (new & mask) << shift;
    match sdwa.unused {
        Unused::Pad => part,
        Unused::Preserve => old & !(mask << shift) | part,
        Unused::Sext => {
            let sign = if new & (mask + 1) >> 1 != 0 { !mask } else { 0 };
            (new & mask | sign) << shift
        }
    }
}

/// Puts a result of 16 or fewer bits where sub-dword addressing or `op_sel` says.
#[inline(never)]
pub(super) fn place_words(
    wave: &Wave<'_>,
    inst: &Inst,
    half: usize,
    bits: &mut Row,
    half_register: bool,
) {
    let old = words(wave, inst.dst, 0, half);
    for (new, old) in bits.iter_mut().zip(old) {
        if let Some(sdwa) = &inst.sdwa {
            *new = place(**sdwa, old, *new);
        } else if half_register && inst.op_sel & 8 != 0 {
            *new = old & 0xffff | *new << 16;
        } else if half_register && inst.keep_high {
            *new = old & 0xffff_0000 | *new & 0xffff;
        }
    }
}

/// The output multiplier.
pub(crate) const OMOD: [f32; 4] = [1.0, 2.0, 4.0, 0.5];

pub(super) fn clamp32(x: f32) -> f32 {
    // A NaN becomes 0, as DX10_CLAMP asks, which compilers set.
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

/// A denormal as zero.
#[inline(always)]
pub(crate) fn flushed(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

#[inline(never)]
pub(super) fn finish_f32(wave: &Wave<'_>, inst: &Inst, bits: &mut Row) {
    for x in bits.iter_mut() {
        let mut value = f32::from_bits(*x) * OMOD[inst.omod as usize];
        if inst.clamp {
            value = clamp32(value);
        }
        *x = if wave.flush {
            flushed(value.to_bits())
        } else {
            value.to_bits()
        };
    }
}

#[inline(never)]
pub(super) fn finish_f16(inst: &Inst, bits: &mut Row) {
    for x in bits.iter_mut() {
        let value = f16_value(*x) * OMOD[inst.omod as usize];
        *x = f16_bits(if inst.clamp { clamp32(value) } else { value });
    }
}
