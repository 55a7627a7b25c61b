//! Reports in the format that a person or a program asked for: on standard output, or each in a file of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum as _};

use super::output;
use crate::emit;
use crate::pipeline::{LeftOut, Reason, slashed};
use crate::report::{
    self, CountBy, Format, LeftOutReason, Report, full, render, statistics, statistics_table,
};

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Reports")]
pub(super) struct ReportArgs {
    /// How the report is printed [default: full; of a translation, only its summary]
    #[arg(long, alias = "format", value_enum)]
    pub(super) output_format: Option<Format>,
    /// Also write the report to a file (repeatable): `--report sarif=cass.sarif --report html=cass.html`; formats as in
    /// --output-format
    #[arg(long, value_name = "FORMAT=PATH", value_parser = report_file)]
    pub(super) report: Vec<(Format, PathBuf)>,
}

fn report_file(text: &str) -> Result<(Format, PathBuf)> {
    let formats = || {
        let names = Format::value_variants()
            .iter()
            .filter_map(Format::to_possible_value);
        names
            .map(|name| name.get_name().to_owned())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let Some((name, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        bail!("write FORMAT=PATH; formats: {}", formats());
    };
    match Format::from_str(name, false) {
        Ok(format) => Ok((format, PathBuf::from(path))),
        Err(_) => bail!("there is no format `{name}`; formats: {}", formats()),
    }
}

impl ReportArgs {
    /// Whether one of the reports says of what and when it is.
    pub(super) fn is_for_people(&self) -> bool {
        let files = self.report.iter().map(|(format, _)| *format);
        let mut all = files.chain(self.output_format);
        all.any(|format| matches!(format, Format::Html | Format::Markdown))
    }

    /// Writes the files that were asked for; those for people end in the summary.
    ///
    /// # Errors
    /// When one cannot be written.
    pub(super) fn write(&self, report: &Report, summary: &str) -> Result<()> {
        for (format, path) in &self.report {
            if format.is_for_programs() {
                let mut file = emit::stream(path)?;
                report::write(report, *format, &mut file)
                    .with_context(|| format!("{}: cannot be written", path.display()))?;
                file.finish()?;
            } else {
                let content = render(report, *format) + summary;
                let content = anstream::adapter::strip_str(&content).to_string();
                emit::write(path, content.as_bytes(), None)?;
            }
        }
        Ok(())
    }
}

/// Prints the report on standard output. Formats for programs stand alone there; the summary goes to standard error.
///
/// # Errors
/// When standard output is closed or full.
pub(super) fn print(report: &Report, format: Format, summary: &str) -> Result<()> {
    match format {
        Format::Full => {
            output::print(&full(report, output::columns()))?;
            output::note_summary(summary);
            Ok(())
        }
        Format::Concise => output::print(&render(report, format)),
        _ => output::print_pieces(|out| report::write(report, format, out)),
    }
}

/// Prints counts of findings.
///
/// # Errors
/// When the format has no place for counts, or standard output is closed or full.
pub(super) fn print_statistics(report: &Report, by: CountBy, format: Format) -> Result<()> {
    let rules = statistics(report, by);
    match format {
        Format::Full | Format::Concise => output::print(&statistics_table(&rules)),
        Format::Json => output::print(&(serde_json::to_string_pretty(&rules)? + "\n")),
        _ => bail!("--statistics is printed as text, or as JSON with `--output-format json`"),
    }
}

/// What took no part, by reason, for a report; `prefix` goes before the paths.
pub(super) fn left_out(found: &[LeftOut], prefix: &str) -> Vec<report::LeftOut> {
    let shown = |left: &LeftOut| {
        let end = if left.is_folder { "/" } else { "" };
        format!("{prefix}{}{end}", slashed(&left.path))
    };
    // They come by reason.
    let groups = found.chunk_by(|a, b| a.reason == b.reason);
    groups
        .map(|group| report::LeftOut::new(reason(group[0].reason), group.iter().map(shown)))
        .collect()
}

/// The globs that leave nothing out of what was read before nor of one more folder.
pub(super) fn idle_in_all(before: Option<Vec<String>>, here: &[String]) -> Vec<String> {
    match before {
        None => here.to_vec(),
        Some(mut before) => {
            before.retain(|glob| here.contains(glob));
            before
        }
    }
}

/// What is said of globs that leave nothing out.
pub(super) fn idle_excludes(globs: &[String]) -> Vec<String> {
    let line = |glob: &String| {
        format!(
            "--exclude {glob}: no path matches, from the current folder or from the one that was named"
        )
    };
    globs.iter().map(line).collect()
}

fn reason(reason: Reason) -> LeftOutReason {
    match reason {
        Reason::Ignored => LeftOutReason::Ignored,
        Reason::MaybeTracked => LeftOutReason::MaybeTracked,
        Reason::Filtered => LeftOutReason::Filtered,
        Reason::Output => LeftOutReason::Output,
        Reason::Special => LeftOutReason::Special,
    }
}

/// What goes before the paths of files below `source` to make them relative to the root of the repository, for formats that
/// continuous integration reads: empty or ending in `/`. Without a repository, the folder that the program runs in is the root;
/// what lies outside keeps its absolute path.
pub(super) fn repository_prefix(source: &Path) -> String {
    let Some(folder) = resolved_folder(source) else {
        return String::new();
    };
    let root = repository_root(source);
    let relative = root
        .as_deref()
        .and_then(|root| folder.strip_prefix(root).ok())
        .unwrap_or(&folder);
    let text = relative.to_string_lossy().replace('\\', "/");
    // Windows puts this before absolute paths that it has resolved.
    let text = text.strip_prefix("//?/").unwrap_or(&text);
    if text.is_empty() || text.ends_with('/') {
        text.to_owned()
    } else {
        format!("{text}/")
    }
}

/// The folder that such paths are relative to; none where `source` does not exist and nothing is known of where the program runs.
pub(super) fn repository_root(source: &Path) -> Option<PathBuf> {
    let folder = resolved_folder(source)?;
    let here = std::env::current_dir()
        .and_then(|folder| folder.canonicalize())
        .ok();
    let of_here = here
        .as_deref()
        .and_then(repository)
        .filter(|root| folder.starts_with(root));
    let root = of_here.or_else(|| repository(&folder)).or(here.as_deref());
    root.map(Path::to_path_buf)
}

/// The folder of a source, or the source itself where it is one.
fn resolved_folder(source: &Path) -> Option<PathBuf> {
    let folder = if source.is_dir() {
        source
    } else {
        source.parent().unwrap_or(source)
    };
    let is_here = folder.as_os_str().is_empty();
    let named = if is_here { Path::new(".") } else { folder };
    named.canonicalize().ok()
}

/// The folder at or above this one that is a repository's.
fn repository(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| is_repository(folder))
}

/// Whether a folder holds `.git`, which is a file in work trees and submodules.
pub(super) fn is_repository(folder: &Path) -> bool {
    folder.join(".git").exists()
}

/// Says on standard error what could not be read or written.
pub(super) fn complain(report: &Report) {
    let of_tree = report.problems.iter().map(String::as_str);
    let of_files = report.files.iter();
    let of_files = of_files.filter_map(|file| file.problem.as_deref());
    of_tree.chain(of_files).for_each(output::complain);
}
