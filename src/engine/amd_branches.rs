//! CUDA's names in code that is guarded for AMD: rules leave such code alone, and a build for AMD compiles it.

use std::collections::BTreeMap;

use crate::analysis::include_place::AFTER_RUNTIME;
use crate::cpp::names::qualified_start;
use crate::diagnostic::{Finding, Severity};
use crate::engine::kept::covers;
use crate::engine::leftovers::foreign_entry;
use crate::engine::session::FileSession;
use crate::mapping::{ApiEntry, Kind};
use crate::options::Dialect;
use crate::project::owner::Owner;
use crate::project::support::Support;
use crate::project::visible::OwnNames;
use crate::rules::{Event, notice};
use crate::syntax::{Document, Include, TokenIndex, Vendor, flags};
use crate::text::{TextRange, line_start};

/// One finding for each name and header that nobody gives a meaning there, at its first place. `names` are the words of the source
/// that the tables know.
pub(super) fn findings(
    document: &Document<'_>,
    session: &FileSession<'_>,
    support: &Support,
    own: &OwnNames<'_>,
    names: &[TokenIndex],
) -> Vec<Finding> {
    let path = &document.source.path;
    let owner = support.owner(path);
    let scope = support.scope(path);
    // PyTorch's build and hipify rewrite the branches for AMD as well.
    let is_rewritten = session.dialect == Dialect::Torch || scope.is_some_and(|it| it.hipifies);
    if is_rewritten || owner == Owner::Nvidia || session.options.reverse {
        return Vec::new();
    }
    let is_answered = |word: &[u8]| scope.is_some_and(|scope| covers(scope, session, word));
    let mut first = BTreeMap::<&[u8], (TextRange, usize)>::new();
    for &at in names {
        let (word, range) = (document.bytes(at), document.tokens[at].range());
        let is_meant = is_for_amd(document, range.start) && is_used(document, session, own, at);
        if is_meant && !is_answered(word) {
            first.entry(word).or_insert((range, 0)).1 += 1;
        }
    }
    let includes = foreign_includes(document, session).filter(|(word, _)| !is_answered(word));
    let found = first.into_iter().chain(includes);
    let severity = match owner {
        Owner::Ours => Severity::Error,
        _ => Severity::Warning,
    };
    let entry = |word: &[u8]| {
        session
            .table
            .get(word)
            .or_else(|| session.table.header(word))
    };
    let finding = |(word, (range, uses))| {
        let entry = entry(word)?.entry;
        let event = Event::CudaForAmd { range, entry, uses };
        Some(notice(&event).severity(severity))
    };
    let namespaces = foreign_namespaces(document, session).into_values();
    let namespaces = namespaces.map(|(range, uses, entry)| {
        let event = Event::CudaForAmd { range, entry, uses };
        notice(&event).severity(severity)
    });
    let early = first_early(document, session).map(|(range, path)| {
        let path = &*document.source.text(path);
        let line = line_start(&document.source.bytes, range.start);
        let newline = document.newline();
        notice(&Event::LateHeaderForAmd {
            range,
            line,
            path,
            newline,
        })
    });
    let arch = arch_in_front(document, session)
        .map(|range| notice(&Event::ArchForAmd { range }).severity(severity));
    found
        .filter_map(finding)
        .chain(namespaces)
        .chain(early)
        .chain(arch)
        .collect()
}

/// The `__CUDA_ARCH__` that a branch for AMD defines in front of a header of HIP's, if any does.
fn arch_in_front(document: &Document<'_>, session: &FileSession<'_>) -> Option<TextRange> {
    let is_hips = |include: &&Include| {
        let path = document.source.slice(include.path);
        session.table.is_target(path) && is_for_amd(document, include.directive.start)
    };
    let last = document.includes.iter().rfind(is_hips)?;
    let mut defines = document.macros_called(b"__CUDA_ARCH__");
    let define = defines.find(|define| {
        let has_value = define.operands().len() > 1;
        let is_zero = document.is(define.operands().start + 1, "0");
        let start = define.range.start;
        has_value && !is_zero && start < last.directive.start && is_for_amd(document, start)
    })?;
    Some(document.tokens[define.operands().start].range())
}

