//! Which words rules speak for, as far as their triggers tell.

use crate::text::WordMap;

/// What the rules woken by a word do about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Claim {
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
    pub(crate) fn is_owned(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some_and(|claim| claim.is_owned)
    }

    /// Whether a rule is woken by this identifier, whatever the tables know of it.
    pub(crate) fn is_watched(&self, word: &[u8]) -> bool {
        self.words.get(word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_can_be_watched_without_being_owned() {
        let mut claims = Claims::default();
        claims.words.insert(b"owned", Claim { is_owned: true });
        claims.words.insert(b"watched", Claim::default());
        assert!(claims.is_owned(b"owned") && claims.is_watched(b"owned"));
        assert!(!claims.is_owned(b"watched") && claims.is_watched(b"watched"));
        assert!(!claims.is_owned(b"other") && !claims.is_watched(b"other"));
    }
}
