//! Philox 4x32 of ten rounds (rocrand_philox4x32_10.h): numbers by their place in the sequence.

/// Four numbers of a seed's first subsequence, by the number of the four.
fn four(seed: u64, counter: u64) -> [u32; 4] {
    let mut key = [seed as u32, (seed >> 32) as u32];
    let mut x = [counter as u32, (counter >> 32) as u32, 0, 0];
    for _ in 0..10 {
        let wide = |factor: u64, with: u32| factor * u64::from(with);
        let (a, b) = (wide(0xd251_1f53, x[0]), wide(0xcd9e_8d57, x[2]));
        x = [
            (b >> 32) as u32 ^ x[1] ^ key[0],
            b as u32,
            (a >> 32) as u32 ^ x[3] ^ key[1],
            a as u32,
        ];
        key = [
            key[0].wrapping_add(0x9e37_79b9),
            key[1].wrapping_add(0xbb67_ae85),
        ];
    }
    x
}

/// The number at a place of the sequence.
pub(super) fn at(seed: u64, place: u64) -> u32 {
    four(seed, place / 4)[(place % 4) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rocrand_philox4x32_10.h of ROCm 6.4, compiled for the host, gives.
    #[test]
    fn numbers_are_those_of_rocrand() {
        let first = |seed, from: u64| [0, 1, 2, 3, 4, 5].map(|k| at(seed, from + k));
        let zero = [
            0x6627_e8d5,
            0xe169_c58d,
            0xbc57_ac4c,
            0x9b00_dbd8,
            0xf8e4_cca4,
            0x5cb2_00db,
        ];
        assert_eq!(first(0, 0), zero);
        let later = [
            0x60aa_1812,
            0x43c7_b4ad,
            0x8262_fd9f,
            0x3ea3_54c1,
            0x8040_af0e,
            0x94c4_f7e5,
        ];
        assert_eq!(first(1234, 1_000_000), later);
    }
}
