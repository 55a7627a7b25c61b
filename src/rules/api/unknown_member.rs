//! A member of `cub::`, `thrust::` or `cooperative_groups::` that AMD's library of that name has not.
//!
//! ## Why on AMD
//! The namespaces stay or are renamed as a whole, so a member that a newer CUB or Thrust has, and hipCUB or rocThrust has not, would be
//! left for the compiler to find: "no member named 'DeviceFor' in namespace 'hipcub'".
//!
//! ## Example
//! ```cuda
//! cub::DeviceFor::ForEachN(first, count, op);
//! ```
//!
//! ## When to ignore
//! When a header from outside the tree adds the name to the namespace, or the build has a newer ROCm that has it.
//!
//! ## Source
//! The members that clang completes behind `hipcub::`, `thrust::` and `cooperative_groups::` with all headers of ROCm 6.4 included
//! (`tests/rocm/members.py`), and the tables.

use crate::analysis::conditions::verdict::is_left_out;
use crate::analysis::namespaces::{is_projects, lacks_member};
use crate::cpp::cooperative_groups;
use crate::mapping::{LISTED, LISTED_FOR, members};
use crate::rules::prelude::*;
use crate::text::nearest;

/// Reports members that AMD's namespace has not.
pub static RULE: Rule = Rule {
    code: "CASS017",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    for namespace in LISTED {
        for start in uses(cx, namespace) {
            let name = start + 2;
            if lacks_member(cx, namespace, name) && !is_projects(cx, start, start) {
                report(cx, namespace, start, name);
            }
        }
    }
}

/// The places of `namespace::`, by its aliases too.
fn uses(cx: &Context<'_, '_>, namespace: &'static str) -> Vec<TokenIndex> {
    let doc = cx.doc;
    let is_opened = |at: &TokenIndex| doc.is(at + 1, "::") && !doc.is_before(*at, "namespace");
    let places = match namespace {
        "cooperative_groups" => cooperative_groups::spaces(doc),
        _ => doc.all(namespace).collect(),
    };
    places.into_iter().filter(is_opened).collect()
}

fn report(cx: &mut Context<'_, '_>, namespace: &'static str, start: TokenIndex, name: TokenIndex) {
    let library = match namespace {
        "cub" => "hipCUB",
        "thrust" => "rocThrust",
        _ => "cooperative groups",
    };
    let member = cx.text(name).into_owned();
    let severity = match is_left_out(cx, cx.range(start).start) {
        true => Severity::Info,
        false if cx.options().rocm > LISTED_FOR => Severity::Warning,
        false => Severity::Error,
    };
    let near = nearest(&member, members(namespace));
    let hint = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let range = cx.doc.range(start, name);
    let finding = RULE
        .finding(range, format!("`{namespace}::{member}` has no counterpart: it is no member of ROCm {LISTED_FOR}'s {library}"))
        .severity(severity)
        .help(format!("{hint}write it with what the library has, or check that a newer release has it"))
        .api(ApiUse {
            name: "",
            library: namespace,
            target: None,
            rocm_since: None,
        });
    cx.report(finding);
}
