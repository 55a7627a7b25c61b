//! When two numbers count as equal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two numbers are equal when one of the three says so; integers are compared exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    /// Largest absolute difference.
    pub abs: f64,
    /// Largest difference relative to the larger of the two magnitudes.
    pub rel: f64,
    /// Largest distance in single-precision values between the two.
    pub ulp: u32,
}

impl Default for Tolerance {
    /// Sums of single-precision numbers in another order differ by about 1e-6 relatively.
    fn default() -> Self {
        Self {
            abs: 1e-8,
            rel: 1e-5,
            ulp: 0,
        }
    }
}

impl Tolerance {
    /// Whether `got` passes for `want`. NaN passes for NaN; infinities have to be the same.
    pub(crate) fn accepts(&self, want: f64, got: f64) -> bool {
        if want == got || (want.is_nan() && got.is_nan()) {
            return true;
        }
        if !(want.is_finite() && got.is_finite()) {
            return false;
        }
        let difference = (want - got).abs();
        difference <= self.abs
            || difference <= self.rel * want.abs().max(got.abs())
            || (self.ulp > 0 && ulps(want, got) <= self.ulp)
    }

    /// The same with room for what two runs of the original differ by.
    #[must_use]
    pub(super) fn widened(self, spread: f64) -> Self {
        Self {
            abs: self.abs.max(NOISE_FACTOR * spread),
            ..self
        }
    }
}

/// Two runs show a part of the spread that many would.
const NOISE_FACTOR: f64 = 8.0;

/// How many single-precision values lie between two numbers.
pub(super) fn ulps(a: f64, b: f64) -> u32 {
    let ordered = |value: f64| {
        let bits = i64::from((value as f32).to_bits());
        if bits & 0x8000_0000 == 0 {
            bits
        } else {
            0x8000_0000 - bits
        }
    };
    u32::try_from((ordered(a) - ordered(b)).unsigned_abs()).unwrap_or(u32::MAX)
}

/// The difference relative to the larger magnitude.
pub(super) fn relative(a: f64, b: f64) -> f64 {
    let scale = a.abs().max(b.abs());
    if scale == 0.0 {
        0.0
    } else {
        (a - b).abs() / scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_three_can_accept() {
        let none = Tolerance {
            abs: 0.0,
            rel: 0.0,
            ulp: 0,
        };
        assert!(!none.accepts(1.0, 1.000_001));
        assert!(Tolerance { abs: 1e-5, ..none }.accepts(1.0, 1.000_001));
        assert!(Tolerance { rel: 1e-5, ..none }.accepts(1e6, 1e6 + 1.0));
        let next = f64::from(f32::from_bits(1.0_f32.to_bits() + 3));
        assert!(Tolerance { ulp: 3, ..none }.accepts(1.0, next));
        assert!(!Tolerance { ulp: 2, ..none }.accepts(1.0, next));
        assert!(none.accepts(f64::NAN, f64::NAN));
        assert!(!Tolerance { abs: 1e9, ..none }.accepts(f64::INFINITY, 1.0));
    }

    #[test]
    fn ulps_count_across_zero() {
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(ulps(tiny, -tiny), 2);
        assert_eq!(ulps(0.0, -0.0), 0);
    }
}
