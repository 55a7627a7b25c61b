//! Tables of files, problems and folders, each as long as a reader looks at.

use super::escape::{code, prose};
use crate::report::figures::{effort, open_of, worst};
use crate::report::folders::folders;
use crate::report::model::Report;
use crate::report::plural::{plural, word_of};
use crate::report::problems::problems as grouped;
use crate::rules;

/// Files in the table of the worst.
const MOST_FILES: usize = 10;

/// Rows in the tables of problems and folders.
const MOST_ROWS: usize = 15;

pub(super) fn files(report: &Report) -> String {
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

pub(super) fn by_problem(report: &Report) -> String {
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
            "| {} | {} | {} | {} | {} |\n",
            linked(finding.code),
            word_of(finding.severity),
            prose(&problem.title()),
            problem.places,
            problem.files
        ));
    }
    text + "\nPlaces with the same advice are one problem.\n\n</details>\n\n"
}

/// A code as a link to the page of its rule, where there is one.
fn linked(code: &str) -> String {
    match rules::page(code) {
        Some(page) => format!("[{code}]({page})"),
        None => code.to_owned(),
    }
}

pub(super) fn by_folder(report: &Report) -> String {
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
