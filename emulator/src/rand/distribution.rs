//! What becomes of numbers that were drawn (rng/distribution of rocRAND; rocrand_uniform.h, rocrand_normal.h).

use super::generator::Kind;
use super::xorwow::uniform;

/// `ROCRAND_MRG32K3A_NORM_DOUBLE`, and what stretches MRG32k3a's numbers to 32 bits.
const MRG_UNIT: f64 = 2.328_306_549_837_829e-10;
const MRG_STRETCH: f64 = 1.000_000_048_661_607;
/// `ROCRAND_2POW53_INV_DOUBLE`
const UNIT: f64 = 1.110_223_024_625_156_5e-16;

/// A number of 32 bits.
pub(super) fn whole(kind: Kind, drawn: u32) -> u32 {
    match kind {
        Kind::Mrg => (f64::from(drawn.wrapping_sub(1)) * MRG_STRETCH) as u32,
        _ => drawn,
    }
}

/// A number of (0, 1] in single precision.
pub(super) fn single(kind: Kind, drawn: u32) -> f32 {
    match kind {
        Kind::Mrg => (f64::from(drawn) * MRG_UNIT) as f32,
        _ => uniform(drawn),
    }
}

/// How many numbers a uniform number of double precision takes.
pub(super) fn width_of_double(kind: Kind) -> usize {
    if kind == Kind::Mrg { 1 } else { 2 }
}

/// A number of (0, 1] in double precision.
pub(super) fn double(kind: Kind, drawn: [u32; 4]) -> f64 {
    match kind {
        Kind::Mrg => f64::from(drawn[0]) * MRG_UNIT,
        _ => {
            let bits = u64::from(drawn[0]) | u64::from(drawn[1] >> 11) << 32;
            UNIT + bits as f64 * UNIT
        }
    }
}

/// Two normal numbers of single precision, by Box and Muller.
pub(super) fn normal(kind: Kind, drawn: [u32; 4]) -> [f32; 2] {
    /// `ROCRAND_2POW32_INV_2PI`
    const TURN: f32 = 1.462_918_1e-9;
    let u = single(kind, drawn[0]);
    let v = match kind {
        Kind::Mrg => single(kind, drawn[1]) * std::f32::consts::TAU,
        _ => TURN + drawn[1] as f32 * TURN,
    };
    let s = (-2.0 * u.ln()).sqrt();
    [v.sin() * s, v.cos() * s]
}

/// How many numbers two normal numbers of double precision take.
pub(super) fn width_of_normal_double(kind: Kind) -> usize {
    if kind == Kind::Mrg { 2 } else { 4 }
}

/// Two normal numbers of double precision.
pub(super) fn normal_double(kind: Kind, [x, y, z, w]: [u32; 4]) -> [f64; 2] {
    let wide = |low: u32, high: u32| (u64::from(low) ^ u64::from(high) << 21) as f64;
    let (u, turn) = match kind {
        Kind::Mrg => {
            let [u, v] = [x, y].map(|drawn| f64::from(single(kind, drawn)));
            (u, v * 2.0)
        }
        _ => (
            UNIT + wide(x, y) * UNIT,
            2.0 * UNIT + wide(z, w) * 2.0 * UNIT,
        ),
    };
    let s = (-2.0 * u.ln()).sqrt();
    let angle = turn * std::f64::consts::PI;
    [angle.sin() * s, angle.cos() * s]
}

/// The upper 32 bits of a point of so many.
fn upper(point: u64, bits: usize) -> u32 {
    (point >> (bits - 32)) as u32
}

/// A number of (0, 1] in single precision, of a point of Sobol's sequence.
pub(super) fn single_of(point: u64, bits: usize) -> f32 {
    uniform(upper(point, bits))
}

/// The same in double precision.
pub(super) fn double_of(point: u64, bits: usize) -> f64 {
    /// `ROCRAND_2POW32_INV_DOUBLE`
    const SHORT: f64 = 1.0 / 4_294_967_296.0;
    match bits {
        32 => SHORT + point as f64 * SHORT,
        _ => UNIT + (point >> 11) as f64 * UNIT,
    }
}

/// rocRAND's inverse of the error function (`roc_d_erfinv`): an approximation that is wrong by up to 0.002 of its value, as on AMD's cards.
fn inverse_error(x: f64) -> f64 {
    const BEND: f64 = 0.147;
    let log = ((1.0 - x) * (1.0 + x)).ln();
    if log.is_nan() {
        return 1.0;
    }
    if log.is_infinite() {
        return 0.0;
    }
    let first = 2.0 / (std::f64::consts::PI * BEND) + 0.5 * log;
    let root = ((first * first - log / BEND).sqrt() - first).sqrt();
    if x < 0.0 { -root } else { root }
}

/// A normal number of single precision, of a point.
pub(super) fn normal_of(point: u64, bits: usize) -> f32 {
    let x = 2.0f32 * single_of(point, bits) - 1.0;
    (std::f64::consts::SQRT_2 * inverse_error(x.into())) as f32
}

/// A normal number of double precision, of a point.
pub(super) fn normal_double_of(point: u64, bits: usize) -> f64 {
    std::f64::consts::SQRT_2 * inverse_error(2.0 * double_of(point, bits) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rocrand_uniform.h and rocrand_normal.h of ROCm 6.4, compiled for the host, give for these numbers.
    #[test]
    fn numbers_are_those_of_rocrand() {
        let drawn = [0x1234_5678, 0x9abc_def0, 0xdead_beef, 0x0bad_f00d];
        assert_eq!(double(Kind::Xorwow, drawn).to_bits(), 0x3fe3_579b_1234_5679);
        let near = |found: [f64; 2], wanted: [f64; 2]| {
            found
                .iter()
                .zip(wanted)
                .all(|(found, wanted)| (found - wanted).abs() < 2e-7)
        };
        for kind in [Kind::Xorwow, Kind::Mrg] {
            let found = normal(kind, drawn).map(f64::from);
            assert!(near(found, [-1.402_939_2, -1.821_753_38]), "{found:?}");
        }
        let found = normal_double(Kind::Xorwow, drawn);
        assert!(
            near(found, [0.283_721_971_558_803_7, 0.962_493_116_168_277_5]),
            "{found:?}"
        );
        let found = normal_double(Kind::Mrg, drawn);
        assert!(
            near(found, [-1.402_938_989_666_645_5, -1.821_753_414_371_34]),
            "{found:?}"
        );
    }
}
