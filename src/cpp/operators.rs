//! Binary operators of C++ around an operand: how strongly they bind, and how far their operands reach.

use std::ops::Range;

use crate::cpp::arithmetic::Number;
use crate::cpp::declarations::angle_open;
use crate::syntax::{Document, TokenIndex, TokenKind};
use crate::text::keywords::{takes_condition, takes_operand};

/// A binary operator that joins values; assignments, commas and `?:` are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operator<'s> {
    /// As it is written; of a shift both signs.
    pub text: &'s [u8],
    /// Its one or two tokens.
    pub tokens: Range<TokenIndex>,
    /// How strongly it binds: `*` 10, `||` 1.
    pub level: u8,
}

/// Operands of one expression that are followed at most: a sum of n calls, each of which asks for what is around it, would cost n².
pub(crate) const OPERANDS: usize = 64;

/// The least level of an operator.
pub(crate) const LOWEST: u8 = 1;
/// A level above that of all operators: an operand with its signs, casts, calls and indices.
pub(crate) const ALONE: u8 = 11;
/// The level of `<<` and `>>`.
pub(crate) const SHIFT: u8 = 8;

/// The binary operator that ends in front of an operand which begins at `operand`.
pub(crate) fn before<'s>(doc: &Document<'s>, operand: TokenIndex) -> Option<Operator<'s>> {
    let last = doc.prev(operand)?;
    let twin = last.checked_sub(1).filter(|&at| is_shift(doc, at));
    let operator = at(doc, twin.unwrap_or(last))?;
    ends_operand(doc, doc.prev(operator.tokens.start)?).then_some(operator)
}

/// The binary operator that begins behind an operand whose last token is `operand`.
pub(crate) fn behind<'s>(doc: &Document<'s>, operand: TokenIndex) -> Option<Operator<'s>> {
    at(doc, doc.next(operand)?)
}

/// Whether an operand ends with this token, so that a sign behind it joins two.
pub(crate) fn ends_operand(doc: &Document<'_>, at: TokenIndex) -> bool {
    is_word(doc, at) && !takes_operand(doc.bytes(at)) || matches!(doc.bytes(at), b")" | b"]")
}

/// The tokens of the left operand of an operator that begins at `end`: all that binds as strongly as `level` or more. `None` where
/// that is no expression, or one of more than `OPERANDS`.
pub(crate) fn left_operand(
    doc: &Document<'_>,
    end: TokenIndex,
    level: u8,
) -> Option<Range<TokenIndex>> {
    let mut first = end;
    for _ in 0..OPERANDS {
        first = primary_start(doc, first)?;
        match before(doc, first) {
            Some(operator) if operator.level >= level => first = operator.tokens.start,
            _ => return Some(first..end),
        }
    }
    None
}

/// The tokens of the right operand of an operator whose last token is in front of `start`: all that binds more strongly than `level`.
/// `None` as for `left_operand`.
pub(crate) fn right_operand(
    doc: &Document<'_>,
    start: TokenIndex,
    level: u8,
) -> Option<Range<TokenIndex>> {
    let mut end = start;
    for _ in 0..OPERANDS {
        let last = primary_end(doc, end)?;
        match behind(doc, last) {
            Some(operator) if operator.level > level => end = operator.tokens.end,
            _ => return Some(start..last + 1),
        }
    }
    None
}

/// Where the operand without binary operators begins that ends in front of `end`, its signs included.
fn primary_start(doc: &Document<'_>, end: TokenIndex) -> Option<TokenIndex> {
    let mut first = doc.prev(end)?;
    loop {
        match doc.bytes(first) {
            b")" | b"]" => {
                first = doc.matching_bracket(first)?;
                match doc.prev(first) {
                    // A call, an index, `static_cast<T>(x)`.
                    Some(name) if ends_operand(doc, name) => first = name,
                    Some(angle) if doc.is(angle, ">") && doc.is(first, "(") => {
                        first = doc.prev(angle_open(doc, angle)?)?;
                    }
                    _ => break,
                }
            }
            _ if is_word(doc, first) => match doc.prev(first) {
                Some(joint) if matches!(doc.bytes(joint), b"." | b"->" | b"::") => {
                    first = doc.prev(joint)?;
                }
                _ => break,
            },
            _ => return None,
        }
    }
    while let Some(before) = doc.prev(first) {
        first = match before {
            sign if is_prefix(doc, sign) || doc.is(sign, "sizeof") => sign,
            close if is_cast(doc, close) => doc.matching_bracket(close)?,
            _ => break,
        };
    }
    Some(first)
}

/// The last token of the operand without binary operators that begins at `start`.
pub(crate) fn primary_end(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let at = behind_signs_and_casts(doc, start)?;
    let mut last = match doc.bytes(at) {
        b"(" => doc.matching_bracket(at)?,
        _ if is_word(doc, at) => at,
        _ => return None,
    };
    while let Some(next) = doc.next(last) {
        last = match doc.bytes(next) {
            b"(" | b"[" => doc.matching_bracket(next)?,
            b"." | b"->" | b"::" => doc.next(next)?,
            b"<" => match doc.template_close(next) {
                Some(close) if doc.next_is(close, "(") => close,
                _ => break,
            },
            _ => break,
        };
    }
    Some(last)
}

/// The first token of an operand behind the signs and casts in front of it.
fn behind_signs_and_casts(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let mut at = start;
    loop {
        if matches!(doc.bytes(at), b"-" | b"+" | b"~" | b"!" | b"*" | b"&") {
            at = doc.next(at)?;
            continue;
        }
        let cast = doc.matching_bracket(at).filter(|_| doc.is(at, "("));
        let Some(close) = cast else { return Some(at) };
        let words: Vec<&[u8]> = (at + 1..close).map(|at| doc.bytes(at)).collect();
        match doc.next(close) {
            Some(next) if is_word(doc, next) && !takes_operand(doc.bytes(next)) => at = next,
            // `(int)-x`, `(int)(char)x`: where the type may as well be a value this is a difference or a call.
            Some(next) if Number::of_words(&words).is_some() => at = next,
            _ => return Some(at),
        }
    }
}

