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
    let heads = ["Severity", "Rule", "Problem", "Places", "Files"];
    let rows = html! { @for problem in list.iter().take(MOST) {
        tr {
            td { (word_of(problem.finding.severity)) }
            td { a href=[rules::page(problem.finding.code)] { (problem.finding.code) } }
            td { (prose(&problem.title())) }
            td { (number(problem.places)) }
            td { (number(problem.files)) }
        }
    } };
    html! { @if !list.is_empty() {
        section { h2 { "Problems" } (table(list.len(), "problem", &heads, &rows)) }
    } }
}

fn by_folder(report: &Report) -> Markup {
    let list = folders(report);
    let heads = [
        "Folder",
        "Errors",
        "Warnings",
        "Files with CUDA",
        "Files to work on",
    ];
    let rows = html! { @for folder in list.iter().take(MOST) {
        tr {
            th scope="row" { (folder.path) }
            td { (number(folder.open.0)) } td { (number(folder.open.1)) }
            td { (number(folder.files)) } td { (number(folder.to_do)) }
        }
    } };
    html! { @if !list.is_empty() {
        section { h2 { "Folders" } (table(list.len(), "folder", &heads, &rows)) }
    } }
}

fn by_file(report: &Report) -> Markup {
    let (files, findings) = (worst(report), report.findings().count());
    let heads = ["File", "Errors", "Warnings", "Effort"];
    let rows = html! { @for file in files.iter().take(MOST) {
        @let open = open_of(report, file);
        tr { th scope="row" { (file.path) } td { (number(open.0)) } td { (number(open.1)) } td { (number(effort(open))) } }
    } };
    html! {
        section {
            h2 { "Files that need most work" }
            p {
                "The " (number(findings)) " " (plural(findings, "finding")) " are listed by a script, which is off. The same list: "
                code { "cass-transpile check" } "."
            }
            (table(files.len(), "file", &heads, &rows))
        }
    }
}

/// A table with at most [`MOST`] of `count` rows.
fn table(count: usize, what: &str, heads: &[&str], rows: &Markup) -> Markup {
    html! {
        (of(MOST, count, what))
        table {
            thead { tr { @for head in heads { th { (head) } } } }
            tbody { (rows) }
        }
    }
}

/// How many of how many are shown, where it is not all.
fn of(most: usize, count: usize, what: &str) -> Markup {
    html! { @if count > most { p { "The first " (number(most)) " of " (number(count)) " " (plural(count, what)) "." } } }
}
