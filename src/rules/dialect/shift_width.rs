//! A shift whose amount can be the width of the value: `mask << (32 - lane)`.
//!
//! ## Why on AMD
//! C++ leaves a shift by the width or more undefined. NVIDIA's `shl` and `shr` clamp the amount, so that all bits go out; AMD's take the
//! amount modulo the width, so that none does: `__popc(mask << (32 - lane))` is 0 in lane 0 on NVIDIA and the whole count on AMD. The same
//! is so of negative amounts, which NVIDIA takes for very large ones.
//!
//! The helper shifts where the amount is below the width and gives what NVIDIA does elsewhere. Where the compiler can prove the amount
//! it leaves the shift alone.
//!
//! ## Example
//! ```cuda
//! int rank = __popc(mask << (32 - lane));
//! ```
//! becomes
//! ```hip
//! int rank = __popc(cass_shl(mask, 32 - lane));
//! ```
//! A rotation, `x << n | x >> (32 - n)`, is the same on both and stays. So do other variable amounts (`1u << bit`): code that gives them
//! the width of the type is rare.
//!
//! With `--strict-math` all variable amounts go through the helper but those of a rotation, which is the same for amounts from 0 to the
//! width; an assignment, `x <<= bit`, becomes `x = cass_shl(x, bit)`. Macros stay as they are.
//!
//! ## When to ignore
//! When the amount is never 0 below the width, so that the shift stays inside the type.
//!
//! ## Source
//! PTX ISA 8.7, shl and shr ("amounts greater than the register width are clamped"); AMD GPU ISA, V_LSHLREV_B32 (bits 4 to 0 of the
//! amount); clang 19, LangRef of LLVM, shl.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::cpp::arithmetic;
use crate::cpp::expressions::{holds_comment, is_pure};
use crate::cpp::lanes::{is_exchange, names_size};
use crate::cpp::operators;
use crate::cpp::windows::DECLARATION;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::Space;
use crate::text::keywords::is_builtin_type;
use crate::text::number::integer;

/// Writes shifts that clamp where the amount is a width less something.
pub static RULE: Rule = Rule {
    code: "CASS127",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let minuses = (0..doc.tokens.len()).filter(|&at| doc.is(at, "-"));
    let less: BTreeMap<TokenIndex, Shift> = minuses
        .filter_map(|at| Shift::less_at(doc, at))
        .map(|shift| (shift.operator, shift))
        .collect();
    for shift in less.values() {
        if is_in_device_code(cx, shift.operator) && !shift.is_rotation(doc) {
            report(cx, shift);
        }
    }
    if cx.options().strict_math {
        check_all(cx, &less);
    }
}

/// All shifts by variable amounts but those by a width less something.
fn check_all(cx: &mut Context<'_, '_>, less: &BTreeMap<TokenIndex, Shift>) {
    let doc = cx.doc;
    // Where calls begin and end. The same edit twice is one, so that of two calls with one end the second waits for the next round.
    let mut ends: BTreeSet<TokenIndex> = less.values().filter_map(Shift::start).collect();
    for first in 0..doc.tokens.len() {
        if !begins_shift(doc, first)
            || less.contains_key(&first)
            || doc.tokens[first].has(flags::DIRECTIVE)
            || !is_in_device_code(cx, first)
            || closes_templates(doc, first)
        {
            continue;
        }
        if let Some(assigned) = Assigned::at(doc, first) {
            if assigned
                .amount
                .as_ref()
                .is_none_or(|it| ends.insert(it.end))
            {
                report_assigned(cx, &assigned);
            }
        } else if let Some(shift) = Shift::variable_at(doc, first)
            && !shift.begins_rotation(doc, less)
            && shift.start().is_none_or(|start| ends.insert(start))
            && ends.insert(shift.end)
        {
            report(cx, &shift);
        }
    }
}

/// Whether a shift begins, or one that assigns.
fn begins_shift(doc: &Document<'_>, first: TokenIndex) -> bool {
    let signs = (
        doc.bytes(first),
        doc.next(first).map(|next| doc.bytes(next)),
    );
    let assigns = matches!(signs, (b"<", Some(b"<=")) | (b">", Some(b">=")))
        && doc.tokens[first].end() == doc.tokens[first + 1].start;
    assigns || operators::is_shift(doc, first)
}

