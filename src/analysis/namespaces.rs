//! Members of namespaces that a renamed namespace does not make right, and namespaces of the project's own.

use crate::analysis::unit::Unit;
use crate::cpp::libcu::is_of_library;
use crate::cpp::macro_parameters::is_parameter;
use crate::cpp::names::qualified_start;
use crate::cpp::namespaces::{Extended, around};
use crate::mapping::{ApiEntry, Hit, Support, has_member};
use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::is_no_name;

/// Whether this rule speaks of an entry: a member that the renamed namespace does not make right. Cooperative groups have rules of
/// their own.
pub(crate) fn is_member_apart(entry: &ApiEntry) -> bool {
    let last = |name: &'static str| name.rsplit("::").next();
    entry.cuda.contains("::")
        && entry.support != Support::Full
        && entry.hip.is_none_or(|hip| last(hip) == last(entry.cuda))
        && entry.library != "cooperative_groups"
        && !is_warp_collective(entry.cuda)
}

/// Their width is the matter of a rule of its own.
fn is_warp_collective(name: &str) -> bool {
    COLLECTIVES
        .iter()
        .any(|(collective, _)| name.strip_prefix("cub::") == Some(collective))
}

/// The collectives of CUB for a warp, and how many template arguments stand in front of their width.
pub(crate) const COLLECTIVES: &[(&str, usize)] = &[
    ("WarpReduce", 1),
    ("WarpScan", 1),
    ("WarpExchange", 2),
    ("WarpMergeSort", 2),
    ("WarpLoad", 3),
    ("WarpStore", 3),
];

/// The entries that fit a name and what stands behind it: those of `thrust::cuda_cub::cub` where `thrust::cuda_cub` ends at `last`.
pub(crate) fn longer_entries<'c>(
    cx: &'c Unit<'_, '_>,
    start: TokenIndex,
    last: TokenIndex,
) -> impl Iterator<Item = Hit<'c>> {
    let next =
        |at: &TokenIndex| (cx.doc.is(at + 1, "::") && cx.doc.is_ident(at + 2)).then_some(at + 2);
    // No entry has more parts than five.
    let inner = std::iter::successors(next(&last), next).take(3);
    inner.flat_map(move |inner| {
        let hits = cx.table().namespaces_ending(cx.doc.bytes(inner));
        hits.filter(move |hit| qualified_start(cx.doc, inner, hit.entry.cuda) == Some(start))
    })
}

/// Whether a name is the beginning of one that becomes another as a whole: `thrust::cuda_cub` of `thrust::cuda_cub::cub`.
pub(crate) fn is_part_of_other(
    cx: &Unit<'_, '_>,
    start: TokenIndex,
    last: TokenIndex,
    entry: &ApiEntry,
) -> bool {
    let becomes_other = |longer: &ApiEntry| match (entry.hip, longer.hip) {
        (Some(hip), Some(of)) => of
            .strip_prefix(hip)
            .is_none_or(|rest| !rest.starts_with("::")),
        (None, longer) => longer.is_some(),
        (Some(_), None) => false,
    };
    longer_entries(cx, start, last).any(|hit| becomes_other(hit.entry))
}

/// Whether the word at `at`, behind the `::` of a namespace, is a member that neither AMD's library nor a table nor the tree has. What a
/// macro puts there, `cub::fn` or `cub::Device##x`, may be any.
pub(crate) fn lacks_member(cx: &Unit<'_, '_>, namespace: &str, at: TokenIndex) -> bool {
    let is_written = cx.doc.is_ident(at) && !cx.doc.next_is(at, "##") && !is_parameter(cx.doc, at);
    is_written && is_lacking(cx, namespace, cx.doc.bytes(at))
}

fn is_lacking(cx: &Unit<'_, '_>, namespace: &str, member: &[u8]) -> bool {
    let is_listed = |hit: Hit<'_>| {
        let own = hit.entry.cuda.split("::").next() == Some(namespace);
        own || hit.entry.library == namespace
    };
    !has_member(namespace, member)
        && !cx.table().namespaces_ending(member).any(is_listed)
        && !cx.table().get_or_pattern(member).is_some_and(is_listed)
        && !writes_into(cx, namespace.as_bytes(), member)
}

