//! Code that reads like the pattern of a project's own rule.

use crate::mapping::Piece;
use crate::syntax::{Document, TokenIndex};
use crate::text::TextRange;

/// Tokens that one attempt may look at: enough for any call that a person wrote, and no file takes longer than its length.
const MOST_TOKENS: usize = 10_000;

/// Where code reads like a pattern.
#[derive(Debug)]
pub(crate) struct Match {
    /// From its first to its last token.
    pub(crate) range: TextRange,
    /// What stands for each placeholder, in the order of the pattern; empty where nothing does.
    pub(crate) captures: Vec<(&'static str, TextRange)>,
}

/// The code from token `first` on, if it reads like a pattern.
pub(crate) fn matched(doc: &Document<'_>, pattern: &[Piece], first: TokenIndex) -> Option<Match> {
    let mut attempt = Attempt {
        doc,
        captures: Vec::new(),
        last: first,
        left: MOST_TOKENS,
    };
    let is_match = attempt.reads(pattern, Some(first));
    is_match.then(|| Match {
        range: doc.range(first, attempt.last),
        captures: attempt.captures,
    })
}

struct Attempt<'d, 's> {
    doc: &'d Document<'s>,
    captures: Vec<(&'static str, TextRange)>,
    /// The last token that text of the pattern was compared with.
    last: TokenIndex,
    left: usize,
}

impl Attempt<'_, '_> {
    /// Whether the code at a token reads like what is left of a pattern.
    fn reads(&mut self, pattern: &[Piece], at: Option<TokenIndex>) -> bool {
        match pattern.split_first() {
            None => true,
            Some((Piece::Text(text), rest)) => {
                let behind = self.behind(text, at);
                behind.is_some_and(|next| self.reads(rest, next))
                    || self.reads_without_arguments(text, rest, at)
            }
            Some((Piece::One(name), rest)) => self.takes(name, false, rest, at),
            Some((Piece::Many(name), rest)) => self.takes(name, true, rest, at),
        }
    }

    /// Whether the code has no comma because nothing stands for the arguments behind it: `f($A, $$$REST)` is `f(a)` too.
    fn reads_without_arguments(
        &mut self,
        text: &str,
        rest: &[Piece],
        at: Option<TokenIndex>,
    ) -> bool {
        let (Some(text), Some((Piece::Many(name), rest))) =
            (text.trim_end().strip_suffix(','), rest.split_first())
        else {
            return false;
        };
        let Some(Some(next)) = self.behind(text, at) else {
            return false;
        };
        self.captures
            .push((name, TextRange::at(self.doc.tokens[next].start)));
        let reads = self.reads(rest, Some(next));
        if !reads {
            self.captures.pop();
        }
        reads
    }

    /// The token behind text of the pattern, if the code at a token reads so; blanks and comments do not count.
    fn behind(&mut self, text: &str, at: Option<TokenIndex>) -> Option<Option<TokenIndex>> {
        let (mut rest, mut at) = (text.trim().as_bytes(), at);
        while !rest.is_empty() {
            let index = at?;
            let token = self.doc.bytes(index);
            let behind = rest.strip_prefix(token)?;
            let is_part = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
            if token.last().is_some_and(is_part) && behind.first().is_some_and(is_part) {
                return None;
            }
            self.left = self.left.checked_sub(1)?;
            (self.last, at) = (index, self.doc.next(index));
            rest = behind.trim_ascii_start();
        }
        Some(at)
    }

