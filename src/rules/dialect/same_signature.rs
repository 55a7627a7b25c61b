//! Two definitions that CUDA tells apart by their types and AMD does not, because the types become the same.
//!
//! ## Why on AMD
//! HIP has one `hipError_t` for `cudaError_t` and `CUresult`, and the handles of hipBLAS, hipSPARSE and hipSOLVER are all `void *`, as
//! is `hipDeviceptr_t`. Overloads and specialisations for several of them become redefinitions.
//!
//! ## Example
//! ```cuda
//! const char *name(cudaError_t error) { return cudaGetErrorName(error); }
//! const char *name(CUresult error) { const char *text; cuGetErrorName(error, &text); return text; }
//! ```
//! becomes
//! ```hip
//! const char *name(hipError_t error) { return hipGetErrorName(error); }
//! #ifndef __HIP_PLATFORM_AMD__ // HIP has one type for this and cudaError_t
//! const char *name(hipError_t error) { const char *text; hipDrvGetErrorName(error, &text); return text; }
//! #endif
//! ```
//!
//! ## When to ignore
//! Never. The second definition is hidden where it is about error codes or reads like the first one. Elsewhere the two do
//! different things for what is now one type, and only a person can tell callers apart: give one of them another name, or wrap
//! the handle in a type of the project.
//!
//! ## Source
//! `hip/hip_runtime_api.h`, `hipblas/hipblas.h`, `hipsparse/hipsparse.h` and `hipsolver/internal/hipsolver-types.h` of ROCm 6.4.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::signature::{Definition, on_amd, spelling};
use crate::cpp::conditions::groups::groups;
use crate::rules::prelude::*;

/// Hides the second of two definitions that become the same.
pub static RULE: Rule = Rule {
    code: "CASS611",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 15,
    facts: &[],
    checks: &[Check::Source(check)],
};

/// What a person can do about two definitions that do different things.
const HIDE: &str = "hide one definition with `#ifndef __HIP_PLATFORM_AMD__`, or give it another name and call that";

