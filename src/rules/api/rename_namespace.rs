//! A namespace of CUDA's libraries that has another name on AMD: `cub::` is `hipcub::`.
//!
//! ## Why on AMD
//! hipCUB keeps CUB's names in a namespace of its own; rocThrust keeps `thrust` and renames its back ends.
//!
//! ## Example
//! ```cuda
//! cub::BlockReduce<float, 256> reduce;
//! thrust::sort(thrust::cuda::par.on(stream), a, b);
//! ```
//! becomes
//! ```hip
//! hipcub::BlockReduce<float, 256> reduce;
//! thrust::sort(thrust::hip::par.on(stream), a, b);
//! ```
//!
//! ## When to ignore
//! Never; a project's own namespace of that name is told apart by what follows and precedes it. CUB in a namespace of the project's,
//! `mine::cub::` by CUB_WRAPPED_NAMESPACE, is `hipcub::` too, for hipCUB has nothing like it; in an extension of PyTorch lines for AMD
//! give `mine::cub` its meaning.
//!
//! ## Source
//! `hipcub/hipcub.hpp` and `thrust/system/hip/` of ROCm 6.4.

use crate::cpp::deletion::delete_lines;
use crate::cpp::names::qualified_start;
use rustc_hash::FxHashSet;

use crate::analysis::include_place;
use crate::analysis::namespaces::{
    is_part_of_other, is_projects, lacks_member, longer_entries, wrapper, writes_into,
};
use crate::mapping::{LISTED_FOR, TorchTable, has_member};
use crate::rules::prelude::*;
use crate::text::keywords::is_no_name;

/// Renames the namespaces of the tables.
pub static RULE: Rule = Rule {
    code: "CASS006",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::Reversible, Fact::PutsNamespaces, Fact::DoneByShimLine],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    match cx.is_torch() {
        true => alias_wrapped(cx),
        false => report_wrapped(cx),
    }
    let mut kept = FxHashSet::default();
    let table = cx.table();
    for index in cx
        .doc
        .all_that(|word| table.namespaces_ending(word).next().is_some())
    {
        // The longest entry that fits wins: `thrust::cuda` before a bare `cuda`.
        let hits = table.namespaces_ending(cx.doc.bytes(index));
        let fitting = hits
            .filter_map(|hit| Some((qualified_start(cx.doc, index, hit.entry.cuda)?, hit.entry)));
        if let Some((start, entry)) = fitting.max_by_key(|(_, entry)| entry.cuda.len())
            && names_a_namespace(cx.doc, start, index)
            && !is_projects(cx, start, index)
            && !stays_with_member(cx, index, entry)
            && !is_told_by_member(cx, start, index, entry)
            && !(cx.is_torch() && is_renamed_by_torch(cx, start, index))
            && !is_needless_alias(cx, index)
            // `namespace cub = hipcub;` in a branch for AMD.
            && !cx.is_own(cx.doc.bytes(start))
            && (entry.hip != Some(entry.cuda)
                || kept.insert(entry.cuda) && brings_in(cx, entry.cuda))
        {
            report(cx, start, index, entry);
        }
    }
}

/// Whether the member behind the namespace has no counterpart: it keeps CUDA's name, so that a port still says so.
fn stays_with_member(cx: &Context<'_, '_>, last: TokenIndex, entry: &ApiEntry) -> bool {
    entry.hip == Some("hipcub")
        && cx.options().rocm <= LISTED_FOR
        && cx.doc.is(last + 1, "::")
        && lacks_member(cx, "cub", last + 2)
}

/// Whether PyTorch's build renames the namespace where it stands: it knows members, `cub::BlockReduce`, and few namespaces.
fn is_renamed_by_torch(cx: &Context<'_, '_>, start: TokenIndex, last: TokenIndex) -> bool {
    let knows = |end: TokenIndex| {
        let text = cx
            .text_of(cx.doc.range(start, end))
            .replace(char::is_whitespace, "");
        TorchTable::builtin().qualified(&text).is_some()
    };
    // `namespace cub = hipcub;` under a guard for AMD.
    let name = cx.text_of(cx.doc.range(start, last));
    cx.doc.source.mentions(&format!("namespace {name} = "))
        || knows(last)
        || cx.doc.is(last + 1, "::") && last + 2 < cx.doc.tokens.len() && knows(last + 2)
}

/// Whether the file includes a header of the namespace: OpenCV's `cuda::GpuMat` behind `using namespace cv` looks like libcu++'s, whose
/// headers have no extension, as `cuda/std/tuple`.
fn brings_in(cx: &Context<'_, '_>, namespace: &str) -> bool {
    let folder = format!("{}/", namespace.split("::").next().unwrap_or(namespace));
    let reached = cx.project.reached(cx.doc, cx.table(), false);
    let is_libcudacxx = |path: &str| folder != "cuda/" || !path.contains('.');
    reached.brings(&folder, |path| {
        path.starts_with(&folder) && is_libcudacxx(path)
    })
}

