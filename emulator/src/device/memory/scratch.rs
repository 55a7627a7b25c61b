//! Scratch: the private memory of each lane, word by word beside those of the other lanes.

/// The scratch of a wave.
#[derive(Default)]
pub(crate) struct Scratch {
    words: Vec<u32>,
    lanes: usize,
    /// Bytes of one lane.
    pub(crate) bytes: u32,
}

impl Scratch {
    /// Scratch of so many bytes a lane, filled with a byte.
    pub(crate) fn reset(&mut self, bytes: u32, lanes: usize, fill: u8) {
        self.words.clear();
        self.words.resize(
            bytes.div_ceil(4) as usize * lanes,
            u32::from_le_bytes([fill; 4]),
        );
        (self.lanes, self.bytes) = (lanes, bytes);
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
            let index = self.index(offset, lane);
            self.words[index] = value;
            return Some(());
        }
        for k in 0..bytes {
            let (at, byte) = (offset + k, value >> (8 * k) & 255);
            let (index, shift) = (self.index(at, lane), 8 * (at % 4));
            self.words[index] = self.words[index] & !(255 << shift) | byte << shift;
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
}
