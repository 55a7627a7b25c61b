use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::{Annotate, ConvertArgs};
use super::settings::{Given, Settings};
use super::{Exit, input, output, reports};
use crate::compat;
use crate::config::CheckTable;
use crate::diagnostic::Severity;
use crate::emit;
use crate::pipeline::{EntryKind, Naming, Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::report::{self, Action, Builder, FileReport, file_report};
use crate::rules::{CompatMode, FileOutcome, Session, annotated, translate, without_annotations};
use crate::text::SourceFile;

/// Name of the report in the output folder; also the mark of a folder that is ours to overwrite.
pub(super) const REPORT_NAME: &str = "cass-report.json";

/// Translates a tree or a file.
pub(super) fn run(args: &ConvertArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    let source = args.src.as_deref().expect("clap requires SRC");
    let settings = Settings::new(source, &given(args))?;
    if args.settings.rules.show_config {
        settings.print(source)?;
        return Ok(Exit::Clean);
    }
    if source == Path::new("-") {
        return from_stdin(args, &settings);
    }
    let target = Target::new(source, args)?;
    let filter = settings.filter(target.folder().map(Path::to_path_buf).into_iter().collect());
    let (entries, mut problems) = walk(source, &filter)?;
    let plan = Plan::new(
        entries,
        if args.in_place {
            Naming::Keep
        } else {
            settings.naming()
        },
    );
    problems.extend(plan.collisions.iter().cloned());
    let session = settings.session(&plan)?;
    let bar = progress(plan.files.len(), args.quiet);
    let writer = Writer {
        args,
        target: &target,
        bar: &bar,
        repository: reports::repository_prefix(source),
    };
    let done = run_pipeline(
        &plan.files,
        &session,
        input::interrupted(),
        |file, processed| writer.finish(file, processed),
    );
    bar.finish_and_clear();
    conclude(args, &target, &session, done, problems)
}

fn given(args: &ConvertArgs) -> Given<'_> {
    Given {
        settings: &args.settings,
        naming: args.naming,
        check: CheckTable::default(),
    }
}

