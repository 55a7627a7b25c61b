//! The types of operands.

use super::modifiers::*;
use super::{Kind, joined, parted, put, source, store_word, words};
use crate::device::model::float::{f16_bits, f16_value};
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{LANES, Row, Wave};

macro_rules! kind32 {
    ($(#[$doc:meta])* $name:ident, $value:ty, $ty:ident, $sign:expr, |$bits:ident| $get:expr, |$x:ident| $put:expr, |$w:ident, $i:ident, $r:ident| $finish:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;
        impl Kind for $name {
            type Bits = u32;
            type Value = $value;
            const TY: Ty = Ty::$ty;
            #[inline(always)]
            fn read(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> Row {
                source(wave, inst, k, 0, half)
            }
            #[inline(always)]
            fn plain(wave: &Wave<'_>, operand: Operand, half: usize) -> Row {
                words(wave, operand, 0, half)
            }
            #[inline(always)]
            fn store(wave: &mut Wave<'_>, operand: Operand, half: usize, mask: u32, bits: Row) {
                store_word(wave, operand, 0, half, mask, &bits);
            }
            #[inline(always)]
            fn modify(wave: &Wave<'_>, inst: &Inst, k: usize, bits: &mut Row) {
                if inst.in_mods {
                    modify_words(inst, k, bits, $sign, matches!(Ty::$ty, Ty::F16 | Ty::I16));
                }
                if matches!(Ty::$ty, Ty::F32) && wave.flush {
                    bits.iter_mut().for_each(|x| *x = flushed(*x));
                }
            }
            #[inline(always)]
            fn value($bits: u32) -> $value {
                $get
            }
            #[inline(always)]
            fn bits($x: $value) -> u32 {
                $put
            }
            #[inline(always)]
            fn write($w: &mut Wave<'_>, $i: &Inst, half: usize, bits: Row) {
                #[allow(unused_mut)]
                let mut $r = bits;
                if $i.out_mods || (matches!(Ty::$ty, Ty::F32) && $w.flush) {
                    $finish;
                    if $i.out_mods {
                        place_words($w, $i, half, &mut $r, matches!(Ty::$ty, Ty::F16 | Ty::I16));
                    }
                }
                put($w, $i.dst, 0, half, &$r);
            }
        }
    };
}

const SIGN: u32 = 0x8000_0000;

kind32!(
    /// 32 bits as an unsigned integer.
    U32, u32, I32, SIGN, |b| b, |x| x, |w, i, r| {}
);
kind32!(
    /// 32 bits as a signed integer.
    I32, i32, I32, SIGN, |b| b as i32, |x| x as u32, |w, i, r| {}
);
kind32!(
    /// 32-bit float.
    F32, f32, F32, SIGN, |b| f32::from_bits(b), |x| x.to_bits(), |w, i, r| finish_f32(w, i, &mut r)
);
kind32!(
    /// 16 bits as an unsigned integer.
    U16, u32, I16, 0x8000, |b| b & 0xffff, |x| x & 0xffff, |w, i, r| {}
);
kind32!(
    /// 16 bits as a signed integer.
    I16, i32, I16, 0x8000, |b| i32::from(b as i16), |x| x as u32 & 0xffff, |w, i, r| {}
);
kind32!(
    /// 16-bit float, computed with as a 32-bit one: sums and products round to the same.
    F16, f32, F16, 0x8000, |b| f16_value(b), |x| f16_bits(x), |w, i, r| finish_f16(i, &mut r)
);
kind32!(
    /// 16-bit float as its bits, for results that were rounded already.
    H16, u32, F16, 0x8000, |b| b & 0xffff, |x| x & 0xffff, |w, i, r| finish_f16(i, &mut r)
);
kind32!(
    /// The bits of a 32-bit float that negation and absolute value apply to.
    B32, u32, F32, SIGN, |b| b, |x| x, |w, i, r| finish_f32(w, i, &mut r)
);

macro_rules! kind64 {
    ($(#[$doc:meta])* $name:ident, $value:ty, $ty:ident, |$bits:ident| $get:expr, |$x:ident| $put:expr) => {
        $(#[$doc])*
        pub(crate) struct $name;
        impl Kind for $name {
            type Bits = u64;
            type Value = $value;
            const TY: Ty = Ty::$ty;
            #[inline(always)]
            fn read(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> [u64; LANES] {
                joined(source(wave, inst, k, 0, half), source(wave, inst, k, 1, half))
            }
            #[inline(always)]
            fn plain(wave: &Wave<'_>, operand: Operand, half: usize) -> [u64; LANES] {
                joined(words(wave, operand, 0, half), words(wave, operand, 1, half))
            }
            #[inline(always)]
            fn store(wave: &mut Wave<'_>, operand: Operand, half: usize, mask: u32, bits: [u64; LANES]) {
                let (low, high) = parted(bits);
                store_word(wave, operand, 0, half, mask, &low);
                store_word(wave, operand, 1, half, mask, &high);
            }
            #[inline(always)]
            fn modify(_wave: &Wave<'_>, inst: &Inst, k: usize, bits: &mut [u64; LANES]) {
                if inst.in_mods {
                    modify_64(inst, k, bits);
                }
            }
            #[inline(always)]
            fn value($bits: u64) -> $value {
                $get
            }
            #[inline(always)]
            fn bits($x: $value) -> u64 {
                $put
            }
            #[inline(always)]
            fn write(wave: &mut Wave<'_>, inst: &Inst, half: usize, mut bits: [u64; LANES]) {
                if inst.out_mods && matches!(Ty::$ty, Ty::F64) {
                    finish_f64(inst, &mut bits);
                }
                let mask = wave.write[half];
                Self::store(wave, inst.dst, half, mask, bits);
            }
        }
    };
}

#[inline(never)]
fn modify_64(inst: &Inst, k: usize, bits: &mut [u64; LANES]) {
    if inst.abs >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x &= !(1 << 63));
    }
    if inst.neg >> k & 1 != 0 {
        bits.iter_mut().for_each(|x| *x ^= 1 << 63);
    }
}

#[inline(never)]
fn finish_f64(inst: &Inst, bits: &mut [u64; LANES]) {
    for x in bits.iter_mut() {
        let mut value = f64::from_bits(*x) * f64::from(OMOD[inst.omod as usize]);
        if inst.clamp {
            value = if value > 0.0 { value.min(1.0) } else { 0.0 };
        }
        *x = value.to_bits();
    }
}

kind64!(
    /// 64 bits as an unsigned integer.
    U64, u64, I64, |b| b, |x| x
);
kind64!(
    /// 64 bits as a signed integer.
    I64, i64, I64, |b| b as i64, |x| x as u64
);
kind64!(
    /// 64-bit float.
    F64, f64, F64, |b| f64::from_bits(b), |x| x.to_bits()
);