/// Whether the entry of a member says it all: that of `cuda::pipeline` where this one is of `cuda`, or this one is of a member.
fn is_told_by_member(
    cx: &Context<'_, '_>,
    start: TokenIndex,
    last: TokenIndex,
    entry: &ApiEntry,
) -> bool {
    let is_member = entry.cuda.contains("::");
    if entry.hip != Some(entry.cuda) && is_part_of_other(cx, start, last, entry) {
        return true;
    }
    if entry.support == Support::Full || entry.hip.is_some_and(|hip| hip != entry.cuda) {
        return is_member && crate::analysis::namespaces::is_member_apart(entry);
    }
    // Functions and operators of cooperative groups have rules of their own; a namespace in there has none.
    let is_opened = cx.doc.is(last + 1, "::") && entry.library == "cooperative_groups";
    is_member && !is_opened
        || longer_entries(cx, start, last)
            .any(|hit| crate::analysis::namespaces::is_member_apart(hit.entry))
}

/// Whether a name is that of an alias which becomes the name of the namespace it stands for: `namespace cub = thrust::cuda_cub::cub;`.
fn is_needless_alias(cx: &Context<'_, '_>, name: TokenIndex) -> bool {
    let doc = cx.doc;
    if cx.is_torch() || !doc.prev_is(name, "namespace") || !doc.next_is(name, "=") {
        return false;
    }
    let of_value = |at: &TokenIndex| doc.is_ident(*at) || doc.is(*at, "::");
    // No namespace of the tables has more parts than five.
    let value: Vec<TokenIndex> = (name + 2..name + 12).take_while(of_value).collect();
    let Some((&first, &last)) = value.first().zip(value.last()) else {
        return false;
    };
    let first = first + usize::from(doc.is(first, "::"));
    let target = |last: TokenIndex, start: TokenIndex| {
        let hits = cx.table().namespaces_ending(doc.bytes(last));
        hits.filter(|hit| qualified_start(doc, last, hit.entry.cuda) == Some(start))
            .find_map(|hit| hit.entry.hip)
    };
    doc.is(last + 1, ";") && target(last, first).is_some_and(|hip| target(name, name) == Some(hip))
}

fn report(cx: &mut Context<'_, '_>, start: TokenIndex, last: TokenIndex, entry: &ApiEntry) {
    let range = cx.doc.range(start, last);
    let finding = match entry.hip {
        None => RULE
            .finding(
                range,
                format!("namespace `{}` has no counterpart on AMD", entry.cuda),
            )
            .severity(Severity::Error),
        Some(hip) if hip == entry.cuda && entry.support == Support::Full => return,
        Some(hip) if hip == entry.cuda => RULE
            .finding(
                range,
                format!("namespace `{hip}` belongs to another library on AMD"),
            )
            .severity(Severity::Warning),
        Some(hip) => {
            let severity = if entry.support == Support::Full {
                Severity::Info
            } else {
                Severity::Warning
            };
            let finding = RULE
                .finding(range, format!("namespace `{}` becomes `{hip}`", entry.cuda))
                .severity(severity);
            let alias = start
                .checked_sub(2 + usize::from(cx.doc.is_before(start, "::")))
                .filter(|&name| is_needless_alias(cx, name));
            let edits = match alias {
                Some(name) => vec![delete_lines(cx.doc, cx.doc.range(name - 1, last + 1))],
                None => edits(cx.doc, start, last, entry.cuda, hip),
            };
            let applicability = if entry.support == Support::Full {
                Applicability::Safe
            } else {
                Applicability::Review
            };
            if edits.is_empty() {
                finding
            } else {
                finding.fix(Fix {
                    edits,
                    applicability,
                })
            }
        }
    };
    cx.report(
        finding
            .help(entry.note.unwrap_or_default())
            .api(cx.api_use(entry, entry.hip)),
    );
}

/// One edit per part that differs: `thrust::cuda` to `thrust::hip` touches one token.
fn edits(
    doc: &Document<'_>,
    start: TokenIndex,
    last: TokenIndex,
    cuda: &str,
    hip: &str,
) -> Vec<Edit> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (cuda.split("::").collect(), hip.split("::").collect());
    if old.len() != new.len() {
        return if cuda == hip {
            Vec::new()
        } else {
            vec![Edit::replace(doc.range(start, last), hip.to_owned())]
        };
    }
    let parts = (start..=last)
        .filter(|&at| doc.is_ident(at))
        .zip(old.into_iter().zip(new));
    parts
        .filter(|(_, (old, new))| old != new)
        .map(|(at, (_, new))| Edit::replace(doc.tokens[at].range(), new.to_owned()))
        .collect()
}

/// `mine::cub::BlockReduce`, where nothing of the tree is called `mine::cub`: CUB behind CUB_WRAPPED_NAMESPACE, which hipCUB lacks.
fn report_wrapped(cx: &mut Context<'_, '_>) {
    for (outer, index) in wrapped(cx) {
        let (range, name) = (cx.doc.range(outer, index), plain(cx, outer, index));
        let finding = RULE.finding(range, message(&name));
        cx.report(match has_member("cub", cx.doc.bytes(index + 2)) {
            true => finding
                .severity(Severity::Warning)
                .help("hipCUB has no CUB_WRAPPED_NAMESPACE: `hipcub` is its only one")
                .fix(Fix::review(vec![Edit::replace(range, "hipcub".to_owned())])),
            false => finding
                .severity(Severity::Error)
                .help("hipCUB has no CUB_WRAPPED_NAMESPACE: write `hipcub`, or an alias of it in that namespace"),
        });
    }
}

