//! Two records compared, and what the command line says of tolerances.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::beside::Beside;
use super::report;
use crate::cli::args::VerifyToleranceArgs;
use crate::cli::reports::ReportArgs;
use crate::cli::{Exit, output};
use crate::report::Format;
use crate::verify::compare::compare;
use crate::verify::{Judgement, Manifest, Record, Side};

/// Compares two records and reports.
pub(super) fn judged(
    record: &Record,
    run: &Record,
    manifest: Option<&Manifest>,
    tolerance: &VerifyToleranceArgs,
    reports: &ReportArgs,
    costs: &Beside,
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
        let text = report::render(&comparison, costs, *format)?;
        let text = anstream::adapter::strip_str(&text).to_string();
        crate::emit::write(path, text.as_bytes(), None)?;
    }
    output::print(&report::render(&comparison, costs, format)?)?;
    Ok(if comparison.same {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// What the command line says wins.
pub(in crate::cli) fn over(mut judgement: Judgement, args: &VerifyToleranceArgs) -> Judgement {
    let tolerance = &mut judgement.tolerance;
    tolerance.abs = args.abs.unwrap_or(tolerance.abs);
    tolerance.rel = args.rel.unwrap_or(tolerance.rel);
    tolerance.ulp = args.ulp.unwrap_or(tolerance.ulp);
    judgement.ignore.extend(args.ignore.iter().cloned());
    judgement.unordered |= args.unordered;
    judgement
}
