//! Jupyter notebooks: the code cells are one Python program, and some are files of other languages; all edits are written back into the
//! strings of the JSON file.

use crate::diagnostic::Judged;
use crate::edit::{Applicability, Edit, EditSet, Fix, apply};
use crate::engine::embedded::{UNWRITTEN, moved, moved_unwritten, rewritten};
use crate::engine::route::python_within;
use crate::engine::{FileOutcome, Session, verdict};
use crate::options::CompatMode;
use crate::python::{Cells, notebook};
use crate::text::SourceFile;
use crate::text::quoted::Quoted;

/// What translates a text as a file; without a header beside it where a way to bring helpers is given.
pub(super) type Translate = fn(&SourceFile, &Session, Option<CompatMode>) -> FileOutcome;

/// Translates the cells of a notebook; what is no notebook stays as it is.
pub(super) fn translate_cells(
    source: &SourceFile,
    session: &Session,
    translate: Translate,
) -> FileOutcome {
    let Some(Cells { program, files }) = notebook(&source.bytes) else {
        return FileOutcome::default();
    };
    let python = python_within(source.path.clone(), program.text().to_vec());
    let mut outcome = translate(&python, session, None);
    let (edits, findings) = written_back(&program, &mut outcome);
    let mut fixes = vec![Fix::safe(edits)];
    outcome.findings = findings;
    // No header lies beside a cell.
    let compat = match session.options.compat {
        CompatMode::None => CompatMode::None,
        _ => CompatMode::Inline,
    };
    for (name, text) in &files {
        let path = format!("{}/{name}", source.path);
        let file = SourceFile::new(path, text.text().to_vec());
        let mut of_file = translate(&file, session, Some(compat));
        let (edits, mut findings) = written_back(text, &mut of_file);
        fixes.push(Fix::safe(edits));
        // What is said of commands once a file is said once a notebook.
        if file.language.build_tool().is_some() {
            findings.retain(|it| !outcome.findings.iter().any(|told| it.only_repeats(told)));
        }
        outcome.findings.extend(findings);
        outcome.already += of_file.already;
        outcome.guarded += of_file.guarded;
        outcome.covered += of_file.covered;
        outcome.suppressed += of_file.suppressed;
        outcome.is_cuda |= of_file.is_cuda;
        outcome.switches.append(&mut of_file.switches);
    }
    let fixes: Vec<(u8, Option<&Fix>)> = fixes.iter().map(|fix| (0, Some(fix))).collect();
    outcome.edits = EditSet::resolve(&fixes, Applicability::Manual).edits;
    verdict::sort(&mut outcome.findings);
    outcome.output = (!outcome.edits.is_empty()).then(|| apply(&source.bytes, &outcome.edits));
    outcome
}

/// The edits and findings of a text in terms of the file. One edit that the cells cannot hold, across two of them, leaves all to a
/// person.
fn written_back(text: &Quoted, outcome: &mut FileOutcome) -> (Vec<Edit>, Vec<Judged>) {
    let edits: Option<Vec<Vec<Edit>>> = outcome
        .edits
        .iter()
        .map(|edit| rewritten(text, edit))
        .collect();
    let is_written = edits.is_some();
    let findings =
        std::mem::take(&mut outcome.findings)
            .into_iter()
            .map(|judged| match is_written {
                true => moved(text, judged),
                false => moved_unwritten(text, judged, UNWRITTEN.into()),
            });
    let findings = findings.collect();
    (edits.into_iter().flatten().flatten().collect(), findings)
}