/// Whether the name from `start` to `last` is of a namespace that the tree has for its own, inside the one that stands in front or
/// around: `mine::cub`. Of a longer name, as `mine::thrust::cuda`, the tree has to have every part: Thrust itself may stand in
/// `mine` (THRUST_WRAPPED_NAMESPACE), beside what the project adds there.
pub(crate) fn is_projects(cx: &Unit<'_, '_>, start: TokenIndex, last: TokenIndex) -> bool {
    let name = cx.doc.bytes(start);
    let is_inner = |outer: &[u8]| {
        let mut inner = cx.own.inner_namespaces(outer, name);
        inner.any(|it| !it.is_alias)
    };
    let is_named_so = match wrapper(cx.doc, start) {
        Some(outer) => is_inner(cx.doc.bytes(outer)),
        None => {
            let is_inside = || around(cx.doc, start).into_iter().any(is_inner);
            is_inner(b"") || !cx.doc.is_before(start, "::") && is_inside()
        }
    };
    is_named_so && (start == last || has_for_its_own(cx, name, cx.doc.bytes(start + 2)))
        || is_called_like_cub(cx, start)
}

/// Whether `cub` is a namespace of the project's where no header brings CUB, as far as all of them are known.
fn is_called_like_cub(cx: &Unit<'_, '_>, at: TokenIndex) -> bool {
    const BRING_IT: &[&str] = &["cub/", "thrust/", "cuda/"];
    if !cx.doc.is(at, "cub") {
        return false;
    }
    let extended = cx.doc.fact(Extended::new);
    let is_opened_here = || extended.0.iter().any(|name| name.starts_with(b"cub::"));
    let member = cx.doc.next(at).filter(|&colons| cx.doc.is(colons, "::"));
    let member = member.and_then(|colons| cx.doc.next(colons));
    let has_member = || member.is_some_and(|it| writes_into(cx, b"cub", cx.doc.bytes(it)));
    if !has_member() && !is_opened_here() {
        return false;
    }
    let reached = cx.project.reached(cx.doc, cx.table(), true);
    let may_bring = |path: &str| BRING_IT.iter().any(|folder| path.contains(folder));
    reached.complete && !reached.brings("folders that bring CUB", may_bring)
}

/// Whether the tree has the member of a library's name for its own: as a namespace in there, or as another word in it.
fn has_for_its_own(cx: &Unit<'_, '_>, namespace: &[u8], member: &[u8]) -> bool {
    let mut inner = cx.own.inner_namespaces(namespace, member);
    inner.any(|it| !it.is_alias)
        || match namespace {
            // Its members that have another name on AMD are namespaces, and what the project adds to Thrust uses them.
            b"thrust" => false,
            b"cub" => writes_into(cx, namespace, member),
            b"cuda" => !is_of_library(cx.doc, cx.table(), member),
            _ => true,
        }
}

/// Whether a file of the tree has the word between the braces of a namespace.
pub(crate) fn writes_into(cx: &Unit<'_, '_>, namespace: &[u8], member: &[u8]) -> bool {
    let of_tree = [namespace, b"::", member].concat();
    cx.project.names().gives_own_meaning(&of_tree)
        || cx.doc.fact(Extended::new).0.contains(&of_tree[..])
}

/// The name in front of the `::` that qualifies the namespace at `start`.
pub(crate) fn wrapper(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let colons = doc.prev(start).filter(|&prev| doc.is(prev, "::"))?;
    doc.prev(colons)
        .filter(|&at| doc.is_ident(at) && !is_no_name(doc.bytes(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;

    #[test]
    fn collectives_of_warps_have_a_rule_of_their_own() {
        for (collective, _) in COLLECTIVES {
            assert!(is_warp_collective(&format!("cub::{collective}")));
        }
        assert!(!is_warp_collective("cub::BlockReduce") && !is_warp_collective("WarpReduce"));
    }

    #[test]
    fn members_apart_lack_something_on_amd() {
        let table = ApiTable::builtin();
        let apart = table.namespaces().filter(|hit| is_member_apart(hit.entry));
        let apart: Vec<_> = apart.map(|hit| hit.entry).collect();
        assert!(!apart.is_empty());
        for entry in apart {
            assert!(
                entry.cuda.contains("::") && entry.support != Support::Full,
                "{}",
                entry.cuda
            );
        }
    }
}
