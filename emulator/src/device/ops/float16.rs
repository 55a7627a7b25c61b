//! Vector arithmetic on 16-bit floats. Values are 32-bit floats inside: one sum, product, quotient or root rounds to the same.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F16, H16, I16, Kind};
use crate::device::model::float::{
    f16_bits, f16_of_f64, f16_value, frexp_exp, frexp_mant, ldexp_f32, max_f32, med3_f32, min_f32,
};

#[inline(always)]
fn fma(a: f32, b: f32, c: f32) -> u32 {
    f16_of_f64(f64::from(a).mul_add(f64::from(b), f64::from(c)))
}

/// The product is rounded before the sum.
#[inline(always)]
fn mad(a: f32, b: f32, c: f32) -> f32 {
    f16_value(f16_bits(a * b)) + c
}

fn turn(x: f32, f: fn(f64) -> f64) -> f32 {
    let x = f64::from(x);
    if x.is_finite() {
        f((x - x.floor()) * std::f64::consts::TAU) as f32
    } else {
        f32::NAN
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    arithmetic(t);
    extremes(t);
    functions(t);
    rounding(t);
}

fn arithmetic(t: &mut Table) {
    v2!(t, "v_add_f16", F16 = F16, F16, |a, b| a + b);
    v2!(t, "v_sub_f16", F16 = F16, F16, |a, b| a - b);
    v2!(t, "v_subrev_f16", F16 = F16, F16, |a, b| b - a);
    v2!(t, "v_mul_f16", F16 = F16, F16, |a, b| a * b);
    v3!(keep t, "v_fma_f16", H16 = F16, F16, F16, |a, b, c| fma(a, b, c));
    v3!(
        t,
        "v_fma_legacy_f16|v_fmaak_f16|v_fmamk_f16",
        H16 = F16,
        F16,
        F16,
        |a, b, c| fma(a, b, c)
    );
    v3!(accumulate t, "v_fmac_f16", H16 = F16, F16, F16, |a, b, c| fma(a, b, c));
    v3!(keep t, "v_mad_f16", F16 = F16, F16, F16, |a, b, c| mad(a, b, c));
    v3!(
        t,
        "v_mad_legacy_f16|v_madak_f16|v_madmk_f16",
        F16 = F16,
        F16,
        F16,
        |a, b, c| mad(a, b, c)
    );
    v3!(accumulate t, "v_mac_f16", F16 = F16, F16, F16, |a, b, c| mad(a, b, c));
}

fn extremes(t: &mut Table) {
    v2!(t, "v_min_f16", F16 = F16, F16, |a, b| min_f32(a, b));
    v2!(t, "v_max_f16", F16 = F16, F16, |a, b| max_f32(a, b));
    v3!(t, "v_min3_f16", F16 = F16, F16, F16, |a, b, c| min_f32(
        min_f32(a, b),
        c
    ));
    v3!(t, "v_max3_f16", F16 = F16, F16, F16, |a, b, c| max_f32(
        max_f32(a, b),
        c
    ));
    v3!(t, "v_med3_f16", F16 = F16, F16, F16, |a, b, c| med3_f32(
        a, b, c
    ));
    v3!(t, "v_maxmin_f16", F16 = F16, F16, F16, |a, b, c| min_f32(
        max_f32(a, b),
        c
    ));
    v3!(t, "v_minmax_f16", F16 = F16, F16, F16, |a, b, c| max_f32(
        min_f32(a, b),
        c
    ));
}

fn functions(t: &mut Table) {
    v1!(t, "v_rcp_f16", F16 = F16, |a| 1.0 / a);
    v1!(t, "v_rsq_f16", F16 = F16, |a| (1.0 / f64::from(a).sqrt())
        as f32);
    v1!(t, "v_sqrt_f16", F16 = F16, |a| a.sqrt());
    v1!(t, "v_exp_f16", F16 = F16, |a| f64::from(a).exp2() as f32);
    v1!(t, "v_log_f16", F16 = F16, |a| f64::from(a).log2() as f32);
    v1!(t, "v_sin_f16", F16 = F16, |a| turn(a, f64::sin));
    v1!(t, "v_cos_f16", F16 = F16, |a| turn(a, f64::cos));
    v2!(t, "v_ldexp_f16", F16 = F16, I16, |a, b| ldexp_f32(a, b));
    v1!(t, "v_frexp_exp_i16_f16", I16 = F16, |a| frexp_exp(
        f64::from(a)
    ));
    v1!(
        t,
        "v_frexp_mant_f16",
        F16 = F16,
        |a| frexp_mant(f64::from(a)) as f32
    );
}

fn rounding(t: &mut Table) {
    v1!(t, "v_floor_f16", F16 = F16, |a| a.floor());
    v1!(t, "v_ceil_f16", F16 = F16, |a| a.ceil());
    v1!(t, "v_trunc_f16", F16 = F16, |a| a.trunc());
    v1!(t, "v_rndne_f16", F16 = F16, |a| a.round_ties_even());
    v1!(t, "v_fract_f16", F16 = F16, |a| if a.is_finite() {
        (a - a.floor()).min(f16_value(0x3bff))
    } else {
        f32::NAN
    });
}
