//! The steps of division: scale, fused multiply-add with the scale taken back, fix-up. Together they give the correctly rounded quotient
//! with denormals, as AMD's manuals describe.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F16, F32, F64, Kind, begin, fetch};
use crate::device::model::float::{frexp_exp, ldexp, ldexp_f32, odd_fma};
use crate::device::wave::inst::{Inst, Ty};
use crate::device::wave::{LANES, Wave};

/// How a source of a division is scaled, and whether the quotient is scaled back.
struct Scale {
    /// Power of two for the denominator.
    denominator: i32,
    /// Power of two for the numerator.
    numerator: i32,
    /// The quotient is scaled back.
    back: bool,
}

/// What sets the float types apart.
struct Limits {
    /// Difference of exponents from which a quotient is too large.
    large: i32,
    /// Power of two that brings values away from the ends.
    step: i32,
    /// Smallest exponent (of [`frexp_exp`]) of a normal number.
    least: i32,
    /// A numerator with no more than this exponent above the least loses bits in the remainder.
    tiny: i32,
}

const SINGLE: Limits = Limits {
    large: 96,
    step: 64,
    least: -125,
    tiny: 23,
};
const DOUBLE: Limits = Limits {
    large: 768,
    step: 128,
    least: -1021,
    tiny: 53,
};

fn scale(denominator: f64, numerator: f64, limits: &Limits) -> Scale {
    let (d, n) = (frexp_exp(denominator), frexp_exp(numerator));
    // The quotient's exponent is n - d or n - d + 1.
    let inverse_denormal =
        -d + 2 < limits.least + 1 || (-d + 1 < limits.least && denominator.abs() > 0.0);
    let quotient_denormal = n - d + 1 < limits.least + 1;
    let step = limits.step;
    if n - d >= limits.large {
        Scale {
            denominator: step,
            numerator: 0,
            back: true,
        }
    } else if d < limits.least {
        Scale {
            denominator: step,
            numerator: step,
            back: false,
        }
    } else if inverse_denormal && quotient_denormal {
        Scale {
            denominator: -step,
            numerator: 0,
            back: true,
        }
    } else if inverse_denormal {
        Scale {
            denominator: -step,
            numerator: -step,
            back: false,
        }
    } else if quotient_denormal {
        Scale {
            denominator: 0,
            numerator: step,
            back: true,
        }
    } else if n - limits.least < limits.tiny {
        Scale {
            denominator: step,
            numerator: step,
            back: false,
        }
    } else {
        Scale {
            denominator: 0,
            numerator: 0,
            back: false,
        }
    }
}

/// The power for the source that is asked for (`which` equals one of the two), and the flag.
fn scaled(which: f64, denominator: f64, numerator: f64, limits: &Limits) -> Option<(i32, bool)> {
    let special = |x: f64| x == 0.0 || !x.is_finite();
    if special(denominator) || special(numerator) {
        return None;
    }
    let scale = scale(denominator, numerator, limits);
    let is_denominator = which.to_bits() == denominator.to_bits();
    Some((
        if is_denominator {
            scale.denominator
        } else {
            scale.numerator
        },
        scale.back,
    ))
}

fn scale_f32(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let mut flags = 0;
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| fetch::<F32>(wave, inst, k, half).map(f32::from_bits));
        let mut r = [0; LANES];
        for l in 0..LANES {
            let (power, back) =
                scaled(a[l].into(), b[l].into(), c[l].into(), &SINGLE).unwrap_or((0, false));
            r[l] = if b[l] == 0.0 || c[l] == 0.0 {
                f32::NAN.to_bits()
            } else {
                ldexp_f32(a[l], power).to_bits()
            };
            flags |= u64::from(back && wave.write[half] >> l & 1 != 0) << (32 * half + l);
        }
        F32::write(wave, inst, half, r);
    }
    wave.set_mask(inst.dst2, flags);
}

fn scale_f64(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let mut flags = 0;
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| fetch::<F64>(wave, inst, k, half).map(f64::from_bits));
        let mut r = [0; LANES];
        for l in 0..LANES {
            let (power, back) = scaled(a[l], b[l], c[l], &DOUBLE).unwrap_or((0, false));
            r[l] = if b[l] == 0.0 || c[l] == 0.0 {
                f64::NAN.to_bits()
            } else {
                ldexp(a[l], power).to_bits()
            };
            flags |= u64::from(back && wave.write[half] >> l & 1 != 0) << (32 * half + l);
        }
        F64::write(wave, inst, half, r);
    }
    wave.set_mask(inst.dst2, flags);
}

/// The power that takes a scale back: the quotient was too large or too small by it.
fn back(estimate: f64, step: i32) -> i32 {
    if estimate.abs() >= 1.0 { step } else { -step }
}

