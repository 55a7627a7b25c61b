//! Which fixes are made, and what they need: includes and helpers.

use std::collections::BTreeSet;

use crate::analysis::include_place;
use crate::analysis::new_includes::{self, Needs};
use crate::analysis::unit::Switches;
use crate::diagnostic::{FixState, Judged};
use crate::edit::{Applicability, Edit, EditSet, Fix};
use crate::engine::route::Reading;
use crate::engine::session::FileSession;
use crate::engine::suppression::Suppressions;
use crate::engine::verdict::judge::Judge;
use crate::engine::verdict::lost;
use crate::engine::{both_builds, both_vendors};
use crate::options::Vendors;
use crate::rules::{Fact, codes_with, find};
use crate::syntax::{Document, flags};
use crate::text::TextRange;

/// Priority of the includes that fixes need.
const INCLUDES: u8 = 6;

/// Chooses among the fixes; also tells the names that stay CUDA's because a guard gives them AMD's meaning. Findings in code that a chosen fix takes from AMD go, and those whose fix was lost are raised.
pub(in crate::engine) fn plan(
    reading: &Reading<'_>,
    session: &FileSession<'_>,
    judge: &Judge<'_>,
    findings: &mut Vec<Judged>,
) -> (EditSet, BTreeSet<&'static str>, BTreeSet<String>) {
    let mut plan = resolve(reading, session, judge.suppressions(), findings);
    if drop_hidden_code(findings) {
        plan = resolve(reading, session, judge.suppressions(), findings);
    }
    drop_deleted_names(findings);
    let (edits, helpers) = plan;
    let (edits, aliases) = match reading.cpp() {
        Some(document) => both_vendors::guard(document, session, findings, edits),
        None => (edits, BTreeSet::new()),
    };
    let dual = reading
        .build()
        .filter(|_| session.options.vendors == Vendors::Both);
    let edits = dual
        .and_then(|file| both_builds::with_amd_edits(file, &edits))
        .unwrap_or(edits);
    lost::raise(reading, findings, session.options.fix_level);
    findings
        .iter_mut()
        .for_each(|finding| judge.set_severity(finding));
    (edits, helpers, aliases)
}

/// Chooses among the fixes, marks findings whose fix is in, and adds the includes that the chosen fixes need.
fn resolve(
    reading: &Reading<'_>,
    session: &FileSession<'_>,
    suppressions: &Suppressions,
    findings: &mut [Judged],
) -> (EditSet, BTreeSet<&'static str>) {
    let priority = |code: &str| find(code).map_or(50, |(rule, _)| rule.priority);
    let fixes: Vec<(u8, Option<&Fix>)> = findings
        .iter()
        .map(|it| (priority(it.code()), it.fix()))
        .collect();
    let resolution = EditSet::resolve(&fixes, session.options.fix_level);
    for (judged, is_made) in findings.iter_mut().zip(&resolution.applied) {
        set_made(judged, *is_made);
    }
    let Some(document) = reading.cpp() else {
        return (resolution.edits, BTreeSet::new());
    };
    let is_fragment = session
        .project
        .inclusions()
        .is_fragment(&document.source.path);
    let needs = needs(document, session, findings);
    let mut extra =
        new_includes::includes(document, &needs, &resolution.edits).filter(|_| !is_fragment);
    let helpers = needs.helpers;
    for edit in extra.iter_mut().flat_map(|fix| &mut fix.edits) {
        let codes = codes_with(Fact::BringsHeaders);
        let place = codes.fold(edit.range.start, |place, code| {
            suppressions.outside(document, place, code)
        });
        edit.range = TextRange::at(place);
    }
    let separator = include_place::separator(document, &resolution.edits);
    if extra.is_none() && separator.is_none() {
        return (resolution.edits, helpers);
    }
    let is_applied: Vec<usize> = (0..findings.len())
        .filter(|&at| findings[at].is_applied())
        .collect();
    let mut fixes: Vec<(u8, Option<&Fix>)> = is_applied
        .iter()
        .map(|&at| (priority(findings[at].code()), findings[at].fix()))
        .collect();
    // Behind the runtime header, in front of whatever else is inserted at the start of that line.
    fixes.push((INCLUDES, extra.as_ref()));
    fixes.push((INCLUDES + 1, separator.as_ref()));
    let policy = Applicability::Review.min(session.options.fix_level);
    let resolution = EditSet::resolve(&fixes, policy);
    for (at, is_made) in is_applied.into_iter().zip(&resolution.applied) {
        set_made(&mut findings[at], *is_made);
    }
    (resolution.edits, helpers)
}

