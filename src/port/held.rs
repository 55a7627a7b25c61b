//! Compressed texts of a run that wait in memory for its pack, so that they are not read from the journal again.

use rustc_hash::FxHashMap;

use super::Hash;

/// Bytes that all of them may take: those of a tree of 160 MB; what is beyond stands in the journal alone.
const MOST: usize = 64 << 20;

/// Some texts by their hash.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Each behind its entry of the journal, and where it begins.
    texts: FxHashMap<Hash, (Vec<u8>, usize)>,
    size: usize,
}

impl Held {
    /// Keeps a text, which begins at a place of these bytes, where there is room.
    pub(super) fn add(&mut self, hash: Hash, bytes: Vec<u8>, start: usize) {
        if self.size + bytes.len() <= MOST {
            self.size += bytes.len();
            self.texts.insert(hash, (bytes, start));
        }
    }

    /// The text of a hash.
    pub(super) fn get(&self, hash: &Hash) -> Option<&[u8]> {
        let (bytes, start) = self.texts.get(hash)?;
        Some(&bytes[*start..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_held_as_long_as_there_is_room() {
        let mut held = Held::default();
        let [first, second, third] = [b"1", b"2", b"3"].map(|name| Hash::of(name));
        held.add(first, vec![1; MOST - 2], 7);
        held.add(second, vec![2; 3], 0);
        held.add(third, vec![0, 3], 1);
        assert_eq!(held.get(&first).map(<[u8]>::len), Some(MOST - 9));
        assert_eq!(held.get(&second), None);
        assert_eq!(held.get(&third), Some([3].as_slice()));
    }
}
