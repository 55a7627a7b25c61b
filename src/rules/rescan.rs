//! What CUDA is left is found again from the result, not assumed from what the rules meant to do.

use super::own::OwnNames;
use super::{Session, api_left};
use crate::diagnostic::{ApiUse, Finding, Severity};
use crate::edit::EditSet;
use crate::mapping::{ApiEntry, Kind};
use crate::syntax::{Document, TokenKind, Vendor, lex};
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
    let reread = output.map(|bytes| SourceFile::new(document.source.path.clone(), bytes.to_vec()));
    let result = reread.as_ref().unwrap_or(document.source);
    let covered = covered(findings);
    let source_len = document.source.bytes.len() as u32;
    let suspects: Vec<(TextRange, TextRange)> = lex(&result.bytes)
        .filter(|token| {
            token.kind == TokenKind::Ident
                && is_foreign(result.slice(token.range()), session, own).is_some()
        })
        .map(|token| {
            (
                token.range(),
                source_range(edits, token.range(), source_len),
            )
        })
        .filter(|(_, range)| !is_covered(&covered, *range))
        .collect();
    if suspects.is_empty() {
        return Vec::new();
    }
    // Rarely reached: only now the structure of the output is worth its price.
    let result = Document::new(result);
    let inactive = session.inactive(&result);
    let left = |(place, range): (TextRange, TextRange)| {
        let index = result.token_at(place.start);
        let skipped = inactive.iter().any(|range| range.contains(place));
        if skipped && !result.tokens[index].has(crate::syntax::flags::DIRECTIVE) {
            return None;
        }
        let entry = leftover(&result, session, own, index)?;
        let api = ApiUse {
            name: entry.cuda,
            library: entry.library,
            target: None,
            rocm_since: None,
        };
        Some(api_left::finding(range, entry, api))
    };
    suspects.into_iter().filter_map(left).collect()
}

/// What findings speak of already, sorted: all but the names that were converted safely, which should be gone.
fn covered(findings: &[Finding]) -> Vec<TextRange> {
    let speaks = |finding: &&Finding| {
        !finding.applied || finding.fix.is_none() || finding.severity > Severity::Info
    };
    let mut covered: Vec<TextRange> = findings
        .iter()
        .filter(speaks)
        .map(|finding| finding.range)
        .collect();
    covered.sort_unstable();
    covered
}

/// The entry of a word that AMD's code has no use for.
fn is_foreign<'t>(word: &[u8], session: &'t Session, own: &OwnNames) -> Option<&'t ApiEntry> {
    let entry = session.table.get_or_pattern(word)?.entry;
    let stays = entry.is_unchanged()
        || entry.context
        || entry.hip == Some(entry.cuda)
        || entry.kind == Kind::Namespace;
    (!stays && !own.contains(word)).then_some(entry)
}

/// The entry of a name that should not be in the output.
fn leftover<'t>(
    result: &Document<'_>,
    session: &'t Session,
    own: &OwnNames,
    index: usize,
) -> Option<&'t ApiEntry> {
    let entry = is_foreign(result.bytes(index), session, own)?;
    let guarded = result.vendor_at(result.tokens[index].start) != Vendor::Any;
    let is_anothers = entry.kind != Kind::Macro && super::arguments::is_members_name(result, index);
    (!guarded && !is_anothers).then_some(entry)
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
