//! A branch for NVIDIA's compiler in front of one for HIP, in a file that PyTorch's build for ROCm rewrites.
//!
//! ## Why on AMD
//! PyTorch writes `__HIPCC__` for each `__CUDACC__` of the files that it moves, libraries below a folder called `cuda` among them. hipcc
//! defines that, so it takes the branch that was NVIDIA's, and never comes to the one that the library has for HIP: GLM then finds
//! `CUDA_VERSION` too small and stops.
//!
//! ## Example
//! ```cuda
//! #ifdef __CUDACC__
//! #  if CUDA_VERSION < 7000
//! #    error "CUDA 7.0 or higher"
//! #  endif
//! #elif defined(__HIP__)
//! #  define COMPILER_HIP
//! #endif
//! ```
//! becomes
//! ```hip
//! #if defined(__CUDACC__) && !defined(__HIP__)
//! ```
//!
//! ## When to ignore
//! When the library lies outside of `include_dirs`, where PyTorch does not rewrite it.
//!
//! ## Source
//! `RE_PYTORCH_PREPROCESSOR` and `get_hip_file_path` in `torch/utils/hipify/hipify_python.py` of PyTorch 2.11.

use crate::analysis::moved_by_torch::moves;
use crate::rules::prelude::*;

/// Keeps HIP out of NVIDIA's branch.
pub static RULE: Rule = Rule {
    code: "CASS654",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 15,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__CUDACC__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if !cx.is_torch() || !moves(&doc.source.path) || !doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let start = doc.tokens[index].start;
    let at = doc.directives.partition_point(|it| it.range.end < start);
    let Some(directive) = doc.directives.get(at).filter(|it| it.kind.is_condition()) else {
        return;
    };
    let words: Vec<&[u8]> = directive.operands().map(|at| doc.bytes(at)).collect();
    let asks_alone = match words[..] {
        [name] | [b"defined", name] | [b"defined", b"(", name, b")"] => name == b"__CUDACC__",
        _ => false,
    };
    let keyword = doc.bytes(directive.tokens.start + 1);
    let replaced = match keyword {
        b"ifdef" | b"if" => "#if",
        b"elif" => "#elif",
        _ => return,
    };
    if !asks_alone || !has_branch_for_hip(doc, at) {
        return;
    }
    let text = format!("{replaced} defined(__CUDACC__) && !defined(__HIP__)");
    let finding = RULE.finding(
        directive.range,
        "PyTorch's build for ROCm writes `__HIPCC__` for `__CUDACC__` here, so hipcc does not come to the branch for HIP below",
    );
    cx.report(
        finding
            .severity(Severity::Info)
            .fix(Fix::safe(vec![Edit::replace(directive.range, text)])),
    );
}

/// Whether an `#elif` behind a directive, of the same conditions, asks for HIP.
fn has_branch_for_hip(doc: &Document<'_>, at: usize) -> bool {
    const HIP: &[&[u8]] = &[b"__HIP__", b"__HIPCC__", b"__HIP_PLATFORM_AMD__"];
    let mut depth = 0_usize;
    for directive in &doc.directives[at + 1..] {
        let kind = directive.kind;
        if kind.opens_group() {
            depth += 1;
        } else if kind.continues_group() && depth == 0 {
            if directive.operands().any(|at| HIP.contains(&doc.bytes(at))) {
                return true;
            }
        } else if kind.is_of_group() && !kind.continues_group() {
            match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return false,
            }
        }
    }
    false
}
