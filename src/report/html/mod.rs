//! The report as one HTML file that needs no network: figures, plan and bars are written here, the tables of problems, folders, files
//! and findings are drawn by a script from compact data, a page at a time, so that a tree with tens of thousands of findings stays a
//! file to send by mail. Pages are maud's templates: text is escaped unless it says otherwise.

mod data;
mod figures;
mod head;
mod needs;
mod plan;
mod prose;
mod tables;
mod without_script;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::model::Report;
use prose::prose;

const STYLE: &str = include_str!("style.css");
/// One function, so that nothing of it is a name of the page.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("script/text.js"),
    include_str!("script/data.js"),
    include_str!("script/address.js"),
    include_str!("script/frame.js"),
    include_str!("script/table.js"),
    include_str!("script/rows.js"),
    include_str!("script/page.js"),
    "})();\n",
);
/// Nothing is loaded: neither by the page nor by what a source line might bring into it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

pub(super) fn render(report: &Report) -> String {
    page(report).into_string() + "\n"
}

/// A page with the looks of the report and a body of its own, without a script.
pub(crate) fn plain_page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { h1 { (title) } }
                main { (body) }
            }
        }
    };
    page.into_string() + "\n"
}

fn page(report: &Report) -> Markup {
    let fixes = if report.wrote { "" } else { "would be " };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (head::title(report)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#findings" { "Skip to the findings" }
                (head::header(report))
                main {
                    (head::problems(report))
                    (figures::section(report))
                    (plan::section(report))
                    (needs::section(report))
                    (tables::sections(report))
                    noscript { (without_script::sections(report)) }
                    (words())
                }
                script id="data" type="application/json" data-fixes=(fixes) { (PreEscaped(data::json(report))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn words() -> Markup {
    let words = [
        (
            "Reference",
            "A use of a name, header or namespace of CUDA or one of its libraries in code; comments and strings do not count.",
        ),
        (
            "Safe",
            "Converted with the same meaning on AMD; so is an argument that the conversion of its call drops.",
        ),
        (
            "Review",
            "Converted, or kept, but the counterpart is not quite the same: a warning says at what to look.",
        ),
        (
            "Not converted",
            "AMD has no counterpart, or translation could not be sure: an error says what to do.",
        ),
        (
            "Portability",
            "(in HIP already + covered by the project itself + safe + review) / (all references), rounded down to a tenth of a percent, so that 100 means all. It counts names; it does not say that the program is right or fast.",
        ),
        (
            "Finding",
            "A place in a file and what a rule says about it. The code of the rule leads to its page where one is published; `cass-transpile explain CODE` prints the same.",
        ),
        (
            "Problem",
            "The findings of a rule with the same advice: the same include in 400 files is one problem, and so are eight functions that one other replaces.",
        ),
        (
            "Effort",
            "Orders files and folders: five points for an error, one for a warning. It is no time; the estimate is.",
        ),
    ];
    html! {
        section aria-labelledby="words" {
            h2 id="words" { "What the words mean" }
            dl class="words" {
                @for (word, meaning) in words { dt { (word) } dd { (prose(meaning)) } }
            }
        }
    }
}
