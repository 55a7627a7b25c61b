//! What neighbouring string literals of a C++ file say together.

use std::ops::Range;

use super::kernel_strings::text;
use crate::syntax::{Document, TokenIndex, TokenKind};
use crate::text::quoted::Quoted;

/// The text of neighbouring literals.
#[derive(Debug)]
pub(crate) struct LiteralText {
    /// The literals.
    pub(crate) literals: Range<TokenIndex>,
    /// What they stand for.
    pub(crate) text: Quoted,
}

/// The texts that have a word somewhere.
pub(crate) fn texts_with(doc: &Document<'_>, word: &str) -> Vec<LiteralText> {
    let is_literal = |at: TokenIndex| {
        let kind = doc.tokens.get(at).map(|token| token.kind);
        matches!(kind, Some(TokenKind::Str | TokenKind::RawStr))
    };
    let mut found = Vec::new();
    let mut behind = 0;
    // Few of the places with the word stand in a string.
    for offset in memchr::memmem::find_iter(&doc.source.bytes, word.as_bytes()) {
        let inside = doc.token_at(offset as u32 + 1).checked_sub(1);
        let inside = inside.filter(|&at| at >= behind && is_literal(at));
        let Some(inside) = inside.filter(|&at| doc.tokens[at].end() > offset as u32) else {
            continue;
        };
        let before = (behind..inside).rev().take_while(|&at| is_literal(at));
        let first = inside - before.count();
        behind = inside + (inside..).take_while(|&at| is_literal(at)).count();
        if let Some(text) = text(doc, first..behind) {
            let literals = first..behind;
            found.push(LiteralText { literals, text });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn neighbours_are_one_text() {
        let found = |text: &str| {
            let source = SourceFile::new("a.cpp", text.as_bytes().to_vec());
            let texts = texts_with(&Document::new(&source), ".version");
            let texts = texts.iter().map(|it| it.text.text().to_vec());
            texts
                .map(|text| String::from_utf8_lossy(&text).into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found("const char *p = \".version 7.0\\n\" \".target sm_70\\n\"\n\"x\";"),
            [".version 7.0\n.target sm_70\nx"]
        );
        assert_eq!(
            found("f(R\"(\n.version 7.0\n)\"); f(\"the .version of it\"); int x = a.version;"),
            ["\n.version 7.0\n", "the .version of it"]
        );
    }
}
