//! A unit translated: its files as clang shall see them, and what a person must look at.

use std::path::{Path, PathBuf};

use super::cache::Told;
use super::closure::Files;
use super::lines::with_lines;
use super::pytorch::is_pytorchs;
use crate::diagnostic::{Judged, Severity};
use crate::engine::{self, FileOutcome, Session};
use crate::options::Dialect;
use crate::pipeline::{Entry, EntryKind, PlannedFile, index_project, slashed};
use crate::text::{SourceFile, is_cpp};

/// A translated unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// Files that change, by path.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Findings in the order of files and lines.
    pub findings: Vec<Told>,
}

/// Translates the files of a unit together. `root` is the folder that names in the configuration are relative to.
pub fn translate(files: &Files, root: &Path, mut session: Session) -> Unit {
    let planned: Vec<PlannedFile> = files.keys().map(|path| planned(path, root)).collect();
    session.project = index_project(&planned, &session.table, [], &()).into();
    // What comes out of here goes to clang at once: nobody renames anything behind it.
    session.options.dialect = Dialect::Cuda;
    let mut unit = Unit::default();
    for (planned, (path, bytes)) in planned.iter().zip(files) {
        let source = SourceFile::new(planned.entry.name(), bytes.clone());
        // A panic in one file is that file's failure: the compiler sees it as it is.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            engine::translate(&source, &session)
        }));
        let Ok(outcome) = outcome else {
            unit.findings.push(broken(path));
            continue;
        };
        unit.findings.extend(messages(path, &source, &outcome));
        if let Some(output) = &outcome.output {
            let text = with_lines(&source, output, &outcome.edits);
            unit.files.push((path.clone(), text));
        }
    }
    unit
}

fn planned(path: &Path, root: &Path) -> PlannedFile {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let relative: PathBuf = relative
        .components()
        .filter(|part| !matches!(part, std::path::Component::RootDir))
        .collect();
    // What is included is C++, whatever it is called.
    let relative = match is_cpp(&slashed(&relative)) {
        true => relative,
        false => PathBuf::from(format!("{}.cuh", relative.display())),
    };
    PlannedFile {
        entry: Entry {
            path: path.to_path_buf(),
            relative: relative.clone(),
            kind: EntryKind::File,
        },
        output: relative,
        has_made: false,
    }
}

fn messages(path: &Path, source: &SourceFile, outcome: &FileOutcome) -> Vec<Told> {
    // PyTorch's headers under CUDA's names are those of its build, for AMD as well.
    let is_header = |finding: &Judged| finding.api().is_some_and(|api| api.library == "headers");
    let is_of_pytorch = |finding: &Judged| {
        let text = source.text(finding.range());
        let mut words = text.split(['<', '"']).skip(1);
        is_header(finding) && words.any(is_pytorchs)
    };
    let shown = outcome
        .visible()
        .filter(|finding| finding.severity() >= Severity::Warning && !is_of_pytorch(finding));
    let told = shown.map(|finding| Told {
        path: path.to_path_buf(),
        line: source.line_col(finding.range().start).line,
        code: finding.code().to_owned(),
        message: finding.message().into_owned(),
        help: finding.help().into_owned(),
    });
    told.collect()
}

fn broken(path: &Path) -> Told {
    Told {
        path: path.to_path_buf(),
        line: 1,
        code: "CASS".to_owned(),
        message:
            "translation broke down on this file, which is a bug; the compiler sees it as it is"
                .to_owned(),
        help: "please report it".to_owned(),
    }
}
