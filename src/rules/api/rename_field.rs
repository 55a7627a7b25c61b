//! A member of a CUDA structure that is called differently in HIP's.
//!
//! ## Why on AMD
//! HIP's structures follow CUDA's, with a few members under other names or missing.
//!
//! ## Example
//! ```cuda
//! cudaPointerAttributes a; if (a.memoryType == cudaMemoryTypeDevice) {}
//! ```
//!
//! ## When to ignore
//! When the member belongs to a structure of the project that merely uses the same word.
//!
//! ## Source
//! `hip/hip_runtime_api.h` and `hip/driver_types.h` of ROCm 6.4.

use std::collections::BTreeMap;

use crate::cpp::declarations::declared;
use crate::cpp::names::is_members_name;
use crate::cpp::template_parameters::is_template_parameter;
use crate::rules::prelude::*;
use crate::text::keywords::{is_class_key, is_cv};

/// Renames or reports members of the tables.
pub static RULE: Rule = Rule {
    code: "CASS007",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let table = cx.table();
    let mut found: Vec<(TokenIndex, &ApiEntry)> = Vec::new();
    for index in cx.doc.all_that(|word| table.fields(word).next().is_some()) {
        if cx.doc.is_before(index, ".") || cx.doc.is_before(index, "->") {
            // The structure must be named somewhere in the file: member names alone are anybody's.
            let hit = table.fields(cx.doc.bytes(index)).find(|hit| {
                let field = hit.entry.cuda;
                let structure = field.split('.').next().unwrap_or(field);
                cx.doc.all(structure).next().is_some() && !is_of_another(cx.doc, index, structure)
            });
            found.extend(hit.map(|hit| (index, hit.entry)));
        }
    }
    // A switch over `prop.major` and `prop.minor` asks for them a dozen times: what differs is said once.
    let mut uses = BTreeMap::<&str, usize>::new();
    for (_, entry) in &found {
        *uses.entry(entry.cuda).or_default() += 1;
    }
    for (index, entry) in found {
        match is_unchanged(cx, entry) {
            true => {
                if let Some(count) = uses.remove(entry.cuda) {
                    report(cx, index, entry, count);
                }
            }
            false => report(cx, index, entry, 1),
        }
    }
}

/// Whether a member keeps its name and means something else.
fn is_unchanged(cx: &Context<'_, '_>, entry: &ApiEntry) -> bool {
    let target = entry.target(&cx.options().choices, cx.options().rocm, None);
    let member = entry.cuda.rsplit('.').next();
    target.is_some_and(|it| Some(it.name) == member) && entry.support != Support::Full
}

/// Whether the member at `index` is one of a variable that the file declares with another type, `VkSubmitInfo info; info.flags`, and not
/// with another name of the structure.
fn is_of_another(doc: &Document<'_>, index: TokenIndex, structure: &str) -> bool {
    let object = doc.prev(index).and_then(|access| doc.prev(access));
    let is_variable = |at: &TokenIndex| doc.is_ident(*at) && !is_members_name(doc, *at);
    let Some(found) = object.filter(is_variable).and_then(|at| declared(doc, at)) else {
        return false;
    };
    let mut types = found
        .words
        .iter()
        .filter(|word| !is_cv(word) && !is_class_key(word));
    let is_said = |word: &&&[u8]| {
        let mut places = doc.occurrences(word, 0..doc.tokens.len());
        let is_alias = places.any(|at| doc.is_before(at, "using") || doc.next_is(at, ";"));
        **word == structure.as_bytes() || **word == b"auto" || is_alias
    };
    types.clone().next().is_some()
        && !types.any(|word| is_said(&word))
        && !is_template_parameter(doc, &found)
}

fn report(cx: &mut Context<'_, '_>, index: TokenIndex, entry: &ApiEntry, uses: usize) {
    let (choices, rocm) = (cx.options().choices, cx.options().rocm);
    let target = entry.target(&choices, rocm, None);
    let api = ApiUse {
        rocm_since: target.as_ref().and_then(|target| target.rocm.since),
        ..cx.api_use(entry, target.as_ref().map(|target| target.name))
    };
    let member = cx.text(index).into_owned();
    let new = target.as_ref().map(|target| target.name);
    let since = target.and_then(|target| target.rocm.since);
    let finding = |text: String| RULE.finding(cx.range(index), text);
    let finding = match (new, since) {
        (Some(new), Some(since)) if rocm < since => finding(format!(
            "member `{}` is `{new}` in HIP, which needs ROCm {since}; the target is ROCm {rocm}",
            entry.cuda
        ))
        .severity(Severity::Error),
        (Some(new), _) if new == member && entry.support == Support::Full => return,
        (Some(new), _) if new == member => {
            let times = match uses {
                1 => String::new(),
                _ => format!(" ({uses} uses)"),
            };
            finding(format!(
                "member `{}` exists in HIP and behaves differently{times}",
                entry.cuda
            ))
        }
        (Some(new), _) => finding(format!("member `{}` is `{new}` in HIP", entry.cuda))
            .fix(Fix::review(vec![Edit::replace(cx.range(index), new)])),
        (None, _) => finding(format!("member `{}` has no counterpart in HIP", entry.cuda))
            .severity(Severity::Error),
    };
    let structure = entry.cuda.split('.').next().unwrap_or_default();
    let help = entry.note.map_or_else(
        || format!("check that this is a member of `{structure}`"),
        str::to_owned,
    );
    cx.report(finding.help(help).api(api));
}
