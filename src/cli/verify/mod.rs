//! `verify`: runs the original and the port and compares what they did.

mod report;
mod take;

use std::path::Path;

use anyhow::{Context as _, Result};

use super::args::{VerifyArgs, VerifyCommand, VerifyCompareArgs, VerifyToleranceArgs};
use super::reports::ReportArgs;
use super::{Exit, output};
use crate::report::Format;
use crate::verify::compare::compare;
use crate::verify::{Judgement, Manifest, Record, Role, Side};

/// Runs one of the three steps.
pub(super) fn run(args: &VerifyArgs) -> Result<Exit> {
    match &args.command {
        VerifyCommand::Record(args) => take::record(args),
        VerifyCommand::Run(args) => take::run(args),
        VerifyCommand::Compare(args) => compare_files(args),
    }
}

fn compare_files(args: &VerifyCompareArgs) -> Result<Exit> {
    let record = Record::open(&args.record)?;
    let run = Record::open(&args.run)?;
    if record.head.role == Role::Run && run.head.role == Role::Record {
        anyhow::bail!("the record of the original comes first: `verify compare RECORD RUN`");
    }
    let manifest = args.manifest.as_deref().map(Manifest::read).transpose()?;
    judged(
        &record,
        &run,
        manifest.as_ref(),
        &args.tolerance,
        &args.reports,
    )
}

/// Compares two records and reports.
fn judged(
    record: &Record,
    run: &Record,
    manifest: Option<&Manifest>,
    tolerance: &VerifyToleranceArgs,
    reports: &ReportArgs,
) -> Result<Exit> {
    regex::RegexSet::new(&tolerance.ignore).context("--ignore")?;
    let cases = match manifest {
        Some(manifest) => manifest.cases(Side::Original, Path::new("."))?,
        None => Vec::new(),
    };
    let comparison = compare(record, run, |name, recorded| {
        let own = cases.iter().find(|case| case.name == name);
        let base = own.map_or(recorded, |case| &case.judgement);
        over(base.clone(), tolerance)
    })?;
    let format = reports.output_format.unwrap_or(Format::Full);
    for (format, path) in &reports.report {
        let text = report::render(&comparison, *format)?;
        let text = anstream::adapter::strip_str(&text).to_string();
        crate::emit::write(path, text.as_bytes(), None)?;
    }
    output::print(&report::render(&comparison, format)?)?;
    Ok(if comparison.same {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// What the command line says wins.
fn over(mut judgement: Judgement, args: &VerifyToleranceArgs) -> Judgement {
    let tolerance = &mut judgement.tolerance;
    tolerance.abs = args.abs.unwrap_or(tolerance.abs);
    tolerance.rel = args.rel.unwrap_or(tolerance.rel);
    tolerance.ulp = args.ulp.unwrap_or(tolerance.ulp);
    judgement.ignore.extend(args.ignore.iter().cloned());
    judgement.unordered |= args.unordered;
    judgement
}
