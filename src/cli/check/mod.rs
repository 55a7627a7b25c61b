//! Checks files and trees; writes nothing but its findings, and the baselines, suppressions and translations that were asked for.

mod checker;
mod cover;
mod fix;
mod gather;
mod known;
mod recalled;
mod watch;

use std::time::Instant;

use anyhow::{Result, bail};

use super::args::CheckArgs;
use super::{Exit, input, output, reports};
use crate::report::{Format, Report, text};
use checker::added;
use cover::Cover;
use gather::{Gathered, gather};
use known::{compare, update_baseline};

/// What the summary says of files that have something to translate.
const VERB: &str = "would be translated";

/// Checks what the arguments name, once or after each change.
pub(super) fn run(args: &CheckArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    if args.watch {
        return watch::watch(args, || check_once(args));
    }
    check_once(args)
}

fn check_once(args: &CheckArgs) -> Result<Exit> {
    let begin = Instant::now();
    let fixed = match args.fix && !args.settings.rules.show_config {
        true => fix::fix(args)?,
        false => Exit::Clean,
    };
    if fixed == Exit::Interrupted {
        return Ok(fixed);
    }
    let release = args.settings.translate.rocm;
    let shim = args.shim.as_deref();
    let mut cover = shim.map(|path| Cover::read(path, release)).transpose()?;
    let gathered = gather(args, &mut cover)?;
    if input::was_interrupted() {
        output::complain("interrupted; nothing is reported of a part");
        return Ok(Exit::Interrupted);
    }
    let Some(gathered) = gathered else {
        return Ok(Exit::Clean);
    };
    output::detail(|| {
        let (files, seconds) = (gathered.report.totals.files, begin.elapsed().as_secs_f64());
        format!("{files} files in {seconds:.2} s")
    });
    let left = ended(args, gathered, cover.as_ref())?;
    Ok(match fixed {
        Exit::Trouble => fixed,
        _ => left,
    })
}

/// What is done with the findings: written down as known, suppressed, or printed.
fn ended(args: &CheckArgs, gathered: Gathered, cover: Option<&Cover>) -> Result<Exit> {
    let Gathered {
        mut report,
        settings,
    } = gathered;
    if args.add_suppressions.is_some() {
        return added(&report);
    }
    if let Some(path) = settings.config.check.baseline.as_deref() {
        if args.update_baseline {
            return update_baseline(path, &report);
        }
        compare(path, &args.paths[0], &mut report)?;
    } else if args.update_baseline {
        bail!("--update-baseline needs `--baseline FILE`, or `baseline` in cass.toml");
    }
    let exit = verdict(args, &report);
    report.retain_shown();
    let summary = match cover {
        Some(cover) => cover.summary(&report),
        None => text::summary(&report, VERB),
    };
    print(args, &report, &summary)?;
    Ok(exit)
}

fn print(args: &CheckArgs, report: &Report, summary: &str) -> Result<()> {
    // A reader of standard output that goes away takes no report with it.
    let written = args.reports.write(report, summary);
    let format = args.reports.output_format.unwrap_or(Format::Full);
    if let Some(by) = args.statistics {
        reports::print_statistics(report, by, format)?;
    } else {
        reports::print(report, format, summary)?;
    }
    reports::complain(report);
    written
}

fn verdict(args: &CheckArgs, report: &Report) -> Exit {
    if report.totals.failed > 0 || !report.problems.is_empty() {
        return Exit::Trouble;
    }
    let mut findings = report.findings();
    let fails =
        findings.any(|(file, finding)| finding.severity >= file.levels.fail && !finding.is_known());
    if fails && !args.exit_zero {
        Exit::Findings
    } else {
        Exit::Clean
    }
}
