//! Floating-point arithmetic that Rust has not: 16-bit floats, rounding to odd, minimum and maximum as AMD defines them, scaling.

/// The value of a 16-bit float in the lower half.
#[inline(always)]
pub(crate) fn f16_value(bits: u32) -> f32 {
    let magnitude = (bits & 0x7fff) << 13;
    let sign = (bits & 0x8000) << 16;
    // Exponents of 32-bit floats are 112 higher; the product is exact for denormals too.
    let finite = (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits();
    let special = magnitude | 0x7f80_0000;
    f32::from_bits(
        sign | if bits & 0x7c00 == 0x7c00 {
            special
        } else {
            finite
        },
    )
}

/// The nearest 16-bit float, ties to even.
#[inline(always)]
pub(crate) fn f16_bits(value: f32) -> u32 {
    let (sign, a) = (
        value.to_bits() >> 16 & 0x8000,
        value.to_bits() & 0x7fff_ffff,
    );
    // Half of the smallest step below 2^-14 is what adding 0.5 rounds to.
    let denormal = (f32::from_bits(a) + 0.5)
        .to_bits()
        .wrapping_sub(0x3f00_0000);
    let normal = a
        .wrapping_add(0xfff + (a >> 13 & 1))
        .wrapping_sub(0x3800_0000)
        >> 13;
    let infinite = 0x7c00;
    let nan = 0x7e00 | a >> 13 & 0x3ff;
    let finite = if a < 0x3880_0000 { denormal } else { normal };
    let limited = if a >= 0x477f_f000 { infinite } else { finite };
    sign | if a > 0x7f80_0000 { nan } else { limited }
}

/// The nearest 16-bit float toward zero.
#[inline(always)]
pub(crate) fn f16_toward_zero(value: f32) -> u32 {
    let near = f16_bits(value);
    let too_far = value.is_finite() && f16_value(near).abs() > value.abs();
    if too_far { near - 1 } else { near }
}

/// The nearest 16-bit float of a 64-bit one, rounded once.
#[inline(always)]
pub(crate) fn f16_of_f64(value: f64) -> u32 {
    f16_bits(odd_f32(value))
}

/// A 32-bit float of which the last bit tells that something was cut off, so that a second rounding gives what one would.
#[inline(always)]
pub(crate) fn odd_f32(value: f64) -> f32 {
    let near = value as f32;
    let back = f64::from(near);
    if back == value || !near.is_finite() || value.is_nan() {
        return near;
    }
    let down = if back.abs() > value.abs() {
        near.to_bits() - 1
    } else {
        near.to_bits()
    };
    f32::from_bits(down | 1)
}

/// `a * b + c` whose last bit tells that something was cut off, where `a * b` is small beside `c` or exact.
pub(crate) fn odd_fma(a: f64, b: f64, c: f64) -> f64 {
    let near = a.mul_add(b, c);
    let rest = a.mul_add(b, c - near);
    if rest == 0.0 || !near.is_finite() || !rest.is_finite() || near == 0.0 {
        return near;
    }
    let outward = (rest > 0.0) == (near > 0.0);
    let down = if outward {
        near.to_bits()
    } else {
        near.to_bits() - 1
    };
    f64::from_bits(down | 1)
}

/// bfloat16 in the lower half, as a 32-bit float.
#[inline(always)]
pub(crate) fn bf16_value(bits: u32) -> f32 {
    f32::from_bits(bits << 16)
}

/// The nearest bfloat16, ties to even.
#[inline(always)]
pub(crate) fn bf16_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    if value.is_nan() {
        bits >> 16 | 0x40
    } else {
        bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16
    }
}

macro_rules! extremes {
    ($min:ident, $max:ident, $ty:ty, $bits:ty, $shift:expr) => {
        /// The smaller one; of a NaN and a number the number; -0 is below 0.
        #[inline(always)]
        pub(crate) fn $min(a: $ty, b: $ty) -> $ty {
            let both_zero = a == 0.0 && b == 0.0;
            let number = if a.is_nan() || (both_zero && b.is_sign_negative()) || b < a {
                b
            } else {
                a
            };
            if a.is_nan() && b.is_nan() { a } else { number }
        }
        /// The larger one; of a NaN and a number the number; 0 is above -0.
        #[inline(always)]
        pub(crate) fn $max(a: $ty, b: $ty) -> $ty {
            let both_zero = a == 0.0 && b == 0.0;
            let number = if a.is_nan() || (both_zero && a.is_sign_negative()) || b > a {
                b
            } else {
                a
            };
            if a.is_nan() && b.is_nan() { a } else { number }
        }
    };
}

extremes!(min_f32, max_f32, f32, u32, 23);
extremes!(min_f64, max_f64, f64, u64, 52);

/// The middle one of three; with a NaN the smallest.
#[inline(always)]
pub(crate) fn med3_f32(a: f32, b: f32, c: f32) -> f32 {
    if a.is_nan() || b.is_nan() || c.is_nan() {
        min_f32(min_f32(a, b), c)
    } else {
        max_f32(min_f32(a, b), min_f32(max_f32(a, b), c))
    }
}

