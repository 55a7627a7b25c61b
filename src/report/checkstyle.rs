//! Checkstyle XML, which most build servers read.

use super::escape::xml;
use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let files: String = report.files.iter().map(file).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n{files}</checkstyle>\n"
    )
}

fn file(file: &FileReport) -> String {
    let mut text = format!("  <file name=\"{}\">\n", xml(file.place()));
    if let Some(problem) = &file.problem {
        // Checkstyle itself gives the first line to what is about a whole file; readers take no error without a line.
        text.push_str(&format!(
            "    <error line=\"1\" severity=\"error\" message=\"{}\" source=\"cass-transpile\"/>\n",
            xml(problem)
        ));
    }
    text.extend(file.findings.iter().map(error));
    text + "  </file>\n"
}

fn error(finding: &FindingReport) -> String {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    format!(
        "    <error line=\"{}\" column=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"cass-transpile.{}.{}\"/>\n",
        finding.line,
        finding.columns.chars.0,
        xml(&super::message_with_help(finding)),
        finding.code,
        finding.rule
    )
}
