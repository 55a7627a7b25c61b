//! What matrix instructions have in common: elements of several types in registers, products of whole tiles.

use super::convert::f8_value;
use crate::device::lanes::flushed;
use crate::device::model::float::{bf16_value, f16_value};
use crate::device::wave::Wave;
use crate::device::wave::inst::Operand;

/// The type of an element of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F32,
    /// 32-bit float of which 10 bits of mantissa count.
    X32,
    F16,
    BF16,
    F8,
    BF8,
    I8,
    U8,
    I4,
    U4,
}

impl Element {
    /// Bits.
    pub(crate) fn bits(self) -> usize {
        match self {
            Element::F32 | Element::X32 => 32,
            Element::F16 | Element::BF16 => 16,
            Element::F8 | Element::BF8 | Element::I8 | Element::U8 => 8,
            Element::I4 | Element::U4 => 4,
        }
    }

    /// The value of its bits; `flush` takes denormals of 16 bits for zero, as the matrix units of gfx90a do.
    fn value(self, bits: u32, flush: bool) -> f32 {
        let no_denormal = |x: f32, least: f32| if flush && x.abs() < least { 0.0 } else { x };
        match self {
            Element::F32 => f32::from_bits(bits),
            Element::X32 => f32::from_bits((bits + 0xfff + (bits >> 13 & 1)) & !0x1fff),
            Element::F16 => no_denormal(f16_value(bits), 6.103_515_6e-5),
            Element::BF16 => no_denormal(bf16_value(bits), f32::MIN_POSITIVE),
            Element::F8 => f8_value(bits, 3, 8),
            Element::BF8 => f8_value(bits, 2, 16),
            _ => self.whole(bits) as f32,
        }
    }

    /// The value of its bits as a whole number.
    fn whole(self, bits: u32) -> i32 {
        match self {
            Element::I8 => (bits as i8).into(),
            Element::I4 => (bits << 28) as i32 >> 28,
            _ => bits as i32,
        }
    }

    /// Whether it is a whole number.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Element::I8 | Element::U8 | Element::I4 | Element::U4)
    }
}

/// The bits of an element of a lane: the `index`th one from the register of `operand`.
pub(crate) fn element(
    wave: &Wave<'_>,
    operand: Operand,
    lane: usize,
    index: usize,
    of: Element,
) -> u32 {
    let (bits, at) = (of.bits(), index * of.bits());
    let word = wave.lane(operand, at / 32, lane);
    if bits == 32 {
        word
    } else {
        word >> (at % 32) & ((1 << bits) - 1)
    }
}

/// A row of one source times a column of the other, added to an accumulator, both as bits of 32.
pub(crate) fn dot(
    row: &[u32],
    of_row: Element,
    column: &[u32],
    of_column: Element,
    sum: u32,
    flush: bool,
) -> u32 {
    let pairs = row.iter().zip(column);
    if of_row.is_whole() {
        return pairs.fold(sum as i32, |sum, (a, b)| {
            sum.wrapping_add(of_row.whole(*a).wrapping_mul(of_column.whole(*b)))
        }) as u32;
    }
    let value = |x: &u32, of: Element| of.value(*x, flush);
    let total = pairs.fold(f32::from_bits(sum), |sum, (a, b)| {
        value(a, of_row).mul_add(value(b, of_column), sum)
    });
    if flush && of_row.bits() == 16 {
        flushed(total.to_bits())
    } else {
        total.to_bits()
    }
}
