//! What CUDA is left is found again from the result, not assumed from what the rules meant to do.

use crate::cpp::conditions::cuda_macros::cuda_macro;
use crate::cpp::macro_parameters::is_parameter;
use crate::cpp::names::is_members_name;
use crate::diagnostic::{ApiUse, Finding, Judged, Severity};
use crate::edit::{Applicability, EditSet, Fix, apply};
use crate::engine::changed_lines::changed_lines;
use crate::engine::run_rules::{is_called_after_type, is_made_member};
use crate::engine::session::FileSession;
use crate::mapping::{ApiEntry, Kind};
use crate::project::owner::Owner;
use crate::project::visible::OwnNames;
use crate::rules::{Event, notice};
use crate::syntax::{Document, TokenIndex, TokenKind, Vendor, flags};
use crate::text::TextRange;

/// Reads the result once more and reports each name of CUDA that no finding speaks of yet. `names` are the words of the source that
/// the tables know.
pub(super) fn leftovers(
    document: &Document<'_>,
    session: &FileSession<'_>,
    own: &OwnNames<'_>,
    names: &[TokenIndex],
    edits: &EditSet,
    findings: &[Judged],
) -> Vec<Finding> {
    if session.is_nvidias_source(&document.source.path) {
        return Vec::new();
    }
    let covered = covered(findings);
    let source_len = document.source.bytes.len() as u32;
    let suspects: Vec<(TextRange, TextRange)> = foreign(document, session, own, names, edits)
        .into_iter()
        .map(|place| (place, source_range(edits, place, source_len)))
        .filter(|(_, range)| !is_covered(&covered, *range))
        .collect();
    if suspects.is_empty() {
        return Vec::new();
    }
    // Rarely reached: only now the structure of the output is worth its price.
    let output = apply(&document.source.bytes, edits);
    let result = document.source.with_bytes(output);
    let result = Document::with_macros(&result, session.support.macros(Owner::Ours));
    let inactive = session.inactive(&result);
    let left = |(place, range): (TextRange, TextRange)| {
        let index = result.token_at(place.start);
        let skipped = inactive.iter().any(|range| range.contains(place));
        if skipped && !result.tokens[index].has(flags::DIRECTIVE) {
            return None;
        }
        let entry = leftover(&result, session, own, index)?;
        let api = ApiUse {
            name: entry.cuda,
            library: entry.library,
            target: None,
            rocm_since: None,
        };
        Some(notice(&Event::NameLeft { range, entry, api }))
    };
    suspects.into_iter().filter_map(left).collect()
}

/// The words of the result that AMD's code has no use for, in order. What edits leave alone has the same tokens as before; the rest is
/// read anew.
fn foreign(
    document: &Document<'_>,
    session: &FileSession<'_>,
    own: &OwnNames<'_>,
    mut names: &[TokenIndex],
    edits: &EditSet,
) -> Vec<TextRange> {
    let mut found = Vec::new();
    let unchanged = |names: &[TokenIndex], found: &mut Vec<TextRange>| {
        let foreign = names
            .iter()
            .filter(|&&name| foreign_entry(document.bytes(name), session, own).is_some());
        found.extend(foreign.map(|&name| {
            let range = document.tokens[name].range();
            let start = edits.map_offset(range.start);
            TextRange::new(start, start + range.len())
        }));
    };
    for lines in changed_lines(document, edits) {
        let before = |end: u32| {
            let is_before = |name: &TokenIndex| document.tokens[*name].start < end;
            names.partition_point(is_before)
        };
        unchanged(&names[..before(lines.source.start)], &mut found);
        names = &names[before(lines.source.end)..];
        let changed = lines.tokens().filter(|(token, word)| {
            token.kind == TokenKind::Ident && foreign_entry(word, session, own).is_some()
        });
        found.extend(changed.map(|(token, _)| token.range()));
    }
    unchanged(names, &mut found);
    found
}

/// What findings speak of already, sorted: all but the names that were converted safely or went with other code, which should be gone.
fn covered(findings: &[Judged]) -> Vec<TextRange> {
    let speaks = |judged: &&Judged| {
        let is_proposal = |fix: &Fix| fix.applicability == Applicability::Manual;
        judged.severity() > Severity::Info || judged.fix().is_none_or(is_proposal)
    };
    let mut covered: Vec<TextRange> = findings.iter().filter(speaks).map(Judged::range).collect();
    covered.sort_unstable();
    covered
}

/// The entry of a word that AMD's code has no use for.
pub(super) fn foreign_entry<'t>(
    word: &[u8],
    session: &FileSession<'t>,
    own: &OwnNames<'_>,
) -> Option<&'t ApiEntry> {
    let entry = session.table.get_or_pattern(word)?.entry;
    let stays = entry.is_unchanged()
        || entry.context
        || entry.hip == Some(entry.cuda)
        || entry.kind == Kind::Namespace
        || entry.kind == Kind::Pattern && session.project.names().declares(word);
    (!stays && !own.contains(word)).then_some(entry)
}

/// The entry of a name that should not be in the output.
fn leftover<'t>(
    result: &Document<'_>,
    session: &FileSession<'t>,
    own: &OwnNames<'_>,
    index: usize,
) -> Option<&'t ApiEntry> {
    let entry = foreign_entry(result.bytes(index), session, own)?;
    if entry.kind == Kind::Pattern && crate::cpp::names::is_asked_for(result, index) {
        return None;
    }
    // Conditions that ask for a version are decided by a rule of theirs.
    let token = result.tokens[index];
    let in_condition = token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY);
    if in_condition && cuda_macro(result.bytes(index)).is_some() {
        return None;
    }
    let guarded = result.vendor_at(result.tokens[index].start) != Vendor::Any;
    let is_anothers = entry.kind != Kind::Macro
        && (is_members_name(result, index) || is_made_member(result, own, index))
        && !is_loaded(session, own, entry)
        || is_called_after_type(result, session, index)
        || is_parameter(result, index);
    (!guarded && !is_anothers).then_some(entry)
}

/// Whether members of a name are functions of CUDA's driver, in a table that a header of NVIDIA's declares and loads: `cu->cuInit(0)`.
fn is_loaded(session: &FileSession<'_>, own: &OwnNames<'_>, entry: &ApiEntry) -> bool {
    own.loads_functions()
        && entry.kind == Kind::Function
        && entry.library == "driver"
        && !session.project.names().makes_member(entry.cuda.as_bytes())
}

fn is_covered(covered: &[TextRange], range: TextRange) -> bool {
    let end = covered.partition_point(|finding| finding.start <= range.start);
    // Findings nest at most a few deep (a name in a call in a launch), so a short look back is enough.
    covered[..end]
        .iter()
        .rev()
        .take(64)
        .any(|finding| finding.contains(range) || *finding == range || finding.start == range.start)
}

/// The bytes of the original file that a range of the output came from.
fn source_range(edits: &EditSet, range: TextRange, len: u32) -> TextRange {
    let start = edits.unmap_offset(range.start).min(len);
    TextRange::new(start, (start + range.len()).min(len))
}
