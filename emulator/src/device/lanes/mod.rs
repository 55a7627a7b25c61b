//! Reading operands and writing results for 32 lanes at a time, with AMD's modifiers: negation, absolute value, output multiplier and
//! clamp, data-parallel primitives, sub-dword addressing, halves of registers.
//!
//! Everything is `inline(always)` so that each operation becomes one loop, which the compiler vectorises.

mod kinds;
mod map;
mod modifiers;

use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{LANES, Row, Wave};
pub(crate) use kinds::*;
pub(crate) use map::{fetch, map1, map2, map3, test2};
pub(crate) use modifiers::flushed;

/// How an operand of a lane is held in registers, and what it is in computation.
pub(crate) trait Kind {
    /// Bits: `u32` or `u64`.
    type Bits: Copy + Default;
    /// Value that operations compute with.
    type Value: Copy;
    /// The type, for constants.
    const TY: Ty;
    /// All lanes of a half, before modifiers.
    fn read(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> [Self::Bits; LANES];
    /// All lanes of a half of an operand without modifiers.
    fn plain(wave: &Wave<'_>, operand: Operand, half: usize) -> [Self::Bits; LANES];
    /// Writes the lanes of a mask, without modifiers.
    fn store(
        wave: &mut Wave<'_>,
        operand: Operand,
        half: usize,
        mask: u32,
        bits: [Self::Bits; LANES],
    );
    /// Applies the modifiers of source `k`.
    fn modify(wave: &Wave<'_>, inst: &Inst, k: usize, bits: &mut [Self::Bits; LANES]);
    /// The value of bits.
    fn value(bits: Self::Bits) -> Self::Value;
    /// The bits of a value.
    fn bits(value: Self::Value) -> Self::Bits;
    /// Applies the modifiers of the result and writes the lanes that are on.
    fn write(wave: &mut Wave<'_>, inst: &Inst, half: usize, bits: [Self::Bits; LANES]);
}

/// The words of an operand for the lanes of a half.
#[inline(always)]
pub(crate) fn words(wave: &Wave<'_>, operand: Operand, word: usize, half: usize) -> Row {
    match operand {
        Operand::V(row) => wave.v[(row as usize + word) * wave.halves + half],
        Operand::Imm(bits) => [(bits >> (32 * word)) as u32; LANES],
        Operand::S(index) => [wave.s[index as usize + word]; LANES],
        other => {
            [if word == 0 {
                wave.scalar(other)
            } else {
                (wave.scalar64(other) >> 32) as u32
            }; LANES]
        }
    }
}

/// The words of source `k`, after a data-parallel primitive.
#[inline(always)]
fn source(wave: &Wave<'_>, inst: &Inst, k: usize, word: usize, half: usize) -> Row {
    if k == 0 && inst.dpp.is_some() {
        wave.moved[half][word]
    } else {
        words(wave, inst.src[k], word, half)
    }
}

/// `on` where the bit of the lane is set, else `off`. Written with masks, which become vector blends; a choice between elements does not.
#[inline(always)]
pub(crate) fn blend(mask: u32, lane: usize, on: u32, off: u32) -> u32 {
    let chosen = (mask >> lane & 1).wrapping_neg();
    off ^ ((on ^ off) & chosen)
}

/// Writes the lanes of `mask`.
#[inline(always)]
pub(crate) fn store(row: &mut Row, bits: &Row, mask: u32) {
    if mask == u32::MAX {
        *row = *bits;
    } else {
        for l in 0..LANES {
            row[l] = blend(mask, l, bits[l], row[l]);
        }
    }
}

/// Writes word `word` of the result for the lanes that are on.
#[inline(always)]
pub(crate) fn put(wave: &mut Wave<'_>, operand: Operand, word: usize, half: usize, bits: &Row) {
    let mask = wave.write[half];
    store_word(wave, operand, word, half, mask, bits);
}

/// Writes word `word` of an operand for the lanes of a mask.
#[inline(always)]
fn store_word(
    wave: &mut Wave<'_>,
    operand: Operand,
    word: usize,
    half: usize,
    mask: u32,
    bits: &Row,
) {
    if let Operand::V(row) = operand {
        store(
            &mut wave.v[(row as usize + word) * wave.halves + half],
            bits,
            mask,
        );
    }
}

/// Two words as one.
#[inline(always)]
fn joined(low: Row, high: Row) -> [u64; LANES] {
    let mut bits = [0; LANES];
    for l in 0..LANES {
        bits[l] = u64::from(low[l]) | u64::from(high[l]) << 32;
    }
    bits
}

/// One word as two.
#[inline(always)]
fn parted(bits: [u64; LANES]) -> (Row, Row) {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for l in 0..LANES {
        low[l] = bits[l] as u32;
        high[l] = (bits[l] >> 32) as u32;
    }
    (low, high)
}

/// Sets the lanes to be written, and moves the lanes of a data-parallel primitive.
#[inline(always)]
pub(crate) fn begin(wave: &mut Wave<'_>, inst: &Inst) {
    let exec = wave.exec();
    wave.write = [exec as u32, (exec >> 32) as u32];
    if inst.dpp.is_some() {
        move_lanes(wave, inst, exec);
    }
}

#[inline(never)]
fn move_lanes(wave: &mut Wave<'_>, inst: &Inst, exec: u64) {
    let Some(dpp) = &inst.dpp else { return };
    let mut write = exec & dpp.lanes;
    for lane in 0..wave.lanes() {
        let from = dpp.from[lane];
        let valid = from >= 0 && (dpp.fetch_inactive || exec >> from & 1 != 0);
        for word in 0..2 {
            let bits = if valid && has_word(wave, inst.src[0], word) {
                wave.lane(inst.src[0], word, from as usize)
            } else {
                0
            };
            wave.moved[lane / LANES][word][lane % LANES] = bits;
        }
        if !valid && !dpp.bound_ctrl {
            write &= !(1 << lane);
        }
    }
    wave.write = [write as u32, (write >> 32) as u32];
}

/// Whether a register of that number exists: the second word of a last register does not.
fn has_word(wave: &Wave<'_>, operand: Operand, word: usize) -> bool {
    match operand {
        Operand::V(row) => (row as usize + word + 1) * wave.halves <= wave.v.len(),
        _ => true,
    }
}
