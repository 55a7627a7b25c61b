//! A count of bits that HIP returns unsigned, where its sign shows.
//!
//! ## Why on AMD
//! `__popc` and `__popcll` return `int` in CUDA and `unsigned int` in HIP. What is taken from a count is then never negative:
//! `(float)(n - 2 * __popc(x))` is 4294967294.0 in HIP where CUDA has -2.0, `i < __popc(mask) - 1` holds for an empty mask, and a sum of
//! signed numbers divided by a count wraps. The other way round, `__umul24` returns `unsigned int` in CUDA and `int` in HIP.
//!
//! A cast gives CUDA's type. It is written only where the difference can show: a conversion to a longer or a floating type, a
//! comparison, a division, a list in braces, `auto`. Where the result goes into 32 bits by sums, products and masks it stays away.
//!
//! ## Example
//! ```cuda
//! float sum = n - 2 * __popc(a ^ b);
//! ```
//! becomes
//! ```hip
//! float sum = n - 2 * (int)__popc(a ^ b);
//! ```
//!
//! ## When to ignore
//! Never; both compilers read the cast.
//!
//! ## Source
//! `crt/device_functions.h` of CUDA 13.0; `amd_detail/amd_device_functions.h` of ROCm 6.4. Of 985 overloads whose types were compared
//! with both compilers these and `__fns` are the integer functions that differ.

use std::ops::Range;

use crate::cpp::arithmetic::{Number, value};
use crate::cpp::declarations::{angle_open, declaration, declared, pointee};
use crate::cpp::names::{is_members_name, is_qualified};
use crate::cpp::operators::{self, OPERANDS, Operator};
use crate::rules::prelude::*;
use crate::text::keywords::{is_qualifier, takes_condition};
use crate::text::number::integer;

/// Casts the count to the type that CUDA returns.
pub static RULE: Rule = Rule {
    code: "CASS128",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__popc", "__popcll", "__umul24"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if is_members_name(doc, index) || is_qualified(doc, index) || cx.is_own(doc.bytes(index)) {
        return;
    }
    let Some(close) = doc.next(index).filter(|&open| doc.is(open, "(")) else {
        return;
    };
    let Some(close) = doc.matching_bracket(close) else {
        return;
    };
    // A count is at most 64; a product of 24 bits fills all 32.
    let (ty, fills) = match doc.bytes(index) {
        b"__umul24" => ("unsigned int", true),
        _ => ("int", false),
    };
    let result = Result {
        tokens: index..close + 1,
        differs: fills,
    };
    if !is_cast_to(doc, index, ty) && result.shows_sign(doc) {
        let other = if fills { "int" } else { "unsigned int" };
        let name = cx.text(index);
        let message =
            format!("`{name}` returns `{ty}` in CUDA and `{other}` in HIP, and here it shows");
        let fix = Fix::safe(vec![Edit::insert(cx.range(index).start, format!("({ty})"))]);
        cx.report(RULE.finding(cx.range(index), message).fix(fix));
    }
}

/// Whether a cast to a type stands right in front of a call: what follows may be no operand that is known, as `a * *p` is not.
fn is_cast_to(doc: &Document<'_>, name: TokenIndex, ty: &str) -> bool {
    let cast = format!("({ty})");
    let start = doc.range(name, name).start as usize;
    let before = &doc.source.bytes[..start];
    before.trim_ascii_end().ends_with(cast.as_bytes())
}

/// An expression of 32 bits that is signed on one side and unsigned on the other.
struct Result {
    tokens: Range<TokenIndex>,
    /// Whether both read its bits as different numbers: it may be negative, or too large for an `int`.
    differs: bool,
}

/// What an operator makes of such an expression.
enum Step {
    /// The whole is such an expression again.
    Goes,
    /// Both sides have the same from here on, or not.
    Ends(bool),
}

impl Result {
    /// Whether what becomes of the expression depends on its sign.
    fn shows_sign(mut self, doc: &Document<'_>) -> bool {
        for _ in 0..OPERANDS {
            match self.grow(doc) {
                Step::Goes => {}
                Step::Ends(shows) => return shows,
            }
        }
        self.differs
    }

    /// Takes in what is around the expression.
    fn grow(&mut self, doc: &Document<'_>) -> Step {
        let (first, last) = (self.tokens.start, self.tokens.end - 1);
        let (Some(before), Some(behind)) = (doc.prev(first), doc.next(last)) else {
            return Step::Ends(self.differs);
        };
        if operators::is_prefix(doc, before) {
            return self.signed(doc, before);
        }
        if let Some(ty) = cast_before(doc, before) {
            return Step::Ends(self.differs && ty.is_none_or(is_wider));
        }
        let left = operators::before(doc, first);
        let right = operators::behind(doc, last);
        let level = |operator: &Option<Operator<'_>>| operator.as_ref().map_or(0, |one| one.level);
        let takes_left = level(&left) >= level(&right);
        match if takes_left { left } else { right } {
            Some(operator) => self.joined(doc, &operator, takes_left),
            None => self.ended(doc, before, behind),
        }
    }