/// The namespaces within libraries, `thrust::cuda`, that code for AMD alone names by what CUDA calls them: each at its first place, with the
/// number of places.
fn foreign_namespaces<'d>(
    document: &Document<'_>,
    session: &'d FileSession<'_>,
) -> BTreeMap<&'d str, (TextRange, usize, &'d ApiEntry)> {
    let mut found = BTreeMap::<&str, (TextRange, usize, &ApiEntry)>::new();
    let table = session.table;
    for at in document.all_that(|word| table.namespaces_ending(word).next().is_some()) {
        let entries = table
            .namespaces_ending(document.bytes(at))
            .map(|hit| hit.entry)
            .filter(|entry| {
                entry.cuda.contains("::") && entry.hip.is_some_and(|hip| hip != entry.cuda)
            });
        let placed = entries.filter_map(|entry| {
            let start = qualified_start(document, at, entry.cuda)?;
            (!document.is_before(start, "::")).then_some((start, entry))
        });
        let Some((start, entry)) = placed.max_by_key(|(_, entry)| entry.cuda.len()) else {
            continue;
        };
        let range = document.range(start, at);
        if is_for_amd(document, range.start) {
            found.entry(entry.cuda).or_insert((range, 0, entry)).1 += 1;
        }
    }
    found
}

/// The first include for AMD alone, if any, of a header that needs the runtime header in front of it and has none there; with its path.
fn first_early(
    document: &Document<'_>,
    session: &FileSession<'_>,
) -> Option<(TextRange, TextRange)> {
    let (project, from) = (&session.project, &document.source.path);
    let is_late = |include: &&Include| {
        let path = document.source.text(include.path);
        AFTER_RUNTIME.contains(&&*path)
            && is_for_amd(document, include.directive.start)
            && project.paths.resolve(from, &path).is_none()
    };
    let first = document.includes.iter().find(is_late)?;
    let brings = |include: &Include| {
        let path = document.source.text(include.path);
        // `<math.h>` is not the one of the folder.
        let may_be_own = !include.angled || path.contains('/');
        path.starts_with("hip/hip_runtime")
            || may_be_own && project.brings_runtime(from, &path, session.table)
    };
    let start = first.directive.start;
    let mut earlier = document.includes.iter().filter(|include| {
        let place = include.directive.start;
        place < start && document.branches.dominates(place, start)
    });
    (!earlier.any(brings)).then_some((first.directive, first.path))
}

/// Whether code is for AMD alone. HIP over CUDA is NVIDIA's: `#ifdef __HIP_PLATFORM_NVIDIA__` inside `#ifdef USE_HIP`. A helper of this
/// tool has a side for each vendor.
pub(super) fn is_for_amd(document: &Document<'_>, at: u32) -> bool {
    document.vendor_at(at) == Vendor::Hip && !is_in_helper(document, at)
}

/// Whether code stands in a helper of this tool, behind `#ifndef CASS_HELPER_X`.
fn is_in_helper(document: &Document<'_>, at: u32) -> bool {
    let opens_helper = |branch: TextRange| {
        let directives = &document.directives;
        let opener = directives.partition_point(|it| it.range.end < branch.start);
        let opener = directives
            .get(opener)
            .filter(|it| it.range.end == branch.start);
        let name = opener.and_then(|it| it.operands().next());
        name.is_some_and(|name| document.bytes(name).starts_with(b"CASS_HELPER_"))
    };
    document.branches.around(at).any(opens_helper)
}

/// The paths of includes for AMD alone that name a header of CUDA and no file of the tree.
fn foreign_includes<'d>(
    document: &'d Document<'_>,
    session: &'d FileSession<'_>,
) -> impl Iterator<Item = (&'d [u8], (TextRange, usize))> {
    let includes = document.includes.iter();
    let foreign = includes.filter(|include| {
        let path = include.path;
        let hit = session.table.header(document.source.slice(path));
        let is_lacking = hit.is_some_and(|hit| hit.entry.hip != Some(hit.entry.cuda));
        let is_own = || {
            let from = &document.source.path;
            session
                .project
                .paths
                .resolve(from, &document.source.text(path))
                .is_some()
        };
        is_lacking && is_for_amd(document, include.directive.start) && !is_own()
    });
    foreign.map(|include| (document.source.slice(include.path), (include.path, 1)))
}

/// Whether the word at a place means CUDA's host API, which HIP has under other names or not at all.
fn is_used(
    document: &Document<'_>,
    session: &FileSession<'_>,
    own: &OwnNames<'_>,
    at: TokenIndex,
) -> bool {
    let Some(entry) = foreign_entry(document.bytes(at), session, own) else {
        return false;
    };
    let is_host = !matches!(entry.library, "device")
        && matches!(entry.kind, Kind::Function | Kind::Type | Kind::Enumerator);
    let token = &document.tokens[at];
    let in_text = !token.has(flags::DIRECTIVE) || token.has(flags::MACRO_BODY);
    is_host && in_text && !crate::cpp::names::is_members_name(document, at)
}
