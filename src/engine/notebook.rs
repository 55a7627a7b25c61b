//! Jupyter notebooks: the code cells are one Python program, whose edits are written back into the strings of the JSON file.

use crate::edit::{Applicability, Edit, EditSet, Fix, apply};
use crate::engine::embedded::{moved, rewritten};
use crate::engine::{FileOutcome, Session};
use crate::python::notebook;
use crate::text::{Language, SourceFile};

/// Translates the code cells of a notebook; what is no notebook stays as it is.
pub(super) fn translate_cells(
    source: &SourceFile,
    session: &Session,
    translate: fn(&SourceFile, &Session) -> FileOutcome,
) -> FileOutcome {
    let Some(cells) = notebook(&source.bytes) else {
        return FileOutcome::default();
    };
    let mut program = SourceFile::new(source.path.clone(), cells.text().to_vec());
    program.language = Language::Python;
    let mut outcome = translate(&program, session);
    let fixes: Vec<Option<Fix>> = outcome
        .edits
        .iter()
        .map(|edit| rewritten(&cells, edit).map(Fix::safe))
        .collect();
    // One edit that the cells cannot hold, across two of them, leaves all to a person.
    let is_written = fixes.iter().all(Option::is_some);
    let edits: Vec<Edit> = fixes
        .into_iter()
        .flatten()
        .filter(|_| is_written)
        .flat_map(|fix| fix.edits)
        .collect();
    let fix = Fix::safe(edits);
    outcome.edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Manual).edits;
    outcome.findings = outcome
        .findings
        .into_iter()
        .map(|finding| moved(&cells, finding, is_written))
        .collect();
    outcome
        .findings
        .sort_by(|a, b| (a.range, a.code).cmp(&(b.range, b.code)));
    outcome.output = (!outcome.edits.is_empty()).then(|| apply(&source.bytes, &outcome.edits));
    outcome
}