fn check(cx: &mut Context<'_, '_>) {
    let mut findings = meeting_other_files(cx);
    if names_types_that_meet(cx) {
        findings.extend(meeting_each_other(cx));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The definitions that meet an earlier one of the file.
fn meeting_each_other(cx: &Context<'_, '_>) -> Vec<Finding> {
    let functions = cx.doc.scopes().iter();
    let functions = functions.filter_map(|function| Definition::of_function(cx, function));
    let classes = cx.doc.all("template");
    let classes = classes.filter_map(|template| Definition::of_class(cx, template));
    let mut all: Vec<Definition<'_>> = functions.chain(classes).collect();
    all.sort_by_key(|definition| definition.first);
    let mut known = FxHashMap::<&str, Vec<&Definition<'_>>>::default();
    let mut findings = Vec::new();
    for definition in all.iter().filter(|definition| is_seen(cx, definition)) {
        let earlier = known.entry(&definition.hip).or_default();
        let same = earlier
            .iter()
            .find(|other| other.cuda != definition.cuda && may_meet(cx, other, definition));
        findings.extend(same.map(|other| finding(cx, other, definition)));
        earlier.push(definition);
    }
    findings
}

/// The definitions that meet one of another file.
fn meeting_other_files(cx: &Context<'_, '_>) -> Vec<Finding> {
    let path = cx.doc.source.path.as_str();
    let rivals = cx.project.rivals(path, cx.table());
    let mut found = Vec::<Finding>::new();
    for (own, file, other) in rivals {
        let is_same = on_amd(cx, &own.spelling).0 == on_amd(cx, &other.spelling).0;
        let is_known = found.last().is_some_and(|last| last.range == own.name);
        if !is_same || is_known || cx.is_inactive(own.name.start) {
            continue;
        }
        let message = format!(
            "on AMD this redefines `{}` of {file}:{}: the parameter types are the same",
            cx.doc.source.text(own.name),
            other.line
        );
        let finding = RULE.finding(own.name, message);
        found.push(finding.severity(Severity::Error).help(HIDE));
    }
    found
}

/// Whether the file names two types that become one, or one that becomes a pointer to anything: few files do.
fn names_types_that_meet(cx: &Context<'_, '_>) -> bool {
    let met = RefCell::new(FxHashSet::default());
    cx.doc.has_word(|word| {
        let spelling = cx.table().get(word).and_then(|hit| spelling(cx, hit.entry));
        spelling.is_some_and(|text| text == "void *" || !met.borrow_mut().insert(text))
    })
}

fn is_seen(cx: &Context<'_, '_>, definition: &Definition<'_>) -> bool {
    let at = cx.range(definition.first).start;
    cx.doc.vendor_at(at) == Vendor::Any && !cx.is_inactive(at) && !cx.is_not_meant(at)
}

/// Whether one build can hold both: they are not in two branches of one condition, nor in conditions that ask for the same macro.
fn may_meet(cx: &Context<'_, '_>, one: &Definition<'_>, other: &Definition<'_>) -> bool {
    let (one, other) = (cx.range(one.first).start, cx.range(other.first).start);
    if cx.doc.branches.dominates(one, other) {
        return true;
    }
    let mut asked = Vec::new();
    let groups = groups(cx.doc);
    for (at, elsewhere) in [(one, other), (other, one)] {
        for (group, position) in groups.around(cx.doc, at) {
            let mut branches = group.branches.iter();
            match branches.position(|branch| branch.body.contains_offset(elsewhere)) {
                Some(other) if other != position => return false,
                Some(_) => {}
                None => asked.extend(names_asked(cx, &group.branches[0].directive)),
            }
        }
    }
    let count = asked.len();
    asked.sort_unstable();
    asked.dedup();
    asked.len() == count
}

/// The macros that a condition asks for.
fn names_asked<'d>(cx: &Context<'d, '_>, directive: &Directive) -> Vec<&'d [u8]> {
    let mut names: Vec<&[u8]> = directive
        .operands()
        .filter(|&at| cx.doc.is_ident(at) && !cx.doc.is(at, "defined"))
        .map(|at| cx.doc.bytes(at))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn finding(cx: &Context<'_, '_>, first: &Definition<'_>, second: &Definition<'_>) -> Finding {
    let line = cx.doc.source.line_col(cx.range(first.first).start).line;
    let message = format!(
        "on AMD this redefines `{}` of line {line}: the parameter types are the same",
        cx.text(second.name)
    );
    let finding = RULE.finding(cx.range(second.name), message);
    match replacement(cx, first, second).zip(second.lines(cx.doc)) {
        Some((comment, (start, end))) => finding
            .help("this definition is hidden from AMD; check that the other one is right for its callers")
            .fix(Fix::review(vec![
                Edit::insert(start, format!("#ifndef __HIP_PLATFORM_AMD__ // {comment}\n")),
                Edit::insert(end, "#endif\n"),
            ])),
        None => finding.severity(Severity::Error).help(HIDE),
    }
}

/// Why callers of the second definition may call the first: both are about error codes of HIP, or both do the same.
fn replacement(
    cx: &Context<'_, '_>,
    first: &Definition<'_>,
    second: &Definition<'_>,
) -> Option<String> {
    let (one, other) = (cx.range(first.first).start, cx.range(second.first).start);
    let around = |at: u32| cx.doc.branches.around(at).count();
    let pairs = first.types.iter().zip(&second.types);
    let mut others = pairs.filter(|(one, other)| one.0 != other.0);
    let ((name, _), _) = others.clone().next()?;
    let about_errors = first.types.len() == second.types.len()
        && others.all(|(_, (_, target))| *target == "hipError_t");
    let fits = first.result == second.result
        && (cx.doc.branches.dominates(one, other) || around(other) > 0)
        && (about_errors || first.body_on_amd(cx) == second.body_on_amd(cx));
    fits.then(|| format!("HIP has one type for this and {name}"))
}
