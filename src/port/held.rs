//! Compressed texts of a run that wait in memory for its pack, so that they are not read from the journal again.

use rustc_hash::FxHashMap;

use super::Hash;

/// Bytes that those of all threads may take: those of a tree of 160 MB; what is beyond stands in the journals alone.
const MOST: usize = 64 << 20;

/// Some texts by their hash.
#[derive(Debug)]
pub(super) struct Held {
    /// Each behind its entry of the journal, and where it begins.
    texts: FxHashMap<Hash, (Vec<u8>, usize)>,
    size: usize,
    most: usize,
}

impl Held {
    /// None, with the room of one of so many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            texts: FxHashMap::default(),
            size: 0,
            most: MOST / threads,
        }
    }

    /// Keeps a text, which begins at a place of these bytes, where there is room.
    pub(super) fn add(&mut self, hash: Hash, bytes: Vec<u8>, start: usize) {
        if self.size + bytes.len() <= self.most {
            self.size += bytes.len();
            self.texts.insert(hash, (bytes, start));
        }
    }

    /// Adds the texts that another thread keeps.
    pub(super) fn append(&mut self, other: Self) {
        self.size += other.size;
        self.texts.extend(other.texts);
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
        let mut held = Held::new(2);
        let [first, second, third] = [b"1", b"2", b"3"].map(|name| Hash::of(name));
        let most = MOST / 2;
        held.add(first, vec![1; most - 2], 7);
        held.add(second, vec![2; 3], 0);
        held.add(third, vec![0, 3], 1);
        assert_eq!(held.get(&first).map(<[u8]>::len), Some(most - 9));
        assert_eq!(held.get(&second), None);
        assert_eq!(held.get(&third), Some([3].as_slice()));
    }
}
