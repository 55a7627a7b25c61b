//! A condition or expression about `__CUDA_ARCH__`, which is undefined on AMD.
//!
//! ## Why on AMD
//! In `#if` an undefined macro counts as 0: `__CUDA_ARCH__ >= 700` is false and AMD silently compiles the oldest code path, and
//! `#ifdef __CUDA_ARCH__` gives AMD's device pass the host's branch. Where the branch that was meant is certain the condition gains
//! a term for `__HIP_DEVICE_COMPILE__`. AMD counts as a chip of compute capability 8.0: branches for newer ones hold what AMD lacks.
//! A branch that holds inline assembly or names without counterpart is not forced upon AMD: the finding says what it holds.
//!
//! A branch without another for the host that defines types or functions which kernels of the file name is there in both passes, by
//! `__HIPCC__`: clang reads kernels in the host's pass as well, where nvcc has dropped their bodies. So are macros that say where functions
//! run, `#define INLINE __device__ inline` with `#define INLINE inline` for the host; they say `__host__ __device__`. Where the branch holds
//! other things as well, they are defined once more behind its `#endif`, for HIP's compiler.
//!
//! A macro that stands for `__CUDA_ARCH__` gets a value on AMD beside it, 800, so that each test of it means what one of
//! `__CUDA_ARCH__` would.
//!
//! ## Example
//! ```cuda
//! #ifdef __CUDA_ARCH__
//!   return __popc(x);
//! #else
//!   return count_bits(x);
//! #endif
//! ```
//! becomes
//! ```hip
//! #if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
//!   return __popc(x);
//! #else
//!   return count_bits(x);
//! #endif
//! ```
//!
//! ## When to ignore
//! When the branch that AMD takes is the right one for your GPUs.
//!
//! ## Source
//! HIP porting guide, "Identifying the target platform"; predefined macros of clang 19.

use crate::analysis::conditions::{findings, verdict};
use crate::cpp::conditions::cuda_macros::Family;
use crate::rules::prelude::*;

/// Extends conditions about the device pass and the chip; reports what cannot be extended.
pub static RULE: Rule = Rule {
    code: "CASS601",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort],
    checks: &[
        Check::Idents(&["__CUDA_ARCH__", "__CUDA_ARCH_LIST__"], check),
        Check::Source(conditions),
    ],
};

fn conditions(cx: &mut Context<'_, '_>) {
    for finding in findings::findings(cx, RULE.id(), Family::Arch) {
        cx.report(finding);
    }
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let token = cx.doc.tokens[index];
    let name = cx.text(index);
    let is_list = name == "__CUDA_ARCH_LIST__";
    if token.has(flags::MACRO_BODY) && !is_list {
        if let Some(finding) = alias(cx, index) {
            cx.report(finding.unwrap_or_else(|| without_value(cx, index)));
        }
        return;
    }
    if token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY) && !is_list {
        return;
    }
    if verdict::is_in_branch_about(cx, index, Family::Arch) {
        return;
    }
    let finding = without_value(cx, index);
    cx.report(finding);
}

fn without_value(cx: &Context<'_, '_>, index: TokenIndex) -> Finding {
    let in_directive = cx.doc.tokens[index].has(flags::DIRECTIVE);
    RULE.finding(cx.range(index), format!("`{}` has no value on AMD", cx.text(index)))
        .severity(if in_directive { Severity::Warning } else { Severity::Error })
        .help("test `__HIP_DEVICE_COMPILE__` for device code and macros such as `__gfx90a__` for the chip; there is no number to compare")
}

/// `#define ALIAS __CUDA_ARCH__`. Outer `None`: nothing to say, as it has a value or is not read for AMD; inner: no value can be given.
fn alias(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Option<Finding>> {
    let doc = cx.doc;
    let directive = &doc.directives[doc.directive_of(index)?];
    let name = directive.defined_macro();
    let mut all = doc.occurrences(b"__CUDA_ARCH__", directive.tokens.clone());
    let is_first = all.next() == Some(index);
    let range = directive.range;
    let valued = name.is_some_and(|name| has_value(doc, name));
    if !is_first || doc.vendor_at(range.start) != Vendor::Any || valued {
        return None;
    }
    let Some(name) = name else {
        return Some(None);
    };
    let asks = directive
        .tokens
        .clone()
        .any(|at| matches!(doc.bytes(at), b"defined" | b"##"));
    if asks {
        return Some(None);
    }
    let text = doc.source.text(range);
    let text = text.trim_end();
    let newline = doc.newline();
    let on_amd = text.replace("__CUDA_ARCH__", AMD_ARCH);
    let before = format!("#ifdef __HIP_DEVICE_COMPILE__{newline}{on_amd}{newline}#else{newline}");
    let end = range.start + doc.source.slice(range).trim_ascii_end().len() as u32;
    let finding = RULE
        .finding(
            cx.range(name),
            format!("`{}` stands for `__CUDA_ARCH__`, which has no value on AMD", cx.text(name)),
        )
        .help("AMD counts as compute capability 8.0 now: look at what the conditions on this macro select")
        .fix(Fix::review(vec![
            Edit::insert(range.start, before),
            Edit::insert(end, format!("{newline}#endif")),
        ]));
    Some(Some(finding))
}

/// The compute capability that AMD counts as.
const AMD_ARCH: &str = "800";

/// Whether a macro of the file has a definition for AMD's device pass.
fn has_value(doc: &Document<'_>, name: TokenIndex) -> bool {
    let word = doc.bytes(name);
    let for_amd = |define: &Directive| {
        let around = doc.branches.outwards(define.range.start).next();
        around.is_some_and(|branch| {
            let asks = &doc.directives[doc.branches.branch(branch).directive];
            let first = asks.operands().next();
            !asks.kind.is_negative() && first.is_some_and(|at| doc.is(at, "__HIP_DEVICE_COMPILE__"))
        })
    };
    doc.macros()
        .any(|(other, define)| other != name && doc.bytes(other) == word && for_amd(define))
}
