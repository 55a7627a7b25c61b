//! Helpers of the rules about the C++ dialect: deleting words, lines and statements, and where a token stands.

use crate::edit::Edit;
use crate::syntax::{Call, Document, Include, TokenIndex};
use crate::text::TextRange;

/// Deletes a word and the blanks behind it, or in front of it when it is the last of its line.
pub fn delete_word(doc: &Document<'_>, index: TokenIndex) -> Edit {
    let range = doc.tokens[index].range();
    let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let (before, after) = doc.source.bytes.split_at(range.end as usize);
    let behind = after.iter().take_while(is_blank).count();
    let ends_line = matches!(after.get(behind), None | Some(b'\n' | b'\r'));
    let word = range.len() as usize;
    let in_front = before[..before.len() - word]
        .iter()
        .rev()
        .take_while(is_blank)
        .count();
    if ends_line {
        Edit::delete(TextRange::new(range.start - in_front as u32, range.end))
    } else {
        let whole = TextRange::new(range.start, range.end + behind as u32);
        let before = before[..before.len() - word].last();
        let joins = before
            .zip(after.get(behind))
            .is_some_and(|pair| joins(*pair.0, *pair.1));
        Edit::replace(whole, if joins { " " } else { "" })
    }
}

/// Whether two bytes that come to touch can become part of one token.
fn joins(left: u8, right: u8) -> bool {
    let in_word = |byte: u8| byte == b'_' || !byte.is_ascii() || byte.is_ascii_alphanumeric();
    let in_operator = |byte: u8| b"+-*/%^&|<>=!:#.".contains(&byte);
    in_word(left) && in_word(right) || in_operator(left) && in_operator(right)
}

/// Deletes the whole lines that a range lies on, if nothing else stands there; else the range alone. Of two empty lines that would meet
/// one goes as well.
pub fn delete_lines(doc: &Document<'_>, range: TextRange) -> Edit {
    let bytes = &doc.source.bytes;
    // A lone carriage return ends a line as well.
    let start =
        memchr::memrchr2(b'\n', b'\r', &bytes[..range.start as usize]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &bytes[range.end as usize..])
        .map_or(bytes.len(), |at| range.end as usize + at + 1);
    let blank = |part: &[u8]| part.iter().all(u8::is_ascii_whitespace);
    if !blank(&bytes[start..range.start as usize]) || !blank(&bytes[range.end as usize..end]) {
        return Edit::delete(range);
    }
    let before = bytes[..start].strip_suffix(b"\n").unwrap_or_default();
    let before = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let next = memchr::memchr(b'\n', &bytes[end..]).map_or(end, |at| end + at + 1);
    let end = if blank(before) && blank(&bytes[end..next]) {
        next
    } else {
        end
    };
    Edit::delete(TextRange::new(start as u32, end as u32))
}

/// The bytes of `f(…);` when the call is a statement of its own in a block, so that it can go without a trace.
pub fn call_statement(doc: &Document<'_>, call: &Call) -> Option<TextRange> {
    let semicolon = doc.next(call.close).filter(|&at| doc.is(at, ";"))?;
    let mut first = call.name;
    if doc.prev_is(first, "::") {
        first = doc.prev(first)?;
    }
    let before = doc.prev(first)?;
    let starts = matches!(doc.bytes(before), b";" | b"{" | b"}");
    starts.then(|| doc.range(first, semicolon))
}

/// The whole line of an include, unless something else stands on it.
pub fn include_line(doc: &Document<'_>, include: &Include) -> TextRange {
    let bytes = &doc.source.bytes;
    let (start, end) = (
        include.directive.start as usize,
        include.directive.end as usize,
    );
    let from = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |at| at + 1);
    let to = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |at| end + at + 1);
    let blank = |part: &[u8]| part.iter().all(u8::is_ascii_whitespace);
    if blank(&bytes[from..start]) && blank(&bytes[end..to]) {
        TextRange::new(from as u32, to as u32)
    } else {
        include.directive
    }
}
