//! Code that a rule of the project's own is about.
//!
//! ## Why on AMD
//! A project has calls, macros and habits that only its people know: a wrapper whose HIP build takes other arguments, a function that
//! must not come into the port. A table of your own (`--mappings`, `mappings` in `cass.toml`) says so in `[[rules]]`: code that reads
//! like `pattern` gets `message` and `note`, and `fix` in its place. `.github/MAPPINGS.md` has the keys.
//!
//! ## Example
//! With the rule
//! ```toml
//! [[rules]]
//! pattern = "acmeLaunch($KERNEL, $SIZE, $$$ARGS)"
//! message = "the launcher takes the wavefront for AMD"
//! fix = "acmeLaunchWave($KERNEL, $SIZE, warpSize, $$$ARGS)"
//! ```
//! a call
//! ```cuda
//! acmeLaunch(blur, n, in, out);
//! ```
//! becomes
//! ```hip
//! acmeLaunchWave(blur, n, warpSize, in, out);
//! ```
//!
//! ## When to ignore
//! Where the place is an exception to the project's rule.
//!
//! ## Source
//! The table that has the rule; the placeholders are those of ast-grep's patterns.

use crate::cpp::definitions::{declares, defines};
use crate::cpp::pattern::{Match, matched};
use crate::mapping::{OwnRule, Piece, RawLevel};
use crate::rules::prelude::*;
use crate::syntax::{Token, lex};

/// Reports what rules of the project's own are about, and writes what they say.
pub static RULE: Rule = Rule {
    code: "CASS021",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    // The project knows better than any rule of ours.
    priority: 5,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let table = cx.table();
    for rule in table.rules() {
        let all = 0..cx.doc.tokens.len();
        let places: Vec<TokenIndex> = cx.doc.occurrences(rule.first.as_bytes(), all).collect();
        for at in places {
            if !is_apart(cx.doc, at)
                && let Some(found) = matched(cx.doc, &rule.pattern, at)
            {
                report(cx, rule, &found);
            }
        }
    }
}

/// Whether the name is a member of something, or is being declared: code that reads like a use of it and is none.
fn is_apart(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(prev) = doc.prev(at) else {
        return false;
    };
    let is_member = match doc.bytes(prev) {
        b"." | b"->" => true,
        b"::" => doc.prev(prev).is_some_and(|before| doc.is_ident(before)),
        _ => false,
    };
    // `a * f(x)` reads like a declaration of a pointer.
    is_member || defines(doc, at) || (doc.is_ident(prev) && declares(doc, at))
}

fn report(cx: &mut Context<'_, '_>, rule: &OwnRule, found: &Match) {
    let severity = match rule.level {
        RawLevel::Info => Severity::Info,
        RawLevel::Warning => Severity::Warning,
        RawLevel::Error => Severity::Error,
    };
    let mut finding = RULE
        .finding(found.range, written(cx, &rule.message, found).0)
        .help(written(cx, &rule.note, found).0)
        .severity(severity);
    let edits = rule.fix.as_deref().map(|fix| edits(cx, fix, found));
    // A fix that changes nothing is a rule that only reports.
    if let Some(edits) = edits.filter(|edits| !edits.is_empty()) {
        finding = finding.fix(match rule.level {
            RawLevel::Info => Fix::safe(edits),
            RawLevel::Warning | RawLevel::Error => Fix::review(edits),
        });
    }
    cx.report(finding);
}

/// A text with the code of the file for its placeholders, and where each begins in it. A name that the pattern does not have stays.
fn written(
    cx: &Context<'_, '_>,
    pieces: &[Piece],
    found: &Match,
) -> (String, Vec<(usize, TextRange)>) {
    let (mut text, mut moved) = (String::new(), Vec::new());
    for piece in pieces {
        let name = match piece {
            Piece::Text(words) => {
                text.push_str(words);
                continue;
            }
            Piece::One(name) | Piece::Many(name) => name,
        };
        match found.captures.iter().find(|(other, _)| other == name) {
            Some(&(_, range)) => {
                moved.push((text.len(), range));
                text.push_str(&cx.text_of(range));
            }
            None => text.extend(["$", name]),
        }
    }
    (text, moved)
}

