//! Text that stands in the literals of another file: source code in strings, cells of a notebook. Each byte knows where it is
//! written, so that an edit of the text becomes edits of the file that leave every other byte alone.

mod style;

pub(crate) use style::{Kind, Style, Template};

use super::TextRange;

/// What literals stand for, and how they write it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quoted {
    text: Vec<u8>,
    runs: Vec<Run>,
    styles: Vec<Style>,
    /// How many of the runs are holes.
    holes: usize,
}

/// Neighbouring bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where they begin in the text, and how many they are.
    at: u32,
    len: u32,
    /// How the file writes them.
    from: TextRange,
    /// The literal, an index of `styles`; none for what stands between literals.
    literal: Option<u32>,
    write: Write,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    /// Byte for byte.
    Plain,
    /// As one escape.
    Escape,
    /// By an expression that is evaluated when the program runs; the text has a name of its own in its place.
    Hole,
}

/// What takes the place of a hole in the text begins so, followed by a number and `_`.
const HOLE: &str = "cass_hole_";

impl Quoted {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that the literals stand for, with a name of its own for each hole.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether no literal has a part in it.
    pub fn is_empty(&self) -> bool {
        self.styles.is_empty()
    }

    /// Where the file writes the parts of the text.
    pub(crate) fn origins(&self) -> impl Iterator<Item = TextRange> + '_ {
        self.runs.iter().map(|run| run.from)
    }

    /// Where its first literal begins and, if that is written in order, its last one ends.
    pub(crate) fn extent(&self) -> TextRange {
        self.origin_of(TextRange::new(0, self.text.len() as u32))
    }

    /// Begins a literal; what is pushed next belongs to it.
    pub fn begin(&mut self, style: Style) {
        self.styles.push(style);
    }

    /// Bytes that the file writes as they are.
    pub fn plain(&mut self, bytes: &[u8], at: u32) {
        let from = TextRange::new(at, at + bytes.len() as u32);
        let literal = self.literal();
        if let Some(last) = self.runs.last_mut()
            && last.write == Write::Plain
            && last.literal == literal
            && last.from.end == at
        {
            last.len += from.len();
            last.from.end = from.end;
            return self.text.extend_from_slice(bytes);
        }
        self.push(bytes, from, literal, Write::Plain);
    }

    /// Bytes that the file writes by an escape.
    pub(crate) fn escape(&mut self, bytes: &[u8], from: TextRange) {
        self.push(bytes, from, self.literal(), Write::Escape);
    }

    /// A part of the file byte for byte but for its escapes: `escape` says how many of the bytes handed to it are one, and what it
    /// stands for.
    pub fn written(
        &mut self,
        bytes: &[u8],
        range: TextRange,
        escape: impl Fn(&[u8]) -> Option<(usize, Vec<u8>)>,
    ) {
        let (start, end) = (range.start as usize, range.end as usize);
        let (mut at, mut plain) = (start, start);
        while at < end {
            let Some((len, text)) = escape(&bytes[at..end]) else {
                at += 1;
                continue;
            };
            self.plain(&bytes[plain..at], plain as u32);
            self.escape(&text, TextRange::new(at as u32, (at + len) as u32));
            at += len;
            plain = at;
        }
        if plain < end {
            self.plain(&bytes[plain..end], plain as u32);
        }
    }

    /// A part of the current literal that the program fills in.
    pub fn hole(&mut self, from: TextRange) {
        let name = self.next_hole();
        self.push(name.as_bytes(), from, self.literal(), Write::Hole);
    }

    /// An expression between literals whose text is not known.
    pub fn unknown(&mut self, from: TextRange) {
        let name = self.next_hole();
        self.push(name.as_bytes(), from, None, Write::Hole);
    }

    /// Text that the program puts between two literals: a line end by which they are joined.
    pub(crate) fn joint(&mut self, bytes: &[u8], at: u32) {
        self.push(bytes, TextRange::at(at), None, Write::Hole);
    }

    /// Appends another text.
    pub fn append(&mut self, other: &Self) {
        let (shift, literals) = (self.text.len() as u32, self.styles.len() as u32);
        let before = self.holes;
        self.styles.extend(other.styles.iter().cloned());
        for run in &other.runs {
            let bytes = &other.text[run.at as usize..(run.at + run.len) as usize];
            let is_named = run.write == Write::Hole && bytes.starts_with(HOLE.as_bytes());
            if is_named && before > 0 {
                let name = self.next_hole();
                self.push(
                    name.as_bytes(),
                    run.from,
                    run.literal.map(|it| it + literals),
                    run.write,
                );
                continue;
            }
            let at = self.text.len() as u32;
            self.text.extend_from_slice(bytes);
            self.holes += usize::from(run.write == Write::Hole);
            self.runs.push(Run {
                at,
                literal: run.literal.map(|it| it + literals),
                ..*run
            });
        }
        debug_assert!(self.text.len() as u32 >= shift, "texts grow");
    }

    fn push(&mut self, bytes: &[u8], from: TextRange, literal: Option<u32>, write: Write) {
        let (at, len) = (self.text.len() as u32, bytes.len() as u32);
        self.text.extend_from_slice(bytes);
        self.holes += usize::from(write == Write::Hole);
        self.runs.push(Run {
            at,
            len,
            from,
            literal,
            write,
        });
    }

    fn literal(&self) -> Option<u32> {
        (self.styles.len() as u32).checked_sub(1)
    }

    fn next_hole(&self) -> String {
        format!("{HOLE}{}_", self.holes)
    }

    /// The run that a byte of the text belongs to; the last one behind the end.
    fn run_at(&self, offset: u32) -> Option<&Run> {
        let behind = self.runs.partition_point(|run| run.at <= offset);
        self.runs.get(behind.checked_sub(1)?)
    }

    /// Where the file writes what begins at an offset of the text.
    pub fn origin(&self, offset: u32) -> u32 {
        match self.run_at(offset) {
            None => 0,
            Some(run) if run.write == Write::Plain => {
                run.from.start + (offset - run.at).min(run.len)
            }
            Some(run) if offset >= run.at + run.len => run.from.end,
            Some(run) => run.from.start,
        }
    }

    /// The bytes of the file from the first to the last of a range of the text.
    pub(crate) fn origin_of(&self, range: TextRange) -> TextRange {
        let start = self.origin(range.start);
        if range.is_empty() {
            return TextRange::at(start);
        }
        let end = match self.run_at(range.end - 1) {
            Some(run) if run.write == Write::Plain => run.from.start + (range.end - run.at),
            Some(run) => run.from.end,
            None => start,
        };
        // Literals need not stand in the order in which they are joined.
        if end < start {
            TextRange::at(start)
        } else {
            TextRange::new(start, end)
        }
    }

    /// An edit of the text as edits of the file: the content goes where the range begins, and what the range has of further literals
    /// goes. `None` where a literal cannot hold the content, or the range cuts an escape or takes a hole.
    pub(crate) fn rewrite(
        &self,
        range: TextRange,
        content: &str,
    ) -> Option<Vec<(TextRange, String)>> {
        let parts = self.parts(range)?;
        let (first, rest) = parts.split_first()?;
        let style = &self.styles[first.1 as usize];
        let mut edits = vec![(first.0, self.encoded(style, content, range)?)];
        edits.extend(rest.iter().map(|(from, _)| (*from, String::new())));
        edits.retain(|(from, text)| !from.is_empty() || !text.is_empty());
        Some(edits)
    }

    /// What a range takes of each literal.
    fn parts(&self, range: TextRange) -> Option<Vec<(TextRange, u32)>> {
        if range.is_empty() {
            return self.insertion(range.start).map(|part| vec![part]);
        }
        let mut parts: Vec<(TextRange, u32)> = Vec::new();
        let first = self
            .runs
            .partition_point(|run| run.at + run.len <= range.start);
        for run in self.runs[first..]
            .iter()
            .take_while(|run| run.at < range.end)
        {
            let from = run.cut(range)?;
            let literal = run.literal?;
            match parts.last_mut() {
                Some((last, of)) if *of == literal && last.end == from.start => last.end = from.end,
                _ => parts.push((from, literal)),
            }
        }
        Some(parts)
    }

    /// Where text is put in front of a byte: in the literal that the byte belongs to, at the end in the last one.
    fn insertion(&self, offset: u32) -> Option<(TextRange, u32)> {
        let at = self.runs.partition_point(|run| run.at + run.len <= offset);
        if let Some(run) = self.runs.get(at).filter(|run| run.literal.is_some()) {
            let from = match run.write {
                Write::Plain => run.from.start + (offset - run.at),
                _ if offset == run.at => run.from.start,
                _ => return None,
            };
            return Some((TextRange::at(from), run.literal?));
        }
        let before = self.runs[..at]
            .iter()
            .rev()
            .find(|run| run.literal.is_some())?;
        let is_next = before.at + before.len == offset;
        is_next.then_some((TextRange::at(before.from.end), before.literal?))
    }

    /// The content as the literal writes it, the names of holes as the file has the holes.
    fn encoded(&self, style: &Style, content: &str, range: TextRange) -> Option<String> {
        let mut out = String::new();
        let mut rest = content;
        let mut taken = Vec::new();
        while let Some(at) = rest.find(HOLE) {
            let end = at + HOLE.len() + rest[at + HOLE.len()..].find('_')? + 1;
            let name = &rest[at..end];
            let run = self.runs.iter().find(|run| {
                run.write == Write::Hole
                    && self.text[run.at as usize..(run.at + run.len) as usize] == *name.as_bytes()
            })?;
            style.encode(&rest[..at], &mut out)?;
            out.push_str(style.hole(run.from)?);
            taken.push(run.at);
            rest = &rest[end..];
        }
        style.encode(rest, &mut out)?;
        // A hole that the range takes must come back.
        let lost = self.runs.iter().any(|run| {
            run.write == Write::Hole
                && run.at < range.end
                && range.start < run.at + run.len
                && !taken.contains(&run.at)
        });
        (!lost).then_some(out)
    }
}

