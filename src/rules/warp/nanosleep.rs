//! A thread that sleeps for some nanoseconds.
//!
//! ## Why on AMD
//! HIP has no `__nanosleep`. The hardware's `s_sleep` counts units of 64 clocks and takes a constant; the helper repeats it.
//!
//! ## Example
//! ```cuda
//! __nanosleep(100);
//! ```
//! becomes
//! ```hip
//! cass_nanosleep(100);
//! ```
//! With `--compat none` it becomes the shortest sleep, `__builtin_amdgcn_s_sleep(1)`, to be reviewed.
//!
//! ## When to ignore
//! Never. Durations are approximate on both vendors.
//!
//! ## Source
//! CUDA C++ Programming Guide, nanosleep function; AMD GPU instruction set, `S_SLEEP`.

use crate::cpp::calls::trusted_call;
use crate::cpp::expressions::is_pure;
use crate::cpp::names::is_for_preprocessor;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Replaces `__nanosleep`.
pub static RULE: Rule = Rule {
    code: "CASS203",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Claimed(&["__nanosleep"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) || is_for_preprocessor(cx.doc, index) {
        return;
    }
    let finding = if cx.options().compat == CompatMode::None {
        shortest(cx, index)
    } else {
        RULE.finding(cx.range(index), "`__nanosleep` becomes `cass_nanosleep`")
            .helper("cass_nanosleep")
            .fix(Fix::safe(vec![Edit::replace(
                cx.range(index),
                "cass_nanosleep",
            )]))
    };
    cx.report(finding);
}

fn shortest(cx: &Context<'_, '_>, index: TokenIndex) -> Finding {
    let finding = RULE
        .finding(cx.range(index), "`__nanosleep` becomes a sleep of 64 clocks")
        .severity(Severity::Warning)
        .help("choose the constant of `__builtin_amdgcn_s_sleep` for this loop: it counts units of 64 clocks up to 127");
    let pure = trusted_call(cx.doc, index)
        .filter(|call| call.arguments.len() == 1 && is_pure(cx.doc, call.arguments[0].clone()));
    match pure {
        Some(call) => finding.fix(Fix::review(vec![Edit::replace(
            call.range(cx.doc),
            "__builtin_amdgcn_s_sleep(1)",
        )])),
        None => finding.severity(Severity::Error),
    }
}
