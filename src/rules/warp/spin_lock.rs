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

use crate::cpp::waits::{is_run_by_one_thread, waits};
use crate::rules::prelude::*;

/// Reports loops that wait for a lock with an empty body.
pub static RULE: Rule = Rule {
    code: "CASS209",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["atomicCAS", "atomicExch"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(while_at) = waiting_loop(cx.doc, index) else {
        return;
    };
    if is_run_by_one_thread(cx.doc, while_at) {
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

/// The loop that asks for the lock again and again and does nothing else.
fn waiting_loop(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let mut waits = waits(doc).into_iter();
    waits
        // One that reads the old value first is an update without lock: `do { old = *p; } while (atomicCAS(p, old, f(old)) != old);`
        .find(|wait| {
            wait.condition.contains(&index) && !wait.body.clone().any(|at| doc.is(at, "="))
        })
        .map(|wait| wait.at)
}
