//! Statements and first places, for rules that take something out or speak once per file.

use crate::syntax::{Document, TokenIndex, Vendor};
use crate::text::{TextRange, whole_lines};

/// Whether no identifier in front of `index` is one of these names, in code for everybody.
pub(crate) fn is_first(doc: &Document<'_>, index: TokenIndex, names: &[&str]) -> bool {
    let is_for_everybody = |at: TokenIndex| doc.vendor_at(doc.tokens[at].start) == Vendor::Any;
    names.iter().all(|name| {
        let first = doc.all(name).find(|&at| is_for_everybody(at));
        first.is_none_or(|first| index <= first)
    })
}

/// The bytes of the statement that consists of the call at `name`, or of a check macro around it: `CHECK(f(x));`. With the whole
/// line when nothing else stands on it. `None` when the call is part of something larger, or a branch of its own.
pub(crate) fn whole_statement(doc: &Document<'_>, name: TokenIndex) -> Option<TextRange> {
    let (mut first, mut last) = (name, doc.call(name)?.close);
    while let Some(open) = doc.prev(first).filter(|&open| doc.is(open, "(")) {
        let close = doc
            .next(last)
            .filter(|&close| doc.matching_bracket(open) == Some(close))?;
        (first, last) = (
            doc.prev(open)
                .filter(|&macro_name| doc.is_ident(macro_name))?,
            close,
        );
    }
    let end = doc.next(last).filter(|&end| doc.is(end, ";"))?;
    let before = doc.prev(first)?;
    matches!(doc.bytes(before), b";" | b"{" | b"}").then(|| lines_of(doc, first, end))
}

/// Whether nobody reads what the call at `name` gives: it is a statement of its own, bare or behind `(void)`.
pub(crate) fn is_result_ignored(doc: &Document<'_>, name: TokenIndex) -> bool {
    let ends = |call: crate::syntax::Call| doc.next_is(call.close, ";");
    let is_cast = doc.prev_is(name, ")") && name >= 3 && doc.is(name - 2, "void");
    let begins = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"{" | b"}");
    doc.call(name).is_some_and(ends) && (is_cast || doc.prev(name).is_some_and(begins))
}

/// The bytes of some tokens, with their lines when nothing else stands on these.
fn lines_of(doc: &Document<'_>, first: TokenIndex, last: TokenIndex) -> TextRange {
    let range = doc.range(first, last);
    whole_lines(&doc.source.bytes, range).unwrap_or(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// What `whole_statement` of the call of `f` takes.
    fn statement(text: &str) -> Option<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let call = doc.all("f").next().expect("it is called");
        whole_statement(&doc, call).map(|range| source.text(range).into_owned())
    }

    #[test]
    fn statements_come_with_their_lines() {
        for (text, expected) in [
            ("{ f(1); }", Some("f(1);")),
            ("{\n  f(1);\n}", Some("  f(1);\n")),
            ("{ CHECK(f(1)); }", Some("CHECK(f(1));")),
            ("{ A(B(f(1))); }", Some("A(B(f(1)));")),
            ("{ a(); f(1); }", Some("f(1);")),
            ("{ x = f(1); }", None),
            ("{ if (a) f(1); }", None),
            ("{ return f(1); }", None),
            ("{ g(f(1), 2); }", None),
            ("{ f(1) }", None),
        ] {
            assert_eq!(statement(text).as_deref(), expected, "{text}");
        }
    }
}
