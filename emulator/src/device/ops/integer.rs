//! Vector arithmetic on integers of 16, 24, 32 and 64 bits.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{I16, I32, Kind, U16, U32, map2};
use crate::device::wave::Wave;
use crate::device::wave::inst::Inst;

#[inline(always)]
fn s24(x: u32) -> i64 {
    i64::from((x << 8) as i32 >> 8)
}

#[inline(always)]
fn u24(x: u32) -> u64 {
    u64::from(x & 0xff_ffff)
}

#[inline(always)]
fn med3<T: Ord + Copy>(a: T, b: T, c: T) -> T {
    a.min(b).max(a.max(b).min(c))
}

#[inline(always)]
fn sad_u8(a: u32, b: u32) -> u32 {
    (0..4)
        .map(|k| (a >> (8 * k) & 255).abs_diff(b >> (8 * k) & 255))
        .sum()
}

#[inline(always)]
fn sad_u16(a: u32, b: u32) -> u32 {
    (a & 0xffff).abs_diff(b & 0xffff) + (a >> 16).abs_diff(b >> 16)
}

/// The rounded mean of each pair of bytes; the lowest bit of a byte of `c` rounds up.
#[inline(always)]
fn lerp_u8(a: u32, b: u32, c: u32) -> u32 {
    let byte = |k: u32| ((a >> k & 255) + (b >> k & 255) + (c >> k & 1)) >> 1 & 255;
    byte(0) | byte(8) << 8 | byte(16) << 16 | byte(24) << 24
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    sums(t);
    products(t);
    extremes(t);
    short(t);
    short_extremes(t);
    differences(t);
}

/// An operation that saturates with `clamp`.
macro_rules! saturating {
    ($t:expr, $names:expr, $k:ident, |$a:ident, $b:ident| $wrap:expr, $saturate:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            if inst.clamp {
                map2::<$k, $k, $k>(wave, inst, |$a, $b| $saturate)
            } else {
                map2::<$k, $k, $k>(wave, inst, |$a, $b| $wrap)
            }
        }
        let def = def(both!(body), Form::Plain, 1, &[$k::TY, $k::TY, $k::TY]);
        $t.add(
            $names,
            Def {
                saturates: true,
                ..def
            },
        );
    }};
}

fn sums(t: &mut Table) {
    saturating!(
        t,
        "v_add_u32|v_add_nc_u32",
        U32,
        |a, b| a.wrapping_add(b),
        a.saturating_add(b)
    );
    saturating!(
        t,
        "v_sub_u32|v_sub_nc_u32",
        U32,
        |a, b| a.wrapping_sub(b),
        a.saturating_sub(b)
    );
    saturating!(
        t,
        "v_subrev_u32|v_subrev_nc_u32",
        U32,
        |a, b| b.wrapping_sub(a),
        b.saturating_sub(a)
    );
    saturating!(
        t,
        "v_add_i32|v_add_nc_i32",
        I32,
        |a, b| a.wrapping_add(b),
        a.saturating_add(b)
    );
    saturating!(
        t,
        "v_sub_i32|v_sub_nc_i32",
        I32,
        |a, b| a.wrapping_sub(b),
        a.saturating_sub(b)
    );
    v3!(t, "v_add3_u32", U32 = U32, U32, U32, |a, b, c| a
        .wrapping_add(b)
        .wrapping_add(c));
    v3!(t, "v_xad_u32", U32 = U32, U32, U32, |a, b, c| (a ^ b)
        .wrapping_add(c));
}

fn products(t: &mut Table) {
    v2!(t, "v_mul_lo_u32|v_mul_lo_i32", U32 = U32, U32, |a, b| a
        .wrapping_mul(b));
    v2!(
        t,
        "v_mul_hi_u32",
        U32 = U32,
        U32,
        |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32
    );
    v2!(
        t,
        "v_mul_hi_i32",
        I32 = I32,
        I32,
        |a, b| ((i64::from(a) * i64::from(b)) >> 32) as i32
    );
    v2!(t, "v_mul_u32_u24", U32 = U32, U32, |a, b| (u24(a) * u24(b))
        as u32);
    v2!(
        t,
        "v_mul_hi_u32_u24",
        U32 = U32,
        U32,
        |a, b| ((u24(a) * u24(b)) >> 32) as u32
    );
    v2!(t, "v_mul_i32_i24", U32 = U32, U32, |a, b| (s24(a) * s24(b))
        as u32);
    v2!(
        t,
        "v_mul_hi_i32_i24",
        U32 = U32,
        U32,
        |a, b| ((s24(a) * s24(b)) >> 32) as u32
    );
    v3!(t, "v_mad_u32_u24", U32 = U32, U32, U32, |a, b, c| {
        ((u24(a) * u24(b)) as u32).wrapping_add(c)
    });
    v3!(t, "v_mad_i32_i24", U32 = U32, U32, U32, |a, b, c| {
        ((s24(a) * s24(b)) as u32).wrapping_add(c)
    });
    v3!(t, "v_mad_u32_u16", U32 = U16, U16, U32, |a, b, c| (a * b)
        .wrapping_add(c));
    v3!(t, "v_mad_i32_i16", I32 = I16, I16, I32, |a, b, c| (a * b)
        .wrapping_add(c));
}

