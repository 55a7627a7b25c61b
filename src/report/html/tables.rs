//! The places of the tables that the script fills, and the bars of the libraries.

use maud::{Markup, html};

use crate::report::model::{LibraryStats, Report};
use crate::report::plural::number;

/// Columns of a table that can be sorted: key, title, columns that it spans.
type Heads = &'static [(&'static str, &'static str, u8)];

const PROBLEMS: Heads = &[
    ("severity", "Severity", 1),
    ("code", "Rule", 1),
    ("message", "Problem", 1),
    ("places", "Places", 2),
    ("files", "Files", 1),
];
const FOLDERS: Heads = &[
    ("path", "Folder", 1),
    ("effort", "Effort", 2),
    ("errors", "Errors", 1),
    ("warnings", "Warnings", 1),
    ("files", "Files", 1),
    ("ready", "Ready", 1),
];
const FILES: Heads = &[
    ("path", "File", 1),
    ("effort", "Effort", 2),
    ("errors", "Errors", 1),
    ("warnings", "Warnings", 1),
    ("references", "References", 1),
    ("portability", "Portability", 1),
    ("lines", "Lines changed", 1),
];
const FINDINGS: Heads = &[
    ("severity", "Severity", 1),
    ("code", "Rule", 1),
    ("place", "Place", 1),
    ("message", "Finding", 1),
];

pub(super) fn sections(report: &Report) -> Markup {
    html! {
        section aria-labelledby="problems-title" class="scripted" hidden {
            h2 id="problems-title" { "Problems" }
            p { "Places with the same advice are one problem. A row leads to its findings." }
            (table("problems", PROBLEMS, "problems"))
        }
        section aria-labelledby="folders-title" class="scripted" id="folders-section" hidden {
            h2 id="folders-title" { "Folders" }
            p id="where" {}
            (table("folders", FOLDERS, "folders"))
        }
        section aria-labelledby="files-title" class="scripted" hidden {
            h2 id="files-title" { "Files" }
            (table("files", FILES, "files"))
        }
        div class="columns" {
            (libraries(report))
            section aria-labelledby="rules-title" class="scripted" hidden {
                h2 id="rules-title" { "Findings by rule" }
                p class="legend" { i class="error" {} "error " i class="warning" {} "warning " i class="info" {} "info" }
                div class="scroll" { table class="bars" {
                    thead { tr { th scope="col" { "Rule" } td {} th scope="col" { "Findings" } } }
                    tbody id="rules" {}
                } }
            }
        }
        section aria-labelledby="findings" class="scripted" hidden {
            h2 id="findings" tabindex="-1" { "Findings" }
            (filters())
            p id="shown" role="status" {}
            (table("list", FINDINGS, "findings"))
        }
    }
}

fn table(id: &str, heads: Heads, what: &str) -> Markup {
    html! {
        div class="scroll" { table id=(id) class="list" {
            thead { tr {
                @for (key, title, span) in heads {
                    th scope="col" data-key=(key) colspan=[(*span > 1).then_some(span)] { button type="button" { (title) } }
                }
            } }
            tbody {}
        } }
        nav class="pages" aria-label=(format!("Pages of {what}")) {}
    }
}

fn filters() -> Markup {
    let toggle = |class: &str, severity: u8, word: &str| {
        html! {
            button type="button" class=(format!("toggle {class}")) data-severity=(severity) aria-pressed="true" { (word) " " span {} }
        }
    };
    html! {
        form class="filters" role="search" aria-label="Filter findings" {
            div class="group" role="group" aria-label="Severity" {
                (toggle("error", 2, "Errors")) (toggle("warning", 1, "Warnings")) (toggle("info", 0, "Infos"))
            }
            label { "Rule " select id="by-rule" { option value="" { "all" } } }
            label { "File " input id="by-file" type="search" placeholder="part of a path" autocomplete="off" spellcheck="false"; }
            label { "Text " input id="by-text" type="search" placeholder="message, advice or code" autocomplete="off" spellcheck="false"; }
            button type="reset" { "Clear" }
        }
    }
}

/// A bar per library: its length among the libraries, its parts by what became of the references.
fn libraries(report: &Report) -> Markup {
    let total = |library: &LibraryStats| library.safe + library.review + library.manual;
    let most = report.libraries.iter().map(total).max().unwrap_or(0).max(1);
    html! {
        section aria-labelledby="libraries-title" {
            h2 id="libraries-title" { "References by library" }
            p class="legend" { i class="safe" {} "converted safely " i class="review" {} "converted, to review " i class="manual" {} "not converted" }
            div class="scroll" { table class="bars" {
                thead { tr { th scope="col" { "Library" } td {} th scope="col" { "Safe" } th scope="col" { "Review" } th scope="col" { "Not" } } }
                tbody {
                    @if report.libraries.is_empty() { tr { td colspan="5" { "No reference to CUDA was found." } } }
                    @for library in &report.libraries { (library_row(library, most)) }
                }
            } }
        }
    }
}

fn library_row(library: &LibraryStats, most: usize) -> Markup {
    let counts = [library.safe, library.review, library.manual];
    let parts = ["safe", "review", "manual"].into_iter().zip(counts);
    // The width is a share of the longest bar; a thousandth is still seen as a line.
    let width = |count: usize| format!("width:{:.2}%", count as f64 * 100.0 / most as f64);
    html! {
        tr {
            th scope="row" { (library.title) }
            td class="bar" { span aria-hidden="true" {
                @for (class, count) in parts { @if count > 0 { i class=(class) style=(width(count)) {} } }
            } }
            @for count in counts { td { (number(count)) } }
        }
    }
}
