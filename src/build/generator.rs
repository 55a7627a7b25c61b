//! Generator expressions of CMake.

use std::ops::Range;

use crate::build::BuildFile;
use crate::build::words::is_joined;
use crate::syntax::TokenIndex;

/// The tokens of the expression around a word whose content goes as a whole: `$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>`.
/// `goes` says how many tokens an option has that is taken out, with its value: `-Xptxas=-v`. None where something stays in it, or where
/// it is part of a longer argument.
pub(crate) fn emptied(
    doc: &BuildFile<'_>,
    at: TokenIndex,
    goes: &dyn Fn(TokenIndex) -> Option<usize>,
) -> Option<Range<TokenIndex>> {
    // No expression reaches out of the parentheses of its command; without that end a list was read from its start for each option.
    let mut within = (1..=at).rev().take_while(|&it| !doc.is_before(it, "("));
    let first = within.find(|&it| doc.is_before(it, ":"))?;
    let open = opener(doc, first - 1)?;
    let mut end = first;
    while end < doc.tokens.len() && !doc.is(end, ">") {
        end += match doc.is(end, ";") {
            true => 1,
            false => goes(end)?,
        };
    }
    if !doc.is(end, ">") || end < at {
        return None;
    }
    let end = end + 1;
    let stands_alone = !is_joined(doc, open) || doc.is_before(open, "(");
    let is_end = end >= doc.tokens.len() || !is_joined(doc, end) || doc.is(end, ")");
    (stands_alone && is_end || is_quoted_text(doc, open, end)).then_some(open..end)
}

/// Whether tokens are all that stands between two quotes, neither of which a backslash escapes.
fn is_quoted_text(doc: &BuildFile<'_>, open: TokenIndex, end: TokenIndex) -> bool {
    doc.is_before(open, "\"")
        && !doc.is_before(open - 1, "\\")
        && end < doc.tokens.len()
        && doc.is(end, "\"")
}

/// The `$` of the expression that a `:` belongs to.
fn opener(doc: &BuildFile<'_>, colon: TokenIndex) -> Option<TokenIndex> {
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
            let doc = BuildFile::new(&source);
            let at = (0..doc.tokens.len()).find(|&at| doc.is(at, "--a"))?;
            let goes = |at: TokenIndex| match doc.bytes(at) {
                b"--a" => Some(1),
                b"--b" if doc.is(at + 1, "=") => Some(3),
                b"--b" => Some(1),
                _ => None,
            };
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
        let assigned = "$<$<COMPILE_LANGUAGE:CUDA>:--b=-v;--a>";
        assert_eq!(found(&format!("o({assigned})")).as_deref(), Some(assigned));
        assert_eq!(
            found(&format!("o(x \"{whole}\" -c)")).as_deref(),
            Some(whole)
        );
        for text in [
            "o(x $<$<COMPILE_LANGUAGE:CUDA>:--a -c>)",
            "o(x $<$<COMPILE_LANGUAGE:CUDA>:-c --a>)",
            "o(x \"$<$<COMPILE_LANGUAGE:CUDA>:--a> -c\")",
            "o(x \"-c;$<$<COMPILE_LANGUAGE:CUDA>:--a>\")",
            "o(x \\\"$<$<COMPILE_LANGUAGE:CUDA>:--a>\\\")",
            "o(x -p$<$<COMPILE_LANGUAGE:CUDA>:--a>)",
            "o(x --a)",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
