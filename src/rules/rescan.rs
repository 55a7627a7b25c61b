//! What CUDA is left is found again from the result, not assumed from what the rules meant to do.

use super::own::OwnNames;
use super::{Session, api_left};
use crate::diagnostic::{ApiUse, Finding};
use crate::edit::EditSet;
use crate::mapping::{ApiEntry, Kind};
use crate::syntax::{Document, Vendor};
use crate::text::{SourceFile, TextRange};

/// Reads the output once more and reports each name of CUDA that no finding speaks of yet.
pub(super) fn leftovers(
    document: &Document<'_>,
    session: &Session,
    own: &OwnNames,
    output: Option<&[u8]>,
    edits: &EditSet,
    findings: &[Finding],
) -> Vec<Finding> {
    let mut left = Vec::new();
    let reread = output.map(|bytes| SourceFile::new(document.source.path.clone(), bytes.to_vec()));
    let result = reread.as_ref().map(Document::new);
    let result = result.as_ref().unwrap_or(document);
    let mut covered: Vec<TextRange> = findings
        .iter()
        .filter(|finding| {
            !finding.applied
                || finding.fix.is_none()
                || finding.severity > crate::diagnostic::Severity::Info
        })
        .map(|finding| finding.range)
        .collect();
    covered.sort_unstable();
    for index in (0..result.tokens.len()).filter(|&index| result.is_ident(index)) {
        let Some(entry) = leftover(result, session, own, index) else {
            continue;
        };
        let range = source_range(
            edits,
            result.tokens[index].range(),
            document.source.bytes.len() as u32,
        );
        if !is_covered(&covered, range) {
            left.push(api_left::finding(
                range,
                entry,
                ApiUse {
                    name: entry.cuda,
                    library: entry.library,
                    target: None,
                    rocm_since: None,
                },
            ));
        }
    }
    left
}

/// The entry of a name that should not be in the output.
fn leftover<'t>(
    result: &Document<'_>,
    session: &'t Session,
    own: &OwnNames,
    index: usize,
) -> Option<&'t ApiEntry> {
    let word = result.bytes(index);
    let hit = session.table.get_or_pattern(word)?;
    let stays = hit.entry.is_unchanged()
        || hit.entry.context
        || hit.entry.hip == Some(hit.entry.cuda)
        || hit.entry.kind == Kind::Namespace;
    let foreign = !stays
        && !own.contains(word)
        && result.vendor_at(result.tokens[index].start) == Vendor::Any
        && !super::arguments::is_members_name(result, index);
    foreign.then_some(hit.entry)
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
