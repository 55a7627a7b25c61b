use anyhow::Result;

use crate::cli::settings::Settings;
use crate::cli::{Exit, output, reports};
use crate::diagnostic::{Group, Judged};
use crate::emit;
use crate::engine::FileOutcome;
use crate::engine::suppressing;
use crate::pipeline::{PlannedFile, Processed};
use crate::report::plural;
use crate::report::{Action, FileReport, Report, file_report};
use crate::rules;
use crate::text::SourceFile;

/// Makes the report of each file; with a reason it writes suppressions.
pub(super) struct Checker<'a> {
    pub(super) prefix: String,
    /// What goes before names to make them relative to the repository.
    pub(super) repository: String,
    /// Which findings are shown or fail; others are counted only.
    pub(super) settings: &'a Settings,
    /// Why findings are suppressed in the sources, if they are.
    pub(super) reason: Option<&'a str>,
}

impl Checker<'_> {
    /// The report of a file.
    pub(super) fn finish(&self, file: &PlannedFile, processed: Processed) -> FileReport {
        let mut report = match processed {
            Processed::Source { source, outcome } => self.checked(file, &source, &outcome),
            Processed::Opaque => FileReport {
                path: file.entry.name(),
                ..FileReport::default()
            },
            Processed::Plain { bytes } => FileReport {
                path: file.entry.name(),
                bytes,
                ..FileReport::default()
            },
            Processed::Failed { message } => failed(file, message),
        };
        report.levels = self.settings.of(&report.path).levels();
        report.repository_path = format!("{}{}", self.repository, report.path);
        report.path.insert_str(0, &self.prefix);
        report
    }

    fn checked(
        &self,
        file: &PlannedFile,
        source: &SourceFile,
        outcome: &FileOutcome,
    ) -> FileReport {
        let levels = self.settings.of(&source.path).levels();
        let least = levels.show.min(levels.fail);
        let report = file_report(source, outcome, None, least);
        let Some(reason) = self.reason else {
            return report;
        };
        let loud: Vec<&Judged> = outcome
            .visible()
            .filter(|finding| finding.severity() >= least && !is_about_suppressions(finding.code()))
            .collect();
        let Some(bytes) = suppressing(source, &loud, reason) else {
            return report;
        };
        let path = emit::behind_links(&file.entry.path);
        match emit::write(&path, &bytes, emit::permissions(&path)) {
            Ok(_) => report,
            Err(error) => failed(file, format!("{error:#}")),
        }
    }
}

/// A comment cannot be put right by another comment.
fn is_about_suppressions(code: &str) -> bool {
    rules::find(code).is_some_and(|(rule, _)| rule.group == Group::Comments)
}

fn failed(file: &PlannedFile, message: String) -> FileReport {
    FileReport {
        path: file.entry.name(),
        action: Action::Failed,
        problem: Some(message),
        ..FileReport::default()
    }
}

/// Says how many suppressions were written.
pub(super) fn added(report: &Report) -> Result<Exit> {
    let of = |file: &FileReport| {
        let findings = file.findings.iter();
        findings
            .filter(|finding| !is_about_suppressions(finding.code))
            .count()
    };
    let files = report.files.iter().filter(|file| of(file) > 0).count();
    let findings: usize = report.files.iter().map(of).sum();
    output::print(&format!(
        "suppressed {findings} {} in {files} {}; look at the changes before you commit them\n",
        plural(findings, "finding"),
        plural(files, "file")
    ))?;
    reports::complain(report);
    Ok(if report.totals.failed > 0 {
        Exit::Trouble
    } else {
        Exit::Clean
    })
}
