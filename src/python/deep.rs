//! What is nested deeper than Python reads, found before the file is parsed: blocks by their indentation, and f-strings within each other.

use crate::text::{TextRange, next_line};

/// What a script has too many levels of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Levels {
    /// Blocks.
    Indents,
    /// F-strings within each other.
    Strings,
}

/// How deep lines may be indented: Python itself refuses 100 levels (`MAXINDENT`), and the scanner of the grammar keeps no more than 512,
/// beyond which it ends the program.
const INDENTS: usize = 200;

/// How many f-strings may stand within each other: as many as Python reads (`MAXFSTRINGLEVEL`). The scanner of the grammar keeps them all
/// at each token, so that its time grows with the square of them.
const STRINGS: usize = 150;

/// The first place that is so deep that Python does not read the file, nor do we; then its tree is empty.
pub(crate) fn too_deep(bytes: &[u8]) -> Option<(TextRange, Levels)> {
    let indents = deep_line(bytes).map(|range| (range, Levels::Indents));
    indents.or_else(|| deep_string(bytes).map(|range| (range, Levels::Strings)))
}

/// The blanks of the first line that is indented too deep.
fn deep_line(bytes: &[u8]) -> Option<TextRange> {
    let mut levels: Vec<usize> = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let blanks = line
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        if blanks < line.strip_suffix(b"\n").unwrap_or(line).len() {
            let outer = levels.partition_point(|level| *level < blanks);
            levels.truncate(outer);
            levels.push(blanks);
        }
        if levels.len() > INDENTS {
            return Some(TextRange::new(start, start + blanks as u32));
        }
        start += line.len() as u32;
    }
    None
}

/// An f-string that is open.
struct Open {
    quote: u8,
    is_triple: bool,
    /// Brackets that are open in its hole; nothing in its text.
    hole: Option<usize>,
}

/// The quote of the first f-string that stands in too many others.
fn deep_string(bytes: &[u8]) -> Option<TextRange> {
    // A hole has a brace, and each level one of its own.
    let braces = memchr::memchr_iter(b'{', bytes).take(STRINGS + 1);
    if braces.count() <= STRINGS {
        return None;
    }
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let is_text = open.last().is_some_and(|it| it.hole.is_none());
        at += match byte {
            _ if is_text => in_text(&bytes[at..], &mut open),
            b'"' | b'\'' => {
                let length = in_code(bytes, at, &mut open);
                if open.len() > STRINGS {
                    return Some(TextRange::new(at as u32, at as u32 + 1));
                }
                length
            }
            // Before Python 3.12 no hole of a text in one line goes on in the next: the text was not ended.
            b'\n'
                if open
                    .last()
                    .is_some_and(|it| !it.is_triple && it.hole == Some(0)) =>
            {
                open.clear();
                1
            }
            b'#' => next_line(bytes, at as u32).map_or(bytes.len(), |next| next as usize - 1) - at,
            _ => {
                brackets(byte, &mut open);
                1
            }
        };
    }
    None
}

/// Counts the brackets of a hole, whose last brace ends it.
fn brackets(byte: u8, open: &mut [Open]) {
    let Some(last) = open.last_mut() else { return };
    let depth = last.hole.unwrap_or_default();
    last.hole = match byte {
        b'{' | b'(' | b'[' => Some(depth + 1),
        b'}' if depth == 0 => None,
        b'}' | b')' | b']' => Some(depth.saturating_sub(1)),
        _ => return,
    };
}

/// What stands next in the text of an f-string: how many bytes it takes.
fn in_text(rest: &[u8], open: &mut Vec<Open>) -> usize {
    let Some(last) = open.last_mut() else {
        return 1;
    };
    let quotes = [last.quote; 3];
    match rest[0] {
        b'\\' => 2,
        b'{' if rest.get(1) == Some(&b'{') => 2,
        b'{' => {
            last.hole = Some(0);
            1
        }
        // A text in one line that does not end is no text.
        b'\n' if !last.is_triple => {
            open.clear();
            1
        }
        byte if byte == last.quote && last.is_triple && rest.starts_with(&quotes) => {
            open.pop();
            3
        }
        byte if byte == last.quote && !last.is_triple => {
            open.pop();
            1
        }
        _ => 1,
    }
}

/// The string that begins at a quote: one with holes is open from here, any other is passed over. How many bytes that takes.
fn in_code(bytes: &[u8], at: usize, open: &mut Vec<Open>) -> usize {
    let quote = bytes[at];
    let is_triple = bytes[at..].starts_with(&[quote; 3]);
    let length = if is_triple { 3 } else { 1 };
    let letters = bytes[..at]
        .iter()
        .rev()
        .take(3)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let prefix: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    let is_prefix = prefix.len() < 3 && prefix.iter().all(|byte| b"rfbut".contains(byte));
    if is_prefix && prefix.iter().any(|byte| b"ft".contains(byte)) {
        open.push(Open {
            quote,
            is_triple,
            hole: None,
        });
        return length;
    }
    let rest = &bytes[at + length..];
    let mut end = 0;
    while let Some(&byte) = rest.get(end) {
        match byte {
            b'\\' => end += 2,
            b'\n' if !is_triple => break,
            _ if byte == quote && (!is_triple || rest[end..].starts_with(&[quote; 3])) => {
                return end + 2 * length;
            }
            _ => end += 1,
        }
    }
    length + end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(text: &str) -> Option<Levels> {
        too_deep(text.as_bytes()).map(|(_, levels)| levels)
    }

    #[test]
    fn what_python_does_not_read_is_too_deep() {
        let nested = |count: usize| {
            let inner = "f\"{".repeat(count) + "'b'" + &"}\"".repeat(count);
            format!("a = {inner}\n")
        };
        let blocks = |count: usize| -> String {
            let line = |it| format!("{}if a:\n", " ".repeat(it));
            (0..count).map(line).collect()
        };
        for (text, expected) in [
            (nested(150), None),
            (nested(151), Some(Levels::Strings)),
            (nested(9).repeat(100), None),
            (blocks(200), None),
            (blocks(201), Some(Levels::Indents)),
        ] {
            assert_eq!(levels(&text), expected, "{}", &text[..40]);
        }
        // Texts that end each are not within each other, whatever stands in them.
        for one in [
            "f'{a}'\n",
            "f\"{a['f']:>{w}} {{f'\"\n",
            "f'''{a}\n' {b}'''\n",
            "rf'\\'{a}'\n",
            "x = 'f\"{' # f\"{\n",
            "'''f\"{\n'''\n",
            "f'{a\nb = 1\n",
            "of'{a}'\n",
            "f'{ {1: [f\"{a}\"]} }'\n",
        ] {
            assert_eq!(levels(&one.repeat(200)), None, "{one}");
        }
    }
}
