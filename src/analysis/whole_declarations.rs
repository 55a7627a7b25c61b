//! Declarations of functions that can be hidden as whole lines.

use crate::analysis::unit::Unit;
use crate::cpp::definitions::class_name;
use crate::cpp::functions::prototype;
use crate::syntax::{TokenIndex, Vendor, flags};
use crate::text::{line_start, next_line};

/// The lines of all functions outside classes that have certain words in their heads, in order, each once; none where such a word stands
/// anywhere else that AMD reads.
pub(crate) fn declarations_of(
    cx: &Unit<'_, '_>,
    is_word: &dyn Fn(&[u8]) -> bool,
) -> Option<Vec<(u32, u32)>> {
    let mut all = Vec::<(u32, u32)>::new();
    for at in cx.doc.all_that(is_word) {
        let place = cx.doc.tokens[at];
        let is_seen = cx.doc.vendor_at(place.start) == Vendor::Any && !cx.is_inactive(place.start);
        // A macro is read where it is used.
        if !is_seen || place.has(flags::DIRECTIVE) {
            continue;
        }
        if all.last().is_none_or(|last| place.start >= last.1) {
            all.push(lines_of(cx, at)?);
        }
    }
    Some(all)
}

/// The lines of the function in whose head a token stands.
fn lines_of(cx: &Unit<'_, '_>, at: TokenIndex) -> Option<(u32, u32)> {
    let doc = cx.doc;
    let scope = doc.scopes().iter().find(|it| it.head.contains(&at));
    let (first, last) = match scope {
        Some(function) => (function.head.start, function.body.end - 1),
        None => prototype(doc, at)?,
    };
    let is_of_class = doc
        .braces_around(first)
        .any(|brace| class_name(doc, brace).is_some());
    let is_inner = doc
        .scopes()
        .around(first)
        .any(|it| it.body.contains(&first));
    let starts_line = |at: TokenIndex| {
        let token = doc.tokens.get(at);
        token.is_none_or(|token| token.has(flags::LINE_START))
    };
    if is_of_class || is_inner || !starts_line(first) || !starts_line(last + 1) {
        return None;
    }
    let bytes = &doc.source.bytes;
    let start = line_start(bytes, doc.tokens[first].start);
    Some((start, next_line(bytes, doc.tokens[last].end())?))
}
