//! A built-in atomic of nvcc: `__nv_atomic_fetch_add` and the like, with their orders and scopes.
//!
//! ## Why on AMD
//! clang has the same functions as `__hip_atomic_…`, with the memory orders of C11 and scopes of its own. CUDA lets the scope go,
//! which then is the system; clang requires it.
//!
//! ## Example
//! ```cuda
//! v = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);
//! __nv_atomic_add(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
//! ```
//! becomes
//! ```hip
//! v = __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
//! __hip_atomic_fetch_add(p, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! CUDA C++ Programming Guide 13.0, built-in atomic functions; LLVM documentation, HIP support.

use crate::cpp::calls::trusted_call;
use crate::cpp::names::is_for_preprocessor;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Replaces the atomic built-in functions of CUDA 12.8.
pub static RULE: Rule = Rule {
    code: "CASS221",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Replaced(
        &["cass_nv_atomic", "cass_memory_scopes"],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) || is_for_preprocessor(cx.doc, index) {
        return;
    }
    let name = cx.text(index).into_owned();
    let finding = match constant(&name) {
        Some(target) => RULE
            .finding(cx.range(index), format!("`{name}` becomes `{target}`"))
            .fix(Fix::safe(vec![Edit::replace(cx.range(index), target)])),
        None => function(cx, index, &name),
    };
    cx.report(finding);
}

/// Orders and scopes. AMD GPUs have no clusters of blocks; the scope around one is the device.
fn constant(name: &str) -> Option<String> {
    if let Some(order) = name.strip_prefix("__NV_ATOMIC_") {
        return Some(format!("__ATOMIC_{order}"));
    }
    let scope = match name.strip_prefix("__NV_THREAD_SCOPE_")? {
        "THREAD" => "SINGLETHREAD",
        "BLOCK" => "WORKGROUP",
        "SYSTEM" => "SYSTEM",
        _ => "AGENT",
    };
    Some(format!("__HIP_MEMORY_SCOPE_{scope}"))
}

/// Arguments with the scope that may be left out.
fn arity(name: &str) -> usize {
    match name {
        "thread_fence" => 2,
        "load_n" => 3,
        "exchange" => 5,
        "compare_exchange" | "compare_exchange_n" => 7,
        _ => 4,
    }
}

/// The builtin of clang that takes the same arguments.
fn builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "load_n" => "__hip_atomic_load",
        "store_n" => "__hip_atomic_store",
        "exchange_n" => "__hip_atomic_exchange",
        "fetch_add" | "add" => "__hip_atomic_fetch_add",
        "fetch_and" | "and" => "__hip_atomic_fetch_and",
        "fetch_or" | "or" => "__hip_atomic_fetch_or",
        "fetch_xor" | "xor" => "__hip_atomic_fetch_xor",
        "fetch_min" | "min" => "__hip_atomic_fetch_min",
        "fetch_max" | "max" => "__hip_atomic_fetch_max",
        _ => return None,
    })
}

fn function(cx: &Context<'_, '_>, index: TokenIndex, name: &str) -> Finding {
    let short = name.trim_start_matches("__nv_atomic_");
    let (range, full) = (cx.range(index), arity(short));
    let call = trusted_call(cx.doc, index)
        .filter(|call| (full - 1..=full).contains(&call.arguments.len()));
    let Some(call) = call else {
        return unknown(range, name);
    };
    let (target, helper) = match builtin(short) {
        Some(builtin) => (builtin.to_owned(), false),
        None if cx.options().compat == CompatMode::None => return unknown(range, name),
        None => (format!("cass_nv_atomic_{short}"), true),
    };
    let mut edits = vec![Edit::replace(range, target.clone())];
    if call.arguments.len() < full {
        let last = &call.arguments[call.arguments.len() - 1];
        edits.push(Edit::insert(
            cx.range(last.end - 1).end,
            ", __HIP_MEMORY_SCOPE_SYSTEM",
        ));
    }
    let finding = RULE
        .finding(range, format!("`{name}` becomes `{target}`"))
        .fix(Fix::safe(edits));
    if helper {
        finding.helper("cass_nv_atomic")
    } else {
        finding
    }
}

fn unknown(range: TextRange, name: &str) -> Finding {
    RULE.finding(range, format!("`{name}` has no counterpart with the same parameters"))
        .severity(Severity::Error)
        .help("use the `__hip_atomic_` builtin with a C11 memory order and a scope, `__HIP_MEMORY_SCOPE_AGENT` for the device")
}
