//! A file of any language as tokens: what stands beside what, which brackets belong together, which words there are and where.

use std::any::{Any, TypeId};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::brackets::Brackets;
use super::words::Words;
use super::{Directive, Token, TokenIndex, TokenKind, directive, flags};
use crate::text::{SourceFile, TextRange};

/// The tokens of one file. Rules see a file of C++ as a [`Document`](super::Document), a build file as a `BuildFile`.
pub struct Lexed<'s> {
    /// The file.
    pub source: &'s SourceFile,
    /// Tokens that are neither white space nor comments.
    pub tokens: Vec<Token>,
    /// Comments, in order.
    pub comments: Vec<Token>,
    /// Preprocessor directives, in order.
    pub directives: Vec<Directive>,
    brackets: Brackets,
    newline: OnceCell<&'static str>,
    words: OnceCell<Words<'s>>,
    notes: RefCell<Notes<'s>>,
    pub(crate) facts: Facts,
}

type Notes<'s> = FxHashMap<(&'static str, &'s [u8]), Rc<[TokenIndex]>>;

/// What readers of a file work out of the whole of it, when it is first asked for: one fact for each type.
#[derive(Default)]
pub(crate) struct Facts {
    known: RefCell<FxHashMap<TypeId, Rc<dyn Any>>>,
}

impl Facts {
    /// A fact that is known, or that is worked out now.
    pub(crate) fn get<T: Any>(&self, work_out: impl FnOnce() -> T) -> Rc<T> {
        let known = self.known.borrow().get(&TypeId::of::<T>()).cloned();
        if let Some(fact) = known.and_then(|fact| fact.downcast::<T>().ok()) {
            return fact;
        }
        let fact = Rc::new(work_out());
        let any: Rc<dyn Any> = Rc::<T>::clone(&fact);
        self.known.borrow_mut().insert(TypeId::of::<T>(), any);
        fact
    }
}

impl<'s> Lexed<'s> {
    /// Sorts the tokens of a file, which come in order and without gaps, white space and comments included.
    pub(crate) fn new(source: &'s SourceFile, all: impl Iterator<Item = Token>) -> Self {
        let (mut tokens, mut comments) = (Vec::with_capacity(source.bytes.len() / 4), Vec::new());
        all.for_each(|token: Token| match token.kind {
            TokenKind::LineComment | TokenKind::BlockComment => comments.push(token),
            _ if token.is_significant() => tokens.push(token),
            _ => {}
        });
        let directives = directive::directives(&source.bytes, &tokens);
        let brackets = Brackets::new(&source.bytes, &tokens, &directives);
        Self {
            source,
            tokens,
            comments,
            directives,
            brackets,
            newline: OnceCell::new(),
            words: OnceCell::new(),
            notes: RefCell::default(),
            facts: Facts::default(),
        }
    }

