//! Of what and when a report is: project, commit, day and command, for formats that people read.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::reports::ReportArgs;
use crate::pipeline::Repository;
use crate::report::{Commit, Run};

/// What a report says of its run, where one is asked for that says it: git is not asked for nothing.
pub(super) fn run_of(reports: &ReportArgs, source: &Path) -> Option<Run> {
    reports.is_for_people().then(|| {
        let folder = if source.is_dir() {
            source
        } else {
            source.parent().unwrap_or(source)
        };
        let is_here = folder.as_os_str().is_empty() || source == Path::new("-");
        let folder = if is_here { Path::new(".") } else { folder };
        let repository = Repository::of(folder);
        let commit = repository.as_ref().and_then(|repository| {
            Some(Commit {
                id: repository.commit.clone()?,
                is_changed: repository.is_changed,
            })
        });
        Run {
            project: project(source, folder, repository.as_ref()),
            source: match source == Path::new("-") {
                true => String::new(),
                false => quoted(&source.to_string_lossy()),
            },
            commit,
            seconds: now(),
            command: command(),
        }
    })
}

/// The folder of the repository and what of it was read: `faiss`, `faiss/gpu`; without one, the folder or file that was named.
fn project(source: &Path, folder: &Path, repository: Option<&Repository>) -> String {
    let named = if source.is_file() { source } else { folder };
    let Ok(path) = named.canonicalize() else {
        return String::new();
    };
    let above = repository
        .and_then(|repository| repository.top.canonicalize().ok())
        .filter(|top| path.starts_with(top))
        .unwrap_or_else(|| path.clone());
    let name = above.file_name().unwrap_or(above.as_os_str());
    let within = path.strip_prefix(&above).unwrap_or(Path::new(""));
    let whole = Path::new(name).join(within);
    // A join with nothing ends in a slash.
    let text = whole.to_string_lossy().replace('\\', "/");
    text.trim_end_matches('/').to_owned()
}

/// The seconds that reports are dated with: `SOURCE_DATE_EPOCH` where a build asks for the same bytes each time
/// (<https://reproducible-builds.org/specs/source-date-epoch/>), else now.
fn now() -> u64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let given = given.and_then(|text| text.trim().parse().ok());
    // Later than the year 9999 is a mistake, and no date of four digits.
    given
        .filter(|seconds| *seconds < 253_402_300_800)
        .unwrap_or_else(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            since.map_or(0, |since| since.as_secs())
        })
}

/// The command line as a shell would take it.
fn command() -> String {
    let arguments = std::env::args_os().skip(1);
    let summary = std::env::var(STEP_SUMMARY).unwrap_or_default();
    let words = arguments.map(|word| shown(&word.to_string_lossy(), &summary));
    std::iter::once("cass-transpile".to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The variable with the path of a job's summary, a file that only the runner has.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// A word of the command; a file of the runner is called as a step of a job calls it.
fn shown(word: &str, summary: &str) -> String {
    match word.strip_suffix(summary).filter(|_| !summary.is_empty()) {
        Some(before) if before.ends_with('=') => format!("{}\"${STEP_SUMMARY}\"", quoted(before)),
        _ => quoted(word),
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_a_shell_takes_them() {
        assert_eq!(quoted("--report=html=a/b.html"), "--report=html=a/b.html");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }

    #[test]
    fn the_summary_of_a_job_is_called_as_a_step_calls_it() {
        let summary = "/home/runner/_temp/step_summary_1";
        let word = format!("markdown={summary}");
        assert_eq!(shown(&word, summary), "markdown=\"$GITHUB_STEP_SUMMARY\"");
        assert_eq!(shown(&word, ""), word);
        assert_eq!(shown("src", summary), "src");
    }
}
