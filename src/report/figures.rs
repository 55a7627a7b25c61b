//! The figures of a report: what each means, written once for all formats, and how it is worked out.
//!
//! | figure | definition |
//! |---|---|
//! | reference | a use of a name, header or namespace of CUDA or one of its libraries in code, whether the tables or a rule of its own change it; a name of HIP that stands there already |
//! | already | a name or header of HIP that the source has already |
//! | covered | a name of CUDA that the project's own support for AMD maps, left alone |
//! | safe | converted with the same meaning; so is an argument that the conversion of its call drops |
//! | review | converted, or kept, with a warning that says at what to look |
//! | manual | not converted: an error says what to do, and only that |
//! | guarded | stands in code that is for one vendor, for older chips, or kept by `cass: off`, and was left alone |
//! | portability | (already + covered + safe + review) / (already + covered + safe + review + manual) |
//! | with CUDA | files with a reference, a finding or an edit |
//! | ready | files with CUDA without an error, neither in them nor in what they include, whether its rule is selected or not: nobody has to change them by hand |
//! | error | a problem that somebody has to solve; a call and its arguments are one |

use super::model::{Counts, FileReport, Report};
use crate::diagnostic::{Judged, Severity};
use crate::edit::EditSet;

/// What errors mean, for people.
pub(super) const ERRORS: &str =
    "do not compile or do not work on AMD until they are changed by hand";
/// What warnings mean, for people.
pub(super) const WARNINGS: &str = "convert or compile, but a person should look";
/// What files that are ready are, for people.
pub(super) const READY: &str = "have no error: no manual change is needed";

/// What guarded names are, for people.
pub(super) const GUARDED: &str =
    "in code that is for one vendor, for older chips, or kept by `cass: off`";

/// What became of one reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Safe,
    Review,
    Manual,
    Guarded,
}

/// What became of the reference that a finding is about.
pub(super) fn reference(judged: &Judged, edits: &EditSet) -> Reference {
    let keeps_its_name = judged
        .api()
        .is_some_and(|api| api.target == Some(api.name) && !api.name.is_empty());
    // The edit of a call may take its arguments with it.
    let is_gone = || {
        let edits = edits.as_slice();
        let behind = edits.partition_point(|edit| edit.range.start <= judged.range().start);
        let last = behind.checked_sub(1).map(|at| &edits[at]);
        last.is_some_and(|edit| edit.range.contains(judged.range()))
    };
    match judged.severity() {
        Severity::Error => Reference::Manual,
        Severity::Warning => Reference::Review,
        Severity::Info if judged.is_applied() || keeps_its_name || is_gone() => Reference::Safe,
        Severity::Info => Reference::Guarded,
    }
}

/// References that the run counted.
pub(super) fn reference_count(report: &Report) -> usize {
    let counts = report.totals.counts;
    counts.already + counts.covered + counts.safe + counts.review + counts.manual
}

/// A report whose references are 1 + 2 + 3 + 4 + 5, so that a part that is left out shows.
#[cfg(test)]
pub(super) fn every_part() -> Report {
    let mut report = Report::default();
    report.totals.counts = Counts {
        already: 1,
        covered: 2,
        safe: 3,
        review: 4,
        manual: 5,
        ..Counts::default()
    };
    report
}

/// The share of the references that are in HIP, in percent, rounded down to a tenth so that 100 means all; none without a reference.
pub(super) fn portability(counts: &Counts) -> Option<f64> {
    let done = counts.already + counts.covered + counts.safe + counts.review;
    let all = done + counts.manual;
    (all > 0).then(|| (done * 1000 / all) as f64 / 10.0)
}

/// Whether nobody has to change a file by hand.
pub(super) fn is_ready(file: &FileReport) -> bool {
    file.is_cuda && file.problem.is_none() && !file.has_error() && !file.includes_error
}

/// What people read behind the number of files that are ready: of how many they should read warnings first. Empty for none.
pub(super) fn ready_with_warnings(report: &Report) -> String {
    let wants_look = |file: &&FileReport| is_ready(file) && open_of(report, file).1 > 0;
    match report.files.iter().filter(wants_look).count() {
        0 => String::new(),
        files => format!(", {files} of them with warnings to read"),
    }
}

/// Errors and warnings that are to be dealt with: those that the baseline does not have, where there is one.
pub(super) fn open(report: &Report) -> (usize, usize) {
    let files = report.files.iter();
    let each = files.map(|file| open_of(report, file));
    each.fold((0, 0), |sum, file| (sum.0 + file.0, sum.1 + file.1))
}

/// The same of one file.
pub(super) fn open_of(report: &Report, file: &FileReport) -> (usize, usize) {
    if report.baseline.is_none() {
        return (file.counts.errors, file.counts.warnings);
    }
    let new = |severity| {
        let findings = file.findings.iter().filter(|finding| !finding.is_known());
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    };
    (new(Severity::Error), new(Severity::Warning))
}

/// A percentage as people read it.
pub(super) fn percent(share: f64) -> String {
    format!("{share:.1} %")
}

/// Points that order files by the work they need: five for a place that somebody has to change, one for a place to look at. Two
/// numbers would sort no better, and nobody has measured how long either takes.
pub(super) fn effort((errors, warnings): (usize, usize)) -> usize {
    5 * errors + warnings
}

/// Files that need work, the worst first: those that failed, then by errors, then by warnings.
pub(super) fn worst(report: &Report) -> Vec<&FileReport> {
    let needs_work =
        |file: &&FileReport| effort(open_of(report, file)) > 0 || file.problem.is_some();
    let mut files: Vec<&FileReport> = report.files.iter().filter(needs_work).collect();
    files.sort_by_key(|file| {
        let counts = open_of(report, file);
        (
            file.problem.is_none(),
            std::cmp::Reverse(counts),
            &file.path,
        )
    });
    files
}

/// Whether builds give a source to the host's compiler, which does not know for which vendor HIP's headers are asked
/// (`hip/hip_runtime_api.h` stops without the macro, ROCm 6.4).
pub(super) fn is_host_source(file: &FileReport) -> bool {
    const HOST: &[&str] = &["c", "cc", "cpp", "cxx", "c++"];
    let extension = file.path.rsplit('.').next().unwrap_or_default();
    let has_header = || file.headers.iter().any(|header| header.starts_with("hip"));
    HOST.contains(&extension) && (file.reaches_runtime || has_header())
}
