//! Atomics and fences of system scope.
//!
//! ## Why on AMD
//! HIP has the same functions. What they do reaches the host and other GPUs only in fine-grained memory, and atomics in memory of the
//! host only where PCIe passes them on. In coarse-grained memory, which `hipMalloc` gives, updates of two sides can get lost, and a host
//! that polls a flag sees it when the kernel has ended.
//!
//! ## Example
//! ```cuda
//! atomicAdd_system(counter, 1);   // counter comes from cudaMalloc or cudaMallocManaged
//! ```
//!
//! ## When to ignore
//! When the memory comes from `hipHostMalloc`, `hipMallocManaged` without coarse-grain advice, or `hipExtMallocWithFlags` with
//! `hipDeviceMallocFinegrained`.
//!
//! ## Source
//! HIP documentation, "Coherence control" and "Unsafe floating-point atomics" (ROCm 6.4); kernel language, atomic functions.

use crate::cpp::names::is_members_name;
use crate::rules::prelude::*;

/// Reports the first of a file.
pub static RULE: Rule = Rule {
    code: "CASS412",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

const NAMES: &[&str] = &[
    "atomicAdd_system",
    "atomicSub_system",
    "atomicExch_system",
    "atomicMin_system",
    "atomicMax_system",
    "atomicCAS_system",
    "atomicAnd_system",
    "atomicOr_system",
    "atomicXor_system",
    "__threadfence_system",
    "asm",
    "__asm",
    "__asm__",
];

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let counts = |&at: &TokenIndex| {
        let start = doc.tokens[at].start;
        doc.vendor_at(start) == Vendor::Any
            && !cx.is_inactive(start)
            && !cx.is_own(doc.bytes(at))
            && has_scope(doc, at)
    };
    let Some(index) = doc.all_of(NAMES).into_iter().find(counts) else {
        return;
    };
    let what = match doc.next_is(index, "(") && !is_assembly(doc, index) {
        true => cx.text(index).into_owned(),
        false => "asm".to_owned(),
    };
    let message = format!("system scope of `{what}` holds in fine-grained memory only");
    let finding = RULE
        .finding(cx.range(index), message)
        .help("allocate the memory with hipHostMalloc, hipMallocManaged, or hipExtMallocWithFlags and hipDeviceMallocFinegrained");
    cx.report(finding);
}

/// Whether a call, or a statement of assembly such as `fence.acq_rel.sys`, has the scope.
fn has_scope(doc: &Document<'_>, index: TokenIndex) -> bool {
    if !is_assembly(doc, index) {
        return doc.next_is(index, "(") && !is_members_name(doc, index);
    }
    let text = (index..doc.tokens.len())
        .take_while(|&at| !doc.is(at, ";"))
        .filter(|&at| doc.tokens[at].kind == TokenKind::Str);
    let mut text = text.map(|at| doc.bytes(at));
    text.any(|text| memchr::memmem::find(text, b".sys").is_some())
}

fn is_assembly(doc: &Document<'_>, index: TokenIndex) -> bool {
    matches!(doc.bytes(index), b"asm" | b"__asm" | b"__asm__")
}
