//! A Thrust algorithm whose header the file does not include, because another header of CUDA's Thrust brings it.
//!
//! ## Why on AMD
//! Which header of Thrust includes which other one is not documented. rocThrust's headers bring less: `thrust::sequence` without
//! `<thrust/sequence.h>` does not compile there.
//!
//! ## Example
//! ```cuda
//! #include <thrust/sort.h>
//! thrust::sequence(p, p + n);
//! ```
//! becomes
//! ```hip
//! #include <thrust/sequence.h>
//! #include <thrust/sort.h>
//! thrust::sequence(p, p + n);
//! ```
//!
//! ## When to ignore
//! Never: the include is harmless where something else brings the header.
//!
//! ## Source
//! What each header of rocThrust includes in ROCm 6.4, listed by the compiler; the headers below are those that few others bring.

use crate::rules::prelude::*;

/// Includes the header of each algorithm that comes alone.
pub static RULE: Rule = Rule {
    code: "CASS506",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// A header, what it declares, and the other headers that bring it.
struct Header(
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const HEADERS: &[Header] = &[
    Header("adjacent_difference", &["adjacent_difference"], &[]),
    Header(
        "binary_search",
        &["binary_search", "lower_bound", "upper_bound", "equal_range"],
        &[],
    ),
    Header("count", &["count", "count_if"], &["partition", "unique"]),
    Header(
        "execution_policy",
        &["device", "host", "seq"],
        &[
            "event",
            "extrema",
            "future",
            "merge",
            "partition",
            "set_operations",
            "sort",
        ],
    ),
    Header("gather", &["gather", "gather_if"], &[]),
    Header("host_vector", &["host_vector"], &[]),
    Header("inner_product", &["inner_product"], &[]),
    Header(
        "iterator/constant_iterator",
        &["constant_iterator", "make_constant_iterator"],
        &["set_operations"],
    ),
    Header(
        "iterator/discard_iterator",
        &["discard_iterator", "make_discard_iterator"],
        &["shuffle"],
    ),
    Header("logical", &["all_of", "any_of", "none_of"], &[]),
    Header(
        "partition",
        &[
            "partition",
            "stable_partition",
            "partition_copy",
            "is_partitioned",
        ],
        &[],
    ),
    Header(
        "remove",
        &["remove", "remove_if", "remove_copy", "remove_copy_if"],
        &["partition"],
    ),
    Header("sequence", &["sequence"], &[]),
    Header(
        "set_operations",
        &[
            "set_union",
            "set_intersection",
            "set_difference",
            "set_symmetric_difference",
        ],
        &[],
    ),
    Header(
        "sort",
        &[
            "sort",
            "sort_by_key",
            "stable_sort",
            "stable_sort_by_key",
            "is_sorted",
        ],
        &["partition"],
    ),
    Header("tabulate", &["tabulate"], &["sequence"]),
    Header(
        "transform_scan",
        &["transform_inclusive_scan", "transform_exclusive_scan"],
        &[],
    ),
    Header("unique", &["unique", "unique_by_key", "unique_copy"], &[]),
];

fn check(cx: &mut Context<'_, '_>) {
    let is_open = |include: &&Include| cx.doc.branches.around(include.directive.start).count() <= 1;
    let of_thrust = |include: &&Include| cx.text_of(include.path).starts_with("thrust/");
    let own = cx.doc.includes.iter().filter(of_thrust).find(is_open);
    // A header of the tree that includes some of Thrust brings less of it as well.
    let through_tree = || {
        let last = cx.doc.includes.iter().rev().find(is_open)?;
        let uses = cx.doc.has_word(|word| word == b"thrust");
        let of_thrust = |name: &str| name.starts_with("thrust/");
        let reaches = || {
            cx.project
                .reached(cx.doc, cx.table(), false)
                .brings("thrust", of_thrust)
        };
        (uses && reaches()).then_some(last)
    };
    let Some(first) = own.or_else(through_tree) else {
        return;
    };
    let (place, from) = (first.directive.start, first.token);
    let mut missing: Vec<(&Header, TokenIndex)> = Vec::new();
    for space in cx.doc.occurrences(b"thrust", from + 1..cx.doc.tokens.len()) {
        let index = space + 2;
        let Some(header) = header_of(cx.doc, index) else {
            continue;
        };
        let is_known = missing.iter().any(|(known, _)| known.0 == header.0);
        if !is_known && !is_included(cx, header) {
            missing.push((header, index));
        }
    }
    for (header, index) in missing {
        let message = format!("`thrust::{}` needs `thrust/{}.h`", cx.text(index), header.0);
        let text = format!("#include <thrust/{}.h>\n", header.0);
        let finding = RULE
            .finding(cx.range(index), message)
            .fix(Fix::safe(vec![Edit::insert(place, text)]));
        cx.report(finding);
    }
}

/// The header that declares the member of `thrust::` at `index`.
fn header_of(doc: &Document<'_>, index: TokenIndex) -> Option<&'static Header> {
    let is_member = doc.is_ident(index)
        && doc.is_before(index, "::")
        && doc.is(index - 2, "thrust")
        && !doc.next_is(index, "::")
        && doc.vendor_at(doc.tokens[index].start) == Vendor::Any;
    let word = doc.bytes(index);
    HEADERS
        .iter()
        .find(|header| is_member && header.1.iter().any(|name| name.as_bytes() == word))
}

/// Whether the file, or a file of the tree that it includes, includes the header or one that brings it.
fn is_included(cx: &Context<'_, '_>, header: &Header) -> bool {
    let brings = |name: &str| {
        let name = name
            .strip_prefix("thrust/")
            .and_then(|name| name.strip_suffix(".h"));
        name.is_some_and(|name| name == header.0 || header.2.contains(&name))
    };
    let reached = cx.project.reached(cx.doc, cx.table(), false);
    reached.brings(&format!("thrust::{}", header.0), brings)
}
