//! Helpers of the rules about the C++ dialect: deleting words, lines and statements, and where a token stands.

use crate::edit::Edit;
use crate::syntax::{Call, Document, Include, TokenIndex};
use crate::text::{TextRange, line_start, next_line, whole_lines};

/// Deletes a word and the blanks behind it, or in front of it when it is the last of its line.
pub(crate) fn delete_word(doc: &Document<'_>, index: TokenIndex) -> Edit {
    delete_words(doc, index, index)
}

/// Deletes the words from one to another, as [`delete_word`] does one; in front of a `;` the blanks before them go.
pub(crate) fn delete_words(doc: &Document<'_>, first: TokenIndex, last: TokenIndex) -> Edit {
    let range = doc.range(first, last);
    let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let (before, after) = doc.source.bytes.split_at(range.end as usize);
    let behind = after.iter().take_while(is_blank).count();
    let ends_line = matches!(after.get(behind), None | Some(b'\n' | b'\r' | b';'));
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
pub(crate) fn delete_lines(doc: &Document<'_>, range: TextRange) -> Edit {
    let bytes = &doc.source.bytes;
    let Some(lines) = whole_lines(bytes, range) else {
        return Edit::delete(range);
    };
    let (start, end) = (lines.start as usize, lines.end as usize);
    let blank = |part: &[u8]| part.iter().all(u8::is_ascii_whitespace);
    let above = bytes[..start].strip_suffix(b"\n").unwrap_or_default();
    let above = above.strip_suffix(b"\r").unwrap_or(above);
    let above = &above[line_start(above, above.len() as u32) as usize..];
    let next = next_line(bytes, lines.end).map_or(end, |at| at as usize);
    let end = if blank(above) && blank(&bytes[end..next]) {
        next
    } else {
        end
    };
    Edit::delete(TextRange::new(start as u32, end as u32))
}

/// The bytes of `f(…);` when the call is a statement of its own in a block, so that it can go without a trace.
pub(crate) fn call_statement(doc: &Document<'_>, call: &Call) -> Option<TextRange> {
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
pub(crate) fn include_line(doc: &Document<'_>, include: &Include) -> TextRange {
    whole_lines(&doc.source.bytes, include.directive).unwrap_or(include.directive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// What is left when the word `x` goes, by `delete`.
    fn left(text: &str, delete: impl Fn(&Document<'_>, TokenIndex) -> Edit) -> String {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let at = doc.all("x").next().expect("it is there");
        let edit = delete(&doc, at);
        let (start, end) = (edit.range.start as usize, edit.range.end as usize);
        format!("{}{}{}", &text[..start], edit.content, &text[end..])
    }

    #[test]
    fn words_go_with_their_blanks_and_join_nothing() {
        for (text, expected) in [
            ("a x b", "a b"),
            ("a x\nb", "a\nb"),
            ("x b", "b"),
            ("a x", "a"),
            ("(x b)", "(b)"),
            ("a/**/x b", "a/**/b"),
            ("+x +b", "+ +b"),
        ] {
            assert_eq!(left(text, delete_word), expected, "{text:?}");
        }
    }

    #[test]
    fn of_two_empty_lines_that_meet_one_goes() {
        let lines = |doc: &Document<'_>, at: TokenIndex| delete_lines(doc, doc.tokens[at].range());
        for (text, expected) in [
            ("a\nx\nb\n", "a\nb\n"),
            ("a\n\nx\n\nb\n", "a\n\nb\n"),
            ("a\r\n\r\nx\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"),
            ("a\r\nx\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"),
            ("a\n\nx\nb\n", "a\n\nb\n"),
            ("a x\nb\n", "a \nb\n"),
        ] {
            assert_eq!(left(text, lines), expected, "{text:?}");
        }
    }
}
