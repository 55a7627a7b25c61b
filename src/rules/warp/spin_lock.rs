//! A loop in which every thread waits for a lock.
//!
//! ## Why on AMD
//! Lanes of a wavefront run in step. When one lane takes the lock and its neighbours spin, the loop goes on until they have it too, and
//! the lane that holds it never gets to the release: the kernel hangs. CUDA schedules lanes on their own since Volta.
//!
//! ## Example
//! ```cuda
//! while (atomicCAS(&lock, 0, 1) != 0) { }
//! work();
//! atomicExch(&lock, 0);
//! ```
//! To be written as
//! ```hip
//! for (bool done = false; !done;)
//!     if (atomicCAS(&lock, 0, 1) == 0) {
//!         work();
//!         atomicExch(&lock, 0);
//!         done = true;
//!     }
//! ```
//!
//! ## When to ignore
//! When one thread of each wavefront waits: under `if (threadIdx.x == 0)`.
//!
//! ## Source
//! HIP porting guide, independent thread scheduling.

use crate::rules::prelude::*;

/// Reports loops that wait for a lock with an empty body.
pub static RULE: Rule = Rule {
    code: "CASS209",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    triggers: &[Trigger::Idents(&["atomicCAS", "atomicExch"])],
    check,
};

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    let Some(while_at) = waiting_loop(cx.doc, index) else {
        return;
    };
    if by_one_thread(cx.doc, while_at) {
        return;
    }
    let finding = RULE
        .finding(
            cx.range(index),
            "a spin lock between lanes of one wavefront deadlocks",
        )
        .help("put the critical section and the release into the branch that acquired the lock, inside the loop, or let one lane of each wavefront wait");
    cx.report(finding);
}

/// The `while` whose condition takes the lock and whose body is empty.
fn waiting_loop(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let mut open = doc.prev(index)?;
    while !doc.is(open, "(") {
        if !matches!(doc.bytes(open), b"!" | b"=" | b"==" | b"!=")
            && !doc.is_ident(open)
            && doc.tokens[open].kind != TokenKind::Number
        {
            return None;
        }
        open = doc.prev(open)?;
    }
    let while_at = doc.prev(open).filter(|&at| doc.is(at, "while"))?;
    let close = doc.partner(open)?;
    let body = doc.next(close)?;
    let empty = doc.is(body, ";")
        || (doc.is(body, "{")
            && doc
                .partner(body)
                .is_some_and(|end| (body + 1..end).all(|at| is_pause(doc, at))));
    // `} while (…);` closes a loop with a body of its own.
    (empty && !(doc.is(body, ";") && doc.prev_is(while_at, "}"))).then_some(while_at)
}

fn is_pause(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(
        doc.bytes(at),
        b";" | b"(" | b")" | b"__nanosleep" | b"__threadfence" | b"__threadfence_block"
    ) || doc.tokens[at].kind == TokenKind::Number
}

/// Whether an `if` around the loop lets one thread in: it compares with a constant or asks for a leader.
fn by_one_thread(doc: &Document<'_>, while_at: TokenIndex) -> bool {
    let Some(function) = doc.scopes().enclosing(while_at) else {
        return false;
    };
    (function.body.start..while_at).any(|at| {
        doc.is(at, "if")
            && doc.next(at).is_some_and(|open| {
                let Some(close) = doc.partner(open) else {
                    return false;
                };
                controls(doc, close, while_at) && picks_one(doc, open + 1..close)
            })
    })
}

/// Whether the statement behind the condition's `)` holds the loop.
fn controls(doc: &Document<'_>, close: TokenIndex, while_at: TokenIndex) -> bool {
    doc.next(close).is_some_and(|body| {
        body == while_at
            || (doc.is(body, "{") && doc.partner(body).is_some_and(|end| end > while_at))
    })
}

fn picks_one(doc: &Document<'_>, mut condition: std::ops::Range<TokenIndex>) -> bool {
    condition.any(|at| {
        let word = String::from_utf8_lossy(doc.bytes(at)).to_ascii_lowercase();
        doc.is(at, "==")
            || [
                "leader", "lane", "elect", "first", "master", "tid", "thread", "rank",
            ]
            .iter()
            .any(|part| word.contains(part))
    })
}
