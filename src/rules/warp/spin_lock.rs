//! A loop in which every thread waits for a lock.
//!
//! ## Why on AMD
//! Lanes of a wavefront run in step. When one lane takes the lock and its neighbours spin, the loop goes on until they have it too, and
//! the lane that holds it never gets to the release: the kernel hangs. CUDA schedules lanes on their own since Volta. The same befalls a
//! lock that one lane of each warp takes for all 32: two warps share a wavefront of 64 lanes.
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
//! When one thread of each wavefront waits: under `if (threadIdx.x == 0)`, or `lane` counted by wavefronts of 64.
//!
//! ## Source
//! HIP porting guide, independent thread scheduling.

use crate::cpp::waits::{Alone, lock_taken, run_alone, waits};
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Reports loops that do no more than wait for a lock.
pub static RULE: Rule = Rule {
    code: "CASS209",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    for wait in waits(cx.doc) {
        let Some(taken) = lock_taken(cx.doc, &wait) else {
            continue;
        };
        if !cx.may_be_device(wait.at) {
            continue;
        }
        let message = match run_alone(cx.doc, wait.at) {
            None => "a spin lock between lanes of one wavefront deadlocks",
            Some(Alone::InWarp) if cx.warp() == WarpMode::Logical32 => {
                "a spin lock between the two warps of a wavefront of 64 lanes deadlocks"
            }
            Some(_) => continue,
        };
        let finding = RULE
            .finding(cx.range(taken), message)
            .help("put the critical section and the release into the branch that acquired the lock, inside the loop, or let one lane of each wavefront wait");
        cx.report(finding);
    }
}