/// The exponent `e` for which `x = m · 2^e` with `m` in ½…1; 0 for zero, infinity and NaN.
pub(crate) fn frexp_exp(x: f64) -> i32 {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    match x.to_bits() >> 52 & 0x7ff {
        0 => frexp_exp(x * f64::from_bits((54 + 1023) << 52)) - 54,
        e => e as i32 - 1022,
    }
}

/// The `m` of [`frexp_exp`].
pub(crate) fn frexp_mant(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        x
    } else {
        ldexp(x, -frexp_exp(x))
    }
}

fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// `x · 2^e`, rounded once.
pub(crate) fn ldexp(x: f64, e: i32) -> f64 {
    let (mut x, mut e) = (x, e.clamp(-2200, 2200));
    while e > 1023 {
        x *= power(1023);
        e -= 1023;
    }
    while e < -1022 {
        // All steps but the last are exact: they keep the value normal, or it is far below what the last one rounds to zero.
        let step = (-1022 - e).min(900).min((frexp_exp(x) + 1020).max(0));
        if step == 0 {
            return if frexp_exp(x) + e < -1075 {
                0.0f64.copysign(x)
            } else {
                x * power(-1022) * power(e + 1022)
            };
        }
        x *= power(-step);
        e += step;
    }
    x * power(e)
}

/// `x · 2^e` of 32-bit floats, rounded once.
#[inline(always)]
pub(crate) fn ldexp_f32(x: f32, e: i32) -> f32 {
    // Every 32-bit float times 2^±300 is a normal 64-bit one.
    (f64::from(x) * power(e.clamp(-300, 300))) as f32
}

/// Bits of `V_CMP_CLASS`: which class a float is of.
#[inline(always)]
pub(crate) fn class(
    nan: bool,
    quiet: bool,
    infinite: bool,
    zero: bool,
    subnormal: bool,
    negative: bool,
) -> u32 {
    let positive = |bit_negative: u32, bit: u32| 1 << if negative { bit_negative } else { bit };
    if nan {
        1 << u32::from(quiet)
    } else if infinite {
        positive(2, 9)
    } else if zero {
        positive(5, 6)
    } else if subnormal {
        positive(4, 7)
    } else {
        positive(3, 8)
    }
}

/// The class of a 32-bit float.
#[inline(always)]
pub(crate) fn class_f32(x: f32) -> u32 {
    class(
        x.is_nan(),
        x.to_bits() >> 22 & 1 != 0,
        x.is_infinite(),
        x == 0.0,
        x.is_subnormal(),
        x.is_sign_negative(),
    )
}

/// The class of a 64-bit float.
#[inline(always)]
pub(crate) fn class_f64(x: f64) -> u32 {
    class(
        x.is_nan(),
        x.to_bits() >> 51 & 1 != 0,
        x.is_infinite(),
        x == 0.0,
        x.is_subnormal(),
        x.is_sign_negative(),
    )
}

/// The class of a 16-bit float.
#[inline(always)]
pub(crate) fn class_f16(bits: u32) -> u32 {
    let (exponent, mantissa) = (bits >> 10 & 31, bits & 0x3ff);
    let (top, low) = (exponent == 31, exponent == 0);
    class(
        top && mantissa != 0,
        mantissa >> 9 & 1 != 0,
        top && mantissa == 0,
        low && mantissa == 0,
        low,
        bits >> 15 & 1 != 0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_16_bit_float_survives_the_way_there_and_back() {
        for bits in 0..=0xffffu32 {
            let value = f16_value(bits);
            let expected = if value.is_nan() { bits | 0x200 } else { bits };
            assert_eq!(f16_bits(value), expected, "{bits:#x}");
            assert_eq!(f16_of_f64(f64::from(value)), expected, "{bits:#x}");
        }
    }

    #[test]
    fn halves_round_to_even_and_once() {
        let (low, high) = (f16_value(0x3c00), f16_value(0x3c01));
        assert_eq!(f16_bits((low + high) / 2.0), 0x3c00);
        assert_eq!(f16_bits((high + f16_value(0x3c02)) / 2.0), 0x3c02);
        // Just above the middle by less than a 32-bit float holds.
        let above = f64::from((low + high) / 2.0) + f64::from_bits((1023 - 40) << 52);
        assert_eq!(f16_of_f64(above), 0x3c01);
        assert_eq!(f16_bits(65519.0), 0x7bff);
        assert_eq!(f16_bits(65520.0), 0x7c00);
        assert_eq!(f16_toward_zero(65535.0), 0x7bff);
        assert_eq!(f16_toward_zero(-1e30), 0xfbff);
    }

    #[test]
    fn scaling_rounds_once_at_the_end_of_the_range() {
        assert_eq!(
            ldexp(3.0, -1075),
            f64::from_bits(2),
            "1.5 of the smallest step is 2 of them"
        );
        assert_eq!(ldexp(1.0, -1075), 0.0, "half of it goes to even");
        assert_eq!(
            ldexp(f64::from_bits(1), 2097),
            f64::from_bits((1023 + 1023) << 52)
        );
        assert_eq!(ldexp(f64::MAX, -2099), 0.0, "just below half of it");
        assert_eq!(ldexp(f64::MAX, -2098), f64::from_bits(1));
        assert_eq!(ldexp_f32(1.0, -149), f32::from_bits(1));
        assert_eq!(frexp_exp(f64::from_bits(1)), -1073);
        assert_eq!(frexp_mant(-6.0), -0.75);
    }
}
