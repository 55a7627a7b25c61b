//! Vector arithmetic on 64-bit floats.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F64, I32, Kind, U32};
use crate::device::model::float::{frexp_exp, frexp_mant, ldexp, max_f64, min_f64};

/// 2/π in words of 24 bits, the first word first (1,200 bits).
const TWO_OVER_PI: [u32; 50] = [
    0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163,
    0xABDEBB, 0xC561B7, 0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129,
    0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C, 0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C,
    0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11, 0x8B5A0A, 0x6D1F6D, 0x367ECF,
    0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7, 0x8A5292,
    0x6BFB5F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0,
];

/// 53 bits of 2/π that the reduction of an argument of this size needs: `V_TRIG_PREOP_F64`.
fn trig_preop(x: f64, segment: u32) -> f64 {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32;
    let shift = (segment as i32 & 31) * 53 + (exponent - 1077).max(0);
    let bit = |k: i32| {
        u64::from(
            TWO_OVER_PI
                .get(k as usize / 24)
                .map_or(0, |word| word >> (23 - k % 24) & 1),
        )
    };
    let bits = (0..53).fold(0, |bits, k| bits << 1 | bit(shift + k));
    let scale = -53 - shift + if exponent >= 1968 { 128 } else { 0 };
    ldexp(bits as f64, scale)
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    arithmetic(t);
    functions(t);
}

fn arithmetic(t: &mut Table) {
    v2!(t, "v_add_f64", F64 = F64, F64, |a, b| a + b);
    v2!(t, "v_mul_f64", F64 = F64, F64, |a, b| a * b);
    v2!(t, "v_min_f64", F64 = F64, F64, |a, b| min_f64(a, b));
    v2!(t, "v_max_f64", F64 = F64, F64, |a, b| max_f64(a, b));
    v3!(t, "v_fma_f64", F64 = F64, F64, F64, |a, b, c| a
        .mul_add(b, c));
    v3!(accumulate t, "v_fmac_f64", F64 = F64, F64, F64, |a, b, c| a.mul_add(b, c));
}

fn functions(t: &mut Table) {
    v1!(t, "v_rcp_f64", F64 = F64, |a| 1.0 / a);
    v1!(t, "v_rsq_f64", F64 = F64, |a| 1.0 / a.sqrt());
    v1!(t, "v_sqrt_f64", F64 = F64, |a| a.sqrt());
    v1!(t, "v_floor_f64", F64 = F64, |a| a.floor());
    v1!(t, "v_ceil_f64", F64 = F64, |a| a.ceil());
    v1!(t, "v_trunc_f64", F64 = F64, |a| a.trunc());
    v1!(t, "v_rndne_f64", F64 = F64, |a| a.round_ties_even());
    v1!(t, "v_fract_f64", F64 = F64, |a| if a.is_finite() {
        (a - a.floor()).min(f64::from_bits(0x3fef_ffff_ffff_ffff))
    } else {
        f64::NAN
    });
    v2!(t, "v_ldexp_f64", F64 = F64, I32, |a, b| ldexp(a, b));
    v1!(t, "v_frexp_exp_i32_f64", I32 = F64, |a| frexp_exp(a));
    v1!(t, "v_frexp_mant_f64", F64 = F64, |a| frexp_mant(a));
    v2!(t, "v_trig_preop_f64", F64 = F64, U32, |a, b| trig_preop(
        a, b
    ));
}