fn fmas_f32(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let flags = wave.vcc();
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| fetch::<F32>(wave, inst, k, half).map(f32::from_bits));
        let mut r = [0; LANES];
        for l in 0..LANES {
            let scaled = flags >> (32 * half + l) & 1 != 0;
            r[l] = if scaled {
                let sum = odd_fma(a[l].into(), b[l].into(), c[l].into());
                (ldexp(sum, back(c[l].into(), SINGLE.step)) as f32).to_bits()
            } else {
                a[l].mul_add(b[l], c[l]).to_bits()
            };
        }
        F32::write(wave, inst, half, r);
    }
}

/// `(a * b + c) · 2^power`, rounded once also where the result is denormal: what the sum lost decides between two equally near ones.
fn fma_scaled(a: f64, b: f64, c: f64, power: i32) -> f64 {
    let sum = a.mul_add(b, c);
    let result = ldexp(sum, power);
    if power >= 0 || !sum.is_finite() || frexp_exp(sum) + power >= DOUBLE.least {
        return result;
    }
    let lost = a.mul_add(b, c - sum);
    let cut = sum - ldexp(result, -power);
    let half_step = ldexp(1.0, -1075 - power);
    if cut.abs() != half_step || lost == 0.0 || (lost > 0.0) != (cut > 0.0) {
        return result;
    }
    // Away from zero or toward it, by one step of the denormals.
    let away = (cut > 0.0) == (sum > 0.0);
    f64::from_bits(if away {
        result.to_bits() + 1
    } else {
        result.to_bits() - 1
    })
}

fn fmas_f64(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let flags = wave.vcc();
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| fetch::<F64>(wave, inst, k, half).map(f64::from_bits));
        let mut r = [0; LANES];
        for l in 0..LANES {
            let power = if flags >> (32 * half + l) & 1 != 0 {
                back(c[l], DOUBLE.step)
            } else {
                0
            };
            r[l] = fma_scaled(a[l], b[l], c[l], power).to_bits();
        }
        F64::write(wave, inst, half, r);
    }
}

macro_rules! fixup {
    ($name:ident, $ty:ty, $quiet:expr, $least:expr, $most:expr) => {
        /// The quotient with its sign, or what division by or of zero, infinity and NaN gives.
        fn $name(quotient: $ty, denominator: $ty, numerator: $ty) -> $ty {
            let negative = denominator.is_sign_negative() != numerator.is_sign_negative();
            let signed = |x: $ty| if negative { -x } else { x };
            if numerator.is_nan() {
                return numerator + numerator;
            }
            if denominator.is_nan() {
                return denominator + denominator;
            }
            let zeros = denominator == 0.0 && numerator == 0.0;
            if zeros || (denominator.is_infinite() && numerator.is_infinite()) {
                return $quiet;
            }
            if denominator == 0.0 || numerator.is_infinite() {
                return signed(<$ty>::INFINITY);
            }
            if denominator.is_infinite() || numerator == 0.0 {
                return signed(0.0);
            }
            // Quotients that are far out of range overflow on the way, whatever the scale.
            let exponent = frexp_exp(numerator.into()) - frexp_exp(denominator.into());
            if exponent > $most {
                return signed(<$ty>::INFINITY);
            }
            if exponent < $least {
                return signed(0.0);
            }
            signed(quotient.abs())
        }
    };
}

fixup!(fixup_f32, f32, f32::from_bits(0xffc0_0000), -151, 129);
fixup!(
    fixup_f64,
    f64,
    f64::from_bits(0xfff8_0000_0000_0000),
    -1076,
    1025
);

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    t.add(
        "v_div_scale_f32",
        def(
            same!(scale_f32),
            Form::Plain,
            2,
            &[Ty::F32, Ty::Mask, Ty::F32, Ty::F32, Ty::F32],
        ),
    );
    t.add(
        "v_div_scale_f64",
        def(
            same!(scale_f64),
            Form::Plain,
            2,
            &[Ty::F64, Ty::Mask, Ty::F64, Ty::F64, Ty::F64],
        ),
    );
    t.add(
        "v_div_fmas_f32",
        def(
            both!(fmas_f32),
            Form::Plain,
            1,
            &[Ty::F32, Ty::F32, Ty::F32, Ty::F32],
        ),
    );
    t.add(
        "v_div_fmas_f64",
        def(
            both!(fmas_f64),
            Form::Plain,
            1,
            &[Ty::F64, Ty::F64, Ty::F64, Ty::F64],
        ),
    );
    v3!(t, "v_div_fixup_f32", F32 = F32, F32, F32, |a, b, c| {
        fixup_f32(a, b, c)
    });
    v3!(t, "v_div_fixup_f64", F64 = F64, F64, F64, |a, b, c| {
        fixup_f64(a, b, c)
    });
    v3!(keep t, "v_div_fixup_f16", F16 = F16, F16, F16, |a, b, c| fixup_f32(a, b, c));
    v3!(
        t,
        "v_div_fixup_legacy_f16",
        F16 = F16,
        F16,
        F16,
        |a, b, c| fixup_f32(a, b, c)
    );
}
