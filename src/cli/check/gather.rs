//! The findings of what a command line names, as one report.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::checker::Checker;
use super::cover::Cover;
use super::recalled::Recalled;
use crate::cli::args::{CheckArgs, Level};
use crate::cli::part::{Named, Part, named};
use crate::cli::progress::Progress;
use crate::cli::reach::add_reach;
use crate::cli::settings::{Given, Settings};
use crate::cli::{about, input, reports, suggest, support};
use crate::config::CheckTable;
use crate::pipeline::{Changed, Naming, Plan, Walked, run as run_pipeline, translated, walk};
use crate::report::{Builder, FileReport, HipSupport, LeftOut, LeftOutReason, Report};
use crate::text::SourceFile;

/// What a check found.
pub(super) struct Gathered {
    pub(super) report: Report,
    /// Settings of the first path: those that hold for the run as a whole.
    pub(super) settings: Settings,
}

/// The findings of each path in turn.
#[derive(Default)]
struct Found {
    files: Vec<FileReport>,
    problems: Vec<String>,
    left_out: Vec<LeftOut>,
    supports: Vec<HipSupport>,
    chosen: Vec<String>,
    /// Globs that leave nothing out of any folder; none is known before the first.
    idle_excludes: Option<Vec<String>>,
}

/// Checks all paths. `None` where settings are printed in place of findings, and where a person ended the run.
///
/// # Errors
/// When a path or its settings cannot be read.
pub(super) fn gather(args: &CheckArgs, cover: &mut Option<Cover>) -> Result<Option<Gathered>> {
    let mut found = Found::default();
    if args.settings.rules.show_config {
        for path in &args.paths {
            Settings::new(&place(args, path), &given(args))?.print(path)?;
        }
        return Ok(None);
    }
    for named in named(&args.paths) {
        match &named {
            Named::Part(part) => found.take_part(args, part, cover)?,
            Named::Alone(path) if path == Path::new("-") => {
                found.files.push(standard_input(args, path)?);
            }
            Named::Alone(path) => found.take(args, path, cover)?,
        }
    }
    let Some(first) = args.paths.first().filter(|_| !input::was_interrupted()) else {
        return Ok(None);
    };
    let settings = Settings::new(&place(args, first), &given(args))?;
    let builder = Builder::new(settings.options().clone(), found.problems);
    let mut builder = builder
        .leaving_out(found.left_out)
        .supporting(found.supports)
        .choosing(found.chosen)
        .remarking(reports::idle_excludes(
            &found.idle_excludes.unwrap_or_default(),
        ));
    found.files.into_iter().for_each(|file| builder.add(file));
    let mut report = builder.finish();
    report.run = about::run_of(&args.reports, &args.paths[0]);
    report.weights = settings.weights()?;
    Ok(Some(Gathered { report, settings }))
}

impl Found {
    /// Checks a folder, or a file of no tree.
    fn take(&mut self, args: &CheckArgs, path: &Path, cover: &mut Option<Cover>) -> Result<()> {
        if !path.exists() {
            suggest::command(path)?;
        }
        let mut settings = Settings::new(path, &given(args))?;
        let mut filter = settings.filter(Vec::new());
        filter.files_too = args.force_exclude;
        let progress = Progress::new();
        let mut walked = walk(path, &filter, &progress)?;
        settings.nest(&mut walked)?;
        if path.is_dir() {
            let before = self.idle_excludes.take();
            self.idle_excludes = Some(reports::idle_in_all(before, &walked.idle_excludes));
        }
        self.problems.append(&mut walked.problems);
        self.left_out
            .extend(reports::left_out(&walked.left_out, &input::prefix(path)));
        let files = self.check(args, path, walked, &settings, cover, &progress)?;
        self.files.extend(files);
        Ok(())
    }

    /// Checks files that are named one by one as parts of their tree, of which nothing else is told.
    fn take_part(
        &mut self,
        args: &CheckArgs,
        part: &Part,
        cover: &mut Option<Cover>,
    ) -> Result<()> {
        let mut settings = Settings::new(&part.root, &given(args))?;
        let filter = settings.filter(Vec::new());
        let progress = Progress::new();
        let mut walked = walk(&part.root, &filter, &progress)?;
        settings.nest(&mut walked)?;
        part.keep(&mut walked, args.force_exclude);
        let prefix = input::prefix(&part.root);
        self.left_out
            .extend(reports::left_out(&walked.left_out, &prefix));
        if walked.entries.is_empty() {
            return Ok(());
        }
        let mut files = self.check(args, &part.root, walked, &settings, cover, &progress)?;
        for file in &mut files {
            let relative = file.path.strip_prefix(&prefix).unwrap_or(&file.path);
            if let Some(path) = part.files.get(Path::new(relative)) {
                file.path = input::shown(path);
            }
        }
        self.files.extend(files);
        Ok(())
    }

