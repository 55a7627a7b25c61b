//! Vector conversions. Rust's `as` does what the chip does: integers saturate, NaN becomes 0, floats round to nearest even.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F16, F32, F64, H16, I16, I32, Kind, U16, U32};
use crate::device::model::float::f16_toward_zero;

/// A float limited to -1…1 as 16 bits.
fn norm_i16(x: f32) -> u32 {
    (x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i32 as u32 & 0xffff
}

/// A float limited to 0…1 as 16 bits.
fn norm_u16(x: f32) -> u32 {
    (x.clamp(0.0, 1.0) * 65535.0).round_ties_even() as u32
}

/// Two halves of a register.
#[inline(always)]
fn pack(low: u32, high: u32) -> u32 {
    low & 0xffff | high << 16
}

/// A byte of `c` replaced by a float.
fn pack_u8(a: f32, index: u32, c: u32) -> u32 {
    let shift = 8 * (index & 3);
    c & !(255 << shift) | u32::from(a.round_ties_even() as u8) << shift
}

fn saturate_u8(x: u32) -> u32 {
    (x as i16).clamp(0, 255) as u32
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    words(t);
    doubles(t);
    halves(t);
    bytes(t);
    pairs(t);
    eight_bit_floats(t);
}

fn words(t: &mut Table) {
    v1!(t, "v_cvt_f32_i32", F32 = I32, |a| a as f32);
    v1!(t, "v_cvt_f32_u32", F32 = U32, |a| a as f32);
    v1!(t, "v_cvt_i32_f32", I32 = F32, |a| a as i32);
    v1!(t, "v_cvt_u32_f32", U32 = F32, |a| a as u32);
    v1!(
        t,
        "v_cvt_rpi_i32_f32|v_cvt_nearest_i32_f32",
        I32 = F32,
        |a| (f64::from(a) + 0.5).floor() as i32
    );
    v1!(
        t,
        "v_cvt_flr_i32_f32|v_cvt_floor_i32_f32",
        I32 = F32,
        |a| a.floor() as i32
    );
}

fn doubles(t: &mut Table) {
    v1!(t, "v_cvt_f64_i32", F64 = I32, |a| f64::from(a));
    v1!(t, "v_cvt_f64_u32", F64 = U32, |a| f64::from(a));
    v1!(t, "v_cvt_i32_f64", I32 = F64, |a| a as i32);
    v1!(t, "v_cvt_u32_f64", U32 = F64, |a| a as u32);
    v1!(t, "v_cvt_f64_f32", F64 = F32, |a| f64::from(a));
    v1!(t, "v_cvt_f32_f64", F32 = F64, |a| a as f32);
}

fn halves(t: &mut Table) {
    v1!(t, "v_cvt_f32_f16", F32 = F16, |a| a);
    v1!(t, "v_cvt_f16_f32", F16 = F32, |a| a);
    v1!(t, "v_cvt_f16_u16", F16 = U16, |a| a as f32);
    v1!(t, "v_cvt_f16_i16", F16 = I16, |a| a as f32);
    v1!(t, "v_cvt_u16_f16", U16 = F16, |a| u32::from(a as u16));
    v1!(t, "v_cvt_i16_f16", I16 = F16, |a| i32::from(a as i16));
    v1!(t, "v_cvt_i32_i16", I32 = I16, |a| a);
    v1!(t, "v_cvt_u32_u16", U32 = U16, |a| a);
    v2!(t, "v_pack_b32_f16", U32 = H16, H16, |a, b| pack(a, b));
}

fn bytes(t: &mut Table) {
    v1!(t, "v_cvt_f32_ubyte0", F32 = U32, |a| (a & 255) as f32);
    v1!(t, "v_cvt_f32_ubyte1", F32 = U32, |a| (a >> 8 & 255) as f32);
    v1!(t, "v_cvt_f32_ubyte2", F32 = U32, |a| (a >> 16 & 255) as f32);
    v1!(t, "v_cvt_f32_ubyte3", F32 = U32, |a| (a >> 24) as f32);
    v3!(
        t,
        "v_cvt_pk_u8_f32",
        U32 = F32,
        U32,
        U32,
        |a, b, c| pack_u8(a, b, c)
    );
    v1!(t, "v_sat_pk_u8_i16", U16 = U32, |a| saturate_u8(a)
        | saturate_u8(a >> 16) << 8);
}

fn pairs(t: &mut Table) {
    let names = "v_cvt_pkrtz_f16_f32|v_cvt_pk_rtz_f16_f32";
    v2!(t, names, U32 = F32, F32, |a, b| pack(
        f16_toward_zero(a),
        f16_toward_zero(b)
    ));
    v2!(t, "v_cvt_pk_u16_u32", U32 = U32, U32, |a, b| pack(
        a.min(0xffff),
        b.min(0xffff)
    ));
    v2!(t, "v_cvt_pk_i16_i32", U32 = I32, I32, |a, b| pack(
        a.clamp(-32768, 32767) as u32,
        b.clamp(-32768, 32767) as u32
    ));
    v2!(t, "v_cvt_pk_i16_f32", U32 = F32, F32, |a, b| pack(
        a as i16 as u32,
        b as i16 as u32
    ));
    v2!(t, "v_cvt_pk_u16_f32", U32 = F32, F32, |a, b| pack(
        a as u16 as u32,
        b as u16 as u32
    ));
    v2!(
        t,
        "v_cvt_pknorm_i16_f32|v_cvt_pk_norm_i16_f32",
        U32 = F32,
        F32,
        |a, b| pack(norm_i16(a), norm_i16(b))
    );
    v2!(
        t,
        "v_cvt_pknorm_u16_f32|v_cvt_pk_norm_u16_f32",
        U32 = F32,
        F32,
        |a, b| pack(norm_u16(a), norm_u16(b))
    );
    v2!(
        t,
        "v_cvt_pknorm_i16_f16|v_cvt_pk_norm_i16_f16",
        U32 = F16,
        F16,
        |a, b| pack(norm_i16(a), norm_i16(b))
    );
    v2!(
        t,
        "v_cvt_pknorm_u16_f16|v_cvt_pk_norm_u16_f16",
        U32 = F16,
        F16,
        |a, b| pack(norm_u16(a), norm_u16(b))
    );
}

/// An 8-bit float of gfx942: exponent bias 8 with 3 bits of mantissa or 16 with 2, the pattern 0x80 is NaN, no infinity.
#[inline(always)]
pub(crate) fn f8_value(bits: u32, mantissa_bits: u32, bias: i32) -> f32 {
    let bits = bits & 0xff;
    let mantissa = (bits & ((1 << mantissa_bits) - 1)) as i32;
    let exponent = (bits >> mantissa_bits & (0x7f >> mantissa_bits)) as i32;
    let (significand, scale) = if exponent == 0 {
        (mantissa, 1)
    } else {
        (mantissa + (1 << mantissa_bits), exponent)
    };
    let power = f32::from_bits(((scale - bias - mantissa_bits as i32 + 127) as u32) << 23);
    let value = significand as f32 * power;
    if bits == 0x80 {
        f32::NAN
    } else if bits & 0x80 != 0 {
        -value
    } else {
        value
    }
}

/// The nearest 8-bit float, ties to even; too large becomes NaN as infinity does.
fn f8_bits(value: f32, mantissa_bits: u32, bias: i32) -> u32 {
    let magnitude = value.abs();
    let max = f8_value(0x7f, mantissa_bits, bias);
    if !value.is_finite() {
        return 0x80;
    }
    // Codes of positive numbers are in the order of their values: search for the neighbours.
    let below = (0..0x80u32)
        .collect::<Vec<_>>()
        .partition_point(|&c| f8_value(c, mantissa_bits, bias) <= magnitude) as u32
        - 1;
    if below == 0x7f {
        let half_step = (max - f8_value(0x7e, mantissa_bits, bias)) / 2.0;
        return if magnitude >= max + half_step {
            0x80
        } else {
            0x7f | u32::from(value < 0.0) << 7
        };
    }
    let (low, high) = (
        f8_value(below, mantissa_bits, bias),
        f8_value(below + 1, mantissa_bits, bias),
    );
    let (down, up) = (magnitude - low, high - magnitude);
    let code = if up < down || (up == down && below & 1 == 1) {
        below + 1
    } else {
        below
    };
    if code == 0 {
        0
    } else {
        code | u32::from(value < 0.0) << 7
    }
}

fn eight_bit_floats(t: &mut Table) {
    v1!(t, "v_cvt_f32_fp8", F32 = U32, |a| f8_value(a, 3, 8));
    v1!(t, "v_cvt_f32_bf8", F32 = U32, |a| f8_value(a, 2, 16));
    v2!(keep t, "v_cvt_pk_fp8_f32", U16 = F32, F32, |a, b| f8_bits(a, 3, 8) | f8_bits(b, 3, 8) << 8);
    v2!(keep t, "v_cvt_pk_bf8_f32", U16 = F32, F32, |a, b| f8_bits(a, 2, 16) | f8_bits(b, 2, 16) << 8);
}
