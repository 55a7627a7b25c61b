//! One source for both vendors: in the dialect `torch` what a fix makes for AMD stands under `#ifdef USE_ROCM`, beside the lines that
//! NVIDIA's compiler goes on reading. Fixes whose result means the same under nvcc stay as they are.

mod aliases;
mod guards;
mod neutral;

use std::borrow::Cow;
use std::collections::BTreeSet;

use self::aliases::Aliases;
use self::guards::guarded;
use crate::analysis::include_place;
use crate::diagnostic::{Finding, Judged};
use crate::edit::{Applicability, Edit, EditSet, Fix};
use crate::engine::RuleSettings;
use crate::engine::session::FileSession;
use crate::options::Dialect;
use crate::rules::{Fact, codes_with};
use crate::syntax::Document;
use crate::text::TextRange;

pub(super) use self::guards::{SWITCH, parts_directives};
pub(super) use self::neutral::is_neutral;

/// What holds for the rules in a file: what a person chose, and what the dialect leaves to PyTorch.
pub(super) fn settings<'s>(session: &'s FileSession<'_>, path: &str) -> Cow<'s, RuleSettings> {
    let settings = session.rules.of(path);
    if session.dialect != Dialect::Torch {
        return settings;
    }
    let mut settings = settings.into_owned();
    settings.off.extend(codes_with(Fact::DoneByTorch));
    Cow::Owned(settings)
}

/// The edits of a file with those for AMD alone under guards.
/// The names that the result spells as CUDA does, because a guard gives them AMD's meaning, come with them.
pub(super) fn guard(
    document: &Document<'_>,
    session: &FileSession<'_>,
    findings: &[Judged],
    edits: EditSet,
) -> (EditSet, BTreeSet<String>) {
    if session.dialect != Dialect::Torch {
        return (edits, BTreeSet::new());
    }
    let applied = || {
        let applied = findings.iter().filter(|it| it.is_applied());
        applied.map(Judged::finding)
    };
    let aliases = Aliases::new(document, applied());
    let ranges: BTreeSet<TextRange> = applied()
        .filter(|finding: &&Finding| !is_neutral(document, finding))
        .flat_map(|finding| finding.fix.iter().flat_map(|fix| &fix.edits))
        .map(|edit| edit.range)
        .filter(|range| !aliases.ranges.contains(range))
        .collect();
    if ranges.is_empty() && aliases.is_empty() {
        return (edits, BTreeSet::new());
    }
    let kept: Vec<Edit> = edits
        .iter()
        .filter(|edit| !aliases.ranges.contains(&edit.range))
        .cloned()
        .collect();
    let mut all = guarded(document, &kept, &ranges);
    let point = include_place::helper_point(document, u32::MAX);
    let text = aliases.text(document, point);
    if !text.is_empty() {
        all.push(Edit::insert(point, text));
    }
    let fix = Fix::safe(all);
    let edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits;
    (
        edits,
        aliases
            .names
            .into_keys()
            .chain(aliases.namespaces.into_keys())
            .collect(),
    )
}
