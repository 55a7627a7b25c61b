//! Numbers held against each other, and the comparison held against itself: would a wrong number have been told from the right one?

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;

use super::compared::Compared;
use crate::verify::line::Number;
use crate::verify::precision::Fits;
use crate::verify::tolerance::{Tolerance, relative};

/// What all numbers of a place have in common.
#[derive(Clone, Debug, Default)]
pub(in crate::verify) struct Numbers {
    /// Floating-point numbers that were compared.
    floats: u64,
    /// Those of them that a wrong value was tried for.
    tested: u64,
    /// Those for which half the value would have passed.
    blind_to_half: u64,
    /// Those for which 1 % more would have passed.
    blind_to_percent: u64,
    /// Integers and words that were compared: these are exact.
    pub(super) exact: u64,
    first: Option<f64>,
    /// Two different finite numbers were seen.
    varied: bool,
    pub(super) fits: Fits,
    /// Hashes of what both sides have, where it was compared.
    pub(super) signatures: [u64; 2],
    /// Timings of the original that differ between its runs: all, and those that the port has digit for digit.
    pub(super) timings: [u64; 2],
}

/// How two numbers stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Equal,
    Within,
    Outside,
}

impl Numbers {
    /// Compares two numbers as they were printed.
    pub(super) fn printed(
        &mut self,
        (want, got): (&Number, &Number),
        tolerance: Tolerance,
        compared: &mut Compared,
    ) -> Verdict {
        if want.is_integer && got.is_integer {
            self.exact += 1;
            self.note(want.value, got.value);
            return tally(compared, want.value, got.value, want.value == got.value);
        }
        self.fits.add(want, got);
        self.value(want.value, got.value, tolerance, compared)
    }

    /// Compares two floating-point numbers.
    pub(super) fn value(
        &mut self,
        want: f64,
        got: f64,
        tolerance: Tolerance,
        compared: &mut Compared,
    ) -> Verdict {
        self.note(want, got);
        self.floats += 1;
        if want.is_finite() {
            self.perturb(want, tolerance);
        }
        tally(compared, want, got, tolerance.accepts(want, got))
    }

    /// The comparison tested on this number: wrong values that it would let pass.
    fn perturb(&mut self, want: f64, tolerance: Tolerance) {
        self.tested += 1;
        // Zero has no half: that nothing was computed shows in numbers that are not zero.
        let (half, more) = if want == 0.0 {
            (1.0, 0.01)
        } else {
            (want / 2.0, want * 1.01)
        };
        self.blind_to_half += u64::from(tolerance.accepts(want, half));
        self.blind_to_percent += u64::from(tolerance.accepts(want, more));
    }

    fn note(&mut self, want: f64, got: f64) {
        if want.is_finite() {
            self.varied |= *self.first.get_or_insert(want) != want;
        }
        for (signature, value) in self.signatures.iter_mut().zip([want, got]) {
            let mut hasher = FxHasher::default();
            (*signature, value.to_bits()).hash(&mut hasher);
            *signature = hasher.finish();
        }
    }

    /// How much of the comparison cannot fail: the share of numbers whose half would pass, and that for 1 %.
    pub(super) fn share_that_cannot_fail(&self) -> Option<(f64, f64)> {
        let share = |count: u64| count as f64 / self.tested as f64;
        (self.tested > 0).then(|| (share(self.blind_to_half), share(self.blind_to_percent)))
    }

    /// Whether there are numbers, and all are the same, or none is finite.
    pub(super) fn is_constant(&self) -> bool {
        self.floats > 1 && !self.varied
    }

    /// Numbers and words that were compared.
    pub(super) fn compared(&self) -> u64 {
        self.floats + self.exact
    }
}

fn tally(compared: &mut Compared, want: f64, got: f64, passes: bool) -> Verdict {
    compared.numbers += 1;
    if want == got || (want.is_nan() && got.is_nan()) {
        compared.equal += 1;
        return Verdict::Equal;
    }
    if !passes {
        compared.outside += 1;
        return Verdict::Outside;
    }
    compared.within += 1;
    compared.worst_absolute = compared.worst_absolute.max((want - got).abs());
    compared.worst_relative = compared.worst_relative.max(relative(want, got));
    Verdict::Within
}
