use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};

use super::args::{CheckArgs, Level};
use super::settings::{Given, Settings};
use super::{Exit, input, output, reports};
use crate::config::CheckTable;
use crate::diagnostic::{Finding, Group, Severity};
use crate::emit;
use crate::pipeline::{Naming, Plan, PlannedFile, Processed, changed, run as run_pipeline, walk};
use crate::report::{Action, Baseline, Builder, Compared, FileReport, Format, Report, file_report};
use crate::rules::{self, FileOutcome, suppressing};
use crate::text::SourceFile;

/// What the summary says of files that have something to translate.
const VERB: &str = "would be translated";

/// Checks files and trees; writes nothing but its findings.
pub(super) fn run(args: &CheckArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    if let Some(shim) = &args.shim {
        return super::shim::check(&args.paths, shim, &args.settings);
    }
    let (mut files, mut problems, mut builder_files) = (0, Vec::new(), Vec::new());
    let mut first: Option<Settings> = None;
    for path in &args.paths {
        let settings = Settings::new(path, &given(args))?;
        if args.settings.rules.show_config {
            settings.print(path)?;
            continue;
        }
        let (entries, found) = walk(path, &settings.filter(Vec::new()))?;
        problems.extend(found);
        let mut plan = Plan::new(entries, Naming::Keep);
        let session = settings.session(&plan)?;
        if args.changed {
            // The index above is of the whole tree: a file's meaning depends on headers that did not change.
            let changed = changed(path, args.since.as_deref())?;
            let is_changed = |path: &Path| {
                path.canonicalize()
                    .is_ok_and(|path| changed.contains(&path))
            };
            plan.files.retain(|file| is_changed(&file.entry.path));
        }
        files += plan.files.len();
        let checker = Checker {
            prefix: input::prefix(path),
            repository: reports::repository_prefix(path),
            least: settings.show().min(settings.fail_on()),
            reason: args.add_suppressions.as_deref(),
        };
        builder_files.extend(run_pipeline(
            &plan.files,
            &session,
            input::interrupted(),
            |file, processed| checker.finish(file, processed),
        ));
        first.get_or_insert(settings);
    }
    if input::was_interrupted() {
        output::complain("interrupted; nothing is reported of a part");
        return Ok(Exit::Interrupted);
    }
    let Some(settings) = first else {
        return Ok(Exit::Clean);
    };
    let mut builder = Builder::new(settings.options().clone(), problems);
    builder_files.into_iter().for_each(|file| builder.add(file));
    let mut report = builder.finish();
    debug_assert_eq!(report.totals.files, files);
    if args.add_suppressions.is_some() {
        return added(&report);
    }
    if let Some(path) = settings.config.check.baseline.as_deref() {
        if args.update_baseline {
            return update_baseline(path, &report);
        }
        compare(path, &mut report)?;
    } else if args.update_baseline {
        bail!("--update-baseline needs `--baseline FILE`, or `baseline` in cass.toml");
    }
    let exit = verdict(args, &settings, &report);
    report.retain(settings.show());
    print(args, &report)?;
    Ok(exit)
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

fn update_baseline(path: &Path, report: &Report) -> Result<Exit> {
    complain(report);
    if report.totals.failed > 0 {
        bail!(
            "{}: not written, because not all files could be read",
            path.display()
        );
    }
    emit::write(path, Baseline::of(report).text().as_bytes(), None)?;
    let count = report.findings().count();
    output::print(&format!("{}: {count} findings\n", path.display()))?;
    Ok(Exit::Clean)
}

/// Marks what the baseline has, and says how much that is.
fn compare(path: &Path, report: &mut Report) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| {
        format!(
            "{}: cannot be read; `--update-baseline` writes it",
            path.display()
        )
    })?;
    let baseline = Baseline::parse(&text)
        .map_err(|error| anyhow!("{}: is no baseline: {error}", path.display()))?;
    let Compared { known, gone } = baseline.mark(report);
    output::note(&format!("baseline: {known} known findings are left out\n"));
    if gone > 0 {
        output::note(&format!(
            "baseline: {gone} findings are gone; `--update-baseline` takes them out\n"
        ));
    }
    Ok(())
}

