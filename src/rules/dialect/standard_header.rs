//! A name of the standard library, or of another of CUDA's libraries, whose header is not included.
//!
//! ## Why on AMD
//! nvcc and the CUDA headers bring more of the standard library than HIP's: `FLT_MAX`, in many programs `std::vector` by way of
//! Thrust or CUB. HIP 7 brings still less than HIP 6. CUDA's libraries also bring each other: `cusolverDn.h` all of cuBLAS, `cublas_v2.h`
//! the half types, `cooperative_groups.h` the atomics of libcu++, where HIP's do not. The header that declares the name is included.
//!
//! ## Example
//! ```cuda
//! #include <cuda_runtime.h>
//! float smallest = FLT_MAX;
//! ```
//! becomes
//! ```hip
//! #include <hip/hip_runtime.h>
//! #include <cfloat>
//! float smallest = FLT_MAX;
//! ```
//!
//! ## When to ignore
//! Never: a second include of the same header does nothing.
//!
//! ## Source
//! Each header was compiled alone behind `hip/hip_runtime.h` of ROCm 6.4 with libstdc++ 12; HIP 7 changes document; what the headers of
//! CUDA 13.0 include.

use crate::cpp::declaring_headers::{Header, headers_of};
use crate::cpp::definitions::declares;
use crate::cpp::guarding::is_for_host_compilers;
use crate::mapping::{LibraryVendor, Support};
use crate::project::includes::Reached;
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Includes the header.
pub static RULE: Rule = Rule {
    code: "CASS103",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort],
    checks: &[Check::Source(check)],
};

/// Whether the names of a header become those of AMD's own library, which has another.
fn is_of_roc(cx: &Context<'_, '_>, header: &Header) -> bool {
    let choices = &cx.options().choices;
    match header.path.split('/').next() {
        Some("hipblas") => choices.blas == LibraryVendor::Roc,
        Some("hipsparse") => choices.sparse == LibraryVendor::Roc,
        _ => false,
    }
}

fn check(cx: &mut Context<'_, '_>) {
    if cx.doc.source.path.ends_with(".c") {
        return;
    }
    let is_newest = cx.options().rocm >= Version::new(7, 0);
    let mut wanted: Vec<(&Header, TokenIndex)> = Vec::new();
    let doc = cx.doc;
    for index in doc.all_that(|word| !headers_of(word).is_empty() && !is_declared_here(doc, word)) {
        let header = headers_of(cx.doc.bytes(index))
            .iter()
            .copied()
            .find(|header| (is_newest || !header.since_7) && means(cx, header, index));
        let Some(header) = header.filter(|header| !is_of_roc(cx, header)) else {
            continue;
        };
        if wanted.iter().all(|(known, _)| known.path != header.path) {
            wanted.push((header, index));
        }
    }
    // Who includes this file is asked only when something is missing, which is rare.
    for included in [false, true] {
        if wanted.is_empty() {
            return;
        }
        let reached = cx.project.reached(cx.doc, cx.table(), included);
        wanted.retain(|(header, _)| {
            if !header.behind.is_empty() {
                // A header of templates is read where it is included; its includer may bring the name later.
                if included && !header.space.is_empty() {
                    return true;
                }
                // Only who includes CUDA's header has the names by it.
                let key = format!("implies {}", header.path);
                return !brings(&reached, header)
                    && (included || reached.brings(&key, |path| header.behind.contains(&path)));
            }
            // One includer out of many that brings `math.h` does not help the others.
            (included && header.path == "math.h")
                || (!brings(&reached, header) && (header.space != "std" || reached.complete))
        });
    }
    for (header, index) in wanted {
        cx.report(missing(cx, header, index));
        if let Some(finding) = of_another_library(cx, header, index) {
            cx.report(finding);
        }
    }
}

