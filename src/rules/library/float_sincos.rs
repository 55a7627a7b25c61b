//! `sincos` or `sincospi` with results of type `float`.
//!
//! ## Why on AMD
//! CUDA has both for `double` and, in C++, for `float`. HIP has the ones for `double` alone and calls the others `sincosf` and
//! `sincospif`: pointers to `float` do not turn into pointers to `double`.
//!
//! ## Example
//! ```cuda
//! float s, c;
//! sincos(angle, &s, &c);
//! ```
//! becomes
//! ```hip
//! float s, c;
//! sincosf(angle, &s, &c);
//! ```
//!
//! ## When to ignore
//! Never; results whose types are not in sight are left alone.
//!
//! ## Source
//! `crt/math_functions.h` of CUDA 13.0; clang 19: "no matching function for call to 'sincos'".

use std::ops::Range;

use crate::cpp::arithmetic::element;
use crate::cpp::declarations::{declared, pointee};
use crate::cpp::names::{is_members_name, is_qualified};
use crate::rules::prelude::*;

/// Calls the function of the name that C has.
pub static RULE: Rule = Rule {
    code: "CASS516",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["sincos", "sincospi"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let word = cx.doc.bytes(index);
    let is_pi = word == b"sincospi";
    if is_members_name(cx.doc, index)
        || is_qualified(cx.doc, index)
        || cx.is_own(word)
        || is_pi && !cx.may_be_device(index)
    {
        return;
    }
    let call = cx.doc.call(index).filter(|call| call.arguments.len() == 3);
    let of_float =
        |position: usize, call: &Call| is_float(cx.doc, call.arguments[position].clone());
    if call.is_some_and(|call| of_float(1, &call) && of_float(2, &call)) {
        let name = if is_pi { "sincospif" } else { "sincosf" };
        let message = format!(
            "`{}` with `float` arguments is `{name}` in HIP",
            cx.text(index)
        );
        let fix = Fix::safe(vec![Edit::replace(cx.range(index), name)]);
        cx.report(RULE.finding(cx.range(index), message).fix(fix));
    }
}

/// Whether an argument points to a `float`: `&s`, `p`, `p + 1`, `&p[i]`, `&v.x`.
fn is_float(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let is_component =
        tokens.len() == 4 && doc.is(tokens.start, "&") && doc.is(tokens.start + 2, ".");
    if is_component {
        let vector = declared(doc, tokens.start + 1).filter(|found| found.pointers == 0);
        let elements = vector.and_then(|found| found.words.iter().find_map(|word| element(word)));
        return elements.is_some_and(|(_, name)| name == "float");
    }
    pointee(doc, tokens).is_some_and(|words| words.contains(&&b"float"[..]))
}
