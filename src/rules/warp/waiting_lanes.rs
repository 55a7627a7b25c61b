//! Threads of one wavefront that wait for each other, and loops that wait for memory that the compiler may read once.
//!
//! ## Why on AMD
//! A wavefront has 64 lanes on CDNA: two warps of CUDA share one. Its lanes have one program counter, and the sides of a branch run one
//! after the other. When threads 32 to 63 wait in a loop for what thread 0 is to write, the loop may run first, and thread 0 never
//! gets to the store: the kernel hangs. CUDA has scheduled lanes on their own since Volta, and warps always.
//!
//! A loop that reads an ordinary variable has no such chance on either side: nothing tells the compiler that it changes, so it reads
//! once and waits for ever.
//!
//! ## Example
//! ```cuda
//! __shared__ volatile int flag;
//! if (threadIdx.x / 32 == 1)
//!     while (flag == 0) { }
//! else if (threadIdx.x == 0)
//!     flag = 1;
//! ```
//! To be written with a barrier of the block in front of what needs the flag, or so that one thread does both parts in their order.
//!
//! ## When to ignore
//! When those who wait and those whom they wait for are never in the same 64 threads: other blocks, the host, or warps whose numbers
//! have different halves.
//!
//! ## Source
//! HIP porting guide, independent thread scheduling; LLVM 19 AMDGPU usage, memory model (forward progress is that of wavefronts).

use crate::cpp::declarations::declared;
use crate::cpp::threads::ThreadValues;
use crate::cpp::waits::{Wait, is_run_by_one_thread, lock_taken, waits};
use crate::rules::prelude::*;
use crate::syntax::FunctionScope;

/// Reports waits among the threads of a block, and waits for ordinary variables.
pub static RULE: Rule = Rule {
    code: "CASS211",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    for wait in waits(cx.doc) {
        let mut functions = cx.doc.scopes().around(wait.at);
        let Some(function) = functions.find(|function| function.name.is_some()) else {
            continue;
        };
        // What waits for a lock is another rule's.
        if !cx.may_be_device(wait.at) || lock_taken(cx.doc, &wait).is_some() {
            continue;
        }
        let finding = among_threads(cx, &wait, function)
            .or_else(|| by_weak_load(cx, &wait))
            .or_else(|| for_variable(cx, &wait));
        if let Some(finding) = finding {
            cx.report(finding);
        }
    }
}

/// Shared memory that is read, a value to meet that each warp has for itself, or a place that goes by the number of the warp.
fn among_threads(cx: &Context<'_, '_>, wait: &Wait, function: &FunctionScope) -> Option<Finding> {
    let doc = cx.doc;
    let read = wait.tokens().find(|&at| is_shared(doc, at));
    let values = ThreadValues::new(doc, function);
    let by_warp = || {
        let meets_own = outside_brackets(doc, wait)
            .any(|at| values.is_of_thread(doc, at..at + 1) && reads_memory(doc, wait));
        meets_own || values.is_of_warp(doc, wait.condition.clone()) && reads_memory(doc, wait)
    };
    if read.is_none() && !by_warp() && !waits_for_turn(doc, wait, function) {
        return None;
    }
    Some(
        RULE.finding(
            cx.range(read.unwrap_or(wait.at)),
            "threads of one wavefront that wait for each other hang",
        )
        .help(
            "a wavefront of CDNA holds two warps and runs the sides of a branch one after the other: use a barrier of the block, \
             let whole wavefronts of 64 wait, or let one thread do both parts in their order",
        ),
    )
}

