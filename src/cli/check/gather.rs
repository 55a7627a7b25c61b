//! The findings of what a command line names, as one report.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::checker::Checker;
use super::cover::Cover;
use super::recalled::Recalled;
use crate::cli::args::{CheckArgs, Level};
use crate::cli::progress::Progress;
use crate::cli::reach::add_reach;
use crate::cli::settings::{Given, Settings};
use crate::cli::{about, input, reports, suggest, support};
use crate::config::CheckTable;
use crate::pipeline::{Changed, Naming, Plan, run as run_pipeline, translated, walk};
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
    let (mut found, mut first) = (Found::default(), None::<Settings>);
    for path in &args.paths {
        let mut settings = Settings::new(&place(args, path), &given(args))?;
        if args.settings.rules.show_config {
            settings.print(path)?;
            continue;
        }
        if path == Path::new("-") {
            found.files.push(standard_input(args, &settings)?);
        } else {
            found.take(args, path, &mut settings, cover)?;
        }
        first.get_or_insert(settings);
    }
    let Some(settings) = first.filter(|_| !input::was_interrupted()) else {
        return Ok(None);
    };
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
    fn take(
        &mut self,
        args: &CheckArgs,
        path: &Path,
        settings: &mut Settings,
        cover: &mut Option<Cover>,
    ) -> Result<()> {
        if !path.exists() {
            suggest::command(path)?;
        }
        let mut filter = settings.filter(Vec::new());
        filter.files_too = args.force_exclude;
        let progress = Progress::new();
        let mut walked = walk(path, &filter, &progress)?;
        settings.nest(&mut walked)?;
        if path.is_dir() {
            let before = self.idle_excludes.take();
            self.idle_excludes = Some(reports::idle_in_all(before, &walked.idle_excludes));
        }
        self.problems.extend(walked.problems);
        self.left_out
            .extend(reports::left_out(&walked.left_out, &input::prefix(path)));
        let mut plan = Plan::new(walked.entries, Naming::Keep);
        let session = settings.session(&plan, &progress)?;
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
        let recalled = Recalled::new(path);
        let mut files = match cover {
            Some(cover) => cover.check(&plan, &session, &checker, &progress),
            None => run_pipeline(
                &plan.files,
                &session,
                input::interrupted(),
                &progress,
                |file, processed| checker.finish(file, recalled.recall(file, processed, &session)),
            ),
        };
        add_reach(&mut files, &input::prefix(path), &session.project);
        support::add_builders(&mut files, &input::prefix(path), &session);
        self.files.append(&mut files);
        Ok(())
    }
}

/// What comes from standard input, under the name that it was given.
fn standard_input(args: &CheckArgs, settings: &Settings) -> Result<FileReport> {
    if args.only_changes() || args.add_suppressions.is_some() || args.shim.is_some() {
        bail!("-: standard input has no file that --changed, --add-suppressions or --shim need");
    }
    let file = input::stand_in(args.stdin_name());
    let source = SourceFile::new(args.stdin_name(), input::read_all()?);
    let session = settings.lone_session()?;
    let checker = Checker {
        prefix: String::new(),
        repository: String::new(),
        settings,
        reason: None,
    };
    Ok(checker.finish(&file, translated(source, &session)))
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
