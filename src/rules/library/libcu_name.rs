//! A name of libcu++ that the standard library has for the device as well, or the helper header.
//!
//! ## Why on AMD
//! ROCm has no libcu++: libhipcxx, which keeps its names, is a package of its own that few have. Traits and objects of operators are
//! those of `std`, which hipcc compiles for the device, and of atomic objects and references the helper header has its own, with their
//! scopes. Where a file, or one that comes to it, names more of libcu++ than that, tuples or barriers, it needs libhipcxx anyway, and
//! all stays as it is; atomics, which files share, stay in all files of such a tree.
//!
//! ## Example
//! ```cuda
//! #include <cuda/atomic>
//! #include <cuda/std/type_traits>
//! cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
//! flag.store(1, cuda::std::memory_order_release);
//! static_assert(cuda::std::is_same<T, int>::value, "");
//! ```
//! becomes
//! ```hip
//! #include <atomic>
//! #include <type_traits>
//! cass_atomic_ref<int, cass_thread_scope_device> flag(*p);
//! flag.store(1, std::memory_order_release);
//! static_assert(std::is_same<T, int>::value, "");
//! ```
//!
//! ## When to ignore
//! Where libhipcxx is installed, which keeps the names.
//!
//! ## Source
//! The lists `libcu_*` of `mappings/names.toml`, each name compiled for the device with clang 19 and ROCm 6.4.

use crate::analysis::namespaces::is_projects;
use crate::cpp::libcu::{LibcuUse, counterpart};
use crate::cpp::names::{is_qualified, start_with_colons};
use crate::rules::prelude::*;

/// Writes the name that AMD has.
pub static RULE: Rule = Rule {
    code: "CASS705",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Idents(&["cuda"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if !doc.next_is(index, "::") || is_qualified(doc, index) || is_projects(cx, index, index) {
        return;
    }
    let Some((found, text)) =
        counterpart(doc, index).and_then(|it| it.text.clone().map(|text| (it, text)))
    else {
        return;
    };
    let is_seen = doc.vendor_at(doc.tokens[index].start) == Vendor::Any;
    if !is_seen || cx.needs_libcu() {
        return;
    }
    let is_helper = found.of == LibcuUse::Atomics && text.starts_with("cass_");
    let start = match is_helper {
        true => start_with_colons(doc, index),
        false => index,
    };
    let range = doc.range(start, found.last);
    let message = format!(
        "`{}` becomes `{text}`: ROCm has no libcu++",
        cx.text_of(range)
    );
    let edit = Edit::replace(range, text).without(range);
    let finding = RULE.finding(range, message).fix(Fix::safe(vec![edit]));
    cx.report(match is_helper {
        true => finding.helper("cass_atomic"),
        false => finding,
    });
}
