//! Of what the report is, and the one sentence for whoever reads one sentence.

use maud::{Markup, html};

use crate::report::figures::open;
use crate::report::model::Report;
use crate::report::plural::{number, plural};
use crate::report::problems::problems as grouped;

/// What a window or a tab is called.
pub(super) fn title(report: &Report) -> String {
    match project(report) {
        Some(project) => format!("{project}: CUDA to HIP"),
        None => "CUDA to HIP: report".to_owned(),
    }
}

fn project(report: &Report) -> Option<&str> {
    let run = report.run.as_ref()?;
    Some(run.project.as_str()).filter(|name| !name.is_empty())
}

pub(super) fn header(report: &Report) -> Markup {
    let options = &report.options;
    let targets = if options.targets.is_empty() {
        "all chips".to_owned()
    } else {
        options.targets.join(", ")
    };
    let verb = if report.wrote {
        "Translated"
    } else {
        "Checked, nothing written; figures are those of a translation"
    };
    html! {
        header {
            p class="tool" { (report.tool.name) " " (report.tool.version) }
            h1 {
                @if let Some(project) = project(report) { (project) ": " }
                "CUDA to HIP"
            }
            p class="verdict" { (verdict(report)) }
            p class="options" { (verb) " for ROCm " (options.rocm) ", " (targets) ", warps " (setting(options.warp)) "." }
            (run(report))
        }
    }
}

/// When, of which commit, and how it was asked for.
fn run(report: &Report) -> Markup {
    html! {
        @if let Some(run) = &report.run {
            dl class="run" {
                dt { "Date" } dd { (run.date()) }
                @if let Some(commit) = &run.commit { dt { "Commit" } dd { (commit.words()) } }
                dt { "Command" } dd { code { (run.command) } }
            }
        }
        details class="settings" {
            summary { "All options" }
            dl class="run" {
                @for (name, value) in settings(report) { dt { (name) } dd { code { (value) } } }
            }
        }
    }
}

/// Every option that decides the result: none can be forgotten here, since they come from the options themselves.
fn settings(report: &Report) -> Vec<(String, String)> {
    let options = serde_json::to_value(&report.options).unwrap_or_default();
    let mut list = Vec::new();
    for (name, value) in options.as_object().into_iter().flatten() {
        match value.as_object() {
            Some(several) => list.extend(
                several
                    .iter()
                    .map(|(name, value)| (name.replace('_', "-"), plain(value))),
            ),
            None => list.push((name.replace('_', "-"), plain(value))),
        }
    }
    list
}

fn plain(value: &serde_json::Value) -> String {
    let items = value
        .as_array()
        .map(|items| items.iter().map(plain).collect::<Vec<_>>());
    match (value.as_str(), items) {
        (Some(text), _) => text.to_owned(),
        (_, Some(items)) if items.is_empty() => "all".to_owned(),
        (_, Some(items)) => items.join(", "),
        _ => value.to_string(),
    }
}

fn setting(value: impl serde::Serialize) -> String {
    plain(&serde_json::to_value(value).unwrap_or_default())
}

/// What the run could not read or do.
pub(super) fn problems(report: &Report) -> Markup {
    let of_files = report
        .files
        .iter()
        .filter_map(|file| file.problem.as_deref());
    let all: Vec<&str> = of_files
        .chain(report.problems.iter().map(String::as_str))
        .collect();
    html! {
        @if !all.is_empty() {
            section class="problems" aria-label="Problems of the run" {
                h2 { "This report is not complete" }
                ul { @for problem in all { li { (problem) } } }
            }
        }
    }
}

fn verdict(report: &Report) -> Markup {
    let count = grouped(report).len();
    let different = |places: usize| {
        html! {
            @if count == 1 && places > 1 { ": all of them " b { "one" } " problem" }
            @else if count < places { ": " b { (number(count)) } " different " (plural(count, "problem")) }
        }
    };
    match open(report) {
        (0, 0) if report.baseline.is_some() => {
            html! { "Nothing is new: the baseline has all findings." }
        }
        (0, 0) => html! { "Nothing is left to do by hand." },
        (0, warnings) => html! {
            "Nothing has to be changed by hand; " b { (number(warnings)) } " " (plural(warnings, "place")) " want a look" (different(warnings)) "."
        },
        (errors, 0) => {
            html! { b { (number(errors)) } " " (plural(errors, "place")) " to change by hand" (different(errors)) "." }
        }
        (errors, warnings) => html! {
            b { (number(errors)) } " " (plural(errors, "place")) " to change by hand, " b { (number(warnings)) } " to review" (different(errors + warnings)) "."
        },
    }
}