/// Whether two signs `>` are the ends of two lists of template arguments.
fn closes_templates(doc: &Document<'_>, first: TokenIndex) -> bool {
    let mut before = first.saturating_sub(DECLARATION)..first;
    doc.is(first, ">")
        && before.any(|at| doc.is(at, "<") && doc.template_close(at) == Some(first + 1))
}

/// A shift that assigns: `mask >>= bit`.
struct Assigned {
    /// The first of the signs.
    operator: TokenIndex,
    /// What is shifted.
    value: Range<TokenIndex>,
    /// By how much, where an expression without `?:` tells it.
    amount: Option<Range<TokenIndex>>,
}

impl Assigned {
    fn at(doc: &Document<'_>, first: TokenIndex) -> Option<Self> {
        let is_joined = |at: TokenIndex| doc.tokens[at].end() == doc.tokens[at + 1].start;
        let start = match doc.bytes(first + 1) {
            b"<=" | b">=" => first + 2,
            _ if doc.next_is(first + 1, "=") && is_joined(first + 1) => first + 3,
            _ => return None,
        };
        let value = operators::left_operand(doc, first, operators::ALONE)?;
        let amount = operators::right_operand(doc, start, operators::LOWEST - 1);
        let ends = |amount: &Range<TokenIndex>| {
            doc.tokens.len() == amount.end || matches!(doc.bytes(amount.end), b";" | b")" | b",")
        };
        Some(Self {
            operator: first,
            value,
            amount: amount.filter(ends),
        })
    }
}

/// Writes `x = cass_shl(x, n)` for `x <<= n`, where naming `x` twice does nothing twice.
fn report_assigned(cx: &mut Context<'_, '_>, assigned: &Assigned) {
    let doc = cx.doc;
    let amount = assigned.amount.clone();
    if amount.clone().is_some_and(|amount| is_fixed(doc, amount)) {
        return;
    }
    let last = amount.as_ref().map_or(assigned.operator, |it| it.end - 1);
    let value = doc.range(assigned.value.start, assigned.value.end - 1);
    let finding = RULE.finding(
        doc.range(assigned.operator, last),
        "a shift by the width of the type or more gives 0 on NVIDIA and the amount's lower bits count on AMD",
    );
    let is_plain = is_pure(doc, assigned.value.clone())
        && !holds_comment(doc, value.start, doc.tokens[last].end());
    let finding = match amount.filter(|_| is_plain && cx.options().compat != CompatMode::None) {
        Some(amount) => {
            let helper = helper_of(doc, assigned.operator);
            let amount = doc.range(amount.start, amount.end - 1);
            let text = cx.text_of(value).into_owned();
            finding.helper(helper).fix(Fix::safe(vec![
                Edit::replace(
                    TextRange::new(value.end, amount.start),
                    format!(" = {helper}({text}, "),
                ),
                closing(doc, last),
            ]))
        }
        None => finding
            .severity(Severity::Warning)
            .help("write the assignment and the shift apart, or make sure that the amount stays below the width"),
    };
    cx.report(finding);
}

/// The parenthesis behind a token, as part of the token: another rule may insert one behind it as well.
fn closing(doc: &Document<'_>, last: TokenIndex) -> Edit {
    let text = String::from_utf8_lossy(doc.bytes(last));
    Edit::replace(doc.range(last, last), format!("{text})"))
}

