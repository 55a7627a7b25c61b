//! XORWOW as rocRAND has it (rocrand_xorwow.h of 1.8, `xorwow_engine`): five words of an xorshift and a Weyl sequence.

use std::sync::LazyLock;

/// Where a sequence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Xorwow {
    x: [u32; 5],
    d: u32,
}

/// What a step adds to the Weyl sequence.
const WEYL: u32 = 362_437;
/// Bits of the xorshift's state.
const BITS: usize = 160;

/// A linear map of the state: what becomes of each bit.
struct Jump(Box<[[u32; 5]; BITS]>);

impl Jump {
    fn of(map: impl Fn([u32; 5]) -> [u32; 5]) -> Jump {
        let column = |bit: usize| {
            let mut x = [0; 5];
            x[bit / 32] = 1 << (bit % 32);
            map(x)
        };
        Jump(Box::new(std::array::from_fn(column)))
    }

    fn apply(&self, x: [u32; 5]) -> [u32; 5] {
        let mut sum = [0; 5];
        for (word, bits) in x.iter().enumerate() {
            let mut rest = *bits;
            while rest != 0 {
                let column = &self.0[32 * word + rest.trailing_zeros() as usize];
                sum.iter_mut()
                    .zip(column)
                    .for_each(|(sum, add)| *sum ^= add);
                rest &= rest - 1;
            }
        }
        sum
    }

    fn twice(&self) -> Jump {
        Jump::of(|x| self.apply(self.apply(x)))
    }
}

/// One step, two, four and so on: up to 2^67 and 2^64 times that.
static JUMPS: LazyLock<Vec<Jump>> = LazyLock::new(|| {
    let mut jumps = vec![Jump::of(step)];
    for at in 0..SEQUENCE + 63 {
        jumps.push(jumps[at].twice());
    }
    jumps
});
/// A subsequence is 2^67 numbers long.
const SEQUENCE: usize = 67;

fn step([a, b, c, d, e]: [u32; 5]) -> [u32; 5] {
    let t = a ^ (a >> 2);
    [b, c, d, e, (e ^ (e << 4)) ^ (t ^ (t << 1))]
}

impl Xorwow {
    /// The start of a seed's first subsequence.
    pub(crate) fn new(seed: u64) -> Xorwow {
        let s0 = seed as u32 ^ 0x2c7f_967f;
        let s1 = (seed >> 32) as u32 ^ 0xa036_97cb;
        let t0 = 1_228_688_033_u32.wrapping_mul(s0);
        let t1 = 2_073_658_381_u32.wrapping_mul(s1);
        let x = [
            123_456_789_u32.wrapping_add(t0),
            362_436_069 ^ t0,
            521_288_629_u32.wrapping_add(t1),
            88_675_123 ^ t1,
            5_783_321_u32.wrapping_add(t0),
        ];
        let d = 6_615_241_u32.wrapping_add(t1).wrapping_add(t0);
        Xorwow { x, d }
    }

    fn jump(&mut self, count: u64, from: usize) {
        for bit in (0..64).filter(|bit| count >> bit & 1 == 1) {
            self.x = JUMPS[from + bit].apply(self.x);
        }
    }

    /// Goes on by so many subsequences; the Weyl sequence comes round in one.
    pub(crate) fn skip_sequences(&mut self, count: u64) {
        self.jump(count, SEQUENCE);
    }

    /// Goes on by so many numbers.
    pub(crate) fn skip(&mut self, count: u64) {
        self.jump(count, 0);
        self.d = self.d.wrapping_add(WEYL.wrapping_mul(count as u32));
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u32 {
        self.x = step(self.x);
        self.d = self.d.wrapping_add(WEYL);
        self.d.wrapping_add(self.x[4])
    }

    /// The state as it lies in memory: the Weyl sequence, then the xorshift.
    pub(crate) fn words(&self) -> [u32; 6] {
        let [a, b, c, d, e] = self.x;
        [self.d, a, b, c, d, e]
    }

    /// What [`Self::words`] gave.
    pub(crate) fn of_words([weyl, a, b, c, d, e]: [u32; 6]) -> Xorwow {
        Xorwow {
            x: [a, b, c, d, e],
            d: weyl,
        }
    }
}

/// A number of (0, 1], as rocrand_uniform.h makes it in single precision.
pub(crate) fn uniform(bits: u32) -> f32 {
    /// `ROCRAND_2POW32_INV`
    const UNIT: f32 = 2.328_306_4e-10;
    UNIT + bits as f32 * UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rocrand_xorwow.h of ROCm 6.4, compiled for the host, gives for these seeds and subsequences.
    #[test]
    fn numbers_are_those_of_rocrand() {
        let first = |seed, sequence, count| {
            let mut state = Xorwow::new(seed);
            state.skip_sequences(sequence);
            state.skip(count);
            [state.next(), state.next(), state.next()]
        };
        assert_eq!(first(0, 0, 0), [0x62d4_07df, 0x25c6_a450, 0xa799_4a36]);
        assert_eq!(first(1234, 1, 0), [0x0b7f_4336, 0x4d6c_c67e, 0x9d2b_a22c]);
        let far = [0x3b12_5849, 0xe7be_b178, 0xdcfd_cbe4];
        assert_eq!(first(0x0123_4567_89ab_cdef, 131_071, 5), far);
        let later = [0x4028_41eb, 0xd0a2_a8a0, 0x78d3_bd8c];
        assert_eq!(first(1234, 0, 1_000_000), later);
        assert_eq!(uniform(0x1234_5678).to_bits(), 0x3d91_a2b4);
    }
}
