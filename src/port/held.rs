//! Compressed texts of a run that wait in memory for its pack, so that they are not read from the journal again.

use rustc_hash::FxHashMap;

use super::Hash;

/// Bytes that all of them may take: those of a tree of 160 MB; what is beyond stands in the journal alone.
const MOST: usize = 64 << 20;

/// Some texts by their hash.
#[derive(Debug, Default)]
pub(super) struct Held {
    texts: FxHashMap<Hash, Vec<u8>>,
    size: usize,
}

impl Held {
    /// Keeps a text where there is room.
    pub(super) fn add(&mut self, hash: Hash, packed: Vec<u8>) {
        if self.size + packed.len() <= MOST {
            self.size += packed.len();
            self.texts.insert(hash, packed);
        }
    }

    /// The text of a hash.
    pub(super) fn get(&self, hash: &Hash) -> Option<&Vec<u8>> {
        self.texts.get(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_held_as_long_as_there_is_room() {
        let mut held = Held::default();
        let [first, second, third] = [b"1", b"2", b"3"].map(|name| Hash::of(name));
        held.add(first, vec![1; MOST - 1]);
        held.add(second, vec![2; 2]);
        held.add(third, vec![3]);
        assert_eq!(held.get(&first).map(Vec::len), Some(MOST - 1));
        assert_eq!(held.get(&second), None);
        assert_eq!(held.get(&third), Some(&vec![3]));
    }
}
