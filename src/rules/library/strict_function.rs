//! A device function of HIP that differs from CUDA's where a result is no number, infinite, out of range or an approximation.
//!
//! ## Why on AMD
//! Both manuals leave these results open, and programs come to rely on what NVIDIA's instructions do: a float that is no number becomes
//! `INT_MIN` or the upper bit of 64, `__saturatef(NaN)` is 0, `__hne(x, NaN)` false, `__powf` of a negative number no number,
//! `__fdividef` by more than 2^126 zero, and `__sinf` of a large angle loses bits of the angle. AMD's instructions do otherwise, mostly
//! nearer to the exact result. `cass-transpile query NAME` says what was measured of a function.
//!
//! With `--strict-math` each is called through a helper that gives CUDA's result; without it nothing is changed or said.
//!
//! ## Example
//! ```cuda
//! // options: --strict-math
//! long long bin = __float2ll_rd(x);
//! ```
//! becomes
//! ```hip
//! // options: --strict-math
//! long long bin = cass_strict_float2ll_rd(x);
//! ```
//!
//! ## When to ignore
//! When no such value occurs: leave `--strict-math` out.
//!
//! ## Source
//! `emulator/tools/surface.py`, which holds translations against what an NVIDIA H100 computed; the snippets of `src/compat/strict`.

use crate::compat;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Calls the helper with CUDA's result.
pub static RULE: Rule = Rule {
    code: "CASS659",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Listed(compat::strict_names, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if !cx.options().strict_math
        || is_members_name(cx.doc, index) && !is_of_std(cx.doc, index)
        || cx.is_own_at(index)
        || cx.doc.call(index).is_none()
        || !is_of_device(cx, index)
    {
        return;
    }
    let name = cx.text(index);
    let Some(function) = compat::strict_function(&name) else {
        return;
    };
    let finding = RULE.finding(
        cx.range(index),
        format!("`{name}` of HIP differs from CUDA's where results are no numbers, out of range or approximate"),
    );
    let finding = match cx.options().compat {
        CompatMode::None => finding
            .severity(Severity::Warning)
            .help("use `--compat header`: `--strict-math` needs the helper header"),
        _ => finding.helper(function).fix(Fix::safe(vec![Edit::replace(
            name_with_scope(cx, index),
            function,
        )])),
    };
    cx.report(finding);
}

/// The name with `std::` or `::` in front of it: the helper is in neither.
fn name_with_scope(cx: &Context<'_, '_>, index: TokenIndex) -> TextRange {
    let doc = cx.doc;
    let scope = doc.prev(index).filter(|&at| doc.is(at, "::"));
    match scope {
        Some(scope) if is_of_std(doc, index) => doc.range(doc.prev(scope).unwrap_or(scope), index),
        _ => doc.range(scope.unwrap_or(index), index),
    }
}

/// Whether `std::` stands in front of a name.
fn is_of_std(doc: &Document<'_>, index: TokenIndex) -> bool {
    let scope = doc.prev(index).filter(|&at| doc.is(at, "::"));
    scope.is_some_and(|scope| doc.prev_is(scope, "std"))
}

/// Whether the call is for the device: many of these names are functions of the host as well.
fn is_of_device(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let is_in_macro = cx.doc.tokens[index].has(flags::MACRO_BODY);
    cx.may_be_device(index) && (!is_in_macro || cx.doc.bytes(index).starts_with(b"__"))
}