    /// The line end of the file: that of Windows where there is one.
    pub(crate) fn newline(&self) -> &'static str {
        self.newline.get_or_init(|| {
            let windows = memchr::memmem::find(&self.source.bytes, b"\r\n").is_some();
            if windows { "\r\n" } else { "\n" }
        })
    }

    /// The identifiers of a range that read `word`, in order.
    pub(crate) fn occurrences(
        &self,
        word: &[u8],
        range: std::ops::Range<TokenIndex>,
    ) -> impl DoubleEndedIterator<Item = TokenIndex> + '_ {
        let found = self.words().places(word);
        let count_before = |end: TokenIndex| found.partition_point(|&at| (at as TokenIndex) < end);
        // A range that ends before it begins holds nothing.
        let first = count_before(range.start);
        let found = &found[first..count_before(range.end).max(first)];
        found.iter().map(|&index| index as TokenIndex)
    }

    /// The identifiers of the file that read `word`, in order.
    pub fn all(&self, word: &str) -> impl DoubleEndedIterator<Item = TokenIndex> + '_ {
        let found = self.words().places(word.as_bytes());
        found.iter().map(|&index| index as TokenIndex)
    }

    /// The identifiers of the file that read one of `words`, in order.
    pub(crate) fn all_of(&self, words: &[&str]) -> Vec<TokenIndex> {
        let mut found: Vec<TokenIndex> = words.iter().flat_map(|word| self.all(word)).collect();
        found.sort_unstable();
        found
    }

    /// The identifiers of the file that read one of some names, which may repeat, in order.
    pub(crate) fn all_called(&self, mut names: Vec<&[u8]>) -> Vec<TokenIndex> {
        names.sort_unstable();
        names.dedup();
        let places = names.into_iter().flat_map(|name| self.words().places(name));
        let mut found: Vec<TokenIndex> = places.map(|&index| index as TokenIndex).collect();
        found.sort_unstable();
        found
    }

    /// The identifiers of the file whose text `wanted` takes, in order. It is asked once for each different word.
    pub(crate) fn all_that(&self, wanted: impl Fn(&'s [u8]) -> bool) -> Vec<TokenIndex> {
        let words = self.words().iter().filter(|(word, _)| wanted(word));
        let mut found: Vec<TokenIndex> = words
            .flat_map(|(_, places)| places)
            .map(|&index| index as TokenIndex)
            .collect();
        found.sort_unstable();
        found
    }

    /// The identifiers of the file that read `word` and `are` what the reader looks for, in order: found once for each word, because a
    /// rule that looks for the declaration of each use must not look at all uses each time.
    pub fn noted(
        &self,
        what: &'static str,
        word: &'s [u8],
        are: impl Fn(TokenIndex) -> bool,
    ) -> Rc<[TokenIndex]> {
        if let Some(known) = self.notes.borrow().get(&(what, word)) {
            return Rc::clone(known);
        }
        let all = self.occurrences(word, 0..self.tokens.len());
        let found: Rc<[TokenIndex]> = all.filter(|&at| are(at)).collect();
        let mut notes = self.notes.borrow_mut();
        notes.insert((what, word), Rc::clone(&found));
        found
    }

    /// The same for a word that need not be one of the file.
    pub(crate) fn noted_of(
        &self,
        what: &'static str,
        word: &[u8],
        are: impl Fn(TokenIndex) -> bool,
    ) -> Rc<[TokenIndex]> {
        let first = self.occurrences(word, 0..self.tokens.len()).next();
        first.map_or_else(|| Rc::from([]), |at| self.noted(what, self.bytes(at), are))
    }

    /// The different identifiers of the file, each with its places in order.
    pub(crate) fn each_word(
        &self,
    ) -> impl Iterator<Item = (&'s [u8], impl Iterator<Item = TokenIndex> + Clone)> {
        let place = |&index: &u32| index as TokenIndex;
        let words = self.words().iter();
        words.map(move |(word, places)| (word, places.iter().map(place)))
    }

    /// Whether `wanted` takes an identifier of the file.
    pub(crate) fn has_word(&self, wanted: impl Fn(&'s [u8]) -> bool) -> bool {
        self.words().iter().any(|(word, _)| wanted(word))
    }

    fn words(&self) -> &Words<'s> {
        self.words
            .get_or_init(|| Words::new(&self.source.bytes, &self.tokens))
    }

    /// The bytes of a token; none behind the last.
    #[inline]
    pub fn bytes(&self, index: TokenIndex) -> &'s [u8] {
        #[cfg(test)]
        super::work::look();
        let token = self.tokens.get(index);
        token.map_or(&[], |token| self.source.slice(token.range()))
    }

    /// Whether the token at `index` exists and reads `text`.
    #[inline]
    pub fn is(&self, index: TokenIndex, text: &str) -> bool {
        let of_length = |token: &&Token| token.size() as usize == text.len();
        let token = self.tokens.get(index).filter(of_length);
        token.is_some_and(|token| {
            self.source.bytes[token.start as usize..].starts_with(text.as_bytes())
        })
    }

    /// The token `text` at the place in front of `index`, if it stands there.
    pub(crate) fn is_before(&self, index: TokenIndex, text: &str) -> bool {
        index > 0 && self.is(index - 1, text)
    }

    /// Whether the token is an identifier.
    #[inline]
    pub(crate) fn is_ident(&self, index: TokenIndex) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.kind == TokenKind::Ident)
    }

    /// The next token of the same text stream: code skips directives, a macro body ends with its directive.
    pub fn next(&self, index: TokenIndex) -> Option<TokenIndex> {
        let inside = self.tokens.get(index)?.has(flags::DIRECTIVE);
        let mut next = index + 1;
        while !inside && self.tokens.get(next)?.has(flags::DIRECTIVE) {
            next += 1;
        }
        let token = self.tokens.get(next)?;
        (token.has(flags::DIRECTIVE) == inside
            && !(inside && token.has(flags::LINE_START) && self.bytes(next) == b"#"))
            .then_some(next)
    }

    /// The token before `index` in the same text stream.
    pub fn prev(&self, index: TokenIndex) -> Option<TokenIndex> {
        // A place at the end of a file has no token.
        let inside = self.tokens.get(index)?.has(flags::DIRECTIVE);
        let mut prev = index.checked_sub(1)?;
        while !inside && self.tokens[prev].has(flags::DIRECTIVE) {
            prev = prev.checked_sub(1)?;
        }
        (self.tokens[prev].has(flags::DIRECTIVE) == inside).then_some(prev)
    }

    /// Whether the next token of the stream reads `text`.
    pub(crate) fn next_is(&self, index: TokenIndex, text: &str) -> bool {
        self.next(index).is_some_and(|next| self.is(next, text))
    }

    /// Whether the previous token of the stream reads `text`.
    pub(crate) fn prev_is(&self, index: TokenIndex, text: &str) -> bool {
        self.prev(index).is_some_and(|prev| self.is(prev, text))
    }

    /// The other bracket of a pair of `( ) [ ] { }`.
    pub fn matching_bracket(&self, index: TokenIndex) -> Option<TokenIndex> {
        self.brackets.get(index)
    }

    /// The opening braces, in order.
    pub(crate) fn open_braces(&self) -> impl Iterator<Item = TokenIndex> {
        let brackets = self.brackets.brackets();
        brackets.filter(|&at| self.source.bytes[self.tokens[at].start as usize] == b'{')
    }

    /// Index of the first token that starts at or behind `offset`.
    pub(crate) fn token_at(&self, offset: u32) -> TokenIndex {
        self.tokens.partition_point(|token| token.start < offset)
    }

    /// Bytes from the start of one token to the end of another.
    pub fn range(&self, first: TokenIndex, last: TokenIndex) -> TextRange {
        TextRange::new(self.tokens[first].start, self.tokens[last].end())
    }
}