fn conclude(
    args: &ConvertArgs,
    target: &Target,
    session: &Session,
    done: Vec<(FileReport, BTreeSet<&'static str>)>,
    problems: Vec<String>,
) -> Result<Exit> {
    let mut helpers: BTreeSet<&'static str> = done
        .iter()
        .flat_map(|(_, helpers)| helpers.iter().copied())
        .collect();
    if !helpers.is_empty() {
        helpers.extend(target.earlier_helpers(args));
    }
    let mut builder = Builder::new(session.options.clone(), problems);
    done.into_iter().for_each(|(file, _)| builder.add(file));
    let report = builder.finish();
    if !args.dry_run
        && let Some(folder) = target.beside()
    {
        if !helpers.is_empty() && session.options.compat == CompatMode::Header {
            emit::write(
                &folder.join(compat::HEADER_NAME),
                compat::header(&helpers).as_bytes(),
                None,
            )?;
        }
        if target.is_tree() {
            emit::write(
                &folder.join(REPORT_NAME),
                report::json::json(&report).as_bytes(),
                None,
            )?;
        }
    }
    let verb = if args.dry_run {
        "would be translated"
    } else {
        "translated"
    };
    args.reports.write(&report, verb)?;
    if !args.quiet {
        let text = report::text::summary(&report, verb);
        if target.is_stdout() {
            output::note(&text)
        } else {
            output::print(&(text + &where_to_look(args, target)))?
        }
    }
    report
        .files
        .iter()
        .filter_map(|file| file.problem.as_deref())
        .for_each(output::complain);
    if input::interrupted().load(Ordering::Relaxed) {
        output::complain("interrupted; files written so far are whole, run again to finish");
        return Ok(Exit::Interrupted);
    }
    Ok(if report.totals.failed > 0 {
        Exit::Trouble
    } else {
        Exit::Clean
    })
}

fn where_to_look(args: &ConvertArgs, target: &Target) -> String {
    match target {
        Target::Tree(folder) if !args.dry_run => format!(
            "written to {}; findings: {}, or `cass-transpile check {}`\n",
            folder.display(),
            folder.join(REPORT_NAME).display(),
            args.src.as_deref().unwrap_or(Path::new("SRC")).display()
        ),
        _ => String::new(),
    }
}

/// Where results go.
enum Target {
    Tree(PathBuf),
    File(PathBuf),
    Stdout,
    InPlace(PathBuf),
}

impl Target {
    fn new(source: &Path, args: &ConvertArgs) -> Result<Self> {
        let is_file = source.is_file();
        if args.in_place {
            return Ok(Self::InPlace(source.to_path_buf()));
        }
        if let Some(output) = &args.output {
            if !is_file && source.is_dir() {
                bail!(
                    "{}: is a folder; `-o` takes the result of one file, give a folder as second argument instead",
                    source.display()
                );
            }
            return Ok(if output == Path::new("-") {
                Self::Stdout
            } else {
                Self::File(output.clone())
            });
        }
        let Some(out) = &args.out else {
            bail!(
                "say where the result goes: a folder as second argument, `-o FILE` for one file, or --in-place"
            );
        };
        if args.dry_run || (is_file && !out.exists()) || !source.exists() {
            return Ok(Self::Tree(out.clone()));
        }
        if out.is_file() {
            bail!(
                "{}: is a file; give a folder, or use `-o {}`",
                out.display(),
                out.display()
            );
        }
        if out.exists() && out.canonicalize()? == source.canonicalize()? {
            bail!(
                "{}: is source and output; use --in-place (with --backup) to change files where they are",
                out.display()
            );
        }
        if !args.force && holds_files_of_others(out) {
            bail!(
                "{}: is not empty and not the output of an earlier run; choose another folder, or write into it with --force",
                out.display()
            );
        }
        Ok(Self::Tree(out.clone()))
    }

    fn is_tree(&self) -> bool {
        matches!(self, Self::Tree(_))
    }

    fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }

    /// The folder that is all output.
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::Tree(folder) => Some(folder),
            _ => None,
        }
    }

    /// The folder that helper header and report are written to.
    fn beside(&self) -> Option<&Path> {
        match self {
            Self::Tree(folder) => Some(folder),
            Self::InPlace(path) if path.is_dir() => Some(path),
            Self::File(path) | Self::InPlace(path) => path.parent(),
            Self::Stdout => None,
        }
    }

    /// Helpers that files translated earlier call: those of the header in the source tree, or, where single files are written
    /// into a folder one after the other, of the header that is there.
    fn earlier_helpers(&self, args: &ConvertArgs) -> BTreeSet<&'static str> {
        let folder = match self {
            Self::Tree(_) => args.src.as_deref().filter(|source| source.is_dir()),
            _ => self.beside(),
        };
        let header = folder.and_then(|folder| std::fs::read(folder.join(compat::HEADER_NAME)).ok());
        header.map_or_else(BTreeSet::new, |header| compat::held(&header))
    }

    fn path_of(&self, file: &PlannedFile) -> Option<PathBuf> {
        match self {
            Self::Tree(folder) => Some(folder.join(&file.output)),
            Self::File(path) => Some(path.clone()),
            Self::InPlace(_) => Some(file.entry.path.clone()),
            Self::Stdout => None,
        }
    }
}

fn holds_files_of_others(folder: &Path) -> bool {
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut items| items.next().is_none());
    !is_empty && !folder.join(REPORT_NAME).is_file()
}

struct Writer<'a> {
    args: &'a ConvertArgs,
    target: &'a Target,
    bar: &'a ProgressBar,
    /// What goes before paths to make them relative to the repository.
    repository: String,
}

