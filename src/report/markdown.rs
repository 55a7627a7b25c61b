//! A summary in Markdown, short enough for a comment on a pull request, details folded.

use super::defines::defines;
use super::estimate::{shares, total, words};
use super::figures::{
    ERRORS, GUARDED, READY, WARNINGS, effort, open, open_of, percent, reference_count, worst,
};
use super::folders::folders;
use super::model::{FileReport, FindingReport, Report};
use super::next_steps::next_steps;
use super::plural::{plural, word_of};
use super::problems::problems as grouped;
use super::run::Commit;
use super::support::HipSupport;
use crate::rules;

/// GitHub refuses comments of more than 65,536 characters; findings are listed as long as the text stays well below.
const MOST_BYTES: usize = 60_000;
/// Files in the table of the worst.
const MOST_FILES: usize = 10;
/// Rows in the tables of problems and folders.
const MOST_ROWS: usize = 15;

pub(super) fn render(report: &Report) -> String {
    let mut text = headline(report);
    text.push_str(&run(report));
    text.extend(report.hip_support.iter().map(supported));
    text.push_str(&figures(report));
    text.push_str(&needs(report));
    text.push_str(&plan(report));
    text.push_str(&by_problem(report));
    text.push_str(&by_folder(report));
    text.push_str(&files(report));
    let problems = problems(report);
    let room = MOST_BYTES.saturating_sub(text.len() + problems.len());
    text.push_str(&findings(report, room));
    text + &problems
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

fn figures(report: &Report) -> String {
    let (totals, counts) = (&report.totals, report.totals.counts);
    let mut text = String::from("| Figure | Value | Meaning |\n|:--|--:|:--|\n");
    let mut row = |name: &str, value: String, meaning: &str| {
        text.push_str(&format!("| {name} | {value} | {meaning} |\n"));
    };
    if let Some(portability) = totals.portability {
        let meaning = format!(
            "CUDA references that convert, of {}: {}{} safely, {} to be reviewed, {} not",
            reference_count(report),
            match counts.already {
                0 => String::new(),
                already => format!("{already} in HIP already, "),
            },
            counts.safe,
            counts.review,
            counts.manual
        );
        row("Portability", percent(portability), &meaning);
    }
    if totals.cuda_files > 0 {
        let value = format!("{} of {}", totals.ready_files, totals.cuda_files);
        row("Files that need no hand", value, READY);
    }
    let (errors, warnings) = open(report);
    let of_all = |all: usize| match report.baseline {
        Some(_) => format!(" (new ones; {all} in all)"),
        None => String::new(),
    };
    let meaning = format!("{ERRORS}{}", of_all(counts.errors));
    row("Errors", errors.to_string(), &meaning);
    let meaning = format!("{WARNINGS}{}", of_all(counts.warnings));
    row("Warnings", warnings.to_string(), &meaning);
    if counts.guarded > 0 {
        let meaning = format!("names of CUDA {GUARDED}, left alone");
        row("Guarded", counts.guarded.to_string(), &meaning);
    }
    let meaning = format!("with CUDA in them, of {}", totals.files);
    row("Files", totals.cuda_files.to_string(), &meaning);
    row(
        "Lines",
        totals.lines_changed.to_string(),
        "that translation changes",
    );
    let shares = shares(report);
    if !shares.is_empty() {
        let kind = |share: &super::estimate::Share| {
            let problems = plural(share.problems, "problem");
            format!("{} {problems} {}", share.problems, share.what)
        };
        let kinds: Vec<String> = shares.iter().map(kind).collect();
        let meaning = format!(
            "of work by hand for {}; an assumption that nobody measured, see `[estimate]` of `cass.toml`",
            kinds.join(", ")
        );
        text.push_str(&format!(
            "| Estimate | {} | {meaning} |\n",
            words(total(&shares))
        ));
    }
    text + "\n"
}

fn needs(report: &Report) -> String {
    let mut text = String::new();
    if let Some(need) = &report.rocm {
        let names: Vec<String> = need.because.iter().map(|name| code(name)).collect();
        text.push_str(&format!(
            "**Needs ROCm {} or later** (for {}); converted for ROCm {}{}.\n\n",
            need.version,
            names.join(", "),
            report.options.rocm,
            super::text::older_release(report)
        ));
    }
    if !report.link.is_empty() {
        text.push_str(&format!(
            "**Link with** {}\n\n",
            code(&report.link.join(" "))
        ));
    }
    for (folder, flags) in defines(report) {
        let program = match folder.as_str() {
            "" => String::new(),
            folder => format!(" in {}", code(folder)),
        };
        let flags = code(&flags.join(" "));
        text.push_str(&format!("**Define for AMD**{program} {flags}\n\n"));
    }
    let on_host = report.totals.host_files;
    if on_host > 0 {
        text.push_str(&format!("**For the host's compiler** {on_host} {} HIP's headers: hipcc, or `-D__HIP_PLATFORM_AMD__` and ROCm's `-I`\n\n", if on_host == 1 { "file includes" } else { "files include" }));
    }
    if !report.libraries.is_empty() {
        text.push_str("<details><summary>CUDA references by library</summary>\n\n| Library | Safe | To review | Not converted |\n|:--|--:|--:|--:|\n");
        for library in &report.libraries {
            text.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                prose(&library.title),
                library.safe,
                library.review,
                library.manual
            ));
        }
        text.push_str("\n</details>\n\n");
    }
    text
}

