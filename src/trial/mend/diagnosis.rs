//! What clang says of errors when it is asked for ranges and edits: `a.cu:5:58:{5:50-5:57}: error: text`, and below it
//! `fix-it:"a.cu":{8:3-8:3}:"typename "`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What has clang print ranges and edits; it prints edits only beside excerpts.
pub(super) const OPTIONS: &[&str] = &[
    "-fcaret-diagnostics",
    "-fdiagnostics-parseable-fixits",
    "-fdiagnostics-print-source-range-info",
];

/// A stretch of a line: its line, and columns from 1, the second one behind its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) line: u32,
    pub(super) from: u32,
    pub(super) until: u32,
}

/// An edit that clang names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FixIt {
    pub(super) file: String,
    pub(super) span: Span,
    pub(super) text: String,
}

/// A note below an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) text: String,
    pub(super) fixes: Vec<FixIt>,
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// What it is about, where that is one stretch of one line.
    pub(super) span: Option<Span>,
    pub(super) text: String,
    pub(super) fixes: Vec<FixIt>,
    pub(super) notes: Vec<Note>,
}

static PLACED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(.+?):(\d+):(\d+)(?::((?:\{\d+:\d+-\d+:\d+\})+))?: (fatal error|error|warning|note): (.*)$",
    )
});
static RANGE: LazyLock<Regex> = LazyLock::new(|| regex(r"\{(\d+):(\d+)-(\d+):(\d+)\}"));
static FIX: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"^fix-it:"(.*?)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$"#));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern that the tests use")
}

/// The errors of a log, in its order.
pub(super) fn diagnoses(log: &str) -> Vec<Diagnosis> {
    let mut found: Vec<Diagnosis> = Vec::new();
    // A warning takes what stands below it.
    let mut is_error = false;
    for line in log.lines() {
        let line = line.trim_end();
        if let Some(parts) = PLACED.captures(line) {
            let text = parts[6].to_owned();
            match &parts[5] {
                "note" => {
                    let error = found.last_mut().filter(|_| is_error);
                    error.into_iter().for_each(|error| {
                        error.notes.push(Note {
                            file: parts[1].to_owned(),
                            line: number(&parts[2]),
                            column: number(&parts[3]),
                            text: text.clone(),
                            fixes: Vec::new(),
                        });
                    });
                }
                "warning" => is_error = false,
                _ => {
                    is_error = true;
                    found.push(diagnosis(&parts, text));
                }
            }
        } else if let Some(parts) = FIX.captures(line).filter(|_| is_error)
            && let Some(last) = found.last_mut()
            && let Some(span) = span(&parts, [2, 3, 4, 5])
        {
            let fix = FixIt {
                file: unescaped(&parts[1]),
                span,
                text: unescaped(&parts[6]),
            };
            match last.notes.last_mut() {
                Some(note) => note.fixes.push(fix),
                None => last.fixes.push(fix),
            }
        }
    }
    found
}

fn diagnosis(parts: &Captures<'_>, text: String) -> Diagnosis {
    let ranges = parts.get(4).map_or("", |ranges| ranges.as_str());
    let mut ranges = RANGE.captures_iter(ranges);
    let only = ranges.next().filter(|_| ranges.next().is_none());
    Diagnosis {
        file: parts[1].to_owned(),
        line: number(&parts[2]),
        column: number(&parts[3]),
        span: only.and_then(|only| span(&only, [1, 2, 3, 4])),
        text,
        fixes: Vec::new(),
        notes: Vec::new(),
    }
}

/// A range within one line.
fn span(parts: &Captures<'_>, at: [usize; 4]) -> Option<Span> {
    let [line, from, last, until] = at.map(|at| number(&parts[at]));
    (line == last && from <= until).then_some(Span { line, from, until })
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or(0)
}

/// A text without the `\` that C writes.
fn unescaped(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => found.extend(rest.next().map(|next| match next {
                'n' => '\n',
                't' => '\t',
                next => next,
            })),
            character => found.push(character),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_notes_and_edits_belong_to_their_error() {
        let log = "\
a.cu:2:63: error: use 'template' keyword to treat 'get' as a dependent template name
    2 | return a.get<int>();
      |          ^
      |          template 
fix-it:\"a.cu\":{2:63-2:63}:\"template \"
a.cu:3:1: warning: old
fix-it:\"a.cu\":{3:1-3:1}:\"never\"
a.cu:5:58:{5:50-5:57}: error: arithmetic on a pointer to void
a.cu:4:48:{4:48-4:51}: error: cannot be narrowed
a.cu:4:48:{4:48-4:51}: note: insert an explicit cast to silence this issue
fix-it:\"a.cu\":{4:48-4:48}:\"static_cast<char>(\\\"\"
a.cu:7:1:{7:1-7:2}{7:3-7:4}: fatal error: two\n\
        ";
        let found = diagnoses(log);
        let texts = found.iter().filter_map(|it| it.text.split(' ').next());
        let texts: Vec<&str> = texts.collect();
        assert_eq!(texts, ["use", "arithmetic", "cannot", "two"]);
        assert_eq!(found[0].fixes[0].text, "template ");
        let span = Span {
            line: 5,
            from: 50,
            until: 57,
        };
        assert_eq!((found[1].span, found[3].span), (Some(span), None));
        assert!(found[1].fixes.is_empty() && found[2].fixes.is_empty());
        assert_eq!(found[2].notes[0].fixes[0].text, "static_cast<char>(\"");
    }
}
