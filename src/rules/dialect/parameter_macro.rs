//! A macro with a name that HIP's headers use, in front of their include.
//!
//! ## Why on AMD
//! HIP's runtime header is made of templates, and `template <typename T>` reads `template <typename 16>` where `T` is a macro by then.
//! nvcc includes CUDA's runtime header before the first line of a file, so the macro comes behind it there.
//!
//! ## Example
//! ```cuda
//! #define T 16
//! #include <cuda_runtime.h>
//! ```
//!
//! ## When to ignore
//! When a file that is included before brings HIP's headers. In C++ the runtime header goes in front of the macro (CASS009); what is
//! left are C files and lines where a comment turns that off.
//!
//! ## Source
//! `hip/amd_detail/*.h` of ROCm 6.4; clang 19: "expected unqualified-id" in `amd_hip_vector_types.h`.

use crate::project::file::parameter_macro;
use crate::rules::prelude::*;

/// Says which macro stands in the way of the headers.
pub static RULE: Rule = Rule {
    code: "CASS125",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Directive(check)],
};

fn check(directive: &Directive, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(name) = parameter_macro(doc, directive).filter(|_| reaches_headers(cx, directive))
    else {
        return;
    };
    // Nothing of C is a template, and its `rank` is nobody's: of the ten these stop gcc in `hip/hip_runtime.h` 6.4.
    const IN_C: &[&[u8]] = &[b"size", b"width", b"x", b"y", b"z"];
    let is_harmless = doc.source.path.ends_with(".c") && !IN_C.contains(&doc.bytes(name));
    if is_harmless || goes_in_front(cx) {
        return;
    }
    let word = cx.text(name).into_owned();
    let finding = RULE
        .finding(
            cx.range(name),
            format!("HIP's headers, included below, use the name `{word}`"),
        )
        .help("move the macro behind the includes, or give it a longer name");
    cx.report(finding);
}

/// Whether the runtime header is put in front of the macro, as nvcc does.
fn goes_in_front(cx: &Context<'_, '_>) -> bool {
    let project = &cx.project;
    let found = project.macro_before_runtime(cx.doc, cx.table());
    found.is_some_and(|it| !cx.is_off(it.start, "CASS009")) && !cx.doc.source.path.ends_with(".c")
}

/// Whether an include below the macro is the first to bring HIP's runtime header, or the file gets it there.
fn reaches_headers(cx: &Context<'_, '_>, directive: &Directive) -> bool {
    let brings = |include: &&Include| {
        let path = cx.text_of(include.path);
        let hit = cx.table().header(path.as_bytes());
        let becomes = hit.and_then(|hit| hit.entry.hip).unwrap_or(&path);
        becomes.starts_with("hip/") || becomes.starts_with("hip") && becomes.contains('/')
    };
    let first = cx.doc.includes.iter().find(brings);
    first.is_some_and(|include| include.directive.start > directive.range.start)
}
