//! Annotations of GitHub Actions: `::error file=…,line=…,col=…,title=…::message`, a finding per line, and
//! a line for who reads the log.

use super::escape::harmless;
use super::figures::open;
use super::model::{FileReport, FindingReport, Report};
use super::plural::plural;
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let findings = report.findings().map(|(file, finding)| line(file, finding));
    let failures = report.files.iter().filter_map(|file| {
        let problem = file.problem.as_ref()?;
        Some(format!(
            "::error file={}::{}\n",
            property(file.place()),
            data(problem)
        ))
    });
    findings.chain(failures).chain([closing(report)]).collect()
}

/// A plain line of the log: where nothing is found, it tells that something was looked at.
fn closing(report: &Report) -> String {
    let totals = &report.totals;
    let (errors, warnings) = open(report);
    format!(
        "cass-transpile: {} {} checked, {} with CUDA: {errors} {}, {warnings} {}\n",
        totals.files,
        plural(totals.files, "file"),
        totals.cuda_files,
        plural(errors, "error"),
        plural(warnings, "warning")
    )
}

fn line(file: &FileReport, finding: &FindingReport) -> String {
    let (start, end) = finding.columns.chars;
    let mut place = format!(
        "file={},line={},col={start}",
        property(file.place()),
        finding.line
    );
    place.push_str(&format!(",endLine={}", finding.end_line));
    // GitHub takes an end column only within one line.
    if finding.end_line == finding.line && end > start {
        place.push_str(&format!(",endColumn={}", end - 1));
    }
    let title = property(&format!("{} {}", finding.code, finding.rule));
    let message = data(&super::message_with_help(finding));
    format!(
        "::{} {place},title={title}::{message}\n",
        command(finding.severity)
    )
}

fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    }
}

/// What follows `::`; escapes as the runner undoes them. Other control characters would reach the terminal of who reads the log.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    harmless(&text.replace('\r', "%0D").replace('\n', "%0A"))
}

/// The value of a property: also ends at commas and colons.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_end_neither_early_nor_the_line() {
        assert_eq!(property("a,b:c%\nd"), "a%2Cb%3Ac%25%0Ad");
        assert_eq!(data("a,b:c%\nd"), "a,b:c%25%0Ad");
        assert_eq!(property("\u{1b}]0;x\u{7}"), "\u{241b}]0;x\u{2407}");
    }
}