/// Whether parentheses that end in front of a word are a cast, and not the condition of a statement.
fn is_cast(doc: &Document<'_>, close: TokenIndex) -> bool {
    let open = doc.matching_bracket(close).filter(|_| doc.is(close, ")"));
    open.is_some_and(|open| {
        doc.prev(open)
            .is_none_or(|word| !takes_condition(doc.bytes(word)))
    })
}

/// Whether a sign stands in front of one operand alone.
pub(crate) fn is_prefix(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(doc.bytes(at), b"-" | b"+" | b"~" | b"!" | b"*" | b"&")
        && doc.prev(at).is_none_or(|before| !ends_operand(doc, before))
}

fn is_word(doc: &Document<'_>, at: TokenIndex) -> bool {
    use TokenKind::{Char, Number, RawStr, Str};
    let token = doc.tokens.get(at);
    let is_literal = token.is_some_and(|it| matches!(it.kind, Number | Str | RawStr | Char));
    is_literal || doc.is_ident(at)
}

/// Whether the first sign of a shift is at a token, or of one that assigns.
pub(crate) fn is_shift(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(doc.bytes(at), b"<" | b">")
        && doc.tokens.len() > at + 1
        && doc.bytes(at + 1) == doc.bytes(at)
        && doc.tokens[at].end() == doc.tokens[at + 1].start
}

fn at<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<Operator<'s>> {
    let level = match doc.bytes(at) {
        b"*" | b"/" | b"%" => 10,
        b"+" | b"-" => 9,
        b"<" | b">" if is_shift(doc, at) => {
            // `<<=` assigns.
            let joined = doc.tokens[at + 1].end();
            let assigns = doc
                .tokens
                .get(at + 2)
                .is_some_and(|next| next.start == joined)
                && doc.is(at + 2, "=");
            return (!assigns).then(|| Operator {
                text: if doc.is(at, "<") { b"<<" } else { b">>" },
                tokens: at..at + 2,
                level: SHIFT,
            });
        }
        b"<" | b">" | b"<=" | b">=" => 7,
        b"==" | b"!=" => 6,
        b"&" => 5,
        b"^" => 4,
        b"|" => 3,
        b"&&" => 2,
        b"||" => LOWEST,
        _ => return None,
    };
    let is_angle = doc.is(at, "<")
        && doc
            .template_close(at)
            .is_some_and(|close| doc.next_is(close, "("));
    (!is_angle).then(|| Operator {
        text: doc.bytes(at),
        tokens: at..at + 1,
        level,
    })
}

#[cfg(test)]
mod tests {
    use super::{LOWEST, before, behind, left_operand, right_operand};
    use crate::syntax::Document;
    use crate::text::SourceFile;

    /// The operands around the operator next to `x`, on the side where it stands.
    fn operands(text: &str) -> (String, String) {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let x = (0..doc.tokens.len())
            .find(|&at| doc.is(at, "x"))
            .expect("an x");
        let shown = |tokens: std::ops::Range<usize>| {
            if tokens.is_empty() {
                return String::new();
            }
            let range = doc.range(tokens.start, tokens.end - 1);
            text[range.start as usize..range.end as usize].to_owned()
        };
        let left = before(&doc, x)
            .and_then(|operator| left_operand(&doc, operator.tokens.start, operator.level));
        let right = behind(&doc, x)
            .and_then(|operator| right_operand(&doc, operator.tokens.end, operator.level));
        let (left, right) = (left.map(shown), right.map(shown));
        (left.unwrap_or_default(), right.unwrap_or_default())
    }

    #[test]
    fn operands_reach_as_far_as_what_binds_as_strongly() {
        let pairs = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        assert_eq!(operands("y = a + b * x;"), pairs("b", ""));
        assert_eq!(operands("y = a * b - x < c + d;"), pairs("a * b", "c + d"));
        assert_eq!(
            operands("y = f(a, b)[i].c << x;"),
            pairs("f(a, b)[i].c", "")
        );
        assert_eq!(
            operands("y = -x + (int)p->q(1) * 2 - 3;"),
            pairs("", "(int)p->q(1) * 2")
        );
        assert_eq!(
            operands("y = x & (int)(signed char)-a[1] & 2;"),
            pairs("", "(int)(signed char)-a[1]")
        );
        assert_eq!(operands("y = x * (b)-1;"), pairs("", "(b)"));
        assert_eq!(
            operands("return -x - static_cast<int>(a) >> 2;"),
            pairs("", "static_cast<int>(a)")
        );
        assert_eq!(operands("a <<= x >>= b;"), pairs("", ""));
        assert_eq!(
            operands("{f(1), (int)(char)b + x}"),
            pairs("(int)(char)b", "")
        );
        assert_eq!(operands("if (a) b + x;"), pairs("b", ""));
        assert_eq!(operands("y = sizeof(T) * x;"), pairs("sizeof(T)", ""));
    }

    #[test]
    fn assignments_and_ends_are_no_operators() {
        let source = SourceFile::new("a.cu", b"a += x, b ? c : d".to_vec());
        let doc = Document::new(&source);
        let x = (0..doc.tokens.len())
            .find(|&at| doc.is(at, "x"))
            .expect("an x");
        assert!(before(&doc, x).is_none() && behind(&doc, x).is_none());
        assert_eq!(LOWEST, 1);
    }
}
