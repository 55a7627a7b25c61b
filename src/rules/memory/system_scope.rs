//! Atomics and fences in the scope of the system.
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

use super::arguments::is_members_name;
use super::places::is_first;
use super::prelude::*;

/// Reports the first of a file.
pub static RULE: Rule = Rule {
    code: "CASS412",
    name: "system-scope",
    group: Group::Memory,
    severity: Severity::Warning,
    fix: None,
    since: "0.1.0",
    priority: 50,
    triggers: &[Trigger::Idents(NAMES)],
    check,
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
];

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    let is_call = cx.doc.next_is(index, "(");
    if !is_call || is_members_name(cx.doc, index) || !is_first(cx.doc, index, NAMES) {
        return;
    }
    let message = format!(
        "what `{}` does reaches others in fine-grained memory only",
        cx.text(index)
    );
    let finding = RULE
        .finding(cx.range(index), message)
        .help("allocate what it touches with hipHostMalloc, hipMallocManaged, or hipExtMallocWithFlags and hipDeviceMallocFinegrained");
    cx.report(finding);
}
