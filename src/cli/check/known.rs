//! Baselines: findings that are known.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::cli::{Exit, output, reports};
use crate::config;
use crate::emit;
use crate::report::plural;
use crate::report::{Baseline, Compared, Report};

/// Writes the findings as the baseline.
pub(super) fn update_baseline(path: &Path, report: &Report) -> Result<Exit> {
    reports::complain(report);
    if report.totals.failed > 0 || !report.problems.is_empty() {
        bail!(
            "{}: not written, because not all files could be read",
            path.display()
        );
    }
    refuse_other_files(path)?;
    let text = Baseline::of(report).text();
    emit::write(&emit::behind_links(path), text.as_bytes(), None)?;
    let count = report.findings().count();
    output::print(&format!(
        "{}: {count} {}\n",
        path.display(),
        plural(count, "finding")
    ))?;
    Ok(Exit::Clean)
}

/// Only a baseline, or nothing, is written over.
fn refuse_other_files(path: &Path) -> Result<()> {
    let is_empty = || std::fs::metadata(path).is_ok_and(|data| data.len() == 0);
    if !path.is_file() || is_empty() {
        return Ok(());
    }
    let parsed = config::read_text(path)
        .map_err(|error| format!("{error:#}"))
        .and_then(|text| Baseline::parse(&text));
    parsed.map(drop).map_err(|error| {
        anyhow!(
            "{}: is no baseline and is not written over ({error}); remove it or give another name",
            path.display()
        )
    })
}

/// Marks what the baseline has, and says how much that is.
///
/// # Errors
/// When there is no baseline at `path`. `source` is what was checked: paths of a baseline are relative to its repository.
pub(super) fn compare(path: &Path, source: &Path, report: &mut Report) -> Result<()> {
    if path.is_dir() {
        bail!(
            "{}: is a folder; name the file of a baseline",
            path.display()
        );
    }
    let text = config::read_text(path).with_context(|| {
        format!(
            "{}: cannot be read; `--update-baseline` writes it",
            path.display()
        )
    })?;
    let baseline = Baseline::parse(&text).map_err(|error| {
        anyhow!(
            "{}: is no baseline of this program ({error}); remove it, and `--update-baseline` writes a new one",
            path.display()
        )
    })?;
    let root = reports::repository_root(source).unwrap_or_default();
    let Compared { known, gone } = baseline.mark(report, |place| root.join(place).exists());
    let (are, word) = (verb_of(known), plural(known, "finding"));
    output::note(&format!("baseline: {known} known {word} {are} left out\n"));
    if gone > 0 {
        let (are, word) = (verb_of(gone), plural(gone, "finding"));
        output::note(&format!(
            "baseline: {gone} {word} {are} gone; `--update-baseline` takes out what is\n"
        ));
    }
    Ok(())
}

fn verb_of(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