/// Gives `mine::cub` its meaning in a source of an extension, under both names: of some members PyTorch's build makes `mine::hipcub::…`.
fn alias_wrapped(cx: &mut Context<'_, '_>) {
    let mut names = FxHashSet::default();
    for (outer, index) in wrapped(cx) {
        let name = plain(cx, outer, index);
        if !names.insert(name.clone()) {
            continue;
        }
        let parts: Vec<&str> = name.split("::").filter(|it| *it != "cub").collect();
        let heads: String = parts
            .iter()
            .map(|it| format!("namespace {it} {{ "))
            .collect();
        let newline = cx.doc.newline();
        let lines = format!(
            "#ifdef USE_ROCM{newline}{heads}namespace cub = ::hipcub; namespace hipcub = ::hipcub;{}{newline}#endif{newline}",
            " }".repeat(parts.len())
        );
        let point = include_place::helper_point(cx.doc, u32::MAX);
        let finding = RULE
            .finding(cx.doc.range(outer, index), message(&name))
            .help("hipCUB has no CUB_WRAPPED_NAMESPACE: aliases for AMD stand behind the includes")
            .fix(Fix::safe(vec![Edit::insert(point, lines)]));
        cx.report(finding);
    }
}

fn message(name: &str) -> String {
    format!("`{name}` is CUB in a namespace of the project's")
}

/// The tokens of a name, without the comments that may stand between them.
fn plain(cx: &Context<'_, '_>, start: TokenIndex, end: TokenIndex) -> String {
    (start..=end).map(|at| cx.text(at)).collect()
}

/// The names that are CUB in a namespace of the project's, from the outermost namespace to `cub`.
fn wrapped(cx: &Context<'_, '_>) -> Vec<(TokenIndex, TokenIndex)> {
    let of_cub = cx.doc.all("cub").filter(|&at| cx.doc.next_is(at, "::"));
    of_cub
        .filter_map(|at| Some((wrapper(cx.doc, at)?, at)))
        .filter(|&(outer, at)| !is_known_in(cx, outer, at + 2) && !cx.is_own(b"cub"))
        .map(|(outer, at)| {
            let outer = std::iter::successors(Some(outer), |&it| wrapper(cx.doc, it)).last();
            (outer.unwrap_or(at), at)
        })
        .filter(|&(outer, at)| !is_of_tables(cx, outer, at))
        .collect()
}

/// Whether a namespace of CUDA's libraries is called what stands from one name to another: `thrust::cuda_cub::cub`.
fn is_of_tables(cx: &Context<'_, '_>, first: TokenIndex, last: TokenIndex) -> bool {
    let mut hits = cx.table().namespaces_ending(cx.doc.bytes(last));
    first < last && hits.any(|hit| qualified_start(cx.doc, last, hit.entry.cuda) == Some(first))
}

/// Whether the tree says what `outer::cub::member` is: by another name of a namespace, or by what it has in its own.
fn is_known_in(cx: &Context<'_, '_>, outer: TokenIndex, member: TokenIndex) -> bool {
    let mut inner = cx.own.inner_namespaces(cx.doc.bytes(outer), b"cub");
    let is_cubs = |word: &[u8]| has_member("cub", word) && !writes_into(cx, b"cub", word);
    inner.any(|it| it.is_alias || !is_cubs(cx.doc.bytes(member)))
}

fn names_a_namespace(doc: &Document<'_>, start: TokenIndex, last: TokenIndex) -> bool {
    // `mine::thrust::cuda::par`: nobody but Thrust has such a member, whatever its namespace was wrapped in.
    let is_wrapped = start < last && doc.is(start, "thrust");
    let qualified_by = doc
        .prev(start)
        .filter(|_| !is_wrapped)
        .filter(|&prev| doc.is(prev, "::"))
        .and_then(|prev| doc.prev(prev))
        .filter(|&at| doc.is_ident(at) && !is_no_name(doc.bytes(at)));
    if qualified_by.is_some() || doc.prev_is(start, ".") || doc.prev_is(start, "->") {
        return false;
    }
    let opened = doc.prev_is(start, "namespace") && doc.next_is(last, "{");
    if opened && is_nested(doc, start) {
        return false;
    }
    // `namespace c = ::cub;`
    let first = doc.prev(start).filter(|&at| doc.is(at, "::"));
    let first = first.unwrap_or(start);
    let used = doc.prev_is(first, "namespace") || doc.prev_is(first, "=") && doc.next_is(last, ";");
    (doc.next_is(last, "::") || used) && (!opened || doc.is(last, "cub"))
}

/// Whether braces are open around the token: `namespace mine { namespace cub {` is the project's own.
fn is_nested(doc: &Document<'_>, index: TokenIndex) -> bool {
    doc.braces_around(index).next().is_some()
}