    /// Takes in a sign in front.
    fn signed(&mut self, doc: &Document<'_>, sign: TokenIndex) -> Step {
        self.tokens.start = sign;
        match doc.bytes(sign) {
            b"!" => return Step::Ends(false),
            b"-" | b"~" => self.differs = true,
            _ => {}
        }
        Step::Goes
    }

    /// Takes in a binary operator with its other operand, which stands on the left or on the right.
    fn joined(&mut self, doc: &Document<'_>, operator: &Operator<'_>, on_left: bool) -> Step {
        let Range { start, end } = operator.tokens;
        let other = if on_left {
            operators::left_operand(doc, start, operator.level)
        } else {
            operators::right_operand(doc, end, operator.level)
        };
        let Some(other) = other else {
            return Step::Ends(true);
        };
        let is_small = is_number(doc, &other);
        match value(doc, other.clone()).map(|value| value.ty) {
            // What is shifted decides the type, the amount does not.
            _ if operator.level == operators::SHIFT && on_left => return Step::Ends(false),
            _ if operator.text == b">>" => {
                if self.differs {
                    return Step::Ends(true);
                }
            }
            _ if operator.text == b"<<" => self.differs |= !is_small,
            Some(ty) if ty.is_float || ty.bits > 32 => return Step::Ends(self.differs),
            // CUDA computes without a sign as well.
            Some(ty) if !ty.is_signed && ty.bits == 32 => return Step::Ends(false),
            _ => match operator.text {
                b"+" | b"*" | b"|" | b"^" => self.differs |= !is_small,
                b"-" => self.differs = true,
                b"&" => {}
                b"/" | b"%" | b"<" | b">" | b"<=" | b">=" if self.differs || !is_small => {
                    return Step::Ends(true);
                }
                b"/" | b"%" => {}
                _ => return Step::Ends(false),
            },
        }
        if on_left {
            self.tokens.start = other.start;
        } else {
            self.tokens.end = other.end;
        }
        Step::Goes
    }

    /// Looks at what stands around a whole expression.
    fn ended(&mut self, doc: &Document<'_>, before: TokenIndex, behind: TokenIndex) -> Step {
        match (doc.bytes(before), doc.bytes(behind)) {
            (b"(", b")") => self.in_parentheses(doc, before, behind),
            (_, b"?") | (b";" | b"}", _) => Step::Ends(false),
            (b"?", b":") => self.chosen(doc, behind + 1, None),
            (b":", _) => self.chosen(doc, 0, Some(before)),
            (b"=", _) => Step::Ends(self.is_kept(doc, before)),
            (b"*=" | b"+=" | b"-=", _) => Step::Ends(self.differs && !is_short(doc, before)),
            (b"/=" | b"%=", _) => Step::Ends(!is_unsigned(doc, before)),
            (b"return", _) => Step::Ends(self.is_returned(doc, before)),
            (b"{", b";") => Step::Ends(false),
            (b"{", _) => Step::Ends(true),
            (b"(" | b",", _) => Step::Ends(self.is_argument(doc, before)),
            _ => Step::Ends(self.differs),
        }
    }

    /// Parentheses: around the expression, of a call with one argument, of a condition.
    fn in_parentheses(&mut self, doc: &Document<'_>, open: TokenIndex, close: TokenIndex) -> Step {
        let Some(name) = doc.prev(open) else {
            return Step::Ends(self.differs);
        };
        let word = doc.bytes(name);
        if takes_condition(word) || word == b"sizeof" {
            return Step::Ends(false);
        }
        if word == b">"
            && let Some(angle) = angle_open(doc, name)
        {
            let words: Vec<&[u8]> = (angle + 1..name).map(|at| doc.bytes(at)).collect();
            return Step::Ends(self.differs && Number::of_words(&words).is_none_or(is_wider));
        }
        if doc.is_ident(name) && operators::ends_operand(doc, name) {
            let wider = Number::of_words(&[word]).is_none_or(is_wider);
            return Step::Ends(wider && self.is_argument(doc, open));
        }
        self.tokens = open..close + 1;
        Step::Goes
    }

    /// `c ? this : other` or `c ? other : this`: where the other is signed, the whole is in CUDA and is not in HIP.
    fn chosen(&mut self, doc: &Document<'_>, other: TokenIndex, colon: Option<TokenIndex>) -> Step {
        let middle = |colon| operators::left_operand(doc, colon, operators::LOWEST);
        let (other, question) = match colon {
            None => (
                operators::right_operand(doc, other, 0),
                doc.prev(self.tokens.start),
            ),
            Some(colon) => {
                let middle = middle(colon);
                let question = middle.clone().and_then(|middle| doc.prev(middle.start));
                (middle, question)
            }
        };
        let (Some(other), Some(question)) = (other, question.filter(|&at| doc.is(at, "?"))) else {
            return Step::Ends(self.differs);
        };
        self.differs |= !is_number(doc, &other);
        let Some(condition) = operators::left_operand(doc, question, operators::LOWEST) else {
            return Step::Ends(self.differs);
        };
        self.tokens = condition.start..self.tokens.end.max(other.end);
        Step::Goes
    }

