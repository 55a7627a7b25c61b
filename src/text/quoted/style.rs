//! How a literal writes what it stands for.

use crate::text::TextRange;

/// The language and the form of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whose literal it is.
    pub kind: Kind,
    /// What is filled in when the program runs, and so how its signs are written.
    pub template: Template,
    /// The holes as they are written.
    holes: Vec<(TextRange, String)>,
}

/// Whose literal it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string of Python.
    Python {
        /// Backslashes stand for themselves.
        raw: bool,
        /// It holds bytes, and so ASCII alone.
        bytes: bool,
        /// One quote, or three.
        quote: String,
    },
    /// A string of JSON.
    Json,
    /// A string of C++ on one line, as in a macro.
    Cpp,
    /// A string of C++ where others may follow it: a line of the text has a literal of its own, and this stands between the two, a line
    /// end and the blanks that the next line begins with.
    CppLines(String),
    /// No literal: a part of the file as it is.
    Verbatim,
    /// A raw string of C++ with what ends it: `)"`.
    CppRaw(String),
}

/// What fills the holes of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// Nothing.
    None,
    /// An f-string or `.format`: braces of the text are doubled.
    Braces,
    /// `%`: a per cent sign of the text is doubled.
    Percent,
}

impl Style {
    /// A literal without holes.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            template: Template::None,
            holes: Vec::new(),
        }
    }

    /// A string of Python with these letters in front of its quote.
    pub fn python(prefix: &str, quote: &str) -> Self {
        let prefix = prefix.to_ascii_lowercase();
        let has = |letter: char| prefix.contains(letter);
        Self::new(Kind::Python {
            raw: has('r'),
            bytes: has('b'),
            quote: quote.to_owned(),
        })
    }

    /// Says how a hole is written.
    pub(crate) fn add_hole(&mut self, from: TextRange, text: impl Into<String>) {
        self.holes.push((from, text.into()));
    }

    /// A hole as it is written; `None` for one of another literal.
    pub(super) fn hole(&self, from: TextRange) -> Option<&str> {
        let found = self.holes.iter().find(|(range, _)| *range == from);
        found.map(|(_, text)| text.as_str())
    }

    /// Adds text as the literal writes it; `None` where it cannot.
    pub(super) fn encode(&self, text: &str, out: &mut String) -> Option<()> {
        let text = match self.template {
            Template::None => text.to_owned(),
            Template::Braces => text.replace('{', "{{").replace('}', "}}"),
            Template::Percent => text.replace('%', "%%"),
        };
        match &self.kind {
            Kind::Python { raw, bytes, quote } => {
                if *bytes && !text.is_ascii() {
                    return None;
                }
                if *raw {
                    verbatim(&text, quote, out)
                } else {
                    python(&text, quote, out)
                }
            }
            Kind::Json => escaped(&text, false, out),
            Kind::Cpp => escaped(&text, true, out),
            Kind::CppLines(between) => {
                for (number, line) in text.split('\n').enumerate() {
                    if number > 0 {
                        out.push_str(&format!("\\n\"{between}\""));
                    }
                    escaped(line.strip_suffix('\r').unwrap_or(line), true, out)?;
                }
                Some(())
            }
            Kind::Verbatim => {
                out.push_str(&text);
                Some(())
            }
            Kind::CppRaw(end) => {
                out.push_str(&text);
                (!text.contains(end.as_str())).then_some(())
            }
        }
    }
}

/// A raw string has no way to write the quotes that end it, nor on one line a line end.
fn verbatim(text: &str, quote: &str, out: &mut String) -> Option<()> {
    let letter = quote.chars().next()?;
    let fits = match quote.len() {
        3 => !text.contains(&quote[..2]) && !text.starts_with(letter) && !text.ends_with(letter),
        _ => !text.contains([letter, '\n']),
    };
    out.push_str(text);
    (fits && !text.ends_with('\\')).then_some(())
}

fn python(text: &str, quote: &str, out: &mut String) -> Option<()> {
    let letter = quote.chars().next()?;
    let is_long = quote.len() == 3;
    let mut before = Some(letter);
    let mut rest = text.chars().peekable();
    while let Some(it) = rest.next() {
        // In a long string only three of its quotes in a row end it.
        let is_lone =
            is_long && before != Some(letter) && rest.peek().is_some_and(|next| *next != letter);
        match it {
            '\\' => out.push_str("\\\\"),
            _ if it == letter && !is_lone => out.extend(['\\', it]),
            '\n' if !is_long => out.push_str("\\n"),
            '\r' if !is_long => out.push_str("\\r"),
            _ => out.push(it),
        }
        before = Some(it);
    }
    Some(())
}

fn escaped(text: &str, is_cpp: bool, out: &mut String) -> Option<()> {
    for it in text.chars() {
        match it {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if it.is_control() && is_cpp => return None,
            _ if it.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(it))),
            _ => out.push(it),
        }
    }
    Some(())
}
