//! Records of a tree: translated as a whole, proven unit by unit, written as they are done.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::batch::{Work, equal_cases, prove_all};
use super::filter::project_of;
use super::prove;
use super::records::Records;
use crate::cli::args::PairsArgs;
use crate::cli::progress::Progress;
use crate::cli::settings::{Given, Settings};
use crate::cli::{Exit, input, output};
use crate::config::CheckTable;
use crate::engine::{FileOutcome, Session};
use crate::pairs::{Draft, Licence, Origin, kernels, of_folders, of_text, unit};
use crate::pipeline::{Naming, Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::project::CalledHelpers;
use crate::text::SourceFile;
use crate::{compat, emit};

/// Makes the records of all trees.
pub(super) fn run(args: &PairsArgs) -> Result<Exit> {
    let target = args.output.as_deref();
    let target = target.context("name the file that the records go to: -o pairs.jsonl")?;
    let tools = args
        .proof
        .compile
        .then(|| prove::tools(&args.proof))
        .transpose()?;
    let equal = args
        .proof
        .verified
        .as_deref()
        .map(equal_cases)
        .transpose()?
        .unwrap_or_default();
    let mut records = Records::open(target)?;
    let mut exit = Exit::Clean;
    for source in &args.sources {
        let scratch = tempfile::tempdir()?;
        let (work, problems) = translated(args, source, scratch.path())?;
        problems
            .iter()
            .for_each(|problem| output::complain(problem));
        if !problems.is_empty() {
            exit = Exit::Trouble;
        }
        prove_all(
            args,
            tools.as_ref(),
            &equal,
            work,
            scratch.path(),
            &mut records,
        )?;
        if input::was_interrupted() {
            output::complain(&format!(
                "interrupted; run again to go on from {}",
                records.part.display()
            ));
            return Ok(Exit::Interrupted);
        }
    }
    let made_with = format!("Made with cass-transpile {}.", env!("CARGO_PKG_VERSION"));
    records.finish(target, &made_with)?;
    Ok(exit)
}

/// Translates a tree into `scratch` and returns its units.
fn translated(args: &PairsArgs, source: &Path, scratch: &Path) -> Result<(Vec<Work>, Vec<String>)> {
    let given = Given {
        settings: &args.settings,
        naming: Some(Naming::Keep),
        check: CheckTable::default(),
    };
    let mut settings = Settings::new(source, &given)?;
    let filter = settings.filter(args.output.iter().cloned().collect());
    let progress = Progress::new();
    let mut walked = walk(source, &filter, &progress)?;
    settings.nest(&mut walked)?;
    let mut problems = walked.problems;
    let plan = Plan::new(walked.entries, Naming::Keep).with_around(walked.around);
    let session = settings.session(&plan, &progress)?;
    let root = fs::canonicalize(source)?;
    let making = Making {
        args,
        session: &session,
        root: &root,
        scratch,
    };
    let done = run_pipeline(
        &plan.files,
        &session,
        input::interrupted(),
        &progress,
        |file, processed| {
            making
                .finish(file, processed)
                .map_err(|error| format!("{error:#}"))
        },
    );
    let (work, helpers) = units(done, &mut problems);
    for (path, helpers) in helpers.headers() {
        let header = compat::header(helpers);
        emit::write(&scratch.join(path), header.as_bytes(), None)?;
    }
    Ok((work, problems))
}

/// The record of a unit, if a file is one, and the helpers that the file calls.
type Finished = (Option<Work>, CalledHelpers);

/// The units and the helpers that they call; what failed goes to the problems.
fn units(
    done: Vec<Result<Finished, String>>,
    problems: &mut Vec<String>,
) -> (Vec<Work>, CalledHelpers) {
    let (mut work, mut helpers) = (Vec::new(), CalledHelpers::default());
    for result in done {
        match result {
            Ok((unit, called)) => {
                helpers.add(called);
                work.extend(unit);
            }
            Err(message) => problems.push(message),
        }
    }
    (work, helpers)
}

struct Making<'a> {
    args: &'a PairsArgs,
    session: &'a Session,
    root: &'a Path,
    scratch: &'a Path,
}

impl Making<'_> {
    /// The record of a unit.
    fn draft(&self, source: &SourceFile, outcome: &FileOutcome, path: &Path) -> Draft {
        let origin = Origin {
            url: self.args.origin.clone(),
            commit: self.args.commit.clone(),
        };
        let project = project_of(&source.path, self.args.project_depth);
        let licence = self.licence(&source.bytes, path);
        unit(
            source,
            outcome,
            &project,
            &origin,
            licence,
            &self.session.options,
        )
    }

    /// Puts a file where compilers look for it; a unit of CUDA becomes a record.
    fn finish(&self, file: &PlannedFile, processed: Processed) -> Result<Finished> {
        let output = self.scratch.join(&file.output);
        let (source, outcome) = match processed {
            Processed::Failed { message } => anyhow::bail!(message),
            Processed::Opaque => return Ok((None, CalledHelpers::default())),
            Processed::Plain { .. } => {
                if self.args.proof.compile {
                    emit::copy(&file.entry.path, &output)?;
                }
                return Ok((None, CalledHelpers::default()));
            }
            Processed::Source { source, outcome } => (source, outcome),
        };
        if self.args.proof.compile {
            let bytes = outcome.output.as_deref().unwrap_or(&source.bytes);
            emit::write(&output, bytes, None)?;
        }
        let header = self.session.project.helper_header_of(&source.path);
        let helpers = CalledHelpers::of(header, outcome.helpers.iter().copied());
        if !(outcome.is_cuda && is_unit(&file.entry.path)) {
            return Ok((None, helpers));
        }
        let draft = self.draft(&source, &outcome, &file.entry.path);
        let kernels = if self.args.kernels {
            kernels(&draft.pair, &source, &outcome)
        } else {
            Vec::new()
        };
        let source = std::path::absolute(&file.entry.path)?;
        Ok((
            Some(Work {
                draft,
                kernels,
                source,
                output,
            }),
            helpers,
        ))
    }

    fn licence(&self, bytes: &[u8], path: &Path) -> Option<Licence> {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let given = self.args.license.clone();
        of_text(bytes)
            .or_else(|| of_folders(&folder?, self.root))
            .or_else(|| {
                Some(Licence {
                    spdx: given?,
                    from: "--license".to_owned(),
                })
            })
    }
}

/// Files that a compiler is given; what they include is part of them.
fn is_unit(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    matches!(
        &*extension,
        "cu" | "hip" | "cpp" | "cc" | "cxx" | "c" | "C" | "c++"
    )
}