impl Run {
    /// The part of the run that lies in a range of the text; `None` where that cuts what is written as a whole.
    fn cut(&self, range: TextRange) -> Option<TextRange> {
        let (start, end) = (range.start.max(self.at), range.end.min(self.at + self.len));
        if self.write == Write::Plain {
            return Some(TextRange::new(
                self.from.start + (start - self.at),
                self.from.start + (end - self.at),
            ));
        }
        (start == self.at && end == self.at + self.len).then_some(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `"a\n" f"b{x}c"` at offset 0.
    fn joined() -> Quoted {
        let mut text = Quoted::new();
        text.begin(Style::python("", "\""));
        text.plain(b"a", 1);
        text.escape(b"\n", TextRange::new(2, 4));
        let mut field = Style::python("f", "\"");
        field.template = Template::Braces;
        field.add_hole(TextRange::new(9, 12), "{x}");
        text.begin(field);
        text.plain(b"b", 8);
        text.hole(TextRange::new(9, 12));
        text.plain(b"c", 12);
        text
    }

    #[test]
    fn edits_of_the_text_become_edits_of_the_file() {
        let text = joined();
        assert_eq!(text.text(), b"a\nbcass_hole_0_c");
        let at = |start, end| TextRange::new(start, end);
        assert_eq!(
            text.rewrite(at(0, 1), "\"x\"\n"),
            Some(vec![(at(1, 2), "\\\"x\\\"\\n".to_owned())])
        );
        assert_eq!(
            text.rewrite(at(1, 3), "{"),
            Some(vec![(at(2, 4), "{".to_owned()), (at(8, 9), String::new())])
        );
        assert_eq!(
            text.rewrite(at(3, 3), "{"),
            Some(vec![(at(9, 9), "{{".to_owned())])
        );
        // A hole that comes back may be moved, one that goes may not.
        assert_eq!(
            text.rewrite(at(2, 15), "f(cass_hole_0_)"),
            Some(vec![(at(8, 12), "f({x})".to_owned())])
        );
        assert_eq!(text.rewrite(at(2, 15), "f"), None);
        assert_eq!(text.rewrite(at(4, 6), "f"), None);
        assert_eq!(text.origin_of(at(15, 16)), at(12, 13));
    }

    #[test]
    fn what_a_raw_string_cannot_say_is_refused() {
        let mut text = Quoted::new();
        text.begin(Style::python("r", "\""));
        text.plain(b"ab", 2);
        assert_eq!(text.rewrite(TextRange::at(1), "\""), None);
        assert_eq!(text.rewrite(TextRange::at(1), "\n"), None);
        assert_eq!(
            text.rewrite(TextRange::at(2), "\\d"),
            Some(vec![(TextRange::at(4), "\\d".to_owned())])
        );
    }
}