    /// Whether a placeholder takes code so that the rest of the pattern fits behind it: as little as does.
    fn takes(
        &mut self,
        name: &'static str,
        is_many: bool,
        rest: &[Piece],
        start: Option<TokenIndex>,
    ) -> bool {
        let Some(start) = start else { return false };
        let (mut at, mut end) = (start, None);
        loop {
            if is_many || end.is_some() {
                let range = match end {
                    Some(end) => self.doc.range(start, end),
                    None => TextRange::at(self.doc.tokens[start].start),
                };
                if self.agrees(name, range) {
                    self.captures.push((name, range));
                    if self.reads(rest, Some(at)) {
                        return true;
                    }
                    self.captures.pop();
                }
            }
            let Some(left) = self.left.checked_sub(1) else {
                return false;
            };
            self.left = left;
            end = self.end_of_unit(at, is_many);
            match end.and_then(|end| self.doc.next(end)) {
                Some(next) => at = next,
                None => return false,
            }
        }
    }

    /// Whether a placeholder stands for the same code wherever the pattern has it.
    fn agrees(&self, name: &str, range: TextRange) -> bool {
        let words = |range: TextRange| {
            let tokens = self.doc.token_at(range.start)..self.doc.token_at(range.end);
            tokens.map(|index| self.doc.bytes(index))
        };
        let before = self.captures.iter().find(|(other, _)| *other == name);
        name == "_" || before.is_none_or(|(_, other)| words(*other).eq(words(range)))
    }

    /// The last token of what begins at a token and is not cut: brackets with what is in them. `None` where an expression ends.
    fn end_of_unit(&self, at: TokenIndex, is_many: bool) -> Option<TokenIndex> {
        match self.doc.bytes(at) {
            b")" | b"]" | b"}" | b";" => None,
            b"," if !is_many => None,
            b"(" | b"[" | b"{" => self.doc.matching_bracket(at).filter(|&close| close > at),
            b"<" if at > 0 && self.doc.is_ident(at - 1) => {
                Some(self.doc.template_close(at).unwrap_or(at))
            }
            _ => Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// What the placeholders of a pattern stand for in a text whose first `f` it is tried on.
    fn captures(pattern: &[Piece], text: &str) -> Option<Vec<String>> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let first = (0..doc.tokens.len()).find(|&at| doc.is(at, "f"))?;
        let found = matched(&doc, pattern, first)?;
        let texts = found.captures.into_iter();
        Some(
            texts
                .map(|(_, range)| source.text(range).into_owned())
                .collect(),
        )
    }

    #[test]
    fn placeholders_take_whole_expressions() {
        let call = [
            Piece::Text("f("),
            Piece::One("A"),
            Piece::Text(", "),
            Piece::Many("REST"),
            Piece::Text(")"),
        ];
        for (text, expected) in [
            ("f(a, b)", Some(vec!["a", "b"])),
            ("f ( a /* first */ ,b )", Some(vec!["a", "b"])),
            ("f(g(a, b)[c, d], )", Some(vec!["g(a, b)[c, d]", ""])),
            (
                "f(pair<int, 4>(1), b, c)",
                Some(vec!["pair<int, 4>(1)", "b, c"]),
            ),
            (
                "f([] { return 1; }, b)",
                Some(vec!["[] { return 1; }", "b"]),
            ),
            ("f(a)", Some(vec!["a", ""])),
            ("f(a, b", None),
            ("f", None),
            ("f(a; b, c)", None),
        ] {
            let expected = expected.map(|all| all.iter().map(|&one| one.to_owned()).collect());
            assert_eq!(captures(&call, text), expected, "{text}");
        }
    }

    #[test]
    fn a_placeholder_stands_for_the_same_code_everywhere() {
        let same = [
            Piece::Text("f("),
            Piece::One("A"),
            Piece::Text(","),
            Piece::One("A"),
            Piece::Text(")"),
        ];
        assert!(captures(&same, "f(a + b, a+b)").is_some());
        assert!(captures(&same, "f(a, b)").is_none());
    }

    #[test]
    fn text_ends_where_words_end() {
        let word = [Piece::Text("f.size")];
        assert!(captures(&word, "f . size()").is_some());
        assert!(captures(&word, "f.sizes()").is_none());
        assert!(captures(&word, "f.siz()").is_none());
    }
}
