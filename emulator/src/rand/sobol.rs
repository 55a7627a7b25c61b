//! Sobol's sequences of 32 and 64 bits (rocrand_sobol32.h, rocrand_sobol64.h): the directions of S. Joe and F. Y. Kuo, "Constructing Sobol
//! sequences with better two-dimensional projections" (2008), of which the first 16 dimensions are here.

/// A primitive polynomial by its inner coefficients, and the first odd numbers; the degree is how many these are.
type Direction = (u32, &'static [u64]);

/// From the second dimension on; the first is van der Corput's sequence.
const DIRECTIONS: [Direction; 15] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
];

/// Dimensions that are here.
pub(super) const DIMENSIONS: u32 = DIRECTIONS.len() as u32 + 1;

/// The directions of a dimension, one for each of so many bits.
fn directions(dimension: usize, bits: usize) -> Vec<u64> {
    let Some((polynomial, first)) = dimension.checked_sub(1).map(|at| DIRECTIONS[at]) else {
        return (0..bits).map(|at| 1 << (bits - 1 - at)).collect();
    };
    let degree = first.len();
    let mut found: Vec<u64> = first
        .iter()
        .enumerate()
        .map(|(at, number)| number << (bits - 1 - at))
        .collect();
    for at in degree..bits {
        let mut next = found[at - degree] ^ (found[at - degree] >> degree);
        for back in 1..degree {
            if polynomial >> (degree - 1 - back) & 1 == 1 {
                next ^= found[at - back];
            }
        }
        found.push(next);
    }
    found
}

/// `count` points of a dimension from a place on: a point is the sum of the directions at the bits of its number's Gray code.
pub(super) fn points(dimension: usize, bits: usize, from: u64, count: usize) -> Vec<u64> {
    let directions = directions(dimension, bits);
    let point = |place: u64| {
        let code = place ^ (place >> 1);
        let all = directions.iter().enumerate();
        let set = all.filter(|(bit, _)| code >> bit & 1 == 1);
        set.fold(0, |sum, (_, direction)| sum ^ direction)
    };
    (0..count as u64)
        .map(|at| point(from.wrapping_add(at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last directions of three dimensions as rocrand_sobol32_precomputed.h of ROCm 6.4 has them follow from the recurrence; the first
    /// points are those of every description of the sequence.
    #[test]
    fn points_are_those_of_the_sequence() {
        let eighths = |dimension| {
            let points = points(dimension, 32, 0, 8);
            points
                .into_iter()
                .map(|point| point >> 29)
                .collect::<Vec<_>>()
        };
        assert_eq!(eighths(0), [0, 4, 6, 2, 3, 7, 5, 1]);
        assert_eq!(eighths(1), [0, 4, 2, 6, 3, 7, 1, 5]);
        assert_eq!(eighths(2), [0, 4, 2, 6, 5, 1, 7, 3]);
        // The same of 64 bits, in their upper half.
        for dimension in 0..DIMENSIONS as usize {
            let short = points(dimension, 32, 1000, 20);
            let long = points(dimension, 64, 1000, 20);
            let upper: Vec<u64> = long.into_iter().map(|point| point >> 32).collect();
            assert_eq!(short, upper, "{dimension}");
        }
    }

    #[test]
    fn each_dimension_fills_the_unit_evenly() {
        for dimension in 0..DIMENSIONS as usize {
            let mut found: Vec<u64> = points(dimension, 32, 0, 256)
                .into_iter()
                .map(|point| point >> 24)
                .collect();
            found.sort_unstable();
            assert_eq!(found, (0..256).collect::<Vec<_>>(), "{dimension}");
        }
    }
}
