//! A header of the CUDA samples (`helper_cuda.h`, `helper_math.h`, `exception.h` and so on) that the tree does not bring itself.
//!
//! ## Why on AMD
//! These headers come with CUDA's sample programs, not with the toolkit, and ROCm has nothing of that name. What programs use of
//! them is in the helper header under its own names: error checks and device choice, timers, command lines, image files, vector
//! functions. Vector operators are not among them, since HIP's vector types have their own.
//!
//! ## Example
//! ```cuda
//! #include <helper_cuda.h>
//! checkCudaErrors(cudaDeviceSynchronize());
//! ```
//! becomes
//! ```hip
//! #include "cass_hip_compat.hpp"
//! checkCudaErrors(hipDeviceSynchronize());
//! ```
//!
//! ## When to ignore
//! When the build adds the samples' own folder to the include path: then translate that folder with the project.
//!
//! ## Source
//! The snippets `src/compat/samples/*.hpp`, written from what the samples use.

use crate::analysis::helpers::header_for;
use crate::compat::{self};

use crate::analysis::include_place::is_in_statement;
use crate::cpp::deletion::include_line;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Brings the helpers instead.
pub static RULE: Rule = Rule {
    code: "CASS501",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 35,
    facts: &[Fact::DoneByShim],
    checks: &[Check::Include(check)],
};

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    let Some(helper) = header_for(cx, include) else {
        return;
    };
    let path = cx.text_of(include.path).into_owned();
    let source = &cx.doc.source.path;
    let header = compat::include_path(source, cx.project.helper_header_of(source));
    let stays = cx.options().compat == CompatMode::Header && !is_repeated(cx, include);
    let edit = if stays {
        Edit::replace(cx.range(include.token), format!("\"{header}\""))
    } else {
        Edit::delete(include_line(cx.doc, include))
    };
    let finding = RULE
        .finding(
            include.directive,
            format!("`{path}` belongs to the CUDA samples; the helper header takes its place"),
        )
        .help("check that the helper header has what the file uses: it has the usual checks, timers, image files and vector functions");
    // What stands behind it on its line would become part of it; what it parts would become one.
    let is_whole =
        cx.range(include.token).end == include.directive.end && !is_in_statement(cx.doc, include);
    cx.report(match is_whole {
        true => finding.fix(Fix::review(vec![edit])).helper(helper.name),
        false => finding,
    });
}

/// Whether everyone who reads this include has already read one that becomes the helper header.
fn is_repeated(cx: &Context<'_, '_>, include: &Include) -> bool {
    let mut earlier = cx.doc.includes_read_before(include);
    earlier.any(|other| header_for(cx, other).is_some())
}
