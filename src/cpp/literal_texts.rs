//! What neighbouring string literals of a C++ file say together.

use std::ops::Range;

use super::kernel_strings::{literals_with, text};
use crate::syntax::{Document, TokenIndex};
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
    let found = literals_with(doc, word).into_iter();
    let with_text = found.filter_map(|literals| {
        let text = text(doc, literals.clone())?;
        Some(LiteralText { literals, text })
    });
    with_text.collect()
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
