//! Rules of a project's own: code that reads like a pattern gets a finding, and other code in its place.
//!
//! Patterns are written as ast-grep's: `$NAME` stands for one expression, `$$$NAME` for any number of arguments.

use std::collections::BTreeSet;

use super::schema::{RawLevel, RawRule};

/// A rule of `[[rules]]`, held to be one that can match.
#[derive(Debug)]
pub(crate) struct OwnRule {
    /// The code to look for; it begins with a name and ends with text.
    pub(crate) pattern: Vec<Piece>,
    /// The name that the pattern begins with.
    pub(crate) first: &'static str,
    /// What is the matter.
    pub(crate) message: Vec<Piece>,
    /// What to do about it.
    pub(crate) note: Vec<Piece>,
    /// How much it matters.
    pub(crate) level: RawLevel,
    /// What comes in place of the code.
    pub(crate) fix: Option<Vec<Piece>>,
}

/// A part of a pattern, or of what is written in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Code as it reads, but for blanks and comments between its tokens.
    Text(&'static str),
    /// `$NAME`: one expression or argument; `_` for any name that nobody needs.
    One(&'static str),
    /// `$$$NAME`: any number of arguments, also none.
    Many(&'static str),
}

impl Piece {
    /// The name of a placeholder.
    pub(crate) fn placeholder(self) -> Option<&'static str> {
        match self {
            Self::Text(_) => None,
            Self::One(name) | Self::Many(name) => Some(name),
        }
    }
}

impl OwnRule {
    /// Reads a rule.
    ///
    /// # Errors
    /// When its pattern could match nothing or anything, when it says nothing, or when what it writes names code that the pattern
    /// does not.
    pub(super) fn new(raw: &'static RawRule) -> Result<Self, String> {
        let pattern = pieces(&raw.pattern).map_err(|why| format!("pattern: {why}"))?;
        let first = first_name(&pattern)?;
        check_pattern(&pattern)?;
        if raw.message.trim().is_empty() {
            return Err("`message` says nothing: say what is the matter".to_owned());
        }
        let fix = raw.fix.as_deref().map(pieces).transpose();
        let fix = fix.map_err(|why| format!("fix: {why}"))?;
        check_fix(&pattern, fix.as_deref().unwrap_or_default())?;
        let default = match fix {
            Some(_) => RawLevel::Info,
            None => RawLevel::Warning,
        };
        // A `$` in a sentence is a dollar where it is no placeholder.
        let said = |text: &'static str| pieces(text).unwrap_or_else(|_| vec![Piece::Text(text)]);
        Ok(Self {
            pattern,
            first,
            message: said(raw.message.trim()),
            note: said(raw.note.as_deref().unwrap_or_default().trim()),
            level: raw.severity.unwrap_or(default),
            fix,
        })
    }
}

/// A text cut at its placeholders.
fn pieces(text: &'static str) -> Result<Vec<Piece>, String> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(dollar) = rest.find('$') {
        if dollar > 0 {
            found.push(Piece::Text(&rest[..dollar]));
        }
        rest = &rest[dollar..];
        let is_many = rest.starts_with("$$$");
        let name = &rest[if is_many { 3 } else { 1 }..];
        let is_part = |c: char| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit();
        let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
        let (name, behind) = name.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            let why = "`$` begins a placeholder: `$NAME` or `$$$NAME`, in capitals";
            return Err(why.to_owned());
        }
        found.push(match is_many {
            true => Piece::Many(name),
            false => Piece::One(name),
        });
        rest = behind;
    }
    if !rest.is_empty() {
        found.push(Piece::Text(rest));
    }
    Ok(found)
}

/// The name that a pattern begins with: files without it are not looked at.
fn first_name(pattern: &[Piece]) -> Result<&'static str, String> {
    let text = match pattern.first() {
        Some(Piece::Text(text)) => text.trim_start(),
        _ => "",
    };
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    match text[..end].starts_with(|c: char| !c.is_ascii_digit()) {
        true => Ok(&text[..end]),
        false => Err("pattern: it begins with no name, such as that of a function".to_owned()),
    }
}

fn check_pattern(pattern: &[Piece]) -> Result<(), String> {
    let is_blank = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
    let apart = |pair: &[Piece]| pair.iter().any(|piece| piece.placeholder().is_none());
    let solid: Vec<Piece> = pattern.iter().copied().filter(|it| !is_blank(it)).collect();
    if solid
        .last()
        .is_some_and(|last| last.placeholder().is_some())
    {
        return Err("pattern: nothing says where its last placeholder ends".to_owned());
    }
    if !solid.windows(2).all(apart) {
        return Err("pattern: nothing stands between two placeholders".to_owned());
    }
    let mut open = Vec::new();
    for piece in pattern {
        let Piece::Text(text) = piece else { continue };
        for bracket in text.bytes() {
            let fits = match bracket {
                b'(' | b'[' | b'{' => {
                    open.push(bracket);
                    true
                }
                b')' => open.pop() == Some(b'('),
                b']' => open.pop() == Some(b'['),
                b'}' => open.pop() == Some(b'{'),
                _ => true,
            };
            if !fits {
                return Err(format!("pattern: `{}` closes nothing", char::from(bracket)));
            }
        }
    }
    match open.pop() {
        Some(bracket) => Err(format!("pattern: `{}` is not closed", char::from(bracket))),
        None => Ok(()),
    }
}

fn check_fix(pattern: &[Piece], fix: &[Piece]) -> Result<(), String> {
    let names = |pieces: &[Piece]| -> BTreeSet<&str> {
        pieces.iter().filter_map(|it| it.placeholder()).collect()
    };
    let mut known = names(pattern);
    known.remove("_");
    match names(fix).difference(&known).next() {
        Some(name) => Err(format!("fix: the pattern has no `${name}`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(pattern: &str, fix: Option<&str>) -> Result<OwnRule, String> {
        let raw = RawRule {
            pattern: pattern.to_owned(),
            message: "no".to_owned(),
            note: None,
            severity: None,
            fix: fix.map(str::to_owned),
        };
        OwnRule::new(Box::leak(Box::new(raw)))
    }

    #[test]
    fn patterns_are_text_and_placeholders() {
        let found = rule("launch($K, $$$ARGS)", Some("run($K, $$$ARGS)")).expect("it is one");
        let expected = [
            Piece::Text("launch("),
            Piece::One("K"),
            Piece::Text(", "),
            Piece::Many("ARGS"),
            Piece::Text(")"),
        ];
        assert_eq!(found.pattern, expected);
        assert_eq!((found.first, found.level), ("launch", RawLevel::Info));
        let level = rule("launch()", None).map(|rule| rule.level);
        assert_eq!(level, Ok(RawLevel::Warning));
    }

    #[test]
    fn what_could_match_nothing_or_anything_is_refused() {
        for (pattern, fix, why) in [
            ("$X + 1", None, "begins with no name"),
            ("", None, "begins with no name"),
            ("1 + f()", None, "begins with no name"),
            ("f = $X", None, "last placeholder ends"),
            ("f($X $Y)", None, "between two placeholders"),
            ("f(($X)", None, "`(` is not closed"),
            ("f($X])", None, "`]` closes nothing"),
            ("f($x)", None, "begins a placeholder"),
            ("f($X)", Some("g($Y)"), "has no `$Y`"),
            ("f($_)", Some("g($_)"), "has no `$_`"),
        ] {
            let said = rule(pattern, fix).expect_err(pattern);
            assert!(said.contains(why), "{pattern}: {said}");
        }
    }
}
