//! Statements and first places, for rules that take something out or speak once per file.

use crate::syntax::{Document, TokenIndex, Vendor};
use crate::text::TextRange;

/// Whether no identifier in front of `index` is one of these names, in code for everybody.
pub fn is_first(doc: &Document<'_>, index: TokenIndex, names: &[&str]) -> bool {
    let is_for_everybody = |at: TokenIndex| doc.vendor_at(doc.tokens[at].start) == Vendor::Any;
    names.iter().all(|name| {
        let first = doc.all(name).find(|&at| is_for_everybody(at));
        first.is_none_or(|first| index <= first)
    })
}

/// The name of the innermost call that has the token among its arguments.
pub fn enclosing_call(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let mut at = index;
    // A call whose name stands more than 200 tokens in front of an argument was not seen in real code.
    for _ in 0..200 {
        at = doc.prev(at)?;
        match doc.bytes(at) {
            b")" | b"]" | b"}" => at = doc.partner(at)?,
            b"(" => return doc.prev(at).filter(|&name| doc.is_ident(name)),
            b";" | b"{" => return None,
            _ => {}
        }
    }
    None
}

/// The bytes of the statement that consists of the call at `name`, or of a check macro around it: `CHECK(f(x));`. With the whole
/// line when nothing else stands on it. `None` when the call is part of something larger, or a branch of its own.
pub fn whole_statement(doc: &Document<'_>, name: TokenIndex) -> Option<TextRange> {
    let (mut first, mut last) = (name, doc.call(name)?.close);
    while let Some(open) = doc.prev(first).filter(|&open| doc.is(open, "(")) {
        let close = doc
            .next(last)
            .filter(|&close| doc.partner(open) == Some(close))?;
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
pub fn is_result_ignored(doc: &Document<'_>, name: TokenIndex) -> bool {
    let ends = |call: crate::syntax::Call| doc.next_is(call.close, ";");
    let is_cast = doc.prev_is(name, ")") && name >= 3 && doc.is(name - 2, "void");
    let begins = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"{" | b"}");
    doc.call(name).is_some_and(ends) && (is_cast || doc.prev(name).is_some_and(begins))
}

/// The bytes of some tokens, with their lines when nothing else stands on these.
fn lines_of(doc: &Document<'_>, first: TokenIndex, last: TokenIndex) -> TextRange {
    let bytes = &doc.source.bytes;
    let range = doc.range(first, last);
    let (start, end) = (range.start as usize, range.end as usize);
    let from = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |at| at + 1);
    let to = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |at| end + at + 1);
    let blank = |part: &[u8]| part.iter().all(u8::is_ascii_whitespace);
    if blank(&bytes[from..start]) && blank(&bytes[end..to]) {
        TextRange::new(from as u32, to as u32)
    } else {
        range
    }
}
