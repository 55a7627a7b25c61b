//! MRG32k3a as rocRAND has it (rocrand_mrg32k3a.h, `mrg32k3a_engine`): two recurrences of three numbers each.

/// The moduli.
const M1: u64 = 4_294_967_087;
const M2: u64 = 4_294_944_443;
/// A subsequence is 2^76 numbers long.
const SEQUENCE: u32 = 76;

type Matrix = [[u64; 3]; 3];

/// A step of each recurrence.
const STEP_1: Matrix = [[0, 1, 0], [0, 0, 1], [M1 - 810_728, 1_403_580, 0]];
const STEP_2: Matrix = [[0, 1, 0], [0, 0, 1], [M2 - 1_370_589, 0, 527_612]];

/// Where a sequence stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mrg {
    g1: [u64; 3],
    g2: [u64; 3],
}

fn product(a: &Matrix, b: &Matrix, modulus: u64) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            (0..3).fold(0, |sum, k| {
                (sum + a[row][k] * b[k][column] % modulus) % modulus
            })
        })
    })
}

fn apply(a: &Matrix, x: [u64; 3], modulus: u64) -> [u64; 3] {
    std::array::from_fn(|row| (0..3).fold(0, |sum, k| (sum + a[row][k] * x[k] % modulus) % modulus))
}

/// A step taken 2^`log` times.
fn doubled(step: Matrix, log: u32, modulus: u64) -> Matrix {
    (0..log).fold(step, |step, _| product(&step, &step, modulus))
}

impl Mrg {
    /// The start of a seed's first subsequence; 0 stands for the default seed.
    pub(super) fn new(seed: u64) -> Mrg {
        let seed = if seed == 0 { 12_345 } else { seed };
        let x = u64::from(seed as u32 ^ 0x5555_5555);
        let y = u64::from((seed >> 32) as u32 ^ 0xaaaa_aaaa);
        // `mod_mul_m1`: a product by parts, each of which may overflow where the seed is large.
        let multiply = |i: u64, modulus: u64| {
            let (high, low) = (i / 131_072, i % 131_072);
            let part = |factor: u64| factor.wrapping_mul(seed) % modulus;
            (part(high) * 131_072 + part(low)) % modulus
        };
        Mrg {
            g1: [multiply(x, M1), multiply(y, M1), multiply(x, M1)],
            g2: [multiply(y, M2), multiply(x, M2), multiply(y, M2)],
        }
    }

    fn jump(&mut self, count: u64, log: u32) {
        let mut steps = (doubled(STEP_1, log, M1), doubled(STEP_2, log, M2));
        let mut rest = count;
        while rest != 0 {
            if rest & 1 == 1 {
                self.g1 = apply(&steps.0, self.g1, M1);
                self.g2 = apply(&steps.1, self.g2, M2);
            }
            steps = (
                product(&steps.0, &steps.0, M1),
                product(&steps.1, &steps.1, M2),
            );
            rest >>= 1;
        }
    }

    /// Goes on by so many subsequences.
    pub(super) fn skip_sequences(&mut self, count: u64) {
        self.jump(count, SEQUENCE);
    }

    /// Goes on by so many numbers.
    pub(super) fn skip(&mut self, count: u64) {
        self.jump(count, 0);
    }

    /// The next number: 1 to the first modulus.
    pub(super) fn next(&mut self) -> u32 {
        self.g1 = apply(&STEP_1, self.g1, M1);
        self.g2 = apply(&STEP_2, self.g2, M2);
        let (p1, p2) = (self.g1[2], self.g2[2]);
        (if p1 <= p2 { p1 + M1 - p2 } else { p1 - p2 }) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rocrand_mrg32k3a.h of ROCm 6.4, compiled for the host, gives.
    #[test]
    fn numbers_are_those_of_rocrand() {
        let first = |seed, sequence, count| {
            let mut state = Mrg::new(seed);
            state.skip_sequences(sequence);
            state.skip(count);
            [state.next(), state.next(), state.next()]
        };
        assert_eq!(first(0, 0, 0), [0xb776_a4e8, 0x259e_fcd2, 0xa004_be2c]);
        assert_eq!(first(1234, 1, 0), [0x4adb_1468, 0x3f1d_ea95, 0x44a8_92ad]);
        let far = [0x7a95_8d5f, 0xf531_b8ee, 0xc7d8_d35e];
        assert_eq!(first(0x0123_4567_89ab_cdef, 131_071, 5), far);
        let later = [0xdc73_bed1, 0x7c90_2ac5, 0x1a30_874c];
        assert_eq!(first(1234, 0, 1_000_000), later);
    }
}
