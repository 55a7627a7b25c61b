//! Scratch: the private memory of each lane, word by word beside those of the other lanes.

/// The scratch of a wave.
#[derive(Default)]
pub(crate) struct Scratch {
    words: Vec<u32>,
    lanes: usize,
    /// Bytes of one lane.
    pub(crate) bytes: u32,
    /// Words that were written; those behind them are as they were filled.
    used: usize,
    fill: u32,
}

impl Scratch {
    /// Scratch of so many bytes a lane, filled with a byte.
    ///
    /// A dynamic stack is 16 KiB a lane, 16 MiB a group of 1024, of which most kernels use little: what none wrote is neither filled again
    /// nor, where it is zero, taken from the machine at all.
    pub(crate) fn reset(&mut self, bytes: u32, lanes: usize, fill: u8) {
        let words = bytes.div_ceil(4) as usize * lanes;
        let fill = u32::from_le_bytes([fill; 4]);
        if self.words.len() == words && self.fill == fill {
            self.words[..self.used].fill(fill);
        } else {
            self.words = vec![fill; words];
        }
        (self.lanes, self.bytes, self.used, self.fill) = (lanes, bytes, 0, fill);
    }

    /// The word of a lane that is written now.
    #[inline(always)]
    fn word_to_write(&mut self, offset: u32, lane: usize) -> &mut u32 {
        let index = self.index(offset, lane);
        self.used = self.used.max(index + 1);
        &mut self.words[index]
    }

    fn index(&self, offset: u32, lane: usize) -> usize {
        (offset / 4) as usize * self.lanes + lane
    }

    /// Up to four bytes; nothing where they are past the end.
    #[inline(always)]
    pub(crate) fn read(&self, offset: u32, bytes: u32, lane: usize) -> Option<u32> {
        if offset.checked_add(bytes)? > self.bytes {
            return None;
        }
        if offset.is_multiple_of(4) && bytes == 4 {
            return Some(self.words[self.index(offset, lane)]);
        }
        Some((0..bytes).fold(0, |value, k| {
            let at = offset + k;
            value | (self.words[self.index(at, lane)] >> (8 * (at % 4)) & 255) << (8 * k)
        }))
    }

    /// Writes up to four bytes; nothing where they are past the end.
    #[inline(always)]
    pub(crate) fn write(&mut self, offset: u32, bytes: u32, lane: usize, value: u32) -> Option<()> {
        if offset.checked_add(bytes)? > self.bytes {
            return None;
        }
        if offset.is_multiple_of(4) && bytes == 4 {
            *self.word_to_write(offset, lane) = value;
            return Some(());
        }
        for k in 0..bytes {
            let (at, byte) = (offset + k, value >> (8 * k) & 255);
            let shift = 8 * (at % 4);
            let word = self.word_to_write(at, lane);
            *word = *word & !(255 << shift) | byte << shift;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_lanes_do_not_meet_and_the_end_is_kept() {
        let mut scratch = Scratch::default();
        scratch.reset(8, 32, 0);
        assert_eq!(scratch.write(2, 4, 5, 0xaabb_ccdd), Some(()));
        assert_eq!(scratch.read(0, 4, 5), Some(0xccdd_0000));
        assert_eq!(scratch.read(4, 2, 5), Some(0xaabb));
        assert_eq!(scratch.read(0, 4, 6), Some(0));
        assert_eq!(scratch.read(5, 4, 5), None);
        assert_eq!(scratch.write(u32::MAX, 4, 5, 0), None);
    }

    #[test]
    fn nothing_of_a_group_is_left_for_the_next() {
        let mut scratch = Scratch::default();
        for fill in [0, 0, 7, 7, 0] {
            scratch.reset(8, 32, fill);
            let wanted = u32::from_le_bytes([fill; 4]);
            for (offset, lane) in [(0, 0), (4, 5), (4, 31)] {
                assert_eq!(scratch.read(offset, 4, lane), Some(wanted));
                scratch.write(offset, 4, lane, 0xaabb_ccdd);
            }
            scratch.write(5, 1, 31, 1);
        }
    }
}
