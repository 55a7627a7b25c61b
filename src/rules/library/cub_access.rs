//! What CUB reads and writes and hipCUB does not: by a cache modifier, and many ranges of bytes at once.
//!
//! ## Why on AMD
//! hipCUB has the functions and passes their modifiers over, unless a macro in front of its header asks for them: `LOAD_CG` and
//! `LOAD_VOLATILE`, with which a block waits for what another one writes, are ordinary loads there, which the compiler moves out of the
//! loop and the cache of a compute unit answers. The kernel hangs, or reads what was there before. And none of its functions takes a
//! pointer to `const`, what most loads by `LOAD_LDG` have.
//!
//! `DeviceMemcpy::Batched` copies bytes, whatever the pointers are to; rocPRIM's wants to know of what: "cannot form a reference to 'void'".
//!
//! ## Example
//! ```cuda
//! while (cub::ThreadLoad<cub::LOAD_CG>(flag) == 0);
//! ```
//! becomes
//! ```hip
//! while (cass_thread_load<hipcub::LOAD_CG>(flag) == 0);
//! ```
//!
//! ## When to ignore
//! With `HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS` and pointers to what is not `const`.
//!
//! ## Source
//! `hipcub/thread/thread_load.hpp`, `thread_store.hpp` and their backends of ROCm 6.4, compiled; `cub/thread/thread_load.cuh` of CUB 2.5.

use std::ops::Range;

use crate::cpp::calls::trusted_call;
use crate::cpp::declarations::declared;
use crate::cpp::names::{is_qualified, qualified_start, start_with_colons};
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Calls the helpers that mean what CUB's modifiers mean.
pub static RULE: Rule = Rule {
    code: "CASS704",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[
        Check::Idents(&["ThreadLoad", "ThreadStore"], check),
        Check::Idents(&["Batched"], check_copies),
    ],
};

/// `cub::DeviceMemcpy::Batched(temporary, size, from, to, sizes, count)` with `void **` as `from` and `to`.
fn check_copies(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_it = qualified_start(doc, index, "cub::DeviceMemcpy::Batched")
        .is_some_and(|cub| !is_qualified(doc, cub));
    let call = trusted_call(doc, index).filter(|call| is_it && call.arguments.len() >= 6);
    let is_for_any = doc.vendor_at(doc.tokens[index].start) == Vendor::Any;
    let Some(call) = call.filter(|_| is_for_any) else {
        return;
    };
    for argument in &call.arguments[2..4] {
        if !is_of_void(doc, argument) {
            continue;
        }
        let range = doc.range(argument.start, argument.end - 1);
        let edit = Edit::insert(range.start, "(unsigned char**)");
        let message = "rocPRIM copies nothing by pointers to `void`: these are bytes";
        let finding = RULE.finding(range, message);
        cx.report(finding.fix(Fix::safe(vec![edit])));
    }
}

/// Whether an argument is a variable of pointers to `void`.
fn is_of_void(doc: &Document<'_>, argument: &Range<TokenIndex>) -> bool {
    let found = declared(doc, argument.start).filter(|_| argument.len() == 1);
    found.is_some_and(|it| it.pointers == 2 && it.is_any(&["void"]))
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let name = cx.text(index);
    // `mine::cub::ThreadLoad` is somebody else's.
    let start =
        qualified_start(doc, index, &format!("cub::{name}")).filter(|&cub| !is_qualified(doc, cub));
    let call = doc.call(index);
    let call = call.filter(|_| doc.vendor_at(doc.tokens[index].start) == Vendor::Any);
    let Some((start, call)) = start.zip(call) else {
        return;
    };
    let (function, message) = match &*name {
        "ThreadLoad" => (
            "cass_thread_load",
            "`hipcub::ThreadLoad` passes its modifier over and takes no pointer to const",
        ),
        _ => (
            "cass_thread_store",
            "`hipcub::ThreadStore` passes its modifier over",
        ),
    };
    let range = doc.range(start_with_colons(doc, start), index);
    let finding = RULE.finding(range, message);
    // A second template argument names the iterator, which the helpers work out.
    let names_iterator = call
        .template_arguments
        .as_ref()
        .is_some_and(|it| it.clone().any(|at| doc.is(at, ",")));
    if names_iterator || cx.options().compat == CompatMode::None {
        let finding = finding.severity(Severity::Warning);
        return cx.report(finding.help("define HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS and HIPCUB_THREAD_STORE_USE_CACHE_MODIFIERS as 1 in front of hipCUB's header, and take `const` off by const_cast"));
    }
    let edit = Edit::replace(range, function).without(range);
    cx.report(finding.helper(function).fix(Fix::safe(vec![edit])));
}
