//! Annotations of Azure Pipelines: `##vso[task.logissue type=error;sourcepath=…;linenumber=…]message`, a finding per line.
//!
//! Documentation of Azure DevOps, "Logging commands", with the escapes of "Formatting commands".

use super::escape::harmless;
use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let findings = report.findings();
    let findings = findings.filter_map(|(file, finding)| line(file, finding));
    let failures = report.files.iter().filter_map(|file| {
        let problem = file.problem.as_ref()?;
        let path = property(file.place());
        Some(format!(
            "##vso[task.logissue type=error;sourcepath={path}]{}\n",
            data(problem)
        ))
    });
    let text: String = findings.chain(failures).collect();
    // The agent takes an empty line for what it is; an empty file would read as a run that never was.
    if text.is_empty() {
        "\n".to_owned()
    } else {
        text
    }
}

/// Azure knows errors and warnings; what converts safely is neither.
fn line(file: &FileReport, finding: &FindingReport) -> Option<String> {
    let kind = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => return None,
    };
    Some(format!(
        "##vso[task.logissue type={kind};sourcepath={};linenumber={};columnnumber={};code={}]{}\n",
        property(file.place()),
        finding.line,
        finding.columns.chars.0,
        finding.code,
        data(&super::message_with_help(finding))
    ))
}

/// What follows the bracket; escapes as the agent undoes them. Other control characters would reach the terminal of who reads the log.
fn data(text: &str) -> String {
    let text = text.replace('%', "%AZP25");
    harmless(&text.replace('\r', "%0D").replace('\n', "%0A"))
}

/// The value of a property: also ends at semicolons and brackets.
fn property(text: &str) -> String {
    data(text).replace(';', "%3B").replace(']', "%5D")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_end_neither_early_nor_the_line() {
        assert_eq!(property("a;b]c%\nd"), "a%3Bb%5Dc%AZP25%0Ad");
        assert_eq!(data("a;b]c%\nd"), "a;b]c%AZP25%0Ad");
        assert_eq!(property("\u{1b}]0\u{7}"), "\u{241b}%5D0\u{2407}");
    }
}