fn files(report: &Report) -> String {
    let files = worst(report);
    if files.is_empty() {
        return String::new();
    }
    let title = if files.len() > MOST_FILES {
        format!(
            "The {MOST_FILES} files that need most work, of {}",
            files.len()
        )
    } else {
        format!("{} {} to work on", files.len(), plural(files.len(), "file"))
    };
    let mut text = format!(
        "<details open><summary>{title}</summary>\n\n| File | Errors | Warnings | Effort |\n|:--|--:|--:|--:|\n"
    );
    for file in files.iter().take(MOST_FILES) {
        let (errors, warnings) = open_of(report, file);
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            code(&file.path),
            errors,
            warnings,
            match file.problem {
                Some(_) => "failed".to_owned(),
                None => effort((errors, warnings)).to_string(),
            }
        ));
    }
    text + "\nEffort orders files: five points for an error, one for a warning. It is no estimate of time.\n\n</details>\n\n"
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

fn by_problem(report: &Report) -> String {
    let list = grouped(report);
    if list.is_empty() {
        return String::new();
    }
    let title = shown(list.len(), "problem");
    let mut text = format!(
        "<details><summary>{title}</summary>\n\n| Rule | Severity | Problem | Places | Files |\n|:--|:--|:--|--:|--:|\n"
    );
    for problem in list.iter().take(MOST_ROWS) {
        let finding = problem.finding;
        text.push_str(&format!(
            "| [{}]({}) | {} | {} | {} | {} |\n",
            finding.code,
            rules::page(finding.code),
            word_of(finding.severity),
            prose(&problem.title()),
            problem.places,
            problem.files
        ));
    }
    text + "\nPlaces with the same advice are one problem.\n\n</details>\n\n"
}

fn by_folder(report: &Report) -> String {
    let list = folders(report);
    if list.is_empty() {
        return String::new();
    }
    let title = shown(list.len(), "folder");
    let mut text = format!(
        "<details><summary>{title}</summary>\n\n| Folder | Errors | Warnings | Files with CUDA | To work on |\n|:--|--:|--:|--:|--:|\n"
    );
    for folder in list.iter().take(MOST_ROWS) {
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            code(&folder.path),
            folder.open.0,
            folder.open.1,
            folder.files,
            folder.to_do
        ));
    }
    text + "\n</details>\n\n"
}

/// `12 problems`, or how many of them are shown.
fn shown(count: usize, what: &str) -> String {
    let words = plural(count, what);
    if count > MOST_ROWS {
        return format!("The {MOST_ROWS} largest of {count} {words}");
    }
    format!("{count} {words}")
}

fn findings(report: &Report, room: usize) -> String {
    let total = report.findings().count();
    let (mut list, mut shown) = (String::new(), 0);
    // Errors first: what is cut off is what matters least.
    let mut sorted: Vec<_> = report.findings().collect();
    sorted.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
    for (file, finding) in sorted {
        let item = finding_item(file, finding);
        if list.len() + item.len() + 300 > room {
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
    problems
        .map(|problem| format!("> **Problem:** {}\n\n", prose(problem)))
        .collect()
}

/// Text as a code span that holds whatever it holds, also in a table.
fn code(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

/// A sentence of ours: what stands between backticks stays code, everything else shows as it is written and mentions nobody.
fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_balanced = pieces.len() % 2 == 1;
    let piece = |(number, piece): (usize, &&str)| {
        if is_balanced && number % 2 == 1 && !piece.is_empty() {
            code(piece)
        } else {
            plain(piece)
        }
    };
    let separator = if is_balanced { "" } else { "&#96;" };
    pieces
        .iter()
        .enumerate()
        .map(piece)
        .collect::<Vec<_>>()
        .join(separator)
}

fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            '*' | '_' | '[' | ']' | '|' | '\\' | '~' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_code_and_the_rest_stays_text() {
        assert_eq!(
            prose("`a|b<c>` is <b> @x"),
            "`a\\|b<c>` is &lt;b&gt; &#64;x"
        );
        assert_eq!(prose("one ` only*"), "one &#96; only\\*");
        assert_eq!(code("a`b"), "``a`b``");
    }
}
