use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use indicatif::ProgressBar;

use super::Target;
use crate::cli::args::{Annotate, ConvertArgs};
use crate::cli::output;
use crate::diagnostic::Severity;
use crate::emit;
use crate::engine::FileOutcome;
use crate::engine::annotated;
use crate::engine::without_annotations;
use crate::pipeline::{EntryKind, PlannedFile, Processed};
use crate::report::{Action, FileReport, file_report};
use crate::text::SourceFile;

/// The report of a file, and the helpers that its translation calls.
type Reported = (FileReport, BTreeSet<&'static str>);

/// Writes results and reports on them.
pub(super) struct Writer<'a> {
    pub(super) args: &'a ConvertArgs,
    pub(super) target: &'a Target,
    pub(super) bar: &'a ProgressBar,
    /// What goes before paths to make them relative to the repository.
    pub(super) repository: String,
}

impl Writer<'_> {
    /// Writes one file and returns its report and the helpers it calls.
    pub(super) fn finish(&self, file: &PlannedFile, processed: Processed) -> Reported {
        self.bar.inc(1);
        let written = if self.args.dry_run {
            Ok(())
        } else {
            self.write(file, &processed)
        };
        let (mut report, helpers) = self.report(file, &processed);
        report.repository_path = format!("{}{}", self.repository, report.path);
        // Who reads the result from a pipe may have seen enough of it.
        if let Err(error) = written
            && !output::is_broken_pipe(&error)
        {
            report.action = Action::Failed;
            report.problem = Some(format!("{error:#}"));
        }
        (report, helpers)
    }

    /// What became of a file, and the helpers it calls.
    fn report(&self, file: &PlannedFile, processed: &Processed) -> Reported {
        let plain = FileReport {
            path: file.entry.name(),
            ..FileReport::default()
        };
        let report = match processed {
            Processed::Source { source, outcome } => {
                let renamed = (file.output != file.entry.relative)
                    .then(|| file.output.to_string_lossy().replace('\\', "/"));
                let report = file_report(source, outcome, renamed, Severity::Warning);
                return (report, outcome.helpers.clone());
            }
            Processed::Opaque => FileReport {
                bytes: file.entry.path.metadata().map_or(0, |data| data.len()),
                ..plain
            },
            Processed::Plain { bytes } => FileReport {
                bytes: *bytes,
                ..plain
            },
            Processed::Failed { message } => FileReport {
                action: Action::Failed,
                problem: Some(message.clone()),
                ..plain
            },
        };
        (report, BTreeSet::new())
    }

    fn write(&self, file: &PlannedFile, processed: &Processed) -> Result<()> {
        let wants_bytes = match processed {
            Processed::Source { .. } => false,
            Processed::Plain { .. } => self.args.annotate.is_some() || self.target.is_stdout(),
            Processed::Opaque | Processed::Failed { .. } => self.target.is_stdout(),
        };
        if wants_bytes {
            return self.write(file, &reread(file)?);
        }
        let annotated = match processed {
            Processed::Source { source, outcome } => annotations(self.args, source, outcome),
            _ => None,
        };
        let changed = match processed {
            Processed::Source { outcome, .. } => annotated.as_deref().or(outcome.output.as_deref()),
            _ => None,
        };
        let source = &file.entry.path;
        let permissions = || emit::permissions(source);
        match (self.target, changed) {
            (Target::Tree(tree), Some(bytes)) => {
                tree.write(&file.output, bytes, permissions())?;
            }
            (Target::Tree(tree), None) => {
                match &file.entry.kind {
                    EntryKind::Link(destination) => tree.link(destination, &file.output)?,
                    EntryKind::File => tree.copy(source, &file.output)?,
                };
            }
            (Target::File(target), Some(bytes)) => {
                emit::write(target, bytes, permissions())?;
            }
            (Target::File(target), None) => {
                emit::copy(source, target)?;
            }
            (Target::InPlace(_), Some(bytes)) => self.replace(source, bytes)?,
            (Target::InPlace(_), None) => {}
            (Target::Stdout, _) => {
                if let Processed::Source { source, .. } = processed {
                    output::print_bytes(changed.unwrap_or(&source.bytes))?;
                }
            }
        }
        Ok(())
    }

    /// Writes a result over its source, of which a copy stays where one was asked for.
    fn replace(&self, source: &Path, bytes: &[u8]) -> Result<()> {
        if let Some(suffix) = &self.args.backup {
            let mut name = source.to_path_buf().into_os_string();
            name.push(suffix);
            emit::copy(source, Path::new(&name))?;
        }
        emit::write(source, bytes, emit::permissions(source))?;
        Ok(())
    }
}

/// A file without CUDA with its bytes.
fn reread(file: &PlannedFile) -> Result<Processed> {
    let path = &file.entry.path;
    let bytes =
        std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(Processed::Source {
        source: Box::new(SourceFile::new(file.entry.name(), bytes)),
        outcome: Box::default(),
    })
}

/// The bytes with comments added or taken out, when that changes the source.
pub(super) fn annotations(
    args: &ConvertArgs,
    source: &SourceFile,
    outcome: &FileOutcome,
) -> Option<Vec<u8>> {
    let bytes = match args.annotate? {
        Annotate::Add => annotated(source, outcome),
        Annotate::Remove => without_annotations(source, outcome),
    };
    (bytes != source.bytes).then_some(bytes)
}
