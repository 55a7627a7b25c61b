//! What the page lists where no script may run.

use maud::{Markup, html};

use super::prose::prose;
use crate::report::figures::{effort, open_of, worst};
use crate::report::folders::folders;
use crate::report::model::Report;
use crate::report::plural::{number, plural, word_of};
use crate::report::problems::problems;
use crate::rules;

/// Rows of a table.
const MOST: usize = 50;

pub(super) fn sections(report: &Report) -> Markup {
    html! { (by_problem(report)) (by_folder(report)) (by_file(report)) }
}

fn by_problem(report: &Report) -> Markup {
    let list = problems(report);
    html! {
        @if !list.is_empty() {
            section {
                h2 { "Problems" }
                (of(MOST, list.len(), "problem"))
                table {
                    thead { tr { th { "Severity" } th { "Rule" } th { "Problem" } th { "Places" } th { "Files" } } }
                    tbody { @for problem in list.iter().take(MOST) {
                        tr {
                            td { (word_of(problem.finding.severity)) }
                            td { a href=(rules::page(problem.finding.code)) { (problem.finding.code) } }
                            td { (prose(&problem.title())) }
                            td { (number(problem.places)) }
                            td { (number(problem.files)) }
                        }
                    } }
                }
            }
        }
    }
}

fn by_folder(report: &Report) -> Markup {
    let list = folders(report);
    html! {
        @if !list.is_empty() {
            section {
                h2 { "Folders" }
                (of(MOST, list.len(), "folder"))
                table {
                    thead { tr { th { "Folder" } th { "Errors" } th { "Warnings" } th { "Files with CUDA" } th { "Files to work on" } } }
                    tbody { @for folder in list.iter().take(MOST) {
                        tr {
                            th scope="row" { (folder.path) }
                            td { (number(folder.open.0)) } td { (number(folder.open.1)) }
                            td { (number(folder.files)) } td { (number(folder.to_do)) }
                        }
                    } }
                }
            }
        }
    }
}

fn by_file(report: &Report) -> Markup {
    let (files, findings) = (worst(report), report.findings().count());
    html! {
        section {
            h2 { "Files that need most work" }
            p {
                "The " (number(findings)) " " (plural(findings, "finding")) " are listed by a script, which is off. The same list: "
                code { "cass-transpile check" } "."
            }
            (of(MOST, files.len(), "file"))
            table {
                thead { tr { th { "File" } th { "Errors" } th { "Warnings" } th { "Effort" } } }
                tbody { @for file in files.iter().take(MOST) {
                    @let open = open_of(report, file);
                    tr { th scope="row" { (file.path) } td { (number(open.0)) } td { (number(open.1)) } td { (number(effort(open))) } }
                } }
            }
        }
    }
}

/// How many of how many are shown, where it is not all.
fn of(most: usize, count: usize, what: &str) -> Markup {
    html! { @if count > most { p { "The first " (number(most)) " of " (number(count)) " " (plural(count, what)) "." } } }
}
