//! A member of a library's namespace (`cub::`, `cuda::`, `thrust::`) that AMD's library lacks or has with other behaviour.
//!
//! ## Why on AMD
//! hipCUB and rocThrust follow CUB and Thrust, but not in every member: private parts and some newer algorithms are missing.
//! libcu++ has no part in ROCm itself; libhipcxx is a package of its own.
//!
//! ## Example
//! ```cuda
//! cub::DeviceTransform::Transform(in, out, n, op);   // hipCUB 6.4 has no DeviceTransform
//! cuda::pipeline<cuda::thread_scope_thread> pipe;    // libhipcxx has no pipelines
//! auto f = cuda::proclaim_return_type<int>([] __device__(int a) { return a; });
//! ```
//! The last, which gives back what it is given, becomes
//! ```hip
//! auto f = ([] __device__(int a) { return a; });
//! ```
//!
//! ## When to ignore
//! When the code is not built for AMD.
//!
//! ## Source
//! The notes in `mappings/`; `hipcub/` and `thrust/` of ROCm 6.4; libhipcxx.

use crate::analysis::namespaces::{is_member_apart, is_part_of_other, is_projects};
use crate::cpp::libcu::counterpart;
use crate::cpp::names::{qualified_start, start_with_colons};
use crate::mapping::name_lists;
use crate::rules::prelude::*;

/// Reports members that the tables list apart from their namespace; what gives back its argument goes.
pub static RULE: Rule = Rule {
    code: "CASS502",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let table = cx.table();
    for index in cx
        .doc
        .all_that(|word| table.namespaces_ending(word).next().is_some())
    {
        if !cx.doc.is_before(index, "::") {
            continue;
        }
        let hits = table
            .namespaces_ending(cx.doc.bytes(index))
            .map(|hit| hit.entry);
        let fitting = hits
            .filter(|entry| is_member_apart(entry))
            .filter_map(|entry| Some((qualified_start(cx.doc, index, entry.cuda)?, entry)));
        let Some((start, entry)) = fitting.max_by_key(|(_, entry)| entry.cuda.len()) else {
            continue;
        };
        // `mine::cub::X` is somebody else's.
        let is_somebodys =
            cx.doc.is_before(start, "::") && start >= 2 && cx.doc.is_ident(start - 2);
        let has_counterpart = cx.doc.is(start, "cuda")
            && counterpart(cx.doc, start).is_some_and(|it| it.text.is_some())
            && !cx.needs_libcu();
        let is_told = is_projects(cx, start, index) || is_part_of_other(cx, start, index, entry);
        if !is_somebodys && !has_counterpart && !is_told {
            report(cx, start, index, entry);
        }
    }
}

fn report(cx: &mut Context<'_, '_>, start: TokenIndex, last: TokenIndex, entry: &ApiEntry) {
    let (message, severity) = match entry.support {
        Support::Unsupported => (
            format!("`{}` has no counterpart on AMD", entry.cuda),
            Severity::Error,
        ),
        _ => (
            format!("`{}` behaves differently on AMD", entry.cuda),
            Severity::Warning,
        ),
    };
    let finding = RULE
        .finding(cx.doc.range(start, last), message)
        .help(entry.note.unwrap_or_default())
        .api(cx.api_use(entry, entry.hip));
    cx.report(match identity(cx.doc, start, last, entry.cuda) {
        Some(edit) => finding.fix(Fix::review(vec![edit])),
        None => finding.severity(severity),
    });
}

/// Takes the name of a call away that gives back what it is given, and leaves the parentheses: `cuda::proclaim_return_type<int>(f)` is
/// `(f)`, since hipcc's lambdas have the type that they say.
fn identity(doc: &Document<'_>, start: TokenIndex, last: TokenIndex, name: &str) -> Option<Edit> {
    let call = doc.call(last).filter(|call| call.arguments.len() == 1)?;
    let first = start_with_colons(doc, start);
    let range = doc.range(first, call.open - 1);
    let name = name.strip_prefix("cuda::")?;
    let goes = name_lists().libcu_identities.contains(&name);
    goes.then(|| Edit::delete(range))
}