impl Writer<'_> {
    /// Writes one file and returns its report and the helpers it calls.
    fn finish(
        &self,
        file: &PlannedFile,
        processed: Processed,
    ) -> (FileReport, BTreeSet<&'static str>) {
        self.bar.inc(1);
        let written = if self.args.dry_run {
            Ok(())
        } else {
            self.write(file, &processed)
        };
        let output_name = (file.output != file.entry.relative)
            .then(|| file.output.to_string_lossy().replace('\\', "/"));
        let (mut report, helpers) = match &processed {
            Processed::Source { source, outcome } => (
                file_report(source, outcome, output_name, Severity::Warning),
                outcome.helpers.clone(),
            ),
            Processed::Opaque => (
                FileReport {
                    path: file.entry.name(),
                    bytes: file
                        .entry
                        .path
                        .metadata()
                        .map_or(0, |metadata| metadata.len()),
                    ..FileReport::default()
                },
                BTreeSet::new(),
            ),
            Processed::Plain { bytes } => (
                FileReport {
                    path: file.entry.name(),
                    bytes: *bytes,
                    ..FileReport::default()
                },
                BTreeSet::new(),
            ),
            Processed::Failed { message } => (
                FileReport {
                    path: file.entry.name(),
                    action: Action::Failed,
                    problem: Some(message.clone()),
                    ..FileReport::default()
                },
                BTreeSet::new(),
            ),
        };
        report.repository_path = format!("{}{}", self.repository, report.path);
        if let Err(error) = written {
            report.action = Action::Failed;
            report.problem = Some(format!("{error:#}"));
        }
        (report, helpers)
    }

    fn write(&self, file: &PlannedFile, processed: &Processed) -> Result<()> {
        let wants_bytes = self.args.annotate.is_some() || self.target.is_stdout();
        if wants_bytes && matches!(processed, Processed::Plain { .. }) {
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
        let Some(target) = self.target.path_of(file) else {
            let Processed::Source { source, .. } = processed else {
                return Ok(());
            };
            return output::print_bytes(changed.unwrap_or(&source.bytes));
        };
        let in_place = matches!(self.target, Target::InPlace(_));
        match (changed, &file.entry.kind) {
            (Some(bytes), _) => {
                if let Some(suffix) = &self.args.backup {
                    let mut name = target.clone().into_os_string();
                    name.push(suffix);
                    emit::copy(&file.entry.path, Path::new(&name))?;
                }
                let permissions = file
                    .entry
                    .path
                    .metadata()
                    .ok()
                    .map(|metadata| metadata.permissions());
                emit::write(&target, bytes, permissions)?;
            }
            (None, _) if in_place => {}
            (None, EntryKind::Link(destination)) => drop(emit::link(destination, &target)?),
            (None, EntryKind::File) => drop(emit::copy(&file.entry.path, &target)?),
        }
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
fn annotations(args: &ConvertArgs, source: &SourceFile, outcome: &FileOutcome) -> Option<Vec<u8>> {
    let bytes = match args.annotate? {
        Annotate::Add => annotated(source, outcome),
        Annotate::Remove => without_annotations(source, outcome),
    };
    (bytes != source.bytes).then_some(bytes)
}

fn from_stdin(args: &ConvertArgs, settings: &Settings) -> Result<Exit> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .context("standard input cannot be read")?;
    let session = settings.lone_session()?;
    let source = SourceFile::new(args.stdin_filename.clone(), bytes);
    let outcome = translate(&source, &session);
    let annotated = annotations(args, &source, &outcome);
    let changed = annotated.as_deref().or(outcome.output.as_deref());
    let result = changed.unwrap_or(&source.bytes);
    match args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        Some(path) => drop(emit::write(path, result, None)?),
        None => output::print_bytes(result)?,
    }
    let mut builder = Builder::new(session.options.clone(), Vec::new());
    builder.add(file_report(&source, &outcome, None, Severity::Warning));
    let report = builder.finish();
    args.reports.write(&report, "translated")?;
    if !args.quiet {
        output::note(&report::text::full(&report));
    }
    Ok(Exit::Clean)
}

/// A bar on a terminal; nothing elsewhere. It shows itself only when a run takes long enough to be noticed.
fn progress(files: usize, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files as u64).with_style(style)
}
