//! Lines as the compiler puts them together: continuation lines, and tokens that span lines, belong to the line they start on.

use crate::syntax::Lexed;

/// The line of an offset, and the line on which the token around it starts: a finding inside a raw string belongs to both.
pub(super) fn anchors(document: &Lexed<'_>, offset: u32) -> (u32, u32) {
    let line = document.source.line_col(offset).line;
    let after = document
        .tokens
        .partition_point(|token| token.start <= offset);
    let token = after.checked_sub(1).map(|index| document.tokens[index]);
    let start = token
        .filter(|token| token.range().contains_offset(offset))
        .map_or(offset, |token| token.start);
    (line, document.source.line_col(start).line)
}

/// The first line behind `offset` that holds a token.
pub(super) fn next_code_line(document: &Lexed<'_>, offset: u32) -> Option<u32> {
    let line = document.source.line_col(offset.saturating_sub(1)).line;
    let from = document.source.lines().line_start(line + 1)?;
    let token = document.tokens.get(document.token_at(from))?;
    Some(document.source.line_col(token.start).line)
}

/// The last line of what starts on `line`.
pub(super) fn logical_end(document: &Lexed<'_>, line: u32) -> u32 {
    let mut last = line;
    loop {
        let end = end_of(document, last);
        let grown = if ends_with_backslash(document, last) {
            last + 1
        } else {
            last
        };
        let grown = spanning(document, end).map_or(grown, |(_, stop)| {
            grown.max(document.source.line_col(stop.saturating_sub(1)).line)
        });
        if grown == last || grown >= document.source.lines().line_count() {
            return grown;
        }
        last = grown;
    }
}

/// The line on which starts whatever reaches into `line`: a comment put before it does not end up inside a macro or a string.
pub(super) fn logical_start(document: &Lexed<'_>, line: u32) -> u32 {
    let mut first = line;
    while first > 1 {
        let start = document.source.lines().line_start(first).unwrap_or(0);
        let above =
            spanning(document, start).map(|(begin, _)| document.source.line_col(begin).line);
        first = match above {
            Some(above) if above < first => above,
            _ if ends_with_backslash(document, first - 1) => first - 1,
            _ => return first,
        };
    }
    first
}

/// Offset of the line end of a line.
fn end_of(document: &Lexed<'_>, line: u32) -> u32 {
    let next = document.source.lines().line_start(line + 1);
    next.map_or(document.source.bytes.len() as u32, |next| next - 1)
}

fn ends_with_backslash(document: &Lexed<'_>, line: u32) -> bool {
    // With blanks behind it, as gcc and clang take it.
    document.source.line(line).trim_ascii_end().ends_with(b"\\")
}

/// Start and end of the token, comment or directive that begins before `offset` and ends behind it.
fn spanning(document: &Lexed<'_>, offset: u32) -> Option<(u32, u32)> {
    let around = |start: u32, end: u32| (start < offset && offset < end).then_some((start, end));
    let of = |list: &[crate::syntax::Token]| {
        let after = list.partition_point(|token| token.start < offset);
        let token = list.get(after.checked_sub(1)?)?;
        around(token.start, token.end())
    };
    let after = document
        .directives
        .partition_point(|directive| directive.range.start < offset);
    let directive = after.checked_sub(1).and_then(|index| {
        around(
            document.directives[index].range.start,
            document.directives[index].range.end,
        )
    });
    directive
        .or_else(|| of(&document.comments))
        .or_else(|| of(&document.tokens))
}
