//! A script of Python that is nested too deep to be read.
//!
//! ## Why on AMD
//! Python ends a file at 100 levels with "IndentationError: too many levels of indentation". What is indented more than 200 levels is not
//! read here either, so that what it says of CUDA stays as it is. The same holds of more than 150 f-strings within each other.
//!
//! ## Example
//! ```python
//! if a:
//!  if a:
//!   if a:  # and so on, 201 levels
//! ```
//!
//! ## When to ignore
//! When nobody runs the file.
//!
//! ## Source
//! CPython, Parser/lexer/state.h, `MAXINDENT` and `MAXFSTRINGLEVEL`.

use crate::python::Levels;
use crate::rules::prelude::*;

/// Reports scripts that were not read.
pub static RULE: Rule = Rule {
    code: "CASS691",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let Some((place, levels)) = cx.too_deep() else {
        return;
    };
    let (message, help) = match levels {
        Levels::Indents => (
            "not translated: too many levels of indentation, Python reads up to 100",
            "move the inner blocks into functions",
        ),
        Levels::Strings => (
            "not translated: too many f-strings within each other, Python reads up to 150",
            "put the inner texts into variables",
        ),
    };
    cx.report(RULE.finding(place, message).help(help));
}
