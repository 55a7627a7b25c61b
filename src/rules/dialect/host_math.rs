//! A math function in host code that HIP has for the device only, such as `rsqrtf`, `sinpi`, `norm3df` or `normcdff`.
//!
//! ## Why on AMD
//! nvcc's headers have them for the host as well. HIP has them for the device, and the C library has none of them, so that host code
//! does not compile.
//!
//! ## Example
//! ```cuda
//! float scale(int n) { return rsqrtf(n); }
//! double call(double d) { return normcdf(d); }
//! ```
//! becomes
//! ```hip
//! float scale(int n) { return (1.0f / sqrtf(n)); }
//! double call(double d) { return cass_normcdf(d); }
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `math_functions.h` of CUDA 13.0; `__clang_hip_math.h` of clang 19, compared by `tests/rocm/accepts.py`.

use crate::compat;
use crate::cpp::calls::is_for_choosing_macro;
use crate::cpp::functions::uses_cuda;
use crate::cpp::names::{is_members_name, is_qualified};
use crate::mapping::{device_math_names, name_lists};
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::Space;
use crate::text::keywords::is_no_part_of_type;

/// Divides by the root, or calls a helper.
pub static RULE: Rule = Rule {
    code: "CASS132",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Listed(device_math_names, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let arguments = name_lists().device_math_arguments(doc.bytes(index));
    let call = doc
        .call(index)
        .filter(|call| Some(call.arguments.len()) == arguments);
    // `inline float rsqrtf(float x)`: the project's own.
    let is_declared = doc
        .prev(index)
        .is_some_and(|index| doc.is_ident(index) && !is_no_part_of_type(doc.bytes(index)));
    let is_other = is_declared || is_members_name(doc, index) || is_qualified(doc, index);
    let Some(call) = call.filter(|_| !is_other && !is_for_choosing_macro(doc, index)) else {
        return;
    };
    let Some(is_host_only) = is_host_only(cx, index) else {
        return;
    };
    let message = format!("`{}` is a device function in HIP", cx.text(index));
    let finding = RULE.finding(cx.range(index), message);
    let is_root = doc.bytes(index).starts_with(b"rsqrt");
    cx.report(if is_root && is_host_only {
        finding.fix(divided(cx, index, &call))
    } else if cx.is_own(doc.bytes(index)) || !uses_cuda(doc, cx.table()) {
        return;
    } else if cx.options().compat == CompatMode::None {
        finding
            .severity(Severity::Error)
            .help("write it with functions of the C library, such as erfc, cbrt, hypot and sqrt")
    } else {
        let function = format!("cass_{}", cx.text(index));
        let helper = compat::find(&function).expect("each function of the list has a helper");
        let edit = Edit::replace(cx.range(index), function);
        finding.helper(helper.name).fix(Fix::safe(vec![edit]))
    });
}

/// Whether a place is host code alone; `None` of code for the device and of code that may be either.
fn is_host_only(cx: &Context<'_, '_>, index: TokenIndex) -> Option<bool> {
    let doc = cx.doc;
    let function = doc.scopes().enclosing(index)?;
    if function.space == Space::HostDevice {
        return Some(false);
    }
    let is_host = doc
        .scopes()
        .around(index)
        .all(|function| function.space == Space::Host);
    // A macro may hide what a template or lambda is for: the helper serves both.
    let is_template = function.head.clone().any(|at| doc.is(at, "template"));
    let may_be_device = is_template || function.name.is_none();
    let is_host = is_host && !crate::analysis::warp_size::is_device(cx, index);
    is_host.then_some(!may_be_device)
}

/// `1.0f / sqrtf(x)`.
fn divided(cx: &Context<'_, '_>, index: TokenIndex, call: &Call) -> Fix {
    let (one, root) = if cx.doc.is(index, "rsqrtf") {
        ("(1.0f / ", "sqrtf")
    } else {
        ("(1.0 / ", "sqrt")
    };
    Fix::safe(vec![
        Edit::insert(cx.range(index).start, one),
        Edit::replace(cx.range(index), root),
        Edit::insert(cx.range(call.close).end, ")"),
    ])
}
