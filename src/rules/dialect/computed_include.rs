//! An include whose path a macro makes a string of.
//!
//! ## Why on AMD
//! `#include STR(cublas_v2.h)` includes a header of CUDA as `#include "cublas_v2.h"` does, and ROCm has none of that name: "file not found".
//!
//! ## Example
//! ```cuda
//! #define STR2(x) #x
//! #define STR(x) STR2(x)
//! #define BLAS cublas_v2.h
//! #include STR(BLAS)
//! ```
//! becomes
//! ```hip
//! #define BLAS hipblas/hipblas.h
//! #include STR(BLAS)
//! ```
//!
//! ## When to ignore
//! Never. A header of that name in the tree is the project's own, and left alone.
//!
//! ## Source
//! The include folders of ROCm 6.4, listed in `mappings/headers.toml`.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::analysis::header_target::header_target;
use crate::rules::prelude::*;

/// Writes the path of AMD's header.
pub static RULE: Rule = Rule {
    code: "CASS711",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let mut paths = BTreeSet::new();
    let includes = doc.directives.iter();
    for directive in includes.filter(|it| it.kind == DirectiveKind::Include) {
        let operands: Vec<TokenIndex> = directive.operands().collect();
        let is_computed = operands.first().is_some_and(|&at| doc.is_ident(at));
        if !is_computed {
            continue;
        }
        paths.extend(operands.iter().filter_map(|&at| path(doc, at)).map(ends));
        for &name in operands.iter().filter(|&&at| doc.is_ident(at)) {
            let bodies = doc.macros_called(doc.bytes(name));
            let tokens = bodies.flat_map(|it| it.tokens.clone());
            paths.extend(tokens.filter_map(|at| path(doc, at)).map(ends));
        }
    }
    for (first, last) in paths {
        if let Some(finding) = finding(cx, doc.range(first, last)) {
            cx.report(finding);
        }
    }
}

fn ends(tokens: Range<TokenIndex>) -> (TokenIndex, TokenIndex) {
    (tokens.start, tokens.end - 1)
}

/// The tokens of the path `folder/name.h` whose `.` stands at a token, where no bracket or quote is around it.
fn path(doc: &Document<'_>, dot: TokenIndex) -> Option<Range<TokenIndex>> {
    const DEEPEST: usize = 10;
    let joins = |left: TokenIndex, right: TokenIndex| {
        right < doc.tokens.len() && doc.tokens[left].end() == doc.tokens[right].start
    };
    let is_ending = |at: TokenIndex| matches!(doc.bytes(at), b"h" | b"hpp" | b"cuh");
    if !doc.is(dot, ".") || !joins(dot, dot + 1) || !is_ending(dot + 1) {
        return None;
    }
    let mut first = dot
        .checked_sub(1)
        .filter(|&at| doc.is_ident(at) && joins(at, dot))?;
    for _ in 0..DEEPEST {
        let is_folder = first >= 2
            && doc.is(first - 1, "/")
            && doc.is_ident(first - 2)
            && joins(first - 1, first)
            && joins(first - 2, first - 1);
        if !is_folder {
            break;
        }
        first -= 2;
    }
    let is_bare = !doc
        .prev(first)
        .is_some_and(|at| matches!(doc.bytes(at), b"<" | b"/" | b"."));
    is_bare.then_some(first..dot + 2)
}

fn finding(cx: &Context<'_, '_>, written: TextRange) -> Option<Finding> {
    let doc = cx.doc;
    let path = doc.source.text(written);
    let entry = cx.table().header(path.as_bytes())?.entry;
    let is_own = cx.project.paths.resolve(&doc.source.path, &path).is_some();
    let is_left = doc.vendor_at(written.start) != Vendor::Any || cx.is_inactive(written.start);
    if is_own || is_left || cx.is_torch() {
        return None;
    }
    let since = entry.rocm.since;
    let lacks = since.is_some_and(|since| cx.options().rocm < since);
    let target = header_target(cx.options(), entry).filter(|_| !lacks);
    let Some(target) = target else {
        let finding = RULE.finding(written, format!("`{path}` has no counterpart on AMD"));
        let help = entry.note.unwrap_or("include it for CUDA alone");
        return Some(finding.severity(Severity::Error).help(help));
    };
    // What needs no header on AMD is there with the runtime.
    let target = if target.is_empty() {
        "hip/hip_runtime.h"
    } else {
        target
    };
    let finding = RULE.finding(written, format!("`{path}` becomes `{target}`"));
    let edit = Edit::replace(written, target);
    (target != path).then(|| finding.fix(Fix::safe(vec![edit])))
}
