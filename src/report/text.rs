//! The report for people: compiler-style findings and a short summary, the worst first.

use anstyle::{AnsiColor, Style};

use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

/// The findings of one file as a compiler would print them, source line and caret included.
pub fn findings(file: &FileReport, least: Severity) -> String {
    file.findings
        .iter()
        .filter(|finding| finding.severity >= least)
        .map(|finding| framed(&file.path, finding))
        .collect()
}

/// One finding in one line: `file:line:col: severity[CODE]: message`.
pub fn concise(path: &str, finding: &FindingReport) -> String {
    let style = style_of(finding.severity);
    let (word, place) = (
        word_of(finding.severity),
        format!("{path}:{}:{}", finding.line, finding.column),
    );
    format!(
        "{place}: {style}{word}[{}]{style:#}: {}\n",
        finding.code, finding.message
    )
}

fn framed(path: &str, finding: &FindingReport) -> String {
    let mut text = concise(path, finding);
    let number = finding.line.to_string();
    let margin = " ".repeat(number.len());
    let width = if finding.end_line == finding.line {
        (finding.end_column - finding.column).max(1) as usize
    } else {
        1
    };
    let blue = Style::new().fg_color(Some(AnsiColor::Blue.into()));
    let line = finding.source_line.replace('\t', " ");
    if (finding.column as usize) <= line.len() + 1 {
        let carets = "^".repeat(
            width
                .min(line.len().saturating_sub(finding.column as usize - 1))
                .max(1),
        );
        text.push_str(&format!("{margin} {blue}|{blue:#}\n{blue}{number} |{blue:#} {line}\n{margin} {blue}|{blue:#} {}{carets}\n", " ".repeat(finding.column as usize - 1)));
    }
    for label in &finding.labels {
        text.push_str(&format!(
            "{margin} {blue}={blue:#} line {}: {}\n",
            label.line, label.message
        ));
    }
    if !finding.help.is_empty() {
        text.push_str(&format!(
            "{margin} {blue}={blue:#} help: {}\n",
            finding.help
        ));
    }
    text.push('\n');
    text
}

/// The summary of a run.
pub fn summary(report: &Report, verb: &str) -> String {
    let totals = &report.totals;
    let counts = totals.counts;
    let mut text = format!(
        "{} {}, {} with CUDA: {} {verb}, {} as they are",
        totals.files,
        plural(totals.files, "file"),
        totals.cuda_files,
        totals.translated,
        totals.copied
    );
    if totals.failed > 0 {
        text.push_str(&format!(", {} failed", totals.failed));
    }
    text.push_str(&format!(
        "; {} {} changed\n",
        totals.lines_changed,
        plural(totals.lines_changed, "line")
    ));
    let references = counts.safe + counts.review + counts.manual;
    text.push_str(&format!("CUDA references: {references} = {} converted safely + {} converted, to be reviewed + {} not converted\n", counts.safe, counts.review, counts.manual));
    if let Some(portability) = totals.portability {
        text.push_str(&format!("portability: {portability:.1} % (references that converted, safely or for review, of all references)\n"));
    }
    text.push_str(&format!(
        "findings: {} {}, {} {}",
        counts.errors,
        plural(counts.errors, "error"),
        counts.warnings,
        plural(counts.warnings, "warning")
    ));
    text.push_str(&format!(
        "; {} of them about other hazards than names",
        counts.hazards
    ));
    if counts.guarded > 0 {
        text.push_str(&format!(
            "; {} names in code guarded for one vendor left alone",
            counts.guarded
        ));
    }
    text.push('\n');
    text.push_str(&worst_files(report));
    text.push_str(&needs(report));
    report
        .problems
        .iter()
        .for_each(|problem| text.push_str(&format!("problem: {problem}\n")));
    text
}

/// The five files with most errors, then most warnings.
fn worst_files(report: &Report) -> String {
    let mut files: Vec<&FileReport> = report
        .files
        .iter()
        .filter(|file| file.counts.errors + file.counts.warnings > 0 || file.problem.is_some())
        .collect();
    files.sort_by_key(|file| {
        (
            file.problem.is_none(),
            std::cmp::Reverse((file.counts.errors, file.counts.warnings)),
            &file.path,
        )
    });
    let line = |file: &&FileReport| match &file.problem {
        Some(problem) => format!("  {}: failed: {problem}\n", file.path),
        None => format!(
            "  {}: {} {}, {} {}\n",
            file.path,
            file.counts.errors,
            plural(file.counts.errors, "error"),
            file.counts.warnings,
            plural(file.counts.warnings, "warning")
        ),
    };
    if files.is_empty() {
        String::new()
    } else {
        format!(
            "files that need most work:\n{}",
            files.iter().take(5).map(line).collect::<String>()
        )
    }
}

fn needs(report: &Report) -> String {
    let mut text = String::new();
    let libraries: Vec<String> = report
        .libraries
        .iter()
        .map(|library| {
            format!(
                "{} {}",
                library.title,
                library.safe + library.review + library.manual
            )
        })
        .collect();
    if !libraries.is_empty() {
        text.push_str(&format!("by library: {}\n", libraries.join(", ")));
    }
    if !report.link.is_empty() {
        text.push_str(&format!("link with: {}\n", report.link.join(" ")));
    }
    if let Some(need) = &report.rocm {
        text.push_str(&format!(
            "needs ROCm {} or later (for {}); converted for ROCm {}\n",
            need.version,
            need.because.join(", "),
            report.options.rocm
        ));
    }
    text
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 {
        word.to_owned()
    } else {
        format!("{word}s")
    }
}

fn word_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

fn style_of(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Cyan,
    };
    Style::new().bold().fg_color(Some(color.into()))
}
