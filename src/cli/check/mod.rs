//! Checks files and trees; writes nothing but its findings, baselines and suppressions that were asked for.

mod checker;
mod cover;
mod known;

use anyhow::{Result, bail};

use super::args::{CheckArgs, Level};
use super::settings::{Given, Settings};
use super::{Exit, input, output, reports};
use crate::config::CheckTable;
use crate::pipeline::{Changed, Naming, Plan, run as run_pipeline, walk};
use crate::report::{Builder, FileReport, Format, Report, text};
use checker::{Checker, added};
use cover::Cover;
use known::{compare, update_baseline};

/// What the summary says of files that have something to translate.
const VERB: &str = "would be translated";

/// Checks what the arguments name.
pub(super) fn run(args: &CheckArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    let release = args.settings.translate.rocm;
    let shim = args.shim.as_deref();
    let mut cover = shim.map(|path| Cover::read(path, release)).transpose()?;
    let (mut problems, mut files) = (Vec::new(), Vec::<FileReport>::new());
    let mut left_out = Vec::new();
    let mut first: Option<Settings> = None;
    for path in &args.paths {
        let settings = Settings::new(path, &given(args))?;
        if args.settings.rules.show_config {
            settings.print(path)?;
            continue;
        }
        let mut filter = settings.filter(Vec::new());
        filter.files_too = args.force_exclude;
        let walked = walk(path, &filter)?;
        problems.extend(walked.problems);
        left_out.extend(reports::left_out(&walked.left_out, &input::prefix(path)));
        let mut plan = Plan::new(walked.entries, Naming::Keep);
        let session = settings.session(&plan)?;
        if args.changed {
            // The index above is of the whole tree: a file's meaning depends on headers that did not change.
            let changed = Changed::new(path, args.since.as_deref())?;
            plan.files.retain(|file| changed.contains(&file.entry.path));
        }
        let checker = Checker {
            prefix: input::prefix(path),
            repository: reports::repository_prefix(path),
            least: settings.show().min(settings.fail_on()),
            reason: args.add_suppressions.as_deref(),
        };
        files.extend(match &mut cover {
            Some(cover) => cover.check(&plan, &session, &checker),
            None => run_pipeline(
                &plan.files,
                &session,
                input::interrupted(),
                |file, processed| checker.finish(file, processed),
            ),
        });
        first.get_or_insert(settings);
    }
    if input::was_interrupted() {
        output::complain("interrupted; nothing is reported of a part");
        return Ok(Exit::Interrupted);
    }
    let Some(settings) = first else {
        return Ok(Exit::Clean);
    };
    let mut builder = Builder::new(settings.options().clone(), problems).leaving_out(left_out);
    files.into_iter().for_each(|file| builder.add(file));
    let mut report = builder.finish();
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
    let summary = match &cover {
        Some(cover) => cover.summary(&report),
        None => text::summary(&report, VERB),
    };
    print(args, &report, &summary)?;
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

fn print(args: &CheckArgs, report: &Report, summary: &str) -> Result<()> {
    // A reader of standard output that goes away takes no report with it.
    let written = args.reports.write(report, summary);
    let format = args.reports.output_format.unwrap_or(Format::Full);
    if args.statistics {
        reports::print_statistics(report, format)?;
    } else {
        reports::print(report, format, summary)?;
    }
    reports::complain(report);
    written
}

fn verdict(args: &CheckArgs, settings: &Settings, report: &Report) -> Exit {
    if report.totals.failed > 0 || !report.problems.is_empty() {
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
