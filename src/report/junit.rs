//! JUnit XML: a suite per file with CUDA in it, a failed case per finding, one passed case where there is none.

use super::escape::{harmless, xml};
use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let suites: String = report.files.iter().map(suite).collect();
    let tests: usize = report.files.iter().map(cases).sum();
    let failures: usize = report.files.iter().map(failures).sum();
    let errors = report
        .files
        .iter()
        .filter(|file| file.problem.is_some())
        .count();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cass-transpile\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n{suites}</testsuites>\n"
    )
}

/// A file that could not be read is a case, and so is a file without findings.
fn cases(file: &FileReport) -> usize {
    let own = usize::from(file.problem.is_some() || file.findings.is_empty());
    file.findings.len() + own
}

/// What converts safely passes.
fn failures(file: &FileReport) -> usize {
    let fails = |finding: &&FindingReport| finding.severity > Severity::Info;
    file.findings.iter().filter(fails).count()
}

fn suite(file: &FileReport) -> String {
    let path = xml(file.place());
    let mut text = format!(
        "  <testsuite name=\"{path}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n",
        cases(file),
        failures(file),
        usize::from(file.problem.is_some())
    );
    if let Some(problem) = &file.problem {
        text.push_str(&format!(
            "    <testcase name=\"{path}\" classname=\"{path}\">\n      <error message=\"{}\"/>\n    </testcase>\n",
            xml(problem)
        ));
    } else if file.findings.is_empty() {
        text.push_str(&format!(
            "    <testcase name=\"{path}\" classname=\"{path}\"/>\n"
        ));
    }
    text.extend(file.findings.iter().map(|finding| case(file, finding)));
    text + "  </testsuite>\n"
}

fn case(file: &FileReport, finding: &FindingReport) -> String {
    let (path, column) = (xml(file.place()), finding.columns.chars.0);
    let name = format!(
        "{} {} {}:{column}",
        finding.code, finding.rule, finding.line
    );
    let open = format!(
        "    <testcase name=\"{}\" classname=\"{path}\" file=\"{path}\" line=\"{}\"",
        xml(&name),
        finding.line
    );
    let kind = match finding.severity {
        Severity::Info => return format!("{open}/>\n"),
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    // A log that shows the text takes neither a file's name nor a line of its code for a command: both stand behind something.
    let body = format!(
        "{}:{}:{column}: {}\n> {}",
        harmless(file.place()),
        finding.line,
        super::message_with_help(finding),
        finding.source_line
    );
    format!(
        "{open}>\n      <failure type=\"{kind}\" message=\"{}\">{}</failure>\n    </testcase>\n",
        xml(&finding.message),
        xml(&body).replace("&#10;", "\n")
    )
}
