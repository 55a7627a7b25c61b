//! The formats of the report by name.

use std::borrow::Cow;
use std::io::{self, Write};

use super::frame::COLUMNS;
use super::model::Report;
use super::{
    azure, baseline, checkstyle, github, gitlab, html, json, json_lines, junit, markdown, rdjson,
    sarif, text,
};

/// A format of the report. `full` and `concise` are for people at a terminal, `markdown` and `html` for people elsewhere, the
/// others for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Findings with their source lines
    Full,
    /// One line per finding
    Concise,
    /// The whole report, see `schema report`
    Json,
    /// One JSON object per finding and line
    JsonLines,
    /// SARIF 2.1.0, for GitHub code scanning and editors
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// Annotations of Azure Pipelines
    Azure,
    /// GitLab code quality
    Gitlab,
    /// JUnit XML: a test case per finding
    Junit,
    /// Checkstyle XML
    Checkstyle,
    /// Reviewdog's JSON, with suggestions
    Rdjson,
    /// A summary for a pull request comment
    Markdown,
    /// One file for a browser: figures, bars, sortable findings
    Html,
}

impl Format {
    /// Whether a program reads it, so that nothing else may be printed beside it.
    pub(crate) fn is_for_programs(self) -> bool {
        !matches!(self, Self::Full | Self::Concise)
    }

    /// Whether it can say of a finding that the baseline has it.
    fn knows_baselines(self) -> bool {
        matches!(self, Self::Json | Self::JsonLines | Self::Sarif)
    }
}

/// The report in a format; colours are in `full` and `concise` only.
pub fn render(report: &Report, format: Format) -> String {
    let mut bytes = Vec::new();
    write(report, format, &mut bytes).expect("memory takes every byte");
    String::from_utf8(bytes).expect("every format is text")
}

/// Writes the report in a format. What programs read as JSON goes out finding by finding: memory never holds it whole.
///
/// # Errors
/// Those of `out`, to which small pieces go: it should have a buffer.
pub fn write(report: &Report, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let has_known = || report.findings().any(|(_, finding)| finding.is_known());
    let report = match !format.knows_baselines() && has_known() {
        true => Cow::Owned(baseline::without_known(report)),
        false => Cow::Borrowed(report),
    };
    match format {
        Format::Json => json::write(&report, out),
        Format::JsonLines => json_lines::write(&report, out),
        Format::Sarif => sarif::write(&report, out),
        Format::Gitlab => gitlab::write(&report, out),
        Format::Rdjson => rdjson::write(&report, out),
        Format::Full => out.write_all(text::full(&report, COLUMNS).as_bytes()),
        Format::Concise => out.write_all(text::concise(&report).as_bytes()),
        Format::Github => out.write_all(github::render(&report).as_bytes()),
        Format::Azure => out.write_all(azure::render(&report).as_bytes()),
        Format::Junit => out.write_all(junit::render(&report).as_bytes()),
        Format::Checkstyle => out.write_all(checkstyle::render(&report).as_bytes()),
        Format::Markdown => out.write_all(markdown::render(&report).as_bytes()),
        Format::Html => out.write_all(html::render(&report).as_bytes()),
    }
}

/// The report for people, fitted to a window of some columns.
pub fn full(report: &Report, columns: usize) -> String {
    let has_known = report.findings().any(|(_, finding)| finding.is_known());
    if has_known {
        return text::full(&baseline::without_known(report), columns);
    }
    text::full(report, columns)
}
