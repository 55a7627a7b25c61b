//! Generator expressions of CMake.

use std::ops::Range;

use crate::cpp::build_file::is_joined;
use crate::syntax::{Document, TokenIndex};

/// The tokens of the expression around a word whose content goes as a whole: `$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>`.
/// None where something stays in it, or where it is part of a longer argument.
pub(crate) fn emptied(
    doc: &Document<'_>,
    at: TokenIndex,
    goes: &dyn Fn(TokenIndex) -> bool,
) -> Option<Range<TokenIndex>> {
    let is_content = |at: &TokenIndex| doc.is(*at, ";") || doc.is_ident(*at) && goes(*at);
    let first = (0..=at).rev().take_while(is_content).last()?;
    let last = (at..doc.tokens.len()).take_while(is_content).last()?;
    let is_closed = doc.is(last + 1, ">") && first > 0 && doc.is(first - 1, ":");
    let open = is_closed.then(|| opener(doc, first - 1)).flatten()?;
    let end = last + 2;
    let stands_alone = !is_joined(doc, open) || doc.is_before(open, "(");
    let is_end = end >= doc.tokens.len() || !is_joined(doc, end) || doc.is(end, ")");
    (stands_alone && is_end).then_some(open..end)
}

/// The `$` of the expression that a `:` belongs to.
fn opener(doc: &Document<'_>, colon: TokenIndex) -> Option<TokenIndex> {
    let mut depth = 0_usize;
    for at in (1..colon).rev() {
        match doc.bytes(at) {
            b">" => depth += 1,
            b"<" if depth > 0 => depth -= 1,
            b"<" => return doc.is(at - 1, "$").then_some(at - 1),
            b"(" | b")" => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn an_expression_goes_with_all_that_it_holds() {
        let found = |text: &str| {
            let source = SourceFile::new("a.cmake", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let at = (0..doc.tokens.len()).find(|&at| doc.is(at, "--a"))?;
            let goes = |at: TokenIndex| doc.is(at, "--a") || doc.is(at, "--b");
            let tokens = emptied(&doc, at, &goes)?;
            Some(
                doc.source
                    .text(doc.range(tokens.start, tokens.end - 1))
                    .into_owned(),
            )
        };
        let whole = "$<$<COMPILE_LANGUAGE:CUDA>:--a;--b>";
        assert_eq!(found(&format!("o(x {whole})")).as_deref(), Some(whole));
        assert_eq!(found(&format!("o({whole} -c)")).as_deref(), Some(whole));
        for text in [
            "o(x $<$<COMPILE_LANGUAGE:CUDA>:--a -c>)",
            "o(x \"$<$<COMPILE_LANGUAGE:CUDA>:--a>\")",
            "o(x -p$<$<COMPILE_LANGUAGE:CUDA>:--a>)",
            "o(x --a)",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
