//! What to do next, and how long it may take.

use maud::{Markup, html};

use super::prose::prose;
use crate::report::estimate::{ASSUMPTIONS, Share, shares, total, words};
use crate::report::model::Report;
use crate::report::next_steps::{Step, next_steps};
use crate::report::plural::{number, plural};
use crate::report::problems::{Problem, problems};

pub(super) fn section(report: &Report) -> Markup {
    let (steps, shares) = (next_steps(report), shares(report));
    let problems = problems(report);
    html! {
        div class="columns" {
            @if !steps.is_empty() {
                section aria-labelledby="next-title" {
                    h2 id="next-title" { "What to do next" }
                    ol class="steps" { @for step in &steps { (item(step, &problems)) } }
                }
            }
            @if !shares.is_empty() { (estimate(&shares)) }
        }
    }
}

fn item(step: &Step, problems: &[Problem<'_>]) -> Markup {
    html! {
        li {
            (prose(&step.text))
            @if !step.problems.is_empty() {
                ul {
                    @for &at in &step.problems {
                        li {
                            // The script knows problems by their place in the list.
                            a href=(format!("#problem={}", at + 1)) { (prose(&problems[at].title())) }
                            " (" (number(problems[at].places)) " " (plural(problems[at].places, "place")) ")"
                        }
                    }
                }
            }
        }
    }
}

fn estimate(shares: &[Share]) -> Markup {
    html! {
        section aria-labelledby="estimate-title" {
            h2 id="estimate-title" { "Estimate: " (words(total(shares))) " of work by hand" }
            div class="scroll" {
                table class="estimate" {
                    thead { tr {
                        th scope="col" { "Problems" } th scope="col" { "Different" } th scope="col" { "Places" }
                        th scope="col" { "Minutes: first, each further" } th scope="col" { "Sum" }
                    } }
                    tbody { @for share in shares { (row(share)) } }
                }
            }
            p { (prose(ASSUMPTIONS)) }
        }
    }
}

fn row(share: &Share) -> Markup {
    let range = |[from, to]: [u32; 2]| format!("{from}–{to}");
    let minutes = share.minutes;
    html! {
        tr {
            th scope="row" { (share.what) }
            td { (number(share.problems)) }
            td { (number(share.places)) }
            td { (range(minutes.first)) ", " (range(minutes.again)) }
            td { (words(share.range())) }
        }
    }
}
