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
//! ## When to ignore
//! When the amount is never 0 below the width, so that the shift stays inside the type.
//!
//! ## Source
//! PTX ISA 8.7, shl and shr ("amounts greater than the register width are clamped"); AMD GPU ISA, V_LSHLREV_B32 (bits 4 to 0 of the
//! amount); clang 19, LangRef of LLVM, shl.

use std::ops::Range;

use crate::cpp::expressions::holds_comment;
use crate::cpp::lanes::{is_exchange, names_size};
use crate::cpp::operators;
use crate::cpp::windows::DECLARATION;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::Space;
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
    for minus in 0..doc.tokens.len() {
        if doc.is(minus, "-")
            && let Some(shift) = Shift::less_at(doc, minus)
            && is_in_device_code(cx, &shift)
            && !shift.is_rotation(doc)
        {
            report(cx, &shift);
        }
    }
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
            let helper = if doc.is(shift.operator, "<") { "cass_shl" } else { "cass_shr" };
            let before = doc.tokens[value.start].start;
            let behind = doc.range(value.start, value.end - 1).end;
            let amount = doc.range(shift.amount.start, shift.amount.end - 1);
            let mut edits = vec![
                Edit::insert(before, format!("{helper}(")),
                Edit::replace(TextRange::new(behind, amount.start), ", "),
            ];
            // The parenthesis behind an amount in parentheses closes the call.
            if shift.end == shift.amount.end {
                edits.push(Edit::insert(amount.end, ")"));
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
fn is_in_device_code(cx: &Context<'_, '_>, shift: &Shift) -> bool {
    let doc = cx.doc;
    if doc.vendor_at(doc.tokens[shift.operator].start) != Vendor::Any {
        return false;
    }
    if let Some(directive) = doc.directive_of(shift.operator) {
        let mut tokens = doc.directives[directive].tokens.clone();
        return tokens.any(|at| {
            let word = doc.bytes(at);
            is_exchange(word) || matches!(word, b"__popc" | b"__ffs" | b"__clz" | b"threadIdx")
        });
    }
    let function = doc.scopes().enclosing(shift.operator);
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
            let same = |a: Range<TokenIndex>, b: Range<TokenIndex>| {
                let (a, b) = (bare(doc, a), bare(doc, b));
                a.len() == b.len() && a.zip(b).all(|(a, b)| doc.bytes(a) == doc.bytes(b))
            };
            amount.is_some_and(|amount| same(amount, self.less.clone()))
                && shifted.is_some_and(|shifted| same(shifted, value.clone()))
        })
    }
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