/// The edits that make the code read as the fix says: around what stays in its order, else all of it anew.
fn edits(cx: &Context<'_, '_>, fix: &[Piece], found: &Match) -> Vec<Edit> {
    let fix = &without_lost_commas(fix, found);
    let kept = fix.iter().filter_map(|piece| piece.placeholder());
    if kept.eq(found.captures.iter().map(|(name, _)| *name)) {
        return edits_between(cx, fix, found);
    }
    let (text, moved) = written(cx, fix, found);
    let is_text = |&(_, range): &(usize, TextRange)| {
        !range.is_empty() && cx.text_of(range).len() == range.len() as usize
    };
    let edit = Edit::replace(found.range, text).without(found.range);
    let carried = moved.into_iter().filter(is_text);
    vec![carried.fold(edit, |edit, (at, range)| edit.moving(at, range))]
}

/// A fix without the comma beside arguments of which there are none.
fn without_lost_commas(fix: &[Piece], found: &Match) -> Vec<Piece> {
    let is_nothing = |piece: &Piece| match piece {
        Piece::Many(name) => found
            .captures
            .iter()
            .any(|(other, range)| other == name && range.is_empty()),
        _ => false,
    };
    let mut fitted = fix.to_vec();
    for at in (0..fix.len()).filter(|&at| is_nothing(&fix[at])) {
        let before = at.checked_sub(1).map(|before| fitted[before]);
        let behind = fitted.get(at + 1).copied();
        if let Some(Piece::Text(text)) = before
            && let Some(bare) = text.trim_end().strip_suffix(',')
        {
            fitted[at - 1] = Piece::Text(bare);
        } else if let Some(Piece::Text(text)) = behind
            && let Some(bare) = text.trim_start().strip_prefix(',')
        {
            fitted[at + 1] = Piece::Text(bare.trim_start());
        }
    }
    fitted
}

fn edits_between(cx: &Context<'_, '_>, fix: &[Piece], found: &Match) -> Vec<Edit> {
    let (mut edits, mut start) = (Vec::new(), found.range.start);
    let ends = found.captures.iter().map(|(_, range)| *range);
    let last = TextRange::at(found.range.end);
    let mut texts = fix.iter().peekable();
    for capture in ends.chain([last]) {
        let text = match texts.peek() {
            Some(Piece::Text(text)) => {
                texts.next();
                *text
            }
            _ => "",
        };
        texts.next();
        edits.extend(gap_edit(cx.doc, TextRange::new(start, capture.start), text));
        start = capture.end;
    }
    edits
}

/// What makes the code in `gap` read like `text`: the tokens that differ, between those that do not.
fn gap_edit(doc: &Document<'_>, gap: TextRange, text: &'static str) -> Option<Edit> {
    let old: Vec<TextRange> = (doc.token_at(gap.start)..doc.token_at(gap.end))
        .map(|index| doc.tokens[index].range())
        .collect();
    let tokens = lex(text.as_bytes()).filter(Token::is_significant);
    let new: Vec<std::ops::Range<usize>> = tokens.map(|token| token.range().as_usize()).collect();
    let same = |(a, b): &(&TextRange, &std::ops::Range<usize>)| {
        doc.source.slice(**a) == text[(*b).clone()].as_bytes()
    };
    let front = old.iter().zip(&new).take_while(same).count();
    let pairs = old[front..].iter().rev().zip(new[front..].iter().rev());
    let back = pairs.take_while(same).count();
    let (gone, come) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    // Blanks of the text stand where no token of the old code does.
    let in_front = front.checked_sub(1);
    let is_last = back == 0;
    match (gone, come) {
        ([], []) => None,
        ([], [..]) => {
            let from = in_front.map_or(0, |at| new[at].end);
            let to = match is_last {
                true => text.trim_end().len(),
                false => new[new.len() - back].start,
            };
            let at = in_front.map_or(gap.start, |at| old[at].end);
            Some(Edit::insert(at, &text[from..to]))
        }
        ([first, ..], []) => {
            let end = if is_last {
                gap.end
            } else {
                old[old.len() - back - 1].end
            };
            let range = TextRange::new(first.start, end);
            Some(Edit::delete(range).without(range))
        }
        ([first, ..], [from, ..]) => {
            let range = TextRange::new(first.start, old[old.len() - back - 1].end);
            let content = &text[from.start..new[new.len() - back - 1].end];
            Some(Edit::replace(range, content).without(range))
        }
    }
}
