//! The lines that a range stands on.

use super::TextRange;

/// Where the line of an offset starts. A carriage return alone ends a line as well.
pub(crate) fn line_start(bytes: &[u8], offset: u32) -> u32 {
    let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    let mut ends = memchr::memrchr2_iter(b'\n', b'\r', &bytes[..offset as usize]);
    ends.find(is_end).map_or(0, |at| at as u32 + 1)
}

/// Where the line behind that of an offset starts; `None` on a last line without an end.
pub(crate) fn next_line(bytes: &[u8], offset: u32) -> Option<u32> {
    memchr::memchr(b'\n', &bytes[offset as usize..]).map(|at| offset + at as u32 + 1)
}

/// The lines that a range stands on, with their ends.
pub(crate) fn lines_around(bytes: &[u8], range: TextRange) -> TextRange {
    let end = next_line(bytes, range.end).unwrap_or(bytes.len() as u32);
    TextRange::new(line_start(bytes, range.start), end)
}

/// The lines of a range, with their ends, if nothing but blanks stands beside it there.
pub(crate) fn whole_lines(bytes: &[u8], range: TextRange) -> Option<TextRange> {
    let lines = lines_around(bytes, range);
    let is_blank = |from: u32, to: u32| {
        let part = &bytes[from as usize..to as usize];
        part.iter().all(u8::is_ascii_whitespace)
    };
    (is_blank(lines.start, range.start) && is_blank(range.end, lines.end)).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `x`, as text.
    fn lines(text: &str) -> Option<&str> {
        let at = text.find('x').expect("there is one") as u32;
        let found = whole_lines(text.as_bytes(), TextRange::new(at, at + 1))?;
        Some(&text[found.as_usize()])
    }

    #[test]
    fn lines_of_their_own_come_with_their_ends() {
        for (text, expected) in [
            ("x", Some("x")),
            ("a\nx\nb", Some("x\n")),
            ("a\r\n\t x \r\nb", Some("\t x \r\n")),
            ("a\rx\nb", Some("x\n")),
            ("a\n  x", Some("  x")),
            ("a x\nb", None),
            ("a\nx;\nb", None),
            ("a\nx\rb\n", None),
        ] {
            assert_eq!(lines(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_last_line_has_none_behind_it() {
        assert_eq!(next_line(b"a\nb", 0), Some(2));
        assert_eq!(next_line(b"a\nb", 2), None);
        assert_eq!(line_start(b"a\nb", 3), 2);
        assert_eq!(line_start(b"a\nb", 2), 2);
        assert_eq!(line_start(b"a\nb", 1), 0);
        assert_eq!(line_start(b"a\r\nb", 2), 0);
        assert_eq!(line_start(b"a\rb", 2), 2);
    }
}
