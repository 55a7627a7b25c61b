//! Figures that several formats show, computed in one place.

use super::model::{Counts, FileReport, Report};

/// Uses of CUDA's names that the run counted.
pub(super) fn reference_count(report: &Report) -> usize {
    let counts = report.totals.counts;
    counts.safe + counts.review + counts.manual
}

/// A percentage as people read it.
pub(super) fn percent(share: f64) -> String {
    format!("{share:.1} %")
}

/// Points that order files by the work they need: five for a place that somebody has to change, one for a place to look at. Two
/// numbers would sort no better, and nobody has measured how long either takes.
pub(super) fn effort(counts: &Counts) -> usize {
    5 * counts.errors + counts.warnings
}

/// Files that need work, the worst first: those that failed, then by errors, then by warnings.
pub(super) fn worst(report: &Report) -> Vec<&FileReport> {
    let needs_work = |file: &&FileReport| effort(&file.counts) > 0 || file.problem.is_some();
    let mut files: Vec<&FileReport> = report.files.iter().filter(needs_work).collect();
    files.sort_by_key(|file| {
        let counts = (file.counts.errors, file.counts.warnings);
        (
            file.problem.is_none(),
            std::cmp::Reverse(counts),
            &file.path,
        )
    });
    files
}
