//! A collective of cooperative groups that HIP lacks: reductions, scans, partitions, group copies.
//!
//! ## Why on AMD
//! `cooperative_groups/reduce.h` and the like do not exist up to ROCm 7.0, partitions by label or predicate exist behind a macro at
//! best. Helpers do the same over tiles and coalesced groups with lane exchanges. Copies to shared memory are done at
//! once, so waiting for them is a group barrier. `coalesced_threads()` of HIP may hold 64 lanes; where the file takes ballots of
//! groups or computes with `warpSize`, a helper keeps it to 32. A tile of a tile becomes a tile of the block, which has the same threads.
//!
//! ## Example
//! ```cuda
//! float sum = cg::reduce(tile, x, cg::plus<float>());
//! ```
//! becomes
//! ```hip
//! float sum = cass_cg_reduce(tile, x, cass_plus<float>());
//! ```
//!
//! ## When to ignore
//! The finding about `memcpy_async`: it is about speed alone.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_cooperative_groups.h` of ROCm 6.4; CUDA C++ Programming Guide, cooperative groups.

use std::ops::Range;

use crate::cpp::calls::enclosing_call;
use crate::cpp::cooperative_groups::{self, Object, is_of_template_parameter};
use crate::options::CompatMode;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Replaces collectives of groups by helpers.
pub static RULE: Rule = Rule {
    code: "CASS230",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[
        Check::Claimed(
            &[
                "binary_partition",
                "labeled_partition",
                "invoke_one",
                "invoke_one_broadcast",
            ],
            check,
        ),
        Check::Idents(
            &[
                "reduce",
                "reduce_update_async",
                "reduce_store_async",
                "inclusive_scan",
                "inclusive_scan_update",
                "exclusive_scan",
                "exclusive_scan_update",
                "coalesced_threads",
                "memcpy_async",
                "wait",
                "wait_prior",
                "plus",
                "less",
                "greater",
                "bit_and",
                "bit_or",
                "bit_xor",
            ],
            check,
        ),
        Check::Idents(&["tiled_partition"], check_partition),
    ],
};

/// `cg::tiled_partition<8>(tile)`: HIP makes tiles of a block alone. The tiles of a block of that size are the same threads.
fn check_partition(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(start) = cooperative_groups::qualified(doc, index)
        .or_else(|| cooperative_groups::uses_namespace(doc).then_some(index))
    else {
        return;
    };
    let call = doc.call(index).filter(|it| it.template_arguments.is_some());
    let Some(parent) = call.and_then(|it| Some(it.arguments.first()?.clone())) else {
        return;
    };
    if !may_be_tile(doc, &parent) {
        return;
    }
    let finding = RULE.finding(
        doc.range(start, index),
        "HIP makes tiles of a block, and none of a tile",
    );
    if names_parent(doc, start) {
        return cx.report(finding.severity(Severity::Error).help(
            "declare it by its size alone, `thread_block_tile<8>`, and make it of `this_thread_block()`: these are the same threads",
        ));
    }
    let space = doc.source.text(doc.range(start, index));
    let space = space.strip_suffix("tiled_partition").unwrap_or_default();
    let edit = Edit::replace(
        doc.range(parent.start, parent.end - 1),
        format!("{space}this_thread_block()"),
    );
    let mut ranks = ["meta_group_rank", "meta_group_size"].into_iter();
    cx.report(match ranks.any(|name| doc.all(name).next().is_some()) {
        true => finding
            .severity(Severity::Warning)
            .help("it is made of the block now: `meta_group_rank()` and `meta_group_size()` of it count the tiles of the block, so take them modulo those of the tile that it was made of")
            .fix(Fix::review(vec![edit])),
        false => finding.fix(Fix::safe(vec![edit])),
    });
}

/// Whether what a tile is made of is a tile: a variable, a tile that is made there, or what a template is given, which is a block or a tile.
fn may_be_tile(doc: &Document<'_>, parent: &Range<TokenIndex>) -> bool {
    if parent.len() == 1 {
        let object = Object {
            start: parent.start,
            last: parent.start,
            kind: None,
        };
        return cooperative_groups::kind(doc, parent.start) == Some(cooperative_groups::Kind::Tile)
            || is_of_template_parameter(doc, &object);
    }
    let is_space = |at: &TokenIndex| doc.is(*at, "::") || doc.next_is(*at, "::");
    let made = parent.clone().find(|at| !is_space(at));
    made.is_some_and(|at| {
        doc.is(at, "tiled_partition")
            && doc.call(at).is_some_and(|call| {
                call.template_arguments.is_some() && call.close + 1 == parent.end
            })
    })
}