fn extremes(t: &mut Table) {
    v2!(t, "v_min_i32", I32 = I32, I32, |a, b| a.min(b));
    v2!(t, "v_max_i32", I32 = I32, I32, |a, b| a.max(b));
    v2!(t, "v_min_u32", U32 = U32, U32, |a, b| a.min(b));
    v2!(t, "v_max_u32", U32 = U32, U32, |a, b| a.max(b));
    v3!(t, "v_min3_i32", I32 = I32, I32, I32, |a, b, c| a
        .min(b)
        .min(c));
    v3!(t, "v_max3_i32", I32 = I32, I32, I32, |a, b, c| a
        .max(b)
        .max(c));
    v3!(t, "v_med3_i32", I32 = I32, I32, I32, |a, b, c| med3(
        a, b, c
    ));
    v3!(t, "v_min3_u32", U32 = U32, U32, U32, |a, b, c| a
        .min(b)
        .min(c));
    v3!(t, "v_max3_u32", U32 = U32, U32, U32, |a, b, c| a
        .max(b)
        .max(c));
    v3!(t, "v_med3_u32", U32 = U32, U32, U32, |a, b, c| med3(
        a, b, c
    ));
    v3!(t, "v_maxmin_i32", I32 = I32, I32, I32, |a, b, c| a
        .max(b)
        .min(c));
    v3!(t, "v_minmax_i32", I32 = I32, I32, I32, |a, b, c| a
        .min(b)
        .max(c));
    v3!(t, "v_maxmin_u32", U32 = U32, U32, U32, |a, b, c| a
        .max(b)
        .min(c));
    v3!(t, "v_minmax_u32", U32 = U32, U32, U32, |a, b, c| a
        .min(b)
        .max(c));
}

fn short(t: &mut Table) {
    saturating!(
        t,
        "v_add_u16|v_add_nc_u16",
        U16,
        |a, b| a + b,
        (a + b).min(0xffff)
    );
    saturating!(
        t,
        "v_sub_u16|v_sub_nc_u16",
        U16,
        |a, b| a.wrapping_sub(b),
        a.saturating_sub(b)
    );
    saturating!(
        t,
        "v_subrev_u16|v_subrev_nc_u16",
        U16,
        |a, b| b.wrapping_sub(a),
        b.saturating_sub(a)
    );
    saturating!(
        t,
        "v_add_i16|v_add_nc_i16",
        I16,
        |a, b| a + b,
        (a + b).clamp(-32768, 32767)
    );
    saturating!(
        t,
        "v_sub_i16|v_sub_nc_i16",
        I16,
        |a, b| a - b,
        (a - b).clamp(-32768, 32767)
    );
    v2!(t, "v_mul_lo_u16", U16 = U16, U16, |a, b| a * b);
    v3!(keep t, "v_mad_u16|v_mad_i16", U16 = U16, U16, U16, |a, b, c| (a * b).wrapping_add(c));
    v3!(
        t,
        "v_mad_legacy_u16|v_mad_legacy_i16",
        U16 = U16,
        U16,
        U16,
        |a, b, c| (a * b).wrapping_add(c)
    );
    v2!(t, "v_lshlrev_b16", U16 = U16, U16, |a, b| b << (a & 15));
    v2!(t, "v_lshrrev_b16", U16 = U16, U16, |a, b| b >> (a & 15));
    v2!(t, "v_ashrrev_i16", I16 = U16, I16, |a, b| b >> (a & 15));
}

fn short_extremes(t: &mut Table) {
    v2!(t, "v_max_u16", U16 = U16, U16, |a, b| a.max(b));
    v2!(t, "v_min_u16", U16 = U16, U16, |a, b| a.min(b));
    v2!(t, "v_max_i16", I16 = I16, I16, |a, b| a.max(b));
    v2!(t, "v_min_i16", I16 = I16, I16, |a, b| a.min(b));
    v3!(t, "v_max3_u16", U16 = U16, U16, U16, |a, b, c| a
        .max(b)
        .max(c));
    v3!(t, "v_min3_u16", U16 = U16, U16, U16, |a, b, c| a
        .min(b)
        .min(c));
    v3!(t, "v_med3_u16", U16 = U16, U16, U16, |a, b, c| med3(
        a, b, c
    ));
    v3!(t, "v_max3_i16", I16 = I16, I16, I16, |a, b, c| a
        .max(b)
        .max(c));
    v3!(t, "v_min3_i16", I16 = I16, I16, I16, |a, b, c| a
        .min(b)
        .min(c));
    v3!(t, "v_med3_i16", I16 = I16, I16, I16, |a, b, c| med3(
        a, b, c
    ));
}

fn differences(t: &mut Table) {
    v3!(t, "v_sad_u8", U32 = U32, U32, U32, |a, b, c| sad_u8(a, b)
        .wrapping_add(c));
    v3!(t, "v_sad_hi_u8", U32 = U32, U32, U32, |a, b, c| (sad_u8(
        a, b
    ) << 16)
        .wrapping_add(c));
    v3!(t, "v_sad_u16", U32 = U32, U32, U32, |a, b, c| sad_u16(a, b)
        .wrapping_add(c));
    v3!(t, "v_sad_u32", U32 = U32, U32, U32, |a, b, c| a
        .abs_diff(b)
        .wrapping_add(c));
    v3!(t, "v_lerp_u8", U32 = U32, U32, U32, |a, b, c| lerp_u8(
        a, b, c
    ));
}