/// `*next != mine` with a parameter of the function: each thread may have its own number.
fn waits_for_turn(doc: &Document<'_>, wait: &Wait, function: &FunctionScope) -> bool {
    let is_parameter = |at: TokenIndex| {
        doc.is_ident(at)
            && declared(doc, at).is_some_and(|found| function.head.contains(&found.name))
    };
    let met = outside_brackets(doc, wait)
        .find(|&at| doc.is(at, "!="))
        .is_some_and(|at| {
            let ends = at + 2 == wait.condition.end;
            ends && is_parameter(at + 1) || at == wait.condition.start + 1 && is_parameter(at - 1)
        });
    met && reads_memory(doc, wait) && !is_run_by_one_thread(doc, wait.at)
}

fn is_shared(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_name = doc.is_ident(at) && !doc.is_before(at, ".") && !doc.is_before(at, "->");
    is_name && declared(doc, at).is_some_and(|found| found.is_any(&["__shared__"]))
}

/// Tokens of the condition that stand in no `[…]`, nor among the arguments of a call.
fn outside_brackets<'d>(
    doc: &'d Document<'_>,
    wait: &'d Wait,
) -> impl Iterator<Item = TokenIndex> + 'd {
    let condition = wait.condition.clone();
    let mut inside = condition.start;
    condition.filter(move |&at| {
        let opens = doc.is(at, "[")
            || doc.is(at, "(") && doc.prev(at).is_some_and(|name| doc.is_ident(name));
        if at >= inside && opens {
            inside = doc.matching_bracket(at).unwrap_or(at);
        }
        at >= inside
    })
}

/// `*p`, `p[i]`, `p->x`, a call.
fn reads_memory(doc: &Document<'_>, wait: &Wait) -> bool {
    wait.tokens().any(|at| match doc.bytes(at) {
        b"[" | b"->" => true,
        b"*" => doc
            .prev(at)
            .is_none_or(|before| !doc.is_ident(before) && !doc.is(before, ")")),
        b"(" => doc.prev(at).is_some_and(|name| doc.is_ident(name)),
        _ => false,
    })
}

/// `while (__ldcs(flag) == 0) ;`: CUDA's headers hold the hinted loads as assembly that is done each time; here they are ordinary loads.
fn by_weak_load(cx: &Context<'_, '_>, wait: &Wait) -> Option<Finding> {
    const WEAK: &[&str] = &["__ldcs", "__ldlu", "__ldca", "__ldg"];
    let doc = cx.doc;
    let load = wait
        .tokens()
        .find(|&at| WEAK.iter().any(|name| doc.is(at, name)) && doc.next_is(at, "("))?;
    let message = format!(
        "the compiler may load by `{}` once and wait for ever",
        cx.text(load)
    );
    let finding = RULE.finding(cx.range(load), message);
    Some(finding.help("wait by __ldcg, __ldcv or a pointer to volatile, which are read each time and see what other blocks wrote"))
}

/// `while (*flag == 0) ;` of an ordinary pointer: it is read once.
fn for_variable(cx: &Context<'_, '_>, wait: &Wait) -> Option<Finding> {
    let doc = cx.doc;
    let mut condition = wait.condition.clone();
    let acts = |at: TokenIndex| {
        matches!(
            doc.bytes(at),
            b"volatile" | b"=" | b"++" | b"--" | b"+=" | b"-=" | b"->" | b"."
        ) || doc.is(at, "(") && doc.prev(at).is_some_and(|name| doc.is_ident(name))
    };
    if condition.clone().any(acts)
        || !wait.body.is_empty() && wait.body.clone().any(|at| doc.is_ident(at))
    {
        return None;
    }
    let name = condition
        .find(|&at| doc.is_ident(at) && (doc.is_before(at, "*") || doc.next_is(at, "[")))?;
    let found = declared(doc, name)?;
    let is_plain =
        found.pointers > 0 && !found.is_any(&["volatile", "auto", "atomic", "atomic_ref"]);
    is_plain.then(|| {
        RULE.finding(
            cx.range(name),
            format!(
                "the compiler may read `{}` once and wait for ever",
                cx.text(name)
            ),
        )
        .help("make it a pointer to volatile, or read it with __hip_atomic_load of agent scope")
    })
}
