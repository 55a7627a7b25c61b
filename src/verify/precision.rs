//! Do numbers look as if they had been computed in a smaller type? A value that was rounded to 11 bits keeps looking like it.

use super::line::Number;

/// Types by the bits of their mantissa, the hidden one included, and the decimal digits it takes to tell them from the next larger.
pub(super) const TYPES: [(&str, u32, u32); 3] = [
    ("bfloat16", 8, 5),
    ("half precision or TF32", 11, 6),
    ("single precision", 24, 11),
];
/// Fewer numbers say nothing.
const FEWEST: usize = 8;

/// How many numbers fit each type.
#[derive(Clone, Debug, Default)]
pub(super) struct Fits {
    /// Numbers of the original that do not fit.
    seen: [usize; 3],
    /// Those of them that fit in the port.
    port: [usize; 3],
}

impl Fits {
    /// Looks at one number as both sides printed it.
    pub(super) fn add(&mut self, want: &Number, got: &Number) {
        for (at, (_, bits, digits)) in TYPES.iter().enumerate() {
            let is_short = got.digits < *digits || want.digits < *digits || got.is_integer;
            if is_short || fits(want.value, *bits, want.step) {
                continue;
            }
            self.seen[at] += 1;
            self.port[at] += usize::from(fits(got.value, *bits, got.step));
        }
    }

    /// Looks at one binary number.
    pub(super) fn add_value(&mut self, want: f64, got: f64, own_bits: u32) {
        for (at, (_, bits, _)) in TYPES.iter().enumerate() {
            if *bits >= own_bits || got == 0.0 || fits(want, *bits, 0.0) {
                continue;
            }
            self.seen[at] += 1;
            self.port[at] += usize::from(fits(got, *bits, 0.0));
        }
    }

    /// The smaller type that numbers of the port fit where those of the original do not.
    pub(super) fn lowered(&self) -> Option<&'static str> {
        let is_lowered =
            |at: &usize| self.seen[*at] >= FEWEST && self.port[*at] * 10 >= self.seen[*at] * 9;
        (0..TYPES.len()).find(is_lowered).map(|at| TYPES[at].0)
    }
}

/// Whether a printed value can be one of a type with so many bits.
fn fits(value: f64, bits: u32, step: f64) -> bool {
    value.is_finite() && (rounded(value, bits) - value).abs() <= step * 0.5000001
}

/// The value rounded to so many significant bits.
pub(super) fn rounded(value: f64, bits: u32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let drop = 53 - bits;
    let half = 1_u64 << (drop - 1);
    let sum = value.to_bits().wrapping_add(half);
    f64::from_bits(sum & !((1_u64 << drop) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_what_fits() {
        assert_eq!(rounded(1.5, 11), 1.5);
        assert_eq!(rounded(0.1, 24), f64::from(0.1_f32));
        assert_eq!(rounded(-3.0, 8), -3.0);
    }

    #[test]
    fn numbers_of_half_precision_are_told_from_others() {
        let mut fits = Fits::default();
        for i in 1..20 {
            let value = f64::from(i).sqrt();
            fits.add_value(value, rounded(value, 11), 24);
        }
        assert_eq!(fits.lowered(), Some("half precision or TF32"));
        let mut same = Fits::default();
        (1..20).for_each(|i| same.add_value(f64::from(i).sqrt(), f64::from(i).sqrt(), 24));
        assert_eq!(same.lowered(), None);
    }
}
