//! String literals of Python: prefix, quotes, and the text that they stand for.

use super::escape::escape;
use super::{Node, PyFile};
use crate::text::TextRange;

/// One literal, as written and as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    /// Letters in front of the quote, in lower case: `f`, `rb`.
    pub prefix: String,
    /// The quote that begins it, one character or three.
    pub quote: String,
    /// The bytes between the quotes.
    pub content: TextRange,
    /// The text that it stands for, escapes resolved; of an f-string the pieces between the holes, with `{}` for each hole.
    pub text: String,
    /// It has holes: an f-string with fields.
    pub has_holes: bool,
}

impl Literal {
    /// Reads a node of the kind `string`; `None` for any other and for one whose end is missing.
    pub(crate) fn new(file: &PyFile<'_>, node: Node<'_>) -> Option<Self> {
        if node.kind() != "string" {
            return None;
        }
        let children: Vec<Node<'_>> = node.children().collect();
        let start = *children.first().filter(|it| it.kind() == "string_start")?;
        let end = *children.last().filter(|it| it.kind() == "string_end")?;
        let opening = file.text(start).into_owned();
        let letters = opening.len()
            - opening
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        let prefix = opening[..letters].to_ascii_lowercase();
        let is_raw = prefix.contains('r');
        let (mut text, mut has_holes) = (String::new(), false);
        for child in &children[1..children.len() - 1] {
            match child.kind() {
                "interpolation" => {
                    has_holes = true;
                    text.push_str("{}");
                }
                _ if is_raw => text.push_str(&file.text(*child)),
                _ => unescape(&file.text(*child), &mut text),
            }
        }
        Some(Self {
            quote: opening[letters..].to_owned(),
            content: TextRange::new(start.end_byte() as u32, end.start_byte() as u32),
            prefix,
            text,
            has_holes,
        })
    }

    /// The text as a literal with the same quotes.
    pub(crate) fn quoted(&self, text: &str) -> String {
        let quote = if self.quote.starts_with('\'') {
            '\''
        } else {
            '"'
        };
        format!("{quote}{text}{quote}")
    }
}

/// Adds what a part of a literal stands for; an unknown escape stays as it is, as in Python.
fn unescape(written: &str, text: &mut String) {
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        let found = escape(&rest.as_bytes()[at..]);
        let (len, meant) = found.unwrap_or_else(|| (1, b"\\".to_vec()));
        text.push_str(&rest[..at]);
        text.push_str(&String::from_utf8_lossy(&meant));
        rest = &rest[at + len..];
    }
    text.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Literal {
        let file = PyFile::new(source.as_bytes());
        let node = file.all(&["string"])[0];
        Literal::new(&file, node).expect("a whole literal")
    }

    #[test]
    fn prefixes_quotes_and_escapes_are_read() {
        assert_eq!(of("x = '-O3'").text, "-O3");
        assert_eq!(of(r#"x = "a\tb\x41\u0042\q\\""#).text, "a\tbAB\\q\\");
        let raw = of("x = Rb'''a\\n'''");
        assert_eq!(
            (raw.prefix.as_str(), raw.quote.as_str(), raw.text.as_str()),
            ("rb", "'''", "a\\n")
        );
        let field = of("x = f'sm_{num}'");
        assert_eq!((field.text.as_str(), field.has_holes), ("sm_{}", true));
        assert_eq!(of("x = 'a'").quoted("b"), "'b'");
    }
}