/// What the chosen fixes need of other files.
fn needs<'a>(
    document: &Document<'_>,
    session: &'a FileSession<'_>,
    findings: &[Judged],
) -> Needs<'a> {
    let applied = || {
        findings
            .iter()
            .filter(|it| it.is_applied())
            .map(Judged::finding)
    };
    let is_in_directive = |at: u32| {
        let token = document.tokens.get(document.token_at(at));
        token.is_some_and(|token| token.has(flags::DIRECTIVE))
    };
    let places = applied().filter(|it| !it.helpers.is_empty() || !it.headers.is_empty());
    let places: Vec<u32> = places.map(|finding| finding.range.start).collect();
    // What the fragments call that the file includes inside a namespace or class.
    let fragments = session.project.fragments_of(&document.source.path);
    let fragments = fragments.filter_map(|path| session.fragments.get(path));
    Needs {
        table: session.table,
        mode: session.options.compat,
        dialect: session.dialect,
        header: session.project.helper_header_of(&document.source.path),
        links: session.project.paths.links.to(&document.source.path),
        helpers: applied()
            .flat_map(|it| it.helpers.iter().copied())
            .chain(fragments.flatten().copied())
            .collect(),
        headers: applied()
            .flat_map(|it| it.headers.iter().copied())
            .collect(),
        first: places
            .iter()
            .copied()
            .filter(|&at| !is_in_directive(at))
            .min()
            .unwrap_or(u32::MAX),
        places,
    }
}

/// Notes whether a fix is in; of findings without one there is nothing to note.
fn set_made(judged: &mut Judged, is_made: bool) {
    judged.verdict.fix = match judged.verdict.fix {
        FixState::Offered | FixState::Made if is_made => FixState::Made,
        FixState::Made => FixState::Offered,
        other => other,
    };
}

/// Drops findings about names without a counterpart that an applied fix takes out for good, `cublasContext` that becomes `void`.
fn drop_deleted_names(findings: &mut Vec<Judged>) {
    let applied = findings.iter().filter(|it| it.is_applied());
    let edits = applied.filter_map(Judged::fix).flat_map(|fix| &fix.edits);
    let (mut gone, mut carried) = (Vec::new(), Vec::new());
    for edit in edits {
        gone.extend(edit.deleted_range());
        carried.extend(edit.moved().iter().map(|moved| moved.from));
    }
    gone.sort_unstable();
    carried.sort_unstable();
    // Those of one kind do not overlap, as the edits that are made do not.
    let holds = |ranges: &[TextRange], range: TextRange| {
        let within = ranges.partition_point(|it| it.start <= range.start);
        within > 0 && ranges[within - 1].contains(range)
    };
    findings.retain(|judged| {
        let is_without = judged.fix().is_none()
            && (judged.finding().api.as_ref()).is_some_and(|api| api.target.is_none());
        !is_without || !holds(&gone, judged.range()) || holds(&carried, judged.range())
    });
}

/// Drops findings in code that an applied fix takes from AMD: it stays as it is, for NVIDIA. Whether there were any.
fn drop_hidden_code(findings: &mut Vec<Judged>) -> bool {
    let applied = findings.iter().filter(|it| it.is_applied());
    let hidden: Vec<TextRange> = applied.filter_map(|it| it.finding().hides).collect();
    let before = findings.len();
    // An include for the file, in front of the code or without an edit of its own, may have other reasons elsewhere.
    let is_about = |judged: &Judged, range: &TextRange| {
        let mut edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
        let is_include = judged.fix().is_some() && edits.clone().next().is_none();
        let is_inside = |edit: &Edit| range.contains(edit.range) && edit.range.end > range.start;
        range.contains(judged.range()) && !is_include && edits.all(is_inside)
    };
    let is_hidden = |judged: &Judged| {
        judged.finding().hides.is_none() && hidden.iter().any(|range| is_about(judged, range))
    };
    findings.retain(|judged| !is_hidden(judged));
    findings.len() < before
}
