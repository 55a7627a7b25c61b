//! The formats of the report by name.

use clap::ValueEnum;

use super::frame::COLUMNS;
use super::model::Report;
use super::{
    azure, baseline, checkstyle, github, gitlab, html, json, json_lines, junit, markdown, rdjson,
    sarif, text,
};

/// A format of the report. `full` and `concise` are for people at a terminal, `markdown` and `html` for people elsewhere, the
/// others for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    let has_known = report.findings().any(|(_, finding)| finding.is_known());
    if has_known && !format.knows_baselines() {
        return written(&baseline::without_known(report), format);
    }
    written(report, format)
}

/// The report for people, fitted to a window of some columns.
pub fn full(report: &Report, columns: usize) -> String {
    let has_known = report.findings().any(|(_, finding)| finding.is_known());
    if has_known {
        return text::full(&baseline::without_known(report), columns);
    }
    text::full(report, columns)
}

fn written(report: &Report, format: Format) -> String {
    match format {
        Format::Full => text::full(report, COLUMNS),
        Format::Concise => text::concise(report),
        Format::Json => json::json(report),
        Format::JsonLines => json_lines::render(report),
        Format::Sarif => sarif::render(report),
        Format::Github => github::render(report),
        Format::Azure => azure::render(report),
        Format::Gitlab => gitlab::render(report),
        Format::Junit => junit::render(report),
        Format::Checkstyle => checkstyle::render(report),
        Format::Rdjson => rdjson::render(report),
        Format::Markdown => markdown::render(report),
        Format::Html => html::render(report),
    }
}
