//! Where each identifier of a file stands. A file has about ten times as many identifiers as different ones, so that what is asked of words
//! is asked of each once, and a rule that waits for some words does not read the file for them.

use rustc_hash::FxHashMap;

use super::{Token, TokenKind};

/// The identifiers of a file by their text.
#[derive(Debug, Default)]
pub(super) struct Words<'s> {
    numbers: FxHashMap<&'s [u8], u32>,
    /// By number, which is the order in which words first occur.
    words: Vec<&'s [u8]>,
    /// Where the places of each word start among all; one more at the end.
    starts: Vec<u32>,
    /// Indices of tokens.
    places: Vec<u32>,
}

impl<'s> Words<'s> {
    pub(super) fn new(source: &'s [u8], tokens: &[Token]) -> Self {
        let mut found = Self::default();
        // About every second token is an identifier.
        let (mut numbers, mut counts) = (Vec::with_capacity(tokens.len() / 2), Vec::<u32>::new());
        for token in tokens {
            if token.kind != TokenKind::Ident {
                continue;
            }
            let number = found.number(&source[token.range().as_usize()]);
            if number as usize == counts.len() {
                counts.push(0);
            }
            counts[number as usize] += 1;
            numbers.push(number);
        }
        found.starts = sums(&counts);
        found.places = vec![0; numbers.len()];
        let mut next = found.starts.clone();
        let mut numbers = numbers.into_iter();
        for (index, token) in tokens.iter().enumerate() {
            if token.kind == TokenKind::Ident
                && let Some(number) = numbers.next()
            {
                let place = &mut next[number as usize];
                found.places[*place as usize] = index as u32;
                *place += 1;
            }
        }
        found
    }

    /// Tokens that read `word`, in order.
    pub(super) fn places(&self, word: &[u8]) -> &[u32] {
        let number = self.numbers.get(word);
        number.map_or(&[], |&number| self.of(number as usize))
    }

    /// The different words, in order of their first occurrence, with their tokens.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'s [u8], &[u32])> {
        let words = self.words.iter().enumerate();
        words.map(|(number, word)| (*word, self.of(number)))
    }

    fn of(&self, number: usize) -> &[u32] {
        &self.places[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    #[inline]
    fn number(&mut self, word: &'s [u8]) -> u32 {
        let next = self.words.len() as u32;
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.words.push(word);
        }
        number
    }
}

/// The sum in front of each number, and that of all.
fn sums(counts: &[u32]) -> Vec<u32> {
    let sums = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lex;

    #[test]
    fn each_word_knows_its_places() {
        let source = b"a b a, \"a\" c b a";
        let tokens: Vec<Token> = lex(source).filter(Token::is_significant).collect();
        let words = Words::new(source, &tokens);
        let all: Vec<_> = words.iter().collect();
        assert_eq!(
            all,
            [(&b"a"[..], &[0, 2, 7][..]), (b"b", &[1, 6]), (b"c", &[5])]
        );
        assert_eq!(words.places(b"c"), [5]);
        assert_eq!(words.places(b"d"), [0; 0]);
    }
}
