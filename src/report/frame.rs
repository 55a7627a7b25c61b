//! A source line with carets under a place in it, as a terminal shows it.

use unicode_width::UnicodeWidthChar as _;

use super::escape::terminal;

/// Columns that a tab takes: carets line up whatever the terminal's own stops are.
const TAB: &str = "    ";
/// Terminal columns shown of a line; of a longer one, the part around the place.
const WIDEST: usize = 140;

/// A line made harmless for terminals, and where the carets go under it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The line.
    pub(super) line: String,
    /// Terminal columns before the first caret.
    pub(super) indent: usize,
    /// Carets, at least one.
    pub(super) carets: usize,
}

/// The frame of the code points `start..end` (counted from 1) of a line; `None` when the line was cut before them.
pub(super) fn frame(line: &str, start: u32, end: u32) -> Option<Frame> {
    let (start, end) = (start as usize - 1, end as usize - 1);
    let chars: Vec<char> = line.chars().collect();
    if start > chars.len() {
        return None;
    }
    let (mut from, mut till) = (0, chars.len());
    if width(&chars) > WIDEST {
        from = start.saturating_sub(WIDEST / 3);
        till = chars.len().min(from + WIDEST);
    }
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    let shown: String = chars[from..till].iter().map(|&c| drawn(c)).collect();
    Some(Frame {
        line: format!("{}{shown}{}", mark(from > 0), mark(till < chars.len())),
        indent: usize::from(from > 0) + width(&chars[from..start]),
        carets: width(&chars[start..end.clamp(start, till.max(start))]).max(1),
    })
}

fn width(chars: &[char]) -> usize {
    let of = |&c: &char| match c {
        '\t' => TAB.len(),
        c => terminal(c).width().unwrap_or(1),
    };
    chars.iter().map(of).sum()
}

fn drawn(c: char) -> String {
    if c == '\t' {
        TAB.to_owned()
    } else {
        terminal(c).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_the_place_behind_tabs_and_wide_text() {
        let found = frame("\t漢字 f(x);", 5, 6).expect("the place is in the line");
        assert_eq!((found.indent, found.carets), (9, 1));
        assert_eq!(found.line, "    漢字 f(x);");
    }

    #[test]
    fn combining_marks_take_no_column() {
        let found = frame("e\u{301} f();", 4, 5).expect("the place is in the line");
        assert_eq!(found.indent, 2);
    }

    #[test]
    fn a_source_line_cannot_speak_to_the_terminal() {
        let found = frame("x \u{1b}[31m\u{202e} f", 1, 2).expect("the place is in the line");
        assert_eq!(found.line, "x ␛[31m\u{fffd} f");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}f();{}", "a".repeat(300), "b".repeat(300));
        let found = frame(&line, 301, 302).expect("the place is in the line");
        let under: String = found.line.chars().skip(found.indent).take(1).collect();
        assert_eq!(under, "f");
        assert!(found.line.chars().count() <= WIDEST + 2);
        assert_eq!(frame("short", 40, 41), None);
    }
}