    /// The reports of what was found below a path.
    fn check(
        &mut self,
        args: &CheckArgs,
        path: &Path,
        walked: Walked,
        settings: &Settings,
        cover: &mut Option<Cover>,
        progress: &Progress,
    ) -> Result<Vec<FileReport>> {
        let mut plan = Plan::new(walked.entries, Naming::Keep).with_around(walked.around);
        let session = settings.session(&plan, progress)?;
        self.supports
            .extend(support::supports(&session, &input::prefix(path)));
        self.chosen.extend(support::chosen(&session, &plan.files));
        if args.only_changes() {
            // The index above is of the whole tree: a file's meaning depends on headers that did not change.
            let changed = Changed::new(path, args.since.as_deref())?;
            let prefix = input::prefix(path);
            let mut unchanged = Vec::new();
            plan.files.retain(|file| {
                let is_wanted = changed.contains(&file.entry.path);
                if !is_wanted {
                    unchanged.push(format!("{prefix}{}", file.entry.name()));
                }
                is_wanted
            });
            if !unchanged.is_empty() {
                let left = LeftOut::new(LeftOutReason::Unchanged, unchanged.into_iter());
                self.left_out.push(left);
            }
        }
        let checker = Checker {
            prefix: input::prefix(path),
            repository: reports::repository_prefix(path),
            settings,
            reason: args.add_suppressions.as_deref(),
        };
        let recalled = Recalled::new(path, &plan.files);
        let mut files = match cover {
            Some(cover) => cover.check(&plan, &session, &checker, progress),
            None => run_pipeline(
                &plan.files,
                &session,
                input::interrupted(),
                progress,
                |file, processed| checker.finish(file, recalled.recall(file, processed, &session)),
            ),
        };
        add_reach(&mut files, &input::prefix(path), &session.project);
        support::add_builders(&mut files, &input::prefix(path), &session);
        Ok(files)
    }
}

/// What comes from standard input, under the name that it was given.
fn standard_input(args: &CheckArgs, path: &Path) -> Result<FileReport> {
    if args.only_changes() || args.add_suppressions.is_some() || args.shim.is_some() {
        bail!("-: standard input has no file that --changed, --add-suppressions or --shim need");
    }
    let bytes = input::read_all()?;
    let named = named(&[PathBuf::from(args.stdin_name())]);
    if let [Named::Part(part)] = &named[..] {
        return standard_input_of(args, part, bytes);
    }
    let file = input::stand_in(args.stdin_name());
    let source = SourceFile::new(args.stdin_name(), bytes);
    let settings = &Settings::new(&place(args, path), &given(args))?;
    let session = settings.lone_session()?;
    let checker = Checker {
        prefix: String::new(),
        repository: String::new(),
        settings,
        reason: None,
    };
    Ok(checker.finish(&file, translated(source, &session)))
}

/// The same for the text of a file of a tree, as an editor has it.
fn standard_input_of(args: &CheckArgs, part: &Part, bytes: Vec<u8>) -> Result<FileReport> {
    let mut settings = Settings::new(&part.root, &given(args))?;
    let progress = Progress::new();
    let mut walked = walk(&part.root, &settings.filter(Vec::new()), &progress)?;
    settings.nest(&mut walked)?;
    part.keep(&mut walked, false);
    let plan = Plan::new(walked.entries, Naming::Keep).with_around(walked.around);
    let session = settings.session(&plan, &progress)?;
    let checker = Checker {
        prefix: String::new(),
        repository: reports::repository_prefix(&part.root),
        settings: &settings,
        reason: None,
    };
    let [file] = &plan.files[..] else {
        bail!("{}: is not there any more", args.stdin_name());
    };
    let name = file.entry.name();
    let source = SourceFile::new(name.as_str(), bytes);
    let mut report = checker.finish(file, translated(source, session.of(&name)));
    report.path = args.stdin_name().to_owned();
    Ok(report)
}

/// Where the settings of a path are looked for: those of standard input belong to the file that it stands for.
fn place(args: &CheckArgs, path: &Path) -> PathBuf {
    if path != Path::new("-") {
        return path.to_path_buf();
    }
    let folder = Path::new(args.stdin_name()).parent();
    let folder = folder.filter(|folder| folder.is_dir());
    folder.unwrap_or(Path::new(".")).to_path_buf()
}

fn given(args: &CheckArgs) -> Given<'_> {
    Given {
        settings: &args.settings,
        naming: None,
        check: CheckTable {
            fail_on: args.fail_on.map(Level::severity),
            show: args.show.map(Level::severity),
            baseline: args.baseline.clone(),
        },
    }
}
