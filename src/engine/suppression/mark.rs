//! Comments that speak to the tool, as words: which verb, which rules, which problem.

use std::fmt;

use crate::engine::policy;
use crate::rules::{Fact, codes_with, find};
use crate::syntax::{Lexed, Token, TokenKind};
use crate::text::{TextRange, nearest};

/// What a comment tells the tool to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Ignore,
    IgnoreNextLine,
    IgnoreFile,
    Off,
    On,
}

const VERBS: &[(&str, Verb)] = &[
    ("ignore", Verb::Ignore),
    ("ignore-next-line", Verb::IgnoreNextLine),
    ("ignore-file", Verb::IgnoreFile),
    ("off", Verb::Off),
    ("on", Verb::On),
];

/// A word in the brackets and the rules it names.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) range: TextRange,
    pub(crate) codes: Vec<&'static str>,
}

/// A comment that speaks to the tool.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) verb: Verb,
    /// The whole comment.
    pub(crate) range: TextRange,
    /// The words in its brackets; none means all rules.
    pub(crate) words: Vec<Word>,
}

/// What is wrong with such a comment.
#[derive(Debug)]
pub(crate) enum Problem {
    UnknownVerb(String),
    Unclosed,
    NoCodes,
    NeedsBrackets(String),
    UnknownCode(String),
    NothingToEnd,
    NeverEnded,
}

impl Mark {
    pub(crate) fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.words
            .iter()
            .flat_map(|word| word.codes.iter().copied())
    }

    /// Whether a rule is meant. A comment without brackets does not speak of itself, or none would ever be called unused.
    pub(crate) fn covers(&self, code: &str) -> bool {
        if self.words.is_empty() {
            !codes_with(Fact::AboutComments).any(|about_comments| about_comments == code)
        } else {
            self.codes().any(|known| known == code)
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownVerb(word) => {
                let near = nearest(word, VERBS.iter().map(|(name, _)| *name)).unwrap_or("ignore");
                write!(
                    f,
                    "`cass: {word}` is no suppression comment; did you mean `cass: {near}`?"
                )
            }
            Self::Unclosed => f.write_str("the list of codes has no `]`"),
            Self::NoCodes => f.write_str("the list of codes is empty"),
            Self::NeedsBrackets(word) => write!(f, "`{word}` names a rule only in square brackets"),
            Self::UnknownCode(message) => f.write_str(message),
            Self::NothingToEnd => {
                f.write_str("`cass: on` ends nothing: no matching `cass: off` is open")
            }
            Self::NeverEnded => f.write_str(
                "`cass: off` is never ended: nothing is reported to the end of the file",
            ),
        }
    }
}

/// The comments that speak to the tool, and what is wrong with some.
pub(crate) fn marks(document: &Lexed<'_>) -> (Vec<Mark>, Vec<(TextRange, Problem)>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    if !document.source.mentions("cass:") {
        return (found, problems);
    }
    for comment in &document.comments {
        if let Some(at) = speech(document.source.slice(comment.range()), comment.kind) {
            read(
                document,
                comment,
                comment.start + at as u32,
                &mut found,
                &mut problems,
            );
        }
    }
    (found, problems)
}

/// Offset behind `cass:` in a comment that starts with it, or that holds `// cass:` behind other words.
fn speech(comment: &[u8], kind: TokenKind) -> Option<usize> {
    let begins = |from: usize| {
        let rest = &comment[from..];
        let skip = rest
            .iter()
            .take_while(|byte| b"/*#!< \t\r\n".contains(byte))
            .count();
        rest[skip..]
            .starts_with(b"cass:")
            .then_some(from + skip + 5)
    };
    if kind == TokenKind::BlockComment {
        return begins(2);
    }
    // `http://cass:` is an address: two slashes within a comment count only behind a blank.
    let again = (3..comment.len().saturating_sub(1))
        .filter(|&at| comment[at..].starts_with(b"//") && matches!(comment[at - 1], b' ' | b'\t'));
    std::iter::once(0).chain(again).find_map(begins)
}

fn read(
    document: &Lexed<'_>,
    comment: &Token,
    at: u32,
    found: &mut Vec<Mark>,
    problems: &mut Vec<(TextRange, Problem)>,
) {
    let range = comment.range();
    let text = body(document, comment, at);
    let start = at + (text.len() - text.trim_start().len()) as u32;
    let text = text.trim_start();
    let word_len = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(word_len);
    let Some(&(_, verb)) = VERBS.iter().find(|(name, _)| *name == word) else {
        problems.push((range, Problem::UnknownVerb(word.to_owned())));
        return;
    };
    let mut mark = Mark {
        verb,
        range,
        words: Vec::new(),
    };
    let Some(list) = rest.trim_start().strip_prefix('[') else {
        match bare_rule(rest) {
            Some(word) => problems.push((range, Problem::NeedsBrackets(word.to_owned()))),
            None => found.push(mark),
        }
        return;
    };
    let list_start = start + (text.len() - list.len()) as u32;
    let Some((list, _)) = list.split_once(']') else {
        problems.push((range, Problem::Unclosed));
        return;
    };
    problems.extend(words(list, list_start, &mut mark.words));
    if list.trim().is_empty() {
        problems.push((range, Problem::NoCodes));
    } else if !mark.words.is_empty() {
        found.push(mark);
    }
}

/// The text behind `cass:` to the end of its line, without the end of a block comment. Bytes that are not UTF-8 end it.
fn body<'d>(document: &'d Lexed<'_>, comment: &Token, at: u32) -> &'d str {
    let bytes = document
        .source
        .slice(TextRange::new(at, comment.range().end));
    let line = bytes
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .next()
        .unwrap_or_default();
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default(),
    };
    if comment.kind == TokenKind::BlockComment {
        text.split("*/").next().unwrap_or_default()
    } else {
        text
    }
}

/// The first word of a reason, when it is a rule: `ignore CASS003` would silence everything.
fn bare_rule(rest: &str) -> Option<&str> {
    let word = rest
        .trim_start_matches([' ', '\t', '(', ':', '=', ','])
        .split([' ', '\t', ',', ')', ':'])
        .next()?;
    find(word).is_some().then_some(word)
}

/// Reads the list between the brackets; unknown words are problems and the others hold.
fn words(list: &str, start: u32, words: &mut Vec<Word>) -> Vec<(TextRange, Problem)> {
    let (mut problems, mut at) = (Vec::new(), start);
    for item in list.split(',') {
        let text = item.trim();
        let first = at + (item.len() - item.trim_start().len()) as u32;
        let range = TextRange::new(first, first + text.len() as u32);
        at += item.len() as u32 + 1;
        match policy::codes(text) {
            _ if text.is_empty() => {}
            Ok(codes) => words.push(Word {
                text: text.to_owned(),
                range,
                codes,
            }),
            Err(message) => problems.push((range, Problem::UnknownCode(message))),
        }
    }
    problems
}
