//! A function of the standard library that device code cannot call.
//!
//! ## Why on AMD
//! `std::swap`, `std::sort` and the other algorithms are host functions in C++17; only `constexpr` functions such as `std::min` run on
//! the device. nvcc lets some of them through with a warning, clang has "no matching function".
//!
//! ## Example
//! ```cuda
//! __device__ void order(int &a, int &b) { if (b < a) std::swap(a, b); }
//! ```
//! becomes
//! ```hip
//! __device__ void order(int &a, int &b) { if (b < a) cass_swap(a, b); }
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! Compiled with clang 19 and libstdc++ 12.

use crate::cpp::functions::is_device_only;
use crate::mapping::name_lists;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Replaces `std::swap`, takes the namespace from `std::printf`; reports the algorithms.
pub static RULE: Rule = Rule {
    code: "CASS110",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::DoneByTorch, Fact::NotForRtc],
    checks: &[Check::Listed(|| &name_lists().host_algorithms, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(std) = doc
        .prev(index)
        .filter(|&index| doc.is(index, "::"))
        .and_then(|index| doc.prev(index))
        .filter(|&index| doc.is(index, "std"))
    else {
        return;
    };
    if !is_device_only(doc, index) || doc.call(index).is_none() {
        return;
    }
    let range = doc.range(std, index);
    let finding = RULE.finding(
        range,
        format!(
            "`std::{}` is a host function: device code cannot call it",
            cx.text(index)
        ),
    );
    let swaps = doc.is(index, "swap") && cx.options().compat != CompatMode::None;
    cx.report(if doc.is(index, "printf") {
        let range = TextRange::new(range.start, doc.tokens[index].start);
        finding
            .severity(Severity::Info)
            .fix(Fix::safe(vec![Edit::delete(range)]))
    } else if swaps {
        finding
            .severity(Severity::Info)
            .helper("cass_swap")
            .fix(Fix::safe(vec![Edit::replace(range, "cass_swap")]))
    } else {
        finding.help("write the loop out, or call the algorithm of Thrust with `thrust::seq`")
    });
}