struct Checker<'a> {
    prefix: String,
    /// What goes before names to make them relative to the repository.
    repository: String,
    /// Findings below this are counted only.
    least: Severity,
    /// Why findings are suppressed in the sources, if they are.
    reason: Option<&'a str>,
}

impl Checker<'_> {
    fn finish(&self, file: &PlannedFile, processed: Processed) -> FileReport {
        let mut report = match processed {
            Processed::Source { source, outcome } => self.checked(file, &source, &outcome),
            Processed::Opaque => FileReport {
                path: file.entry.name(),
                ..FileReport::default()
            },
            Processed::Plain { bytes } => FileReport {
                path: file.entry.name(),
                bytes,
                ..FileReport::default()
            },
            Processed::Failed { message } => failed(file, message),
        };
        report.repository_path = format!("{}{}", self.repository, report.path);
        report.path.insert_str(0, &self.prefix);
        report
    }

    fn checked(
        &self,
        file: &PlannedFile,
        source: &SourceFile,
        outcome: &FileOutcome,
    ) -> FileReport {
        let report = file_report(source, outcome, None, self.least);
        let Some(reason) = self.reason else {
            return report;
        };
        let loud: Vec<&Finding> = outcome
            .visible()
            .filter(|finding| {
                finding.severity >= self.least && !is_about_suppressions(finding.code)
            })
            .collect();
        let Some(bytes) = suppressing(source, &loud, reason) else {
            return report;
        };
        let permissions = file
            .entry
            .path
            .metadata()
            .ok()
            .map(|metadata| metadata.permissions());
        match emit::write(&file.entry.path, &bytes, permissions) {
            Ok(_) => report,
            Err(error) => failed(file, format!("{error:#}")),
        }
    }
}

/// A comment cannot be put right by another comment.
fn is_about_suppressions(code: &str) -> bool {
    rules::find(code).is_some_and(|(rule, _)| rule.group == Group::Style)
}

fn failed(file: &PlannedFile, message: String) -> FileReport {
    FileReport {
        path: file.entry.name(),
        action: Action::Failed,
        problem: Some(message),
        ..FileReport::default()
    }
}

/// Says how many suppressions were written.
fn added(report: &Report) -> Result<Exit> {
    let of = |file: &FileReport| {
        let findings = file.findings.iter();
        findings
            .filter(|finding| !is_about_suppressions(finding.code))
            .count()
    };
    let files = report.files.iter().filter(|file| of(file) > 0).count();
    let findings: usize = report.files.iter().map(of).sum();
    output::print(&format!(
        "suppressed {findings} findings in {files} files; look at the changes before you commit them\n"
    ))?;
    complain(report);
    Ok(if report.totals.failed > 0 {
        Exit::Trouble
    } else {
        Exit::Clean
    })
}

fn complain(report: &Report) {
    report
        .files
        .iter()
        .filter_map(|file| file.problem.as_deref())
        .for_each(output::complain);
}

fn print(args: &CheckArgs, report: &Report) -> Result<()> {
    // A reader of standard output that goes away takes no report with it.
    let written = args.reports.write(report, VERB);
    let format = args.reports.output_format.unwrap_or(Format::Full);
    if args.statistics {
        reports::print_statistics(report, format)?;
    } else {
        reports::print(report, format, VERB)?;
    }
    complain(report);
    written
}

fn verdict(args: &CheckArgs, settings: &Settings, report: &Report) -> Exit {
    if report.totals.failed > 0 {
        return Exit::Trouble;
    }
    let fails = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .any(|finding| finding.severity >= settings.fail_on() && !finding.is_known());
    if fails && !args.exit_zero {
        Exit::Findings
    } else {
        Exit::Clean
    }
}
