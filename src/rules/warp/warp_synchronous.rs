//! Lanes that exchange values through shared memory without any barrier.
//!
//! ## Why on AMD
//! The last steps of old reductions rely on the lanes of a warp running in step. Lanes of a wavefront do, but the compiler orders only
//! `volatile` accesses, and only within one lane; where the array is not `volatile` in the kernel the sums are wrong. CUDA
//! has not promised this either since Volta.
//!
//! ## Example
//! ```cuda
//! if (tid < 32) {
//!     s[tid] += s[tid + 16];
//!     s[tid] += s[tid + 8];
//!     s[tid] += s[tid + 4];
//! ```
//!
//! ## When to ignore
//! What a lane has for itself, an array of its own or elements that a loop counts from a number on, gives no finding.
//! When the array is `volatile` and no wavefront runs both this code and other code that writes the array.
//!
//! ## Source
//! CUDA C++ Programming Guide, independent thread scheduling; HIP porting guide.

use crate::cpp::declarations::declared;
use crate::rules::prelude::*;
use crate::text::number::integer;

/// Reports steps of a reduction without barrier.
pub static RULE: Rule = Rule {
    code: "CASS208",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

/// A read of `array[index + distance]`.
struct Step<'s> {
    array: &'s [u8],
    index: &'s [u8],
    distance: u64,
    at: TokenIndex,
}

fn check(cx: &mut Context<'_, '_>) {
    let steps = steps(cx.doc);
    let mut last_function = None;
    for pair in steps.windows(2) {
        let function = cx.doc.scopes().enclosing(pair[0].at).map(|f| f.body.start);
        if !follows(&pair[0], &pair[1])
            || function.is_none()
            || function == last_function
            || !cx.may_be_device(pair[0].at)
            || (pair[0].at..pair[1].at).any(|at| is_barrier(cx.doc, at))
            || !writes(cx.doc, &pair[0])
            || is_of_one_lane(cx.doc, &pair[0])
        {
            continue;
        }
        last_function = function;
        let array = String::from_utf8_lossy(pair[0].array);
        let finding = RULE
            .finding(
                cx.range(pair[0].at),
                format!(
                    "lanes exchange values through `{array}` without a barrier between the steps"
                ),
            )
            .help("add __syncwarp() after each step before translating, or reduce with shuffles");
        cx.report(finding);
    }
}

/// All of a file, in order. Numbers are the rarest of their tokens.
fn steps<'s>(doc: &Document<'s>) -> Vec<Step<'s>> {
    let is_step = |at: usize| {
        let is_ident = |at: usize| doc.tokens[at].kind == TokenKind::Ident;
        is_ident(at) && is_ident(at + 2)
    };
    let tokens = doc.tokens.iter().enumerate();
    let numbers = tokens.filter(|(_, token)| token.kind == TokenKind::Number);
    numbers
        .filter_map(|(number, _)| number.checked_sub(4))
        .filter(|&at| is_step(at))
        .filter_map(|at| step(doc, at))
        .collect()
}

/// `array[index + 8]` in tokens of these kinds: distances of half a warp and less.
fn step<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<Step<'s>> {
    let fits = doc.is(at + 1, "[") && doc.is(at + 3, "+") && doc.is(at + 5, "]");
    let distance = fits.then(|| integer(doc.bytes(at + 4))).flatten()?;
    matches!(distance, 1 | 2 | 4 | 8 | 16 | 32).then(|| Step {
        array: doc.bytes(at),
        index: doc.bytes(at + 2),
        distance,
        at,
    })
}

fn follows(first: &Step<'_>, second: &Step<'_>) -> bool {
    first.array == second.array
        && first.index == second.index
        && first.distance == 2 * second.distance
        && second.distance <= 16
}

/// `array[index] += array[index + 8];` or `array[index] = … array[index + 8]`: the step stores where the next one reads.
fn writes(doc: &Document<'_>, step: &Step<'_>) -> bool {
    let mut at = step.at;
    // Statements of reductions are short: 40 tokens back reach their start.
    for _ in 0..40 {
        let Some(prev) = doc.prev(at) else {
            return false;
        };
        if matches!(
            doc.bytes(prev),
            b"=" | b"+=" | b"*=" | b"|=" | b"&=" | b"^="
        ) {
            return doc.is_before(prev, "]")
                && prev >= 4
                && doc.bytes(prev - 2) == step.index
                && doc.bytes(prev - 4) == step.array;
        }
        if matches!(doc.bytes(prev), b";" | b"{" | b"}") {
            return false;
        }
        at = prev;
    }
    false
}

/// Whether each lane reads what it wrote itself: the array is a local one, or a loop counts the index from a number on.
fn is_of_one_lane(doc: &Document<'_>, step: &Step<'_>) -> bool {
    let array = declared(doc, step.at);
    let is_local = array.is_some_and(|array| {
        let function = doc.scopes().enclosing(array.name);
        function.is_some_and(|it| it.body.contains(&array.name))
            && doc.next_is(array.name, "[")
            && !array.is_any(&["__shared__", "extern", "static"])
    });
    is_local || is_counted(doc, step)
}

/// Whether the index of a step is the variable of a loop above, `for (i = 0; …)`, which is the same for all lanes.
fn is_counted(doc: &Document<'_>, step: &Step<'_>) -> bool {
    let Some(function) = doc.scopes().enclosing(step.at) else {
        return false;
    };
    let mut above = doc.occurrences(step.index, function.body.start..step.at);
    above.any(|at| {
        let is_first = doc.is_before(at, "(") && doc.is(at - 2, "for");
        let is_declared = at > 3 && doc.is(at - 2, "(") && doc.is(at - 3, "for");
        let starts = doc.next_is(at, "=") && doc.tokens[at + 2].kind == TokenKind::Number;
        (is_first || is_declared) && starts && doc.next_is(at + 2, ";")
    })
}

fn is_barrier(doc: &Document<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    doc.is_ident(at)
        && (word.starts_with(b"__sync")
            || word.starts_with(b"__threadfence")
            || word.eq_ignore_ascii_case(b"sync")
            || word
                .to_ascii_lowercase()
                .windows(4)
                .any(|part| part == b"sync")
            || word
                .to_ascii_lowercase()
                .windows(7)
                .any(|part| part == b"barrier"))
}
