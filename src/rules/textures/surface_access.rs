//! A surface read that returns its value, or a surface access with a boundary mode.
//!
//! ## Why on AMD
//! HIP has surface reads only in the form that takes a pointer to the result, and no boundary modes: the hardware returns zero for
//! reads outside and drops such writes. The helper takes all forms of CUDA.
//!
//! ## Example
//! ```cuda
//! float v = surf2Dread<float>(surface, x * 4, y, cudaBoundaryModeClamp);
//! surf2Dwrite(v, surface, x * 4, y);
//! ```
//! becomes
//! ```hip
//! float v = cass_surf2Dread<float>(surface, x * 4, y, hipBoundaryModeClamp);
//! surf2Dwrite(v, surface, x * 4, y);
//! ```
//!
//! ## When to ignore
//! Where no access lies outside the surface, boundary modes make no difference. `cudaBoundaryModeZero` is what AMD does.
//!
//! ## Source
//! `hip/amd_detail/amd_surface_functions.h` of ROCm 6.4.

use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Calls the helper for the forms that HIP lacks.
pub static RULE: Rule = Rule {
    code: "CASS403",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[],
    checks: &[Check::Replaced(&["cass_surface"], check)],
};

/// Numbers of arguments of the pointer form of each read, which writes share: value or pointer, surface, coordinates.
fn arity(name: &str) -> usize {
    match name {
        _ if name.starts_with("surf1DL")
            || name.starts_with("surf2Dr")
            || name.starts_with("surf2Dw") =>
        {
            4
        }
        _ if name.starts_with("surf1D") => 3,
        _ => 5,
    }
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx
        .doc
        .call(index)
        .filter(|_| !is_members_name(cx.doc, index))
    else {
        return;
    };
    let name = cx.text(index);
    let with_mode = call.arguments.len() > arity(&name);
    let by_value = name.ends_with("read") && call.arguments.len() < arity(&name)
        || name.ends_with("read") && call.template_arguments.is_some() && !takes_pointer(cx, &call);
    if !with_mode && !by_value {
        return;
    }
    let message = if by_value {
        format!("HIP's `{name}` returns its value through a pointer only")
    } else {
        format!("HIP's `{name}` takes no boundary mode")
    };
    let finding = RULE.finding(cx.range(index), message);
    let last = call.arguments.len().saturating_sub(1);
    // The mode without a mode traps in CUDA and is a programming error; zero is what AMD's hardware does.
    let mode = cx.argument(&call, last);
    let is_kept = mode.contains("Trap") || mode.contains("Zero");
    cx.report(if cx.options().compat == CompatMode::None {
        finding
            .severity(Severity::Error)
            .help("use the overload with a pointer to the result and without a mode; out-of-bounds reads return 0 on AMD")
    } else {
        let helper = helper_name(&name);
        let finding = finding
            .fix(Fix::safe(vec![Edit::replace(cx.range(index), helper)]))
            .helper(helper);
        if with_mode && !is_kept && cx.text_of(call.range(cx.doc)).contains("BoundaryMode") {
            finding
                .severity(Severity::Warning)
                .help("check that no access lies outside: AMD reads 0 there and drops the write, whatever the mode")
        } else {
            finding
        }
    });
}

/// Whether the first argument looks like the address of the result.
fn takes_pointer(cx: &Context<'_, '_>, call: &Call) -> bool {
    cx.argument(call, 0).starts_with('&') || call.arguments.len() > arity(&cx.text(call.name))
}

fn helper_name(name: &str) -> &'static str {
    let helper = crate::compat::find("cass_surface").map(|helper| &helper.provides);
    helper
        .and_then(|functions| {
            functions
                .iter()
                .find(|function| function.strip_prefix("cass_") == Some(name))
        })
        .expect("the surface snippet provides each name of this rule")
}
