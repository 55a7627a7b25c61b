//! A function of the standard library that device code cannot call.
//!
//! ## Why on AMD
//! `std::swap`, `std::sort` and the other algorithms are host functions in C++17; only `constexpr` functions such as `std::min` run on
//! the device. nvcc lets some of them through with a warning, clang has "no matching function". nvcc does not read `static` functions for
//! the device that nobody calls, and clang does: `bswap_64`, `htobe64` and the like of the C library become what the compiler has itself.
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

use crate::cpp::definitions::declares;
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
    checks: &[
        Check::Listed(|| &name_lists().host_algorithms, check),
        Check::Idents(SWAPS_BYTES, check_bytes),
    ],
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

/// Functions of the C library that swap bytes, on machines such as AMD's GPUs, that store the lowest first; each ends with its width.
const SWAPS_BYTES: &[&str] = &[
    "bswap_16",
    "bswap_32",
    "bswap_64",
    "__bswap_16",
    "__bswap_32",
    "__bswap_64",
    "htons",
    "ntohs",
    "htonl",
    "ntohl",
    "htobe16",
    "htobe32",
    "htobe64",
    "be16toh",
    "be32toh",
    "be64toh",
];

fn check_bytes(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let word = doc.bytes(index);
    let is_plain = !["::", ".", "->"]
        .iter()
        .any(|text| doc.is_before(index, text));
    let declared = || doc.noted("declared", word, |at| declares(doc, at));
    let is_own = || doc.macros_called(word).next().is_some() || !declared().is_empty();
    if !is_plain || !is_device_only(doc, index) || doc.call(index).is_none() || is_own() {
        return;
    }
    let name = cx.text(index);
    let width = match name.as_ref() {
        "htons" | "ntohs" => "16",
        "htonl" | "ntohl" => "32",
        name => ["16", "32", "64"]
            .into_iter()
            .find(|width| name.contains(width))
            .unwrap_or("64"),
    };
    let message = format!("`{name}` is a host function: device code cannot call it");
    let edit = Edit::replace(cx.range(index), format!("__builtin_bswap{width}"));
    let finding = RULE
        .finding(cx.range(index), message)
        .severity(Severity::Info);
    cx.report(finding.fix(Fix::safe(vec![edit])));
}
