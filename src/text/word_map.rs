use rustc_hash::FxHashMap;

/// A map from words that asks very little for a word which is not in it: of the identifiers of a file, nearly all are in no map.
#[derive(Clone, Debug)]
pub(crate) struct WordMap<V> {
    /// A bit for each shape (first two bytes, last byte, length) that a word of the map has.
    shapes: Box<[u64; SHAPES / 64]>,
    words: FxHashMap<&'static [u8], V>,
}

const SHAPES: usize = 1 << 16;

impl<V> Default for WordMap<V> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<V> WordMap<V> {
    /// An empty map that takes so many words without growing.
    pub(crate) fn with_capacity(words: usize) -> Self {
        Self {
            shapes: Box::new([0; SHAPES / 64]),
            words: FxHashMap::with_capacity_and_hasher(words, Default::default()),
        }
    }

    /// What belongs to a word.
    #[inline]
    pub(crate) fn get(&self, word: &[u8]) -> Option<&V> {
        let shape = shape(word);
        if self.shapes[shape / 64] & (1 << (shape % 64)) == 0 {
            return None;
        }
        self.words.get(word)
    }

    /// Puts a value in the place of what belonged to the word before.
    pub(crate) fn insert(&mut self, word: &'static [u8], value: V) {
        self.note(word);
        self.words.insert(word, value);
    }

    fn note(&mut self, word: &[u8]) {
        let shape = shape(word);
        self.shapes[shape / 64] |= 1 << (shape % 64);
    }
}

impl<V: Default> WordMap<V> {
    /// What belongs to a word; the default when there was nothing.
    pub(crate) fn or_default(&mut self, word: &'static [u8]) -> &mut V {
        self.note(word);
        self.words.entry(word).or_default()
    }
}

#[inline]
fn shape(word: &[u8]) -> usize {
    let byte = |at: usize| word.get(at).map_or(0, |byte| usize::from(*byte));
    let last = word.last().map_or(0, |byte| usize::from(*byte));
    let mixed = byte(0) | byte(1) << 8 | last << 16 | word.len() << 24;
    // The upper bits of a product depend on all bits of its factors.
    mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize) >> (usize::BITS - 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_and_others_of_their_shape_are_not() {
        let mut map = WordMap::default();
        map.insert(b"cudaMalloc", 1);
        *map.or_default(b"x") += 2;
        map.insert(b"", 3);
        let found = [&b"cudaMalloc"[..], b"cudaMaltoc", b"x", b"y", b""].map(|word| map.get(word));
        assert_eq!(found, [Some(&1), None, Some(&2), None, Some(&3)]);
    }
}