    /// Whether the variable in front of `=` keeps the sign.
    fn is_kept(&self, doc: &Document<'_>, equals: TokenIndex) -> bool {
        let is_auto = || {
            let name = doc.prev(equals)?;
            let found = declaration(doc, name).or_else(|| declared(doc, name))?;
            Some(found.words.contains(&&b"auto"[..]))
        };
        self.differs && !is_short(doc, equals) || is_auto() == Some(true)
    }

    /// Whether the function's result keeps the sign.
    fn is_returned(&self, doc: &Document<'_>, at: TokenIndex) -> bool {
        let function = doc.scopes().enclosing(at);
        let Some(name) = function.and_then(|function| function.name) else {
            return true;
        };
        let head = function.map_or(0..0, |function| function.head.start..name);
        let words = head.map(|at| doc.bytes(at));
        let words: Vec<&[u8]> = words
            .filter(|word| !is_qualifier(word) && !word.starts_with(b"__"))
            .collect();
        words.contains(&&b"auto"[..])
            || self.differs && Number::of_words(&words).is_none_or(is_wider)
    }

    /// Whether the argument of a call keeps the sign; `before` is the `(` or `,` in front.
    fn is_argument(&self, doc: &Document<'_>, before: TokenIndex) -> bool {
        let (mut open, mut first) = (before, None);
        for _ in 0..OPERANDS {
            if !doc.is(open, ",") {
                break;
            }
            let Some(other) = operators::left_operand(doc, open, 0) else {
                return self.differs;
            };
            match doc.prev(other.start) {
                Some(before) => (open, first) = (before, Some(other)),
                None => return self.differs,
            }
        }
        let name = doc.prev(open).map_or(&b""[..], |name| doc.bytes(name));
        match (doc.bytes(open), name) {
            (b"{", _) => true,
            // Two types make it the `min` of doubles, or none at all; the dot products are overloaded by sign.
            (b"(", b"min" | b"max" | b"abs" | b"__dp4a" | b"__dp2a_lo" | b"__dp2a_hi") => true,
            (b"(", b"printf") => false,
            // Our helpers take amounts as `int`.
            (b"(", name) if name.starts_with(b"cass_") => false,
            (b"(", name) if name.starts_with(b"atomic") => {
                let memory = first.and_then(|first| pointee(doc, first));
                let ty = memory.and_then(|words| Number::of_words(&words));
                self.differs && ty.is_none_or(is_wider)
            }
            _ => self.differs,
        }
    }
}

/// The type of a cast that ends at `close`, `None` within where its name is not known here; `None` where this is no cast.
fn cast_before(doc: &Document<'_>, close: TokenIndex) -> Option<Option<Number>> {
    let open = doc.matching_bracket(close).filter(|_| doc.is(close, ")"))?;
    let calls = doc
        .prev(open)
        .is_some_and(|name| operators::ends_operand(doc, name) || takes_condition(doc.bytes(name)));
    let words: Vec<&[u8]> = (open + 1..close).map(|at| doc.bytes(at)).collect();
    (!calls).then(|| Number::of_words(&words))
}

/// Whether a type of a result or variable holds more than 32 bits of an integer, so that the sign shows in it.
fn is_wider(ty: Number) -> bool {
    ty.is_float || ty.bits > 32
}

/// Whether what stands in front of an assignment is an integer of at most 32 bits.
fn is_short(doc: &Document<'_>, assigns: TokenIndex) -> bool {
    target(doc, assigns).is_some_and(|ty| !is_wider(ty))
}

/// Whether dividing it by a count is the same on both sides: it has no sign, or is a floating number.
fn is_unsigned(doc: &Document<'_>, assigns: TokenIndex) -> bool {
    target(doc, assigns).is_some_and(|ty| ty.is_float || !ty.is_signed || ty.bits > 32)
}

/// The type of what stands in front of an assignment, a new variable or one that is there.
fn target(doc: &Document<'_>, assigns: TokenIndex) -> Option<Number> {
    let name = doc.prev(assigns)?;
    if let Some(new) = declaration(doc, name).filter(|new| new.pointers == 0) {
        return Number::of_words(&new.words);
    }
    let tokens = operators::left_operand(doc, assigns, u8::MAX)?;
    value(doc, tokens).map(|value| value.ty)
}

/// Whether an operand is one number, and not negative.
fn is_number(doc: &Document<'_>, tokens: &Range<TokenIndex>) -> bool {
    tokens.len() == 1 && integer(doc.bytes(tokens.start)).is_some()
}
