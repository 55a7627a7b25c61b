//! Transforms of one to three directions, in double.

use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};

pub(super) type Number = Complex<f64>;

/// Transforms all lines of one direction.
fn along(values: &mut [Number], lens: &[usize], direction: usize, way: FftDirection) {
    let len = lens[direction];
    let step: usize = lens[direction + 1..].iter().product();
    let plan = FftPlanner::new().plan_fft(len, way);
    let mut line = vec![Number::default(); len];
    for first in (0..values.len()).filter(|at| (at / step).is_multiple_of(len)) {
        for (k, to) in line.iter_mut().enumerate() {
            *to = values[first + k * step];
        }
        plan.process(&mut line);
        for (k, from) in line.iter().enumerate() {
            values[first + k * step] = *from;
        }
    }
}

fn all(
    values: &mut [Number],
    lens: &[usize],
    directions: std::ops::Range<usize>,
    way: FftDirection,
) {
    directions
        .rev()
        .for_each(|direction| along(values, lens, direction, way));
}

/// Complex to complex.
pub(super) fn complex(mut values: Vec<Number>, lens: &[usize], is_forward: bool) -> Vec<Number> {
    let way = if is_forward {
        FftDirection::Forward
    } else {
        FftDirection::Inverse
    };
    all(&mut values, lens, 0..lens.len(), way);
    values
}

/// The lengths of the half that a transform of real numbers keeps.
pub(super) fn half(lens: &[usize]) -> Vec<usize> {
    let mut half = lens.to_vec();
    if let Some(last) = half.last_mut() {
        *last = *last / 2 + 1;
    }
    half
}

/// Real to complex: the half of the last direction that tells the other.
pub(super) fn forward_of_real(values: &[f64], lens: &[usize]) -> Vec<Number> {
    let whole = values
        .iter()
        .map(|value| Number::new(*value, 0.0))
        .collect();
    let whole = complex(whole, lens, true);
    let (Some(last), Some(kept)) = (lens.last(), half(lens).pop()) else {
        return whole;
    };
    whole
        .chunks(*last)
        .flat_map(|row| row[..kept].to_vec())
        .collect()
}

/// Complex to real: the other directions first, then each row with the half that it lacks.
pub(super) fn backward_to_real(mut values: Vec<Number>, lens: &[usize]) -> Vec<f64> {
    let half = half(lens);
    let last = lens.len() - 1;
    all(&mut values, &half, 0..last, FftDirection::Inverse);
    let len = lens[last];
    let plan = FftPlanner::new().plan_fft(len, FftDirection::Inverse);
    let mut real = Vec::with_capacity(lens.iter().product());
    for row in values.chunks(half[last]) {
        let mirrored = |k: usize| {
            if k < row.len() {
                row[k]
            } else {
                row[len - k].conj()
            }
        };
        let mut line: Vec<Number> = (0..len).map(mirrored).collect();
        plan.process(&mut line);
        real.extend(line.iter().map(|value| value.re));
    }
    real
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum that a transform is.
    fn by_formula(values: &[Number], lens: &[usize], sign: f64) -> Vec<Number> {
        let index = |flat: usize| -> Vec<usize> {
            let mut rest = flat;
            let mut index: Vec<usize> = lens
                .iter()
                .rev()
                .map(|len| {
                    let at = rest % len;
                    rest /= len;
                    at
                })
                .collect();
            index.reverse();
            index
        };
        (0..values.len())
            .map(|to| {
                let to = index(to);
                values
                    .iter()
                    .enumerate()
                    .fold(Number::default(), |sum, (from, value)| {
                        let turn: f64 = index(from)
                            .iter()
                            .zip(&to)
                            .zip(lens)
                            .map(|((a, b), len)| (a * b) as f64 / *len as f64)
                            .sum();
                        sum + value * Number::from_polar(1.0, sign * std::f64::consts::TAU * turn)
                    })
            })
            .collect()
    }

    fn noise(count: usize) -> Vec<Number> {
        (0..count)
            .map(|k| Number::new((k as f64 * 1.7).sin(), (k as f64 * 2.3).cos()))
            .collect()
    }

    #[test]
    fn transforms_are_their_sums() {
        for lens in [vec![8], vec![7], vec![3, 4], vec![2, 3, 5]] {
            let count = lens.iter().product();
            let values = noise(count);
            for (is_forward, sign) in [(true, -1.0), (false, 1.0)] {
                let found = complex(values.clone(), &lens, is_forward);
                let wanted = by_formula(&values, &lens, sign);
                assert!(
                    found
                        .iter()
                        .zip(&wanted)
                        .all(|(a, b)| (a - b).norm() < 1e-10),
                    "{lens:?}"
                );
            }
            let real: Vec<f64> = values.iter().map(|value| value.re).collect();
            let wide: Vec<Number> = real.iter().map(|value| Number::new(*value, 0.0)).collect();
            let found = forward_of_real(&real, &lens);
            let whole = by_formula(&wide, &lens, -1.0);
            let kept = lens[lens.len() - 1] / 2 + 1;
            let wanted: Vec<Number> = whole
                .chunks(lens[lens.len() - 1])
                .flat_map(|row| row[..kept].to_vec())
                .collect();
            assert!(
                found
                    .iter()
                    .zip(&wanted)
                    .all(|(a, b)| (a - b).norm() < 1e-10),
                "{lens:?}"
            );
            let back = backward_to_real(found, &lens);
            assert!(
                back.iter()
                    .zip(&real)
                    .all(|(a, b)| (a / count as f64 - b).abs() < 1e-12),
                "{lens:?}"
            );
        }
    }
}
