//! A member function of a cooperative group that HIP lacks.
//!
//! ## Why on AMD
//! Tiles and coalesced groups of HIP 6.4 have `ballot`, `any`, `all`, `match_any` only behind a macro, and then with 64-bit masks. The
//! newer names `num_threads`, `dim_threads` and the block members of a grid are missing; where HIP has the older name it
//! says the same. A barrier in two halves, `barrier_arrive` and `barrier_wait`, is one that waits whole in the second half; the type of what
//! the first gives, `arrival_token`, has no name in HIP.
//!
//! ## Example
//! ```cuda
//! unsigned votes = tile.ballot(x > 0);
//! for (auto i = grid.block_rank(); i < n; i += grid.num_blocks()) work(i, block.num_threads());
//! ```
//! becomes
//! ```hip
//! unsigned votes = cass_cg_ballot(tile, x > 0);
//! for (auto i = cass_cg_block_rank(grid); i < n; i += cass_cg_num_blocks(grid)) work(i, block.size());
//! ```
//!
//! ## When to ignore
//! When the object is of a class of the project.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_cooperative_groups.h` of ROCm 6.4; CUDA C++ Programming Guide, cooperative groups.

use crate::analysis::helpers::through_helper;
use crate::cpp::cooperative_groups::{self, Kind};
use crate::cpp::cooperative_groups::{Object, is_of_template_parameter, object};
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Replaces members of groups.
pub static RULE: Rule = Rule {
    code: "CASS231",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[
        Check::Idents(
            &[
                "ballot",
                "any",
                "all",
                "match_any",
                "match_all",
                "num_threads",
                "dim_threads",
                "block_rank",
                "num_blocks",
                "dim_blocks",
                "block_index",
                "barrier_arrive",
                "barrier_wait",
            ],
            check,
        ),
        Check::Idents(&["arrival_token"], check_token),
    ],
};

/// `cg::thread_block::arrival_token token = block.barrier_arrive();`: the type has no name in HIP.
fn check_token(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(first) = start_of_token_type(doc, index).filter(|_| is_about_groups(cx)) else {
        return;
    };
    let finding = RULE.finding(
        doc.range(first, index),
        "HIP's cooperative groups have no `arrival_token`",
    );
    let name = doc.next(index).filter(|&name| doc.is_ident(name));
    let is_made = name.is_some_and(|name| doc.next_is(name, "="));
    cx.report(match is_made {
        true => finding.fix(Fix::safe(vec![Edit::replace(doc.range(first, index), "auto")])),
        false => finding.severity(Severity::Error).help(
            "declare it where it gets its value, `auto token = group.barrier_arrive();`; as a member, give it the type `decltype(cass_cg_barrier_arrive(group))`",
        ),
    });
}

/// The first token of `cg::thread_block::arrival_token`, `typename Group::arrival_token`; clusters have none of their own.
fn start_of_token_type(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let mut first = index;
    while doc.prev_is(first, "::") {
        first = doc.prev(doc.prev(first)?).filter(|&at| doc.is_ident(at))?;
        if doc.is(first, "cluster_group") {
            return None;
        }
    }
    let typename = doc.prev(first).filter(|&at| doc.is(at, "typename"));
    (first < index).then_some(typename.unwrap_or(first))
}

