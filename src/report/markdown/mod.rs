//! A summary in Markdown, short enough for a comment on a pull request, details folded.

mod escape;
mod figures;
mod tables;

use self::escape::{code, plain, prose};
use self::figures::{figures, needs};
use self::tables::{by_folder, by_problem, files};
use super::figures::open;
use super::model::{FileReport, FindingReport, Report};
use super::next_steps::next_steps;
use super::plural::{plural, word_of};
use super::problems::problems as grouped;
use super::run::Commit;
use super::support::HipSupport;

/// GitHub refuses comments of more than 65,536 characters; findings are listed as long as the text stays well below.
const MOST_BYTES: usize = 60_000;
/// Findings in the list: who reads a comment looks at the first, and the whole report is another format.
const MOST_FINDINGS: usize = 100;
/// Problems that are told: they come first, and a folder that nobody may read has one for each file.
const MOST_PROBLEMS: usize = 20;

pub(super) fn render(report: &Report) -> String {
    let mut text = headline(report);
    text.push_str(&problems(report));
    text.push_str(&run(report));
    text.extend(report.hip_support.iter().map(supported));
    text.push_str(&figures(report));
    text.push_str(&needs(report));
    text.push_str(&plan(report));
    text.push_str(&by_problem(report));
    text.push_str(&by_folder(report));
    text.push_str(&files(report));
    let room = MOST_BYTES.saturating_sub(text.len());
    text + &findings(report, room)
}

fn headline(report: &Report) -> String {
    let (errors, warnings) = open(report);
    if report.totals.failed > 0 {
        let failed = report.totals.failed;
        return format!(
            "## CUDA to HIP: {failed} {} failed\n\n",
            plural(failed, "file")
        );
    }
    let new = if report.baseline.is_some() {
        "new "
    } else {
        ""
    };
    if errors + warnings == 0 {
        return format!("## CUDA to HIP: nothing {new}left to do\n\n");
    }
    format!(
        "## CUDA to HIP: {errors} {new}{} to change, {warnings} to review\n\n",
        plural(errors, "place")
    )
}

/// Of what and when it is.
fn run(report: &Report) -> String {
    let Some(run) = &report.run else {
        return String::new();
    };
    let commit = run.commit.as_ref().map(Commit::words);
    let commit = commit.map_or_else(String::new, |commit| format!(" at {}", plain(&commit)));
    format!(
        "**{}**{commit}, {}: {}\n\n",
        plain(&run.project),
        run.date(),
        code(&run.command)
    )
}

/// What a project does for AMD already.
fn supported(support: &HipSupport) -> String {
    let lines = support.lines();
    let lines: String = lines
        .iter()
        .map(|line| format!("- {}\n", prose(line)))
        .collect();
    format!(
        "**{} supports AMD already**; nothing that its own support covers is edited.\n\n{lines}\n",
        prose(support.place())
    )
}

/// What to do next, and what else the summary says.
fn plan(report: &Report) -> String {
    let list = grouped(report);
    let mut text = String::new();
    for (number, step) in next_steps(report).iter().enumerate() {
        // Outside of tables a bar in code is a bar.
        let step_text = prose(&step.text).replace("\\|", "|");
        text.push_str(&format!("{}. {step_text}\n", number + 1));
        for &at in &step.problems {
            let message = prose(&list[at].title());
            text.push_str(&format!("   - {message} ({})\n", list[at].places));
        }
    }
    if !text.is_empty() {
        text = format!("<details><summary>What to do next</summary>\n\n{text}\n</details>\n\n");
    }
    for note in super::text::notes(report) {
        text.push_str(&format!("{}\n\n", plain(note.trim())));
    }
    text
}

fn findings(report: &Report, room: usize) -> String {
    let total = report.findings().count();
    let (mut list, mut shown) = (String::new(), 0);
    // Errors first: what is cut off is what matters least.
    let mut sorted: Vec<_> = report.findings().collect();
    sorted.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
    for (file, finding) in sorted {
        let item = finding_item(file, finding);
        if shown == MOST_FINDINGS || list.len() + item.len() + 300 > room {
            break;
        }
        list.push_str(&item);
        shown += 1;
    }
    if total == 0 {
        return String::new();
    }
    let title = if shown == total {
        format!("All {total} {}", plural(total, "finding"))
    } else {
        format!("{shown} of {total} findings, errors first")
    };
    format!("<details><summary>{title}</summary>\n\n{list}\n</details>\n\n")
}

fn finding_item(file: &FileReport, finding: &FindingReport) -> String {
    let place = format!("{}:{}:{}", file.path, finding.line, finding.column);
    let help = if finding.help.is_empty() {
        String::new()
    } else {
        format!(". {}", prose(&finding.help))
    };
    format!(
        "- {} **{} {}** {}{help}\n",
        code(&place),
        word_of(finding.severity),
        finding.code,
        prose(&finding.message)
    )
}

fn problems(report: &Report) -> String {
    let failed = report
        .files
        .iter()
        .filter_map(|file| file.problem.as_deref());
    let problems = failed.chain(report.problems.iter().map(String::as_str));
    let problems: Vec<&str> = problems.collect();
    let told = problems.iter().take(MOST_PROBLEMS);
    let mut text: String = told
        .map(|problem| format!("> **Problem:** {}\n\n", prose(problem)))
        .collect();
    let left = problems.len().saturating_sub(MOST_PROBLEMS);
    if left > 0 {
        text.push_str(&format!("> {left} more {}\n\n", plural(left, "problem")));
    }
    text
}
