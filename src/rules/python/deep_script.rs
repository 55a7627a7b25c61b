//! A script of Python that is indented too deep to be read.
//!
//! ## Why on AMD
//! Python ends a file at 100 levels with "IndentationError: too many levels of indentation". What is indented more than 200 levels is not
//! read here either, so that what it says of CUDA stays as it is.
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
//! CPython, Parser/lexer/state.h, `MAXINDENT`.

use crate::rules::prelude::*;

/// Reports scripts that were not read.
pub static RULE: Rule = Rule {
    code: "CASS691",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if let Some(line) = cx.too_deep() {
        let finding = RULE
            .finding(
                line,
                "not translated: too many levels of indentation, Python reads up to 100",
            )
            .help("move the inner blocks into functions");
        cx.report(finding);
    }
}
