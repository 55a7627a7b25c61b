//! CUDA's names in code that is guarded for AMD: rules leave such code alone, and a build for AMD compiles it.

use std::collections::BTreeMap;

use crate::diagnostic::{Finding, Severity};
use crate::engine::kept::covers;
use crate::engine::leftovers::is_foreign;
use crate::engine::session::FileSession;
use crate::mapping::Kind;
use crate::options::Dialect;
use crate::project::owner::Owner;
use crate::project::support::Support;
use crate::project::visible::OwnNames;
use crate::rules::api::amd_branch;
use crate::syntax::{Document, TokenIndex, Vendor, flags};
use crate::text::{Language, TextRange};

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
    let is_read = document.source.language == Language::CFamily && owner != Owner::Nvidia;
    if is_rewritten || !is_read || session.options.reverse {
        return Vec::new();
    }
    // HIP over CUDA is NVIDIA's: `#ifdef __HIP_PLATFORM_NVIDIA__` inside `#ifdef USE_HIP`.
    let is_nvidias = |at: u32| {
        let mut guards = document.guards.iter();
        guards.any(|(range, vendor)| *vendor == Vendor::NotHip && range.contains_offset(at))
    };
    let is_for_amd = |at: u32| document.vendor_at(at) == Vendor::Hip && !is_nvidias(at);
    let is_answered = |word: &[u8]| scope.is_some_and(|scope| covers(scope, session, word));
    let mut first = BTreeMap::<&[u8], (TextRange, usize)>::new();
    for &at in names
        .iter()
        .filter(|&&at| is_for_amd(document.tokens[at].start))
    {
        let word = document.bytes(at);
        if is_used(document, session, own, at) && !is_answered(word) {
            let range = document.tokens[at].range();
            first.entry(word).or_insert((range, 0)).1 += 1;
        }
    }
    let mut includes = Vec::new();
    for include in document
        .includes
        .iter()
        .filter(|it| is_for_amd(it.directive.start))
    {
        let word = document.source.slice(include.path);
        let hit = session.table.header(word);
        let is_lacking = hit.is_some_and(|hit| hit.entry.hip != Some(hit.entry.cuda));
        let text = document.source.text(include.path);
        let is_own = session.project.resolve(path, &text).is_some();
        if is_lacking && !is_own && !is_answered(word) {
            includes.push((word, (include.path, 1)));
        }
    }
    let found = first.into_iter().chain(includes);
    let severity = if owner == Owner::Ours {
        Severity::Error
    } else {
        Severity::Warning
    };
    let finding = |(word, (range, uses))| {
        let hit = session
            .table
            .get(word)
            .or_else(|| session.table.header(word))?;
        Some(amd_branch::finding(range, hit.entry, uses).severity(severity))
    };
    found.filter_map(finding).collect()
}

/// Whether the word at a place means CUDA's host API, which HIP has under other names or not at all.
fn is_used(
    document: &Document<'_>,
    session: &FileSession<'_>,
    own: &OwnNames<'_>,
    at: TokenIndex,
) -> bool {
    let Some(entry) = is_foreign(document.bytes(at), session, own) else {
        return false;
    };
    let is_host = !matches!(entry.library, "device")
        && matches!(entry.kind, Kind::Function | Kind::Type | Kind::Enumerator);
    let token = &document.tokens[at];
    let in_text = !token.has(flags::DIRECTIVE) || token.has(flags::MACRO_BODY);
    is_host && in_text && !crate::cpp::names::is_members_name(document, at)
}