/// Whether the type of the variable in front of `= cg::tiled_partition` names what it is a part of: `thread_block_tile<8, Parent>`.
fn names_parent(doc: &Document<'_>, start: TokenIndex) -> bool {
    const LONGEST: usize = 60;
    let ends = |at: &TokenIndex| matches!(doc.bytes(*at), b";" | b"{" | b"}");
    let first = start.saturating_sub(LONGEST);
    let first = (first..start).rev().find(ends).unwrap_or(first);
    let mut behind_tile = (first..start).skip_while(|&at| !doc.is(at, "thread_block_tile"));
    behind_tile.any(|at| doc.is(at, ","))
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    // Groups of all active lanes may have 64 members: right, unless code beside them holds lanes in 32 bits.
    let is_active = cx.doc.is(index, "coalesced_threads");
    let stays = cx.warp() == WarpMode::Native
        || cx.options().compat == CompatMode::None
        || !cooperative_groups::counts_lanes(cx.doc);
    if is_active && stays {
        return;
    }
    let Some(start) =
        cooperative_groups::qualified(cx.doc, index).or_else(|| unqualified(cx, index))
    else {
        return;
    };
    let name = cx.text(index).into_owned();
    let range = cx.doc.range(start, index);
    let finding = match helper_of(&name).filter(|_| cx.options().compat != CompatMode::None) {
        Some(helper) => replaced(&name, range, helper),
        None => RULE
            .finding(range, format!("HIP's cooperative groups have no `{name}`"))
            .severity(Severity::Error)
            .help(advice(&name)),
    };
    cx.report(finding);
}

fn replaced(name: &str, range: TextRange, helper: &'static str) -> Finding {
    let edits = vec![Edit::replace(range, helper)];
    let finding = RULE
        .finding(
            range,
            format!("member `{name}` of a group becomes `{helper}`"),
        )
        .helper(helper);
    if name == "memcpy_async" {
        return finding
            .severity(Severity::Warning)
            .help("the copy becomes synchronous loads and stores of the group; overlap it with computation by hand where it matters")
            .fix(Fix::review(edits));
    }
    finding.fix(Fix::safe(edits))
}

/// Behind `using namespace cooperative_groups`: a call whose first argument is a group, or a functor in such a call.
fn unqualified(cx: &Context<'_, '_>, index: TokenIndex) -> Option<TokenIndex> {
    let doc = cx.doc;
    let qualified = doc
        .prev(index)
        .is_some_and(|prev| matches!(doc.bytes(prev), b"::" | b"." | b"->"));
    if qualified || !cooperative_groups::uses_namespace(doc) {
        return None;
    }
    if doc.is(index, "coalesced_threads") {
        return Some(index);
    }
    let call = if is_functor(doc.bytes(index)) {
        enclosing_collective(doc, index)?
    } else {
        index
    };
    let first = doc.call(call)?.arguments.first()?.clone();
    (first.len() == 1 && cooperative_groups::kind(doc, first.start).is_some()).then_some(index)
}

/// The name of the call in whose arguments the functor stands.
fn enclosing_collective(doc: &Document<'_>, functor: TokenIndex) -> Option<TokenIndex> {
    let is_collective = |name: TokenIndex| {
        matches!(
            doc.bytes(name),
            b"reduce" | b"inclusive_scan" | b"exclusive_scan"
        )
    };
    enclosing_call(doc, functor).filter(|&name| is_collective(name))
}

fn is_functor(name: &[u8]) -> bool {
    matches!(
        name,
        b"plus" | b"less" | b"greater" | b"bit_and" | b"bit_or" | b"bit_xor"
    )
}

fn helper_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "reduce" => "cass_cg_reduce",
        "inclusive_scan" => "cass_cg_inclusive_scan",
        "exclusive_scan" => "cass_cg_exclusive_scan",
        "coalesced_threads" => "cass_cg_coalesced_threads",
        "memcpy_async" => "cass_cg_memcpy_async",
        "wait" => "cass_cg_wait",
        "wait_prior" => "cass_cg_wait_prior",
        "invoke_one" => "cass_cg_invoke_one",
        "labeled_partition" => "cass_cg_labeled_partition",
        "binary_partition" => "cass_cg_binary_partition",
        "plus" => "cass_plus",
        "less" => "cass_less",
        "greater" => "cass_greater",
        "bit_and" => "cass_bit_and",
        "bit_or" => "cass_bit_or",
        "bit_xor" => "cass_bit_xor",
        _ => return None,
    })
}

fn advice(name: &str) -> &'static str {
    match name {
        "reduce_update_async"
        | "reduce_store_async"
        | "inclusive_scan_update"
        | "exclusive_scan_update" => {
            "reduce or scan with group shuffles, then update with one atomic of the first member"
        }
        "invoke_one" | "invoke_one_broadcast" => {
            "let the member with thread_rank() == 0 do the work and share the result with shfl"
        }
        "labeled_partition" | "binary_partition" => {
            "build the groups from ballots, or loop over the labels"
        }
        "memcpy_async" | "wait" | "wait_prior" => {
            "copy in a loop over thread_rank() and call sync() of the group"
        }
        _ => {
            "write it as a loop of shuffles of the group over size() / 2, size() / 4 and so on, or allow the helper header"
        }
    }
}