fn helper_of(doc: &Document<'_>, operator: TokenIndex) -> &'static str {
    match doc.is(operator, "<") {
        true => "cass_shl",
        false => "cass_shr",
    }
}

/// Whether an amount is a constant that the file shows, or taken modulo one: `3`, `BITS` of a macro, `lane & 31`, `i % 8`.
fn is_fixed(doc: &Document<'_>, amount: Range<TokenIndex>) -> bool {
    let is_constant = arithmetic::value(doc, amount.clone()).is_some_and(|value| !value.varies);
    let bounds = |at: TokenIndex| {
        let number = doc.next(at).filter(|next| amount.contains(next));
        let limit = number.and_then(|next| integer(doc.bytes(next)));
        match doc.bytes(at) {
            b"&" => limit.is_some_and(|limit| limit < 64),
            b"%" => limit.is_some_and(|limit| limit <= 64),
            _ => false,
        }
    };
    is_constant || amount.clone().any(bounds)
}

fn report(cx: &mut Context<'_, '_>, shift: &Shift) {
    let doc = cx.doc;
    let whole = doc.range(shift.operator, shift.amount.end - 1);
    let finding = RULE.finding(
        whole,
        "a shift by the width of the type gives 0 on NVIDIA and the value itself on AMD",
    );
    let value = shift.value.clone().filter(|value| {
        let from = doc.tokens[value.start].start;
        !doc.tokens[shift.operator].has(flags::DIRECTIVE) && !holds_comment(doc, from, whole.end)
    });
    let finding = match value.filter(|_| cx.options().compat != CompatMode::None) {
        Some(value) => {
            let helper = helper_of(doc, shift.operator);
            let before = doc.tokens[value.start].start;
            let behind = doc.range(value.start, value.end - 1).end;
            let amount = doc.range(shift.amount.start, shift.amount.end - 1);
            let mut edits = vec![
                Edit::insert(before, format!("{helper}(")),
                Edit::replace(TextRange::new(behind, amount.start), ", "),
            ];
            // The parenthesis behind an amount in parentheses closes the call.
            if shift.end == shift.amount.end {
                edits.push(closing(doc, shift.end - 1));
            }
            finding.helper(helper).fix(Fix::safe(edits))
        }
        None => finding.severity(Severity::Warning).help(
            "make sure that the amount stays below the width, or write the mask of the lower bits: `mask & ((1u << lane) - 1)`",
        ),
    };
    cx.report(finding);
}

/// Whether a function of the device, or a macro that is plainly for it, shifts.
fn is_in_device_code(cx: &Context<'_, '_>, operator: TokenIndex) -> bool {
    let doc = cx.doc;
    if doc.vendor_at(doc.tokens[operator].start) != Vendor::Any {
        return false;
    }
    if let Some(directive) = doc.directive_of(operator) {
        let mut tokens = doc.directives[directive].tokens.clone();
        return tokens.any(|at| {
            let word = doc.bytes(at);
            is_exchange(word) || matches!(word, b"__popc" | b"__ffs" | b"__clz" | b"threadIdx")
        });
    }
    let function = doc.scopes().enclosing(operator);
    function.is_some_and(|function| function.space != Space::Host)
}

/// A shift by the width of a type less something.
struct Shift {
    /// The first of the two signs.
    operator: TokenIndex,
    /// What is shifted, where its tokens can be told.
    value: Option<Range<TokenIndex>>,
    /// By how much, without the parentheses around all of it.
    amount: Range<TokenIndex>,
    /// What stands with the operator, parentheses included.
    end: TokenIndex,
    /// What the width is lessened by.
    less: Range<TokenIndex>,
}

impl Shift {
    /// The shift whose amount is the width of a type less what stands behind the sign at `minus`.
    fn less_at(doc: &Document<'_>, minus: TokenIndex) -> Option<Self> {
        let at = doc.prev(minus)?;
        let is_width = match doc.tokens[at].kind {
            TokenKind::Number => matches!(integer(doc.bytes(at)), Some(32 | 64)),
            TokenKind::Ident => names_size(doc.bytes(at)),
            _ => false,
        };
        if !is_width {
            return None;
        }
        let before = doc.prev(at)?;
        let (operator_end, amount, end) = if doc.is(before, "(") {
            let close = doc.matching_bracket(before)?;
            (doc.prev(before)?, at..close, close + 1)
        } else {
            let amount = operators::right_operand(doc, at, operators::SHIFT)?;
            let end = amount.end;
            (before, amount, end)
        };
        let operator = doc.prev(operator_end)?;
        let signs = (doc.bytes(operator), doc.bytes(operator_end));
        let is_shift = matches!(signs, (b"<", b"<") | (b">", b">"))
            && doc.tokens[operator].end() == doc.tokens[operator_end].start;
        let less = minus + 1..amount.end;
        if !is_shift || less.is_empty() || is_bounded(doc, &amount, &less) {
            return None;
        }
        let value = operators::left_operand(doc, operator, operators::SHIFT);
        Some(Self {
            operator,
            value,
            amount,
            end,
            less,
        })
    }

    /// The shift whose signs begin at `first`, where its amount is neither a constant nor bounded by one.
    fn variable_at(doc: &Document<'_>, first: TokenIndex) -> Option<Self> {
        let operator = operators::behind(doc, doc.prev(first)?)?;
        if operator.tokens != (first..first + 2) {
            return None;
        }
        let value = operators::left_operand(doc, first, operators::SHIFT)?;
        let start = doc.next(first + 1)?;
        let amount = operators::right_operand(doc, start, operators::SHIFT)?;
        let end = amount.end;
        if is_builtin_type(doc.bytes(value.end - 1)) || is_fixed(doc, amount.clone()) {
            return None;
        }
        Some(Self {
            operator: first,
            value: Some(value),
            amount: bare(doc, amount),
            end,
            less: 0..0,
        })
    }

    /// Whether it is the half of a rotation by the amount itself, next to the one by the width less it.
    fn begins_rotation(&self, doc: &Document<'_>, less: &BTreeMap<TokenIndex, Self>) -> bool {
        let from = self.operator.saturating_sub(DECLARATION);
        let near = less.range(from..self.operator + DECLARATION);
        let mut near = near.map(|(_, shift)| shift);
        near.any(|other| {
            same(doc, other.less.clone(), self.amount.clone()) && other.is_rotation(doc)
        })
    }

    /// Where the call that takes its place begins.
    fn start(&self) -> Option<TokenIndex> {
        self.value.as_ref().map(|value| value.start)
    }

    /// `x << n | x >> (32 - n)`: where `n` is 0 both halves are `x`, or one is 0, and the result is `x` either way.
    fn is_rotation(&self, doc: &Document<'_>) -> bool {
        let Some(value) = self.value.clone() else {
            return false;
        };
        let (mut first, mut last) = (value.start, self.end - 1);
        while let Some(open) = doc.prev(first).filter(|&open| doc.is(open, "(")) {
            let Some(close) = doc
                .next(last)
                .filter(|&close| doc.matching_bracket(open) == Some(close))
            else {
                break;
            };
            (first, last) = (open, close);
        }
        let is_joined = doc.prev(first).is_some_and(|at| doc.is(at, "|"))
            || doc.next(last).is_some_and(|at| doc.is(at, "|"));
        if !is_joined {
            return false;
        }
        // The other half is near: a rotation is one expression.
        let sign = if doc.is(self.operator, "<") { ">" } else { "<" };
        let ends = |at: &TokenIndex| !matches!(doc.bytes(*at), b";" | b"{" | b"}");
        let before = (first.saturating_sub(DECLARATION)..first)
            .rev()
            .take_while(ends);
        let behind = (last + 1..(last + DECLARATION).min(doc.tokens.len())).take_while(ends);
        let mut signs = before
            .chain(behind)
            .filter(|&at| doc.is(at, sign) && doc.next_is(at, sign));
        signs.any(|at| {
            let amount = operators::right_operand(doc, at + 2, operators::SHIFT);
            let shifted = operators::left_operand(doc, at, operators::SHIFT);
            amount.is_some_and(|amount| same(doc, amount, self.less.clone()))
                && shifted.is_some_and(|shifted| same(doc, shifted, value.clone()))
        })
    }
}

/// Whether two expressions read the same, without parentheses around all of them.
fn same(doc: &Document<'_>, a: Range<TokenIndex>, b: Range<TokenIndex>) -> bool {
    let (a, b) = (bare(doc, a), bare(doc, b));
    a.len() == b.len() && a.zip(b).all(|(a, b)| doc.bytes(a) == doc.bytes(b))
}

/// Tokens without parentheses around all of them.
fn bare(doc: &Document<'_>, mut tokens: Range<TokenIndex>) -> Range<TokenIndex> {
    while tokens.len() >= 2
        && doc.is(tokens.start, "(")
        && doc.matching_bracket(tokens.start) == Some(tokens.end - 1)
    {
        tokens = tokens.start + 1..tokens.end - 1;
    }
    tokens
}

/// Whether the amount is a constant, taken modulo something, or surely below the width: `32 - 5`, `(32 - n) & 31`, `32 - (n + 1)`.
fn is_bounded(doc: &Document<'_>, amount: &Range<TokenIndex>, less: &Range<TokenIndex>) -> bool {
    let is_constant = less
        .clone()
        .all(|at| !doc.is_ident(at) || !doc.bytes(at).iter().any(u8::is_ascii_lowercase));
    let is_masked = amount
        .clone()
        .any(|at| matches!(doc.bytes(at), b"&" | b"%" | b"?"));
    let adds = less.clone().any(|at| {
        doc.is(at, "+")
            && doc.next(at).is_some_and(|next| {
                doc.tokens[next].kind == TokenKind::Number && integer(doc.bytes(next)) > Some(0)
            })
    });
    let takes = less.clone().any(|at| {
        doc.is(at, "-")
            && doc
                .next(at)
                .is_some_and(|next| doc.tokens[next].kind == TokenKind::Number)
    });
    is_constant || is_masked || adds || takes
}
