use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::noted::notes;
use super::{Backup, HelperHeader, Target};
use crate::cli::args::{Annotate, ConvertArgs};
use crate::cli::output;
use crate::cli::port::{Keeper, Kept, REPORT_NAME, Stand, Theirs, add_findings, theirs};
use crate::diagnostic::Severity;
use crate::emit;
use crate::engine::FileOutcome;
use crate::engine::annotated;
use crate::engine::without_annotations;
use crate::pipeline::{EntryKind, PlannedFile, Processed};
use crate::port::{FileNotes, State, key_of};
use crate::project::ProjectIndex;
use crate::report::{Action, FileReport, file_report};
use crate::text::SourceFile;

/// The report of a file, and the helpers that its translation calls.
type Reported = (FileReport, BTreeSet<&'static str>);

/// What became of one file.
pub(super) struct Done {
    /// Its report.
    pub(super) report: FileReport,
    /// Helpers that it calls in the output.
    pub(super) helpers: BTreeSet<&'static str>,
    /// How it stands in an output that people work in.
    pub(super) stand: Option<Stand>,
    /// The helper header, which is written at the end: other files decide what it holds.
    pub(super) header: Option<(String, Theirs)>,
    /// What is remembered of its findings, by its key in an output that people work in.
    pub(super) notes: Option<(String, FileNotes)>,
}

/// Writes results and reports on them.
pub(super) struct Writer<'a> {
    pub(super) args: &'a ConvertArgs,
    pub(super) target: &'a Target,
    /// What goes before paths to make them relative to the repository.
    pub(super) repository: String,
    /// Writes into a folder; other targets are written at once.
    pub(super) keeper: Option<Keeper<'a>>,
    /// How the originals are kept, if they are.
    pub(super) backup: Option<Backup>,
    /// What the tree tells.
    pub(super) project: &'a ProjectIndex,
    /// The header that comes before the files that need it.
    pub(super) header: Option<HelperHeader<'a>>,
}

impl Writer<'_> {
    /// Writes one file and returns what became of it.
    pub(super) fn finish(&self, file: &PlannedFile, mut processed: Processed) -> Done {
        let (mut stand, mut header, mut called) = (None, None, BTreeSet::new());
        // Before anything is found about work by hand: that is no word of the translation.
        let is_remembered = self.keeper.is_some() || self.target.folder_in_place().is_some();
        let notes = is_remembered.then(|| (key_of(&file.output), noted(&processed)));
        let written = match &self.keeper {
            Some(keeper) => self
                .keep(keeper, file, &mut processed)
                .map(|kept| match kept {
                    Some(Ok(kept)) => {
                        stand = Some(kept.stand);
                        called = kept.called;
                    }
                    Some(Err(theirs)) => header = Some((key_of(&file.output), theirs)),
                    None => {}
                }),
            None if self.args.dry_run => Ok(()),
            None => self.write(file, &processed),
        };
        let (mut report, mut helpers) = self.report(file, &processed);
        helpers.extend(called);
        report.repository_path = format!("{}{}", self.repository, report.path);
        // Who reads the result from a pipe may have seen enough of it.
        if let Err(error) = written
            && !output::is_broken_pipe(&error)
        {
            report.action = Action::Failed;
            report.problem = Some(format!("{error:#}"));
        }
        Done {
            report,
            helpers,
            stand,
            header,
            notes,
        }
    }

    /// Does what is to be done with one file of an output that people work in. What is written at the end comes back as it is:
    /// the helper header; the report of the run is not taken over from the sources.
    fn keep(
        &self,
        keeper: &Keeper<'_>,
        file: &PlannedFile,
        processed: &mut Processed,
    ) -> Result<Option<Result<Kept, Theirs>>> {
        let key = key_of(&file.output);
        if key == REPORT_NAME {
            return Ok(None);
        }
        if self.args.annotate.is_some() && matches!(processed, Processed::Plain { .. }) {
            *processed = reread(file)?;
        }
        let theirs = {
            let processed = &*processed;
            let annotated = match processed {
                Processed::Source { source, outcome } => annotations(self.args, source, outcome),
                _ => None,
            };
            let changed = match processed {
                Processed::Source { outcome, .. } => {
                    annotated.as_deref().or(outcome.output.as_deref())
                }
                _ => None,
            };
            theirs(file, processed, changed)?
        };
        if self.project.is_helper_header(&key) {
            return Ok(Some(Err(theirs)));
        }
        let kept = keeper.keep(&key, &theirs, &file.entry.path)?;
        if let (Processed::Opaque | Processed::Plain { .. }, State::Conflict(_)) =
            (&*processed, kept.decision.state)
        {
            *processed = without_source(file);
        }
        if let Processed::Source { source, outcome } = processed {
            add_findings(&key, &kept.decision, &theirs.content, source, outcome);
        }
        Ok(Some(Ok(kept)))
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
        if let (
            Some(header),
            Processed::Source {
                source: read,
                outcome,
            },
        ) = (&self.header, processed)
            && !outcome.helpers.is_empty()
        {
            let path = self.project.helper_header_of(&read.path);
            header.hold(path, &outcome.helpers)?;
        }
        let source = &file.entry.path;
        let permissions = || emit::permissions(source);
        match (self.target, changed) {
            (Target::Tree(_), _) => {}
            // The result of a module is what is made of it.
            (Target::File(_) | Target::Stdout, None) if file.has_made => {}
            (Target::InPlace(_), Some(bytes)) if matches!(file.entry.kind, EntryKind::Made(_)) => {
                emit::write(source, bytes, None)?;
            }
            (Target::File(target), Some(bytes)) => {
                emit::write(target, bytes, permissions())?;
            }
            (Target::File(target), None) => {
                emit::copy(source, target)?;
            }
            (Target::InPlace(_), Some(bytes)) => {
                if let Processed::Source { source: read, .. } = processed {
                    self.replace(source, &read.bytes, bytes)?;
                }
            }
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
    fn replace(&self, source: &Path, original: &[u8], bytes: &[u8]) -> Result<()> {
        let file = emit::behind_links(source);
        if !emit::holds(&file, original) {
            bail!(
                "{}: was changed while it was translated, and is left as it is; run again",
                source.display()
            );
        }
        if let Some(backup) = &self.backup {
            backup.keep(source, original)?;
        }
        emit::write_over(&file, bytes, emit::permissions(&file))
    }
}

/// What is remembered of the findings of a file.
fn noted(processed: &Processed) -> FileNotes {
    match processed {
        Processed::Source { source, outcome } => notes(source, outcome),
        _ => FileNotes::default(),
    }
}

/// A file of which only findings about its place in the output can be said.
fn without_source(file: &PlannedFile) -> Processed {
    Processed::Source {
        source: Box::new(SourceFile::new(file.entry.name(), Vec::new())),
        outcome: Box::default(),
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
