//! Vector arithmetic on 32-bit floats.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F32, I32, Kind, flushed};
use crate::device::model::float::{frexp_exp, frexp_mant, ldexp_f32, max_f32, med3_f32, min_f32};

/// `a * b` rounded, then `+ c` rounded, with denormals as zero all the way: `V_MAD_F32` and `V_MAC_F32`.
#[inline(always)]
fn mad(a: f32, b: f32, c: f32) -> f32 {
    let flush = |x: f32| f32::from_bits(flushed(x.to_bits()));
    flush(flush(flush(a) * flush(b)) + flush(c))
}

/// A product in which 0 times anything is 0.
#[inline(always)]
fn legacy(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// Sine and cosine take turns (2π): those of the fraction, computed with 64-bit floats.
fn turn(x: f32, f: fn(f64) -> f64) -> f32 {
    let x = f64::from(x);
    if x.is_finite() {
        f((x - x.floor()) * std::f64::consts::TAU) as f32
    } else {
        f32::NAN
    }
}

fn cube_id(a: f32, b: f32, c: f32) -> f32 {
    let face = |x: f32, positive: f32| if x < 0.0 { positive + 1.0 } else { positive };
    if c.abs() >= a.abs() && c.abs() >= b.abs() {
        face(c, 4.0)
    } else if b.abs() >= a.abs() {
        face(b, 2.0)
    } else {
        face(a, 0.0)
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    sums(t);
    fused(t);
    extremes(t);
    functions(t);
    rounding(t);
}

fn sums(t: &mut Table) {
    v2!(t, "v_add_f32", F32 = F32, F32, |a, b| a + b);
    v2!(t, "v_sub_f32", F32 = F32, F32, |a, b| a - b);
    v2!(t, "v_subrev_f32", F32 = F32, F32, |a, b| b - a);
    v2!(t, "v_mul_f32", F32 = F32, F32, |a, b| a * b);
    v2!(
        t,
        "v_mul_legacy_f32|v_mul_dx9_zero_f32",
        F32 = F32,
        F32,
        |a, b| legacy(a, b)
    );
}

fn fused(t: &mut Table) {
    let names = "v_fma_f32|v_fmaak_f32|v_fmamk_f32";
    v3!(t, names, F32 = F32, F32, F32, |a, b, c| a.mul_add(b, c));
    v3!(accumulate t, "v_fmac_f32", F32 = F32, F32, F32, |a, b, c| a.mul_add(b, c));
    v3!(
        t,
        "v_mad_f32|v_madak_f32|v_madmk_f32",
        F32 = F32,
        F32,
        F32,
        |a, b, c| mad(a, b, c)
    );
    v3!(accumulate t, "v_mac_f32", F32 = F32, F32, F32, |a, b, c| mad(a, b, c));
    v3!(
        t,
        "v_mad_legacy_f32",
        F32 = F32,
        F32,
        F32,
        |a, b, c| legacy(a, b) + c
    );
    v3!(
        t,
        "v_fma_legacy_f32|v_fma_dx9_zero_f32",
        F32 = F32,
        F32,
        F32,
        |a, b, c| if a == 0.0 || b == 0.0 {
            0.0 + c
        } else {
            a.mul_add(b, c)
        }
    );
    v3!(accumulate t, "v_fmac_legacy_f32|v_fmac_dx9_zero_f32", F32 = F32, F32, F32, |a, b, c| if a == 0.0 || b == 0.0 { 0.0 + c } else { a.mul_add(b, c) });
}

fn extremes(t: &mut Table) {
    v2!(t, "v_min_f32", F32 = F32, F32, |a, b| min_f32(a, b));
    v2!(t, "v_max_f32", F32 = F32, F32, |a, b| max_f32(a, b));
    v3!(t, "v_min3_f32", F32 = F32, F32, F32, |a, b, c| min_f32(
        min_f32(a, b),
        c
    ));
    v3!(t, "v_max3_f32", F32 = F32, F32, F32, |a, b, c| max_f32(
        max_f32(a, b),
        c
    ));
    v3!(t, "v_med3_f32", F32 = F32, F32, F32, |a, b, c| med3_f32(
        a, b, c
    ));
    v3!(t, "v_maxmin_f32", F32 = F32, F32, F32, |a, b, c| min_f32(
        max_f32(a, b),
        c
    ));
    v3!(t, "v_minmax_f32", F32 = F32, F32, F32, |a, b, c| max_f32(
        min_f32(a, b),
        c
    ));
    v3!(t, "v_cubeid_f32", F32 = F32, F32, F32, |a, b, c| cube_id(
        a, b, c
    ));
}

fn functions(t: &mut Table) {
    v1!(t, "v_rcp_f32|v_rcp_iflag_f32", F32 = F32, |a| 1.0 / a);
    v1!(t, "v_rsq_f32", F32 = F32, |a| (1.0 / f64::from(a).sqrt())
        as f32);
    v1!(t, "v_sqrt_f32", F32 = F32, |a| a.sqrt());
    v1!(
        t,
        "v_exp_f32|v_exp_legacy_f32",
        F32 = F32,
        |a| f64::from(a).exp2() as f32
    );
    v1!(
        t,
        "v_log_f32|v_log_legacy_f32",
        F32 = F32,
        |a| f64::from(a).log2() as f32
    );
    v1!(t, "v_sin_f32", F32 = F32, |a| turn(a, f64::sin));
    v1!(t, "v_cos_f32", F32 = F32, |a| turn(a, f64::cos));
    v2!(t, "v_ldexp_f32", F32 = F32, I32, |a, b| ldexp_f32(a, b));
    v1!(t, "v_frexp_exp_i32_f32", I32 = F32, |a| frexp_exp(
        f64::from(a)
    ));
    v1!(
        t,
        "v_frexp_mant_f32",
        F32 = F32,
        |a| frexp_mant(f64::from(a)) as f32
    );
}

fn rounding(t: &mut Table) {
    v1!(t, "v_floor_f32", F32 = F32, |a| a.floor());
    v1!(t, "v_ceil_f32", F32 = F32, |a| a.ceil());
    v1!(t, "v_trunc_f32", F32 = F32, |a| a.trunc());
    v1!(t, "v_rndne_f32", F32 = F32, |a| a.round_ties_even());
    // The largest float below 1 is the most that a fraction can be.
    v1!(t, "v_fract_f32", F32 = F32, |a| if a.is_finite() {
        (a - a.floor()).min(f32::from_bits(0x3f7f_ffff))
    } else {
        f32::NAN
    });
}
