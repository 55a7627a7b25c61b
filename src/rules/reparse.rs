//! Whether the output still reads as C++ where fixes replaced more than names.

use super::parse_regression;
use crate::diagnostic::Finding;
use crate::edit::{EditSet, apply};
use crate::syntax::Document;
use crate::text::{SourceFile, TextRange};

/// A finding when the output has more syntax errors than the source. Files in which only names, lines and wrappers changed are not
/// parsed: such edits cannot break the structure, and parsing costs more than the rest of the translation.
pub(super) fn regression(
    document: &Document<'_>,
    edits: &EditSet,
    findings: &[Finding],
) -> Option<Finding> {
    if !findings
        .iter()
        .any(|finding| finding.applied && rewrites_structure(document, finding))
    {
        return None;
    }
    let output = apply(&document.source.bytes, edits);
    let source = SourceFile::new(document.source.path.clone(), output);
    let after = Document::new(&source).tree().defects();
    if after.is_empty() {
        return None;
    }
    let before = document.tree().defects();
    let extra = after
        .len()
        .checked_sub(before.len())
        .filter(|extra| *extra > 0)?;
    let known = |at: u32| before.iter().any(|defect| defect.start.abs_diff(at) < 2);
    let place = after
        .iter()
        .map(|defect| edits.unmap_offset(defect.start))
        .find(|&at| !known(at))?;
    Some(parse_regression::finding(
        TextRange::at(place.min(document.source.bytes.len() as u32)),
        extra,
    ))
}

/// A fix that replaces a stretch of code, not a name, a whole directive, or the brackets of a launch.
fn rewrites_structure(document: &Document<'_>, finding: &Finding) -> bool {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    edits.filter(|edit| edit.range.len() > 3).any(|edit| {
        let old = document.source.slice(edit.range);
        old.iter().any(|byte| matches!(byte, b'(' | b'{' | b';'))
            && !old.trim_ascii_start().starts_with(b"#")
    })
}