/// Whether the identifier is the name of the header: `std::vector`, or the macro or function of the C library.
fn means(cx: &Context<'_, '_>, header: &Header, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let start = doc.tokens[index].start;
    let is_for_amd = doc.vendor_at(start) == Vendor::Any && !is_for_host_compilers(doc, start);
    if !is_for_amd || cx.is_off(start, RULE.code) {
        return false;
    }
    let qualifier = doc
        .prev(index)
        .filter(|&at| doc.is(at, "::"))
        .and_then(|at| doc.prev(at));
    if !header.space.is_empty() {
        let space = qualifier.filter(|&at| doc.is(at, header.space));
        return space.is_some_and(|at| !doc.prev_is(at, "::"));
    }
    let tested =
        doc.tokens[index].has(flags::DIRECTIVE) && !doc.tokens[index].has(flags::MACRO_BODY);
    let on_device = header.path == "math.h"
        && doc
            .scopes()
            .enclosing(index)
            .is_some_and(|function| matches!(function.space, Space::Device | Space::Kernel));
    let is_used = header.any_use || doc.next_is(index, "(");
    let declared = doc
        .prev(index)
        .is_some_and(|prev| matches!(doc.bytes(prev), b"." | b"->" | b"void" | b"define"));
    is_used
        && !is_defined_here(doc, index)
        && !is_asked_for(doc, index)
        && !on_device
        && !tested
        && !declared
        && qualifier.is_none()
        && cx.constant(doc.bytes(index)).is_none()
        && (header.behind.is_empty() || !cx.is_own(doc.bytes(index)))
}

/// Whether the file has a macro of that name itself.
fn is_defined_here(doc: &Document<'_>, index: TokenIndex) -> bool {
    doc.directives.iter().any(|directive| {
        let name = directive.operands().next();
        directive.kind == DirectiveKind::Define
            && name.is_some_and(|at| doc.bytes(at) == doc.bytes(index))
    })
}

/// Whether the file declares a function of that name itself: `bool isnan(double);` of a test framework, in its own namespace.
fn is_declared_here(doc: &Document<'_>, word: &[u8]) -> bool {
    let word = std::str::from_utf8(word).unwrap_or_default();
    doc.all(word).any(|at| declares(doc, at))
}

/// Whether the code asks for a macro of that name first: `#ifdef isnan`.
fn is_asked_for(doc: &Document<'_>, index: TokenIndex) -> bool {
    let asks = |branch: TextRange| {
        let at = doc
            .directives
            .iter()
            .find(|it| it.range.end == branch.start);
        at.is_some_and(|it| {
            matches!(it.kind, DirectiveKind::If | DirectiveKind::Ifdef)
                && it.operands().any(|at| doc.bytes(at) == doc.bytes(index))
        })
    };
    doc.branches.around(doc.tokens[index].start).any(asks)
}

fn brings(reached: &Reached<'_>, header: &Header) -> bool {
    let is_one = |path: &str| {
        path == header.path
            || header.also.iter().any(|also| {
                let of_folder = || path.trim_start_matches("hip").starts_with(also);
                path == *also || (also.ends_with('/') && of_folder())
            })
    };
    reached.brings(header.path, is_one)
}

/// What a person has to see to where the header that is included is none of ROCm's: a check of the port says the same of its line.
fn of_another_library(cx: &Context<'_, '_>, header: &Header, index: TokenIndex) -> Option<Finding> {
    let entry = cx.table().header(header.path.as_bytes())?.entry;
    let note = entry.note.filter(|_| entry.support == Support::Review)?;
    let message = format!("`{}` is a header of another library on AMD", header.path);
    let finding = RULE.finding(cx.range(index), message);
    Some(finding.severity(Severity::Warning).help(note.to_owned()))
}

/// The name and the header that is included for it.
fn missing(cx: &Context<'_, '_>, header: &Header, index: TokenIndex) -> Finding {
    let colons = if header.space.is_empty() { "" } else { "::" };
    let message = format!(
        "`{}{colons}{}` needs `<{}>`, which no include of this file brings",
        header.space,
        cx.text(index),
        header.path
    );
    RULE.finding(cx.range(index), message)
        .header(header.path)
        .fix(Fix::safe(Vec::new()))
}
