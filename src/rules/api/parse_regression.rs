//! A file whose translation has more syntax errors than its source.
//!
//! ## Why on AMD
//! Where a fix replaces more than names, source and output are parsed and compared. More errors in the output mean that a fix met
//! code it was not made for: a macro that hides half a statement, or an `#if` in the middle of an expression.
//!
//! ## Example
//! ```cuda
//! BEGIN_ASM "mov.u32 %0, %%laneid;" END_ASM(lane)
//! ```
//!
//! ## When to ignore
//! When the place compiles: the grammar does not know every macro.
//!
//! ## Source
//! tree-sitter-cpp, on the masked text of source and output.

use crate::rules::prelude::*;

/// Reports what the parser found.
pub static RULE: Rule = Rule {
    code: "CASS012",
    severity: Severity::Warning,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let &Event::SyntaxErrors { range, extra } = event else {
        return None;
    };
    let errors = if extra == 1 {
        "a syntax error"
    } else {
        "syntax errors"
    };
    let message = format!("the output has {errors} here that the source does not have");
    Some(RULE.finding(range, message).help("compare this place in source and output; suppress the fix at fault with a `cass: ignore` comment and change the code by hand"))
}
