//! Which words rules speak for, as far as their triggers tell.

use crate::text::WordMap;

/// What the rules woken by a word do about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim {
    /// A rule does all there is to do: the tables do not tell what becomes of the word.
    pub is_owned: bool,
}

/// The claims of all rules, worked out once a run.
#[derive(Debug, Default)]
pub struct Claims {
    pub(crate) words: WordMap<Claim>,
}

impl Claims {
    /// Whether a rule does everything for this identifier, so that its entry in the tables does not tell what becomes of it.
    pub fn is_owned(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some_and(|claim| claim.is_owned)
    }

    /// Whether a rule is woken by this identifier, whatever the tables know of it.
    pub fn is_watched(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some()
    }
}
