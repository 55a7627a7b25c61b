//! A device function that has another version for the host, chosen by `__CUDA_ARCH__`.
//!
//! ## Why on AMD
//! nvcc forgets host functions when it compiles for the device. clang reads all functions in both passes: a host function that calls
//! the name finds only the version for the device in the one, and may not call that; a kernel finds only the host's in the other.
//! With both words in front they may, and since each branch is for one pass alone, neither is made for the other.
//!
//! ## Example
//! ```cuda
//! #ifdef __CUDA_ARCH__
//! __device__ unsigned int swap(unsigned int x) { return __byte_perm(x, x, 0x0123); }
//! #else
//! unsigned int swap(unsigned int x) { return __builtin_bswap32(x); }
//! #endif
//! ```
//! becomes
//! ```hip
//! #if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
//! __host__ __device__ unsigned int swap(unsigned int x) { return __byte_perm(x, x, 0x0123); }
//! #else
//! __host__ __device__ unsigned int swap(unsigned int x) { return __builtin_bswap32(x); }
//! #endif
//! ```
//!
//! ## When to ignore
//! Never: what the host runs stays the same.
//!
//! ## Source
//! Compiled with clang 19 for gfx90a; CUDA C++ programming guide, "Application compatibility" of `__CUDA_ARCH__`.

use crate::analysis::conditions::truth::constant;
use crate::analysis::conditions::verdict::is_left_out;
use crate::cpp::conditions::cuda_macros::Family;
use crate::cpp::conditions::expression::World;
use crate::cpp::conditions::groups::{Group, groups};
use crate::rules::prelude::*;
use crate::syntax::{FunctionScope, Space};

/// Adds `__host__`.
pub static RULE: Rule = Rule {
    code: "CASS614",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.all("__CUDA_ARCH__").next().is_none() {
        return;
    }
    let mut findings = Vec::new();
    let groups = groups(doc);
    for function in doc.scopes().iter() {
        let Some(name) = function.name else { continue };
        let around = groups.around(doc, cx.range(name).start);
        let about_chips = around
            .map(|(group, _)| group)
            .filter(|group| group.family() == Some(Family::Arch) && !group.knows_hip());
        findings.extend(about_chips.filter_map(|group| finding(cx, group, function)));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The finding about a function that only the device pass reads, when the last branch has something for the host under its name.
fn finding(cx: &Context<'_, '_>, group: &Group, function: &FunctionScope) -> Option<Finding> {
    let name = function.name.filter(|_| function.space == Space::Device)?;
    let start = cx.range(name).start;
    let mut branches = group.branches.iter();
    let is_for_device = branches.any(|branch| {
        let condition = branch.condition.as_ref();
        branch.body.contains_offset(start)
            && condition.is_some_and(|it| constant(cx, it, World::Host) == Some(false))
    });
    let other = group.branches.last().filter(|it| it.condition.is_none())?;
    if !is_for_device || is_left_out(cx, start) {
        return None;
    }
    let twin = host_function(cx.doc, other.body, cx.doc.bytes(name));
    if twin.is_none() && !is_macro(cx.doc, other.body, cx.doc.bytes(name)) {
        return None;
    }
    let mut head = function.head.clone();
    let device = head.find(|&at| cx.doc.is(at, "__device__"))?;
    let mut edits = vec![Edit::insert(cx.range(device).start, "__host__ ")];
    if let Some(twin) = twin.filter(|twin| twin.space == Space::Host) {
        let first = behind_template(cx.doc, twin.head.start)?;
        edits.push(Edit::insert(cx.range(first).start, "__host__ __device__ "));
    }
    let message = format!(
        "clang checks host code in the device pass, where this is the only `{}`, and kernels in the host pass",
        cx.text(name)
    );
    let finding = RULE.finding(cx.range(name), message);
    Some(finding.fix(Fix::safe(edits)))
}

/// Whether some lines define a macro of that name.
fn is_macro(doc: &Document<'_>, lines: TextRange, name: &[u8]) -> bool {
    doc.macros_called(name)
        .any(|directive| lines.contains_offset(directive.range.start))
}

/// The function of that name in some lines that the host can call.
fn host_function<'d>(
    doc: &'d Document<'_>,
    lines: TextRange,
    name: &[u8],
) -> Option<&'d FunctionScope> {
    let is_it =
        |at: TokenIndex| doc.bytes(at) == name && lines.contains_offset(doc.tokens[at].start);
    doc.scopes().iter().find(|function| {
        matches!(function.space, Space::Host | Space::HostDevice)
            && function.name.is_some_and(is_it)
    })
}

/// The first word of a declaration, behind `template <…>`.
fn behind_template(doc: &Document<'_>, first: TokenIndex) -> Option<TokenIndex> {
    if doc.is(first, "extern") {
        return None;
    }
    match doc.is(first, "template") {
        true => Some(doc.template_close(first + 1)? + 1),
        false => Some(first),
    }
}
