//! Banks of LDS: which lanes are served together, and how many passes they take.

/// Banks, each a word of four bytes wide.
const BANKS: usize = 32;
/// Bytes that all banks give in one pass.
const WIDTH: usize = 4 * BANKS;

/// What one access of all lanes takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passes {
    /// Groups of lanes with at least one on.
    pub(crate) groups: u64,
    /// Passes of all groups.
    pub(crate) passes: u64,
}

/// Lanes are served in their order, so many at a time as fill the banks once. A group takes as many passes as its fullest bank has
/// different words; lanes that want the same word share it, but for atomics, which come one after another.
pub(crate) fn passes(offsets: &[Option<u32>], bytes: u8, is_atomic: bool) -> Passes {
    let at_once = WIDTH / usize::from(bytes.max(4)).next_power_of_two();
    let mut all = Passes::default();
    for group in offsets.chunks(at_once) {
        let passes = passes_of_group(group, bytes, is_atomic);
        all.groups += u64::from(passes > 0);
        all.passes += passes;
    }
    all
}

fn passes_of_group(group: &[Option<u32>], bytes: u8, is_atomic: bool) -> u64 {
    let mut words: Vec<u32> = Vec::with_capacity(2 * BANKS);
    for offset in group.iter().flatten() {
        let last = offset.wrapping_add(u32::from(bytes) - 1);
        words.extend(offset / 4..=(last / 4).max(offset / 4));
    }
    words.sort_unstable();
    if !is_atomic {
        words.dedup();
    }
    let mut banks = [0u64; BANKS];
    for word in words {
        banks[word as usize % BANKS] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: u8, is_atomic: bool, offset: impl Fn(u32) -> u32) -> (u64, u64) {
        let offsets: Vec<Option<u32>> = (0..64).map(|lane| Some(offset(lane))).collect();
        let Passes { groups, passes } = passes(&offsets, bytes, is_atomic);
        (groups, passes)
    }

    #[test]
    fn neighbours_take_one_pass_for_each_group() {
        assert_eq!(of(4, false, |lane| 4 * lane), (2, 2));
        assert_eq!(of(8, false, |lane| 8 * lane), (4, 4));
        assert_eq!(of(16, false, |lane| 16 * lane), (8, 8));
        assert_eq!(of(1, false, |lane| lane), (2, 2));
    }

    #[test]
    fn a_stride_of_all_banks_takes_a_pass_for_each_lane() {
        assert_eq!(of(4, false, |lane| 128 * lane), (2, 64));
        assert_eq!(of(4, false, |lane| 132 * lane), (2, 2));
        assert_eq!(of(4, false, |lane| 8 * lane), (2, 4));
    }

    #[test]
    fn one_word_for_all_is_shared_but_for_atomics() {
        assert_eq!(of(4, false, |_| 40), (2, 2));
        assert_eq!(of(4, true, |_| 40), (2, 64));
    }

    #[test]
    fn lanes_that_are_off_take_part_in_no_group() {
        let offsets: Vec<Option<u32>> = (0..64)
            .map(|lane| (lane < 32).then_some(4 * lane))
            .collect();
        let expected = Passes {
            groups: 1,
            passes: 1,
        };
        assert_eq!(passes(&offsets, 4, false), expected);
    }
}
