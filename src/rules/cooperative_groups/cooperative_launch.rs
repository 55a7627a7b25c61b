//! A kernel that waits for its whole grid, launched as an ordinary kernel.
//!
//! ## Why on AMD
//! `this_grid().sync()` waits for blocks that must all be running. Only a cooperative launch refuses a grid that does not fit and
//! sets up what the barrier counts in; after a plain launch AMD's barrier hangs or faults where CUDA's traps. How many blocks fit
//! differs from chip to chip.
//!
//! ## Example
//! ```cuda
//! iterate<<<blocks, 256>>>(x);   // iterate() calls cooperative_groups::this_grid().sync()
//! ```
//! becomes, by hand
//! ```hip
//! void *arguments[] = {&x};
//! hipLaunchCooperativeKernel((void *)iterate, blocks, 256, arguments, 0, 0);
//! ```
//!
//! ## When to ignore
//! When the barrier stands in a branch that such launches do not take.
//!
//! ## Source
//! HIP cooperative groups documentation, grid groups.

use rustc_hash::FxHashSet;

use crate::cpp::cooperative_groups::{Kind, kind};
use crate::rules::prelude::*;

/// Reports the launch.
pub static RULE: Rule = Rule {
    code: "CASS116",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.launches.is_empty() {
        return;
    }
    let waiting = waiting_kernels(doc);
    for site in &doc.launches {
        let kernel = site.callee.start;
        if !site.in_macro && doc.is_ident(kernel) && waiting.contains(doc.bytes(kernel)) {
            report(cx, site);
        }
    }
}

/// Names of the functions that wait for their whole grid.
fn waiting_kernels<'s>(doc: &Document<'s>) -> FxHashSet<&'s [u8]> {
    doc.all("sync")
        .filter(|&at| syncs_grid(doc, at))
        .flat_map(|at| doc.scopes().around(at))
        .filter_map(|function| function.name)
        .map(|name| doc.bytes(name))
        .collect()
}

fn report(cx: &mut Context<'_, '_>, site: &LaunchSite) {
    let message = format!(
        "`{}` synchronizes the whole grid, which needs a cooperative launch",
        cx.text(site.callee.start)
    );
    let finding = RULE.finding(site.range(cx.doc), message).help(
        "launch it with `hipLaunchCooperativeKernel`, with a grid no larger than `hipOccupancyMaxActiveBlocksPerMultiprocessor` allows",
    );
    cx.report(finding);
}

/// `grid.sync()`, `this_grid().sync()` at the word `sync`.
fn syncs_grid(doc: &Document<'_>, at: TokenIndex) -> bool {
    if !doc.prev_is(at, ".") || !doc.next_is(at, "(") {
        return false;
    }
    let Some(object) = doc.prev(at).and_then(|dot| doc.prev(dot)) else {
        return false;
    };
    match doc.matching_bracket(object) {
        Some(open) => doc.is_before(open, "this_grid"),
        None => kind(doc, object) == Some(Kind::Grid),
    }
}
