//! How many arguments a parameter list takes.

use crate::syntax::{Document, TokenIndex};

/// Fewest and most arguments that a parameter list takes.
pub(super) fn arity(
    document: &Document<'_>,
    parameters: &[std::ops::Range<TokenIndex>],
) -> (usize, usize) {
    let is_void = |range: &std::ops::Range<TokenIndex>| {
        range.is_empty() || (range.len() == 1 && document.is(range.start, "void"))
    };
    if parameters.len() == 1 && is_void(&parameters[0]) {
        return (0, 0);
    }
    let variadic = |range: &std::ops::Range<TokenIndex>| {
        range
            .clone()
            .any(|at| document.is(at, "...") || document.is(at, "."))
    };
    // HIP's C headers give default arguments through a macro.
    let has_default = |range: &&std::ops::Range<TokenIndex>| {
        (**range)
            .clone()
            .any(|at| document.is(at, "=") || document.is(at, "__dparm"))
    };
    let optional = parameters.iter().filter(has_default).count();
    if parameters.iter().any(variadic) {
        (parameters.len().saturating_sub(1), usize::MAX)
    } else {
        (parameters.len() - optional, parameters.len())
    }
}
