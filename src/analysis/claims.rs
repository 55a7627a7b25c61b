//! Which words rules speak for, as far as their triggers tell.

use crate::text::WordMap;

/// What the rules of a word do about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Claim {
    /// A rule does all there is to do: the tables do not tell what becomes of the word.
    pub is_claimed: bool,
}

/// The claims of all rules, worked out once a run.
#[derive(Debug, Default)]
pub struct Claims {
    pub(crate) words: WordMap<Claim>,
}

impl Claims {
    /// Whether a rule does everything for this identifier, so that its entry in the tables does not tell what becomes of it.
    pub(crate) fn is_claimed(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some_and(|claim| claim.is_claimed)
    }

    /// Whether a rule is called for this identifier, whatever the tables know of it.
    pub(crate) fn is_watched(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_can_be_watched_without_being_claimed() {
        let mut claims = Claims::default();
        claims.words.insert(b"claimed", Claim { is_claimed: true });
        claims.words.insert(b"watched", Claim::default());
        assert!(claims.is_claimed(b"claimed") && claims.is_watched(b"claimed"));
        assert!(!claims.is_claimed(b"watched") && claims.is_watched(b"watched"));
        assert!(!claims.is_claimed(b"other") && !claims.is_watched(b"other"));
    }
}