/// What a member becomes.
enum Target {
    /// Another member of the same object.
    Member(&'static str),
    /// A helper that takes the object first.
    Helper(&'static str),
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx.doc.call(index).filter(|_| cx.doc.prev_is(index, ".")) else {
        return;
    };
    let Some(object) = object(cx.doc, index) else {
        return;
    };
    let name = cx.text(index).into_owned();
    let finding = match object.kind {
        Some(kind) => target(kind, &name).map(|target| known(cx, &call, &object, &name, &target)),
        None if is_of_template_parameter(cx.doc, &object) => generic(cx, &call, &object, &name),
        None => unknown(cx, index, &name),
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

fn target(kind: Kind, name: &str) -> Option<Target> {
    let lanes = matches!(kind, Kind::Tile | Kind::Coalesced);
    Some(match (name, kind) {
        ("num_threads", Kind::Grid) => Target::Helper("cass_cg_num_threads"),
        ("num_threads", _) => Target::Member("size"),
        ("dim_threads", Kind::Block) => Target::Member("group_dim"),
        ("block_rank", Kind::Grid) => Target::Helper("cass_cg_block_rank"),
        ("num_blocks", Kind::Grid) => Target::Helper("cass_cg_num_blocks"),
        ("dim_blocks", Kind::Grid) => Target::Helper("cass_cg_dim_blocks"),
        ("block_index", Kind::Grid) => Target::Helper("cass_cg_block_index"),
        ("barrier_arrive", Kind::Block | Kind::Grid) => Target::Helper("cass_cg_barrier_arrive"),
        ("barrier_wait", Kind::Block | Kind::Grid) => Target::Helper("cass_cg_barrier_wait"),
        ("ballot", _) if lanes => Target::Helper("cass_cg_ballot"),
        ("any", _) if lanes => Target::Helper("cass_cg_any"),
        ("all", _) if lanes => Target::Helper("cass_cg_all"),
        ("match_any", _) if lanes => Target::Helper("cass_cg_match_any"),
        ("match_all", _) if lanes => Target::Helper("cass_cg_match_all"),
        _ => return None,
    })
}

fn known(
    cx: &Context<'_, '_>,
    call: &Call,
    object: &Object,
    name: &str,
    target: &Target,
) -> Finding {
    let range = cx.range(call.name);
    match target {
        Target::Member(member) => RULE
            .finding(
                range,
                format!("member `{name}` of a group is `{member}` in HIP"),
            )
            .fix(Fix::safe(vec![Edit::replace(range, *member)])),
        Target::Helper(helper) if cx.options().compat == CompatMode::None => RULE
            .finding(range, format!("HIP's cooperative groups have no `{name}`"))
            .severity(Severity::Error)
            .help(format!(
                "{} or allow the helper header for `{helper}`",
                by_hand(name)
            )),
        Target::Helper(helper) => RULE
            .finding(
                range,
                format!("member `{name}` of a group becomes `{helper}`"),
            )
            .helper(helper)
            .fix(Fix::safe(through_helper(cx, call, object, helper))),
    }
}

/// What to write where no helper is wanted.
fn by_hand(name: &str) -> &'static str {
    match name {
        "barrier_arrive" => {
            "delete it, and call `sync()` of the group where its barrier is waited for,"
        }
        "barrier_wait" => "call `sync()` of the group,",
        _ => "compute it by hand from __ballot, __lane_id(), blockIdx and gridDim,",
    }
}

/// A member that groups have, of an object whose type the caller chooses.
fn generic(cx: &Context<'_, '_>, call: &Call, object: &Object, name: &str) -> Option<Finding> {
    let takes = call.arguments.iter().filter(|it| !it.is_empty()).count();
    let is_of_groups = match name {
        // Sets of bits and arrays answer without an argument.
        "any" | "all" => takes == 1,
        "num_threads" => takes == 0,
        _ => is_of_groups_alone(name),
    };
    if !is_of_groups || !is_about_groups(cx) {
        return None;
    }
    let target = target(Kind::Tile, name)?;
    if cx.options().compat == CompatMode::None && matches!(target, Target::Helper(_)) {
        return Some(missing(cx, call.name, name));
    }
    let known = known(cx, call, object, name, &target);
    let help = match target {
        Target::Helper(_) => {
            "the helper takes tiles and coalesced groups; check that no caller passes another type"
        }
        Target::Member(_) => "check that no caller passes a type that is no group",
    };
    Some(known.severity(Severity::Warning).help(help)).map(|mut finding| {
        if let Some(fix) = &mut finding.fix {
            fix.applicability = Applicability::Review;
        }
        finding
    })
}

/// Whether the file has cooperative groups, or is read where others brought them.
fn is_about_groups(cx: &Context<'_, '_>) -> bool {
    cooperative_groups::is_included(cx.doc) || cx.project.is_read_with_groups(cx.doc)
}

fn is_of_groups_alone(name: &str) -> bool {
    matches!(name, "ballot" | "match_any" | "match_all")
}

/// An object whose declaration is not in sight, in a file about groups, with a name that only groups have.
fn unknown(cx: &Context<'_, '_>, index: TokenIndex, name: &str) -> Option<Finding> {
    let is_of_group = is_of_groups_alone(name) && is_about_groups(cx);
    is_of_group.then(|| missing(cx, index, name))
}

fn missing(cx: &Context<'_, '_>, index: TokenIndex, name: &str) -> Finding {
    RULE.finding(
        cx.range(index),
        format!("HIP's cooperative groups have no `{name}` before ROCm 7.0"),
    )
    .severity(Severity::Warning)
    .help(format!(
        "if this is a cooperative group, write cass_cg_{name}(group, …) of the helper header, or define HIP_ENABLE_WARP_SYNC_BUILTINS and keep 64 bits"
    ))
}
