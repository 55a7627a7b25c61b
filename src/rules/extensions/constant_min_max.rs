//! `std::min` or `std::max` where a constant is wanted, in a source of a PyTorch extension.
//!
//! ## Why on AMD
//! For ROCm PyTorch writes `::min(` for `std::min(` and `::max(` for `std::max(` in all .cu and .cuh files. Those of AMD's compiler are
//! not `constexpr`: a constant made with them does not compile. In brackets the name is not found by PyTorch, and every compiler takes it.
//!
//! ## Example
//! ```cuda
//! static constexpr int bytes = std::min(N * 4, 32 * 1024);
//! ```
//! becomes
//! ```hip
//! static constexpr int bytes = (std::min)(N * 4, 32 * 1024);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `MATH_TRANSPILATIONS` in `torch/utils/hipify/cuda_to_hip_mappings.py` of PyTorch 2.11; compiled with clang 19.

use crate::rules::prelude::*;

/// Puts the name into brackets.
pub static RULE: Rule = Rule {
    code: "CASS650",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["min", "max"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let path = &doc.source.path;
    if !cx.is_torch() || !(path.ends_with(".cu") || path.ends_with(".cuh")) {
        return;
    }
    let before = |index: TokenIndex, text: &str| doc.prev(index).filter(|it| doc.is(*it, text));
    let Some(std) = before(index, "::").and_then(|index| before(index, "std")) else {
        return;
    };
    // PyTorch looks for the bracket right behind the name.
    let is_seen = |open: TokenIndex| doc.tokens[open].start == doc.tokens[index].end();
    let is_call = doc
        .next(index)
        .is_some_and(|it| doc.is(it, "(") && is_seen(it));
    if !is_call || !is_constant(doc, std) {
        return;
    }
    let range = doc.range(std, index);
    let name = cx.text(index);
    let message =
        format!("PyTorch's build for ROCm writes `::{name}` here, which is no constant expression");
    let edits = vec![Edit::insert(range.start, "("), Edit::insert(range.end, ")")];
    cx.report(
        RULE.finding(range, message)
            .severity(Severity::Info)
            .fix(Fix::safe(edits)),
    );
}

/// Whether a place is in what `constexpr` or `static_assert` begins: nothing before it ends a statement.
fn is_constant(doc: &Document<'_>, at: TokenIndex) -> bool {
    let before = std::iter::successors(doc.prev(at), |at| doc.prev(*at));
    let statement = before.take_while(|at| !matches!(doc.bytes(*at), b";" | b"{" | b"}"));
    let mut words = statement.map(|at| doc.bytes(at));
    words.any(|word| matches!(word, b"constexpr" | b"static_assert"))
}
