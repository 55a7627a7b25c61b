//! A device function that HIP lacks, or has with another meaning, and that a function of the helper header replaces.
//!
//! ## Why on AMD
//! HIP has no SIMD video functions, no `__dp4a`, no cache-hinted loads and stores for most types, no directed rounding, and its
//! `__fadd_rn` family are plain operators that the compiler fuses into multiply-adds. The helper header holds functions with
//! CUDA's meaning, each documented; it is written only when something uses it, and holds only what is used.
//!
//! ## Example
//! ```cuda
//! sum = __dp4a(a[i], b[i], sum);
//! __stcs(out + i, __ldcs(in + i));
//! ```
//! becomes
//! ```hip
//! sum = cass_dp4a(a[i], b[i], sum);
//! cass_stcs(out + i, cass_ldcs(in + i));
//! ```
//!
//! ## When to ignore
//! Never; where speed counts more than CUDA's exact meaning (`__fadd_rn`), the plain operator is one step away.
//!
//! ## Source
//! The snippets of `src/compat/`, which say what each stands for; `__clang_hip_math.h` of clang 19; the headers of HIP 6.4.

use crate::analysis::helpers::function_for;
use crate::analysis::rename::is_for_helper;
use crate::analysis::wavefront::is_hip_source;

use crate::compat;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Calls the helper instead.
pub static RULE: Rule = Rule {
    code: "CASS500",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::DoneByShimLine],
    checks: &[Check::Helper(check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) {
        return;
    }
    let name = cx.text(index);
    let Some(function) = function_for(&name) else {
        return;
    };
    let entry = cx.table().get(cx.doc.bytes(index)).map(|hit| hit.entry);
    // Code that is HIP already means HIP's function.
    let in_hip = entry.and_then(|entry| entry.hip);
    if in_hip == Some(name.as_ref()) && is_hip_source(cx.doc) {
        return;
    }
    if entry.is_some_and(|entry| entry.is_shared() && !is_for_helper(cx, index, entry)) {
        return;
    }
    let finding = if is_passed_on(cx, index) {
        passed_on(cx, index)
    } else if cx.options().compat == CompatMode::None {
        without_header(cx, index)
    } else {
        let message = format!("`{name}` becomes `{function}` of the helper header");
        let edits = vec![Edit::replace(cx.range(index), function)];
        let finding = RULE.finding(cx.range(index), message).helper(function);
        match compat::find(function).map_or("", |helper| helper.limit) {
            "" => finding.fix(Fix::safe(edits)),
            limit => finding
                .severity(Severity::Warning)
                .help(limit)
                .fix(Fix::review(edits)),
        }
    };
    let hit = cx.table().get(cx.doc.bytes(index));
    let finding = match hit {
        Some(hit) => finding.api(ApiUse {
            rocm_since: None,
            ..cx.api_use(hit.entry, Some(function))
        }),
        None => finding,
    };
    cx.report(finding);
}

/// Whether a function that is called as anybody may call a variable, `umin`, is passed on, not called.
fn is_passed_on(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let hit = cx.table().get(cx.doc.bytes(index));
    hit.is_some_and(|hit| hit.entry.context && hit.entry.library == "device")
        && !cx.doc.bytes(index).starts_with(b"__")
        && cx.doc.call(index).is_none()
}

/// A header that is not here may have a variable of that name, so this is for a person.
fn passed_on(cx: &Context<'_, '_>, index: TokenIndex) -> Finding {
    let name = cx.text(index);
    RULE.finding(
        cx.range(index),
        format!("`{name}` is passed on; if it is CUDA's function, HIP has none of that name"),
    )
    .severity(Severity::Warning)
    .help(format!(
        "pass a lambda that calls `{name}`: calls are converted"
    ))
}

/// What is left to do when no helpers are wanted: an operator or a builtin where there is one, advice otherwise.
fn without_header(cx: &Context<'_, '_>, index: TokenIndex) -> Finding {
    let name = cx.text(index);
    let entry = cx.table().get(cx.doc.bytes(index)).map(|hit| hit.entry);
    let stays = entry.is_some_and(|entry| entry.hip == Some(name.as_ref()));
    let note = entry
        .and_then(|entry| entry.note)
        .unwrap_or("use `--compat header`: the helper header has a function for it");
    let finding = RULE
        .finding(
            cx.range(index),
            format!("`{name}` needs the helper header, which `--compat none` switches off"),
        )
        .severity(if stays {
            Severity::Warning
        } else {
            Severity::Error
        })
        .help(note);
    match builtin_for(cx, index) {
        Some(builtin) => finding
            .severity(Severity::Warning)
            .fix(Fix::review(vec![Edit::replace(cx.range(index), builtin)])),
        None => finding,
    }
}

/// Loads with a cache hint as the dereference or the builtin that takes the same one argument.
fn builtin_for(cx: &Context<'_, '_>, index: TokenIndex) -> Option<&'static str> {
    let call = cx
        .doc
        .call(index)
        .filter(|call| call.arguments.len() == 1)?;
    // `*(p).x` would be read as `*((p).x)`.
    let is_operand = [".", "->", "["]
        .iter()
        .any(|text| cx.doc.next_is(call.close, text));
    match cx.doc.bytes(index) {
        b"__ldca" | b"__ldcg" if !is_operand => Some("*"),
        b"__ldcs" | b"__ldlu" => Some("__builtin_nontemporal_load"),
        _ => None,
    }
}
