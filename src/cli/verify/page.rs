//! A comparison and costs as one HTML page that needs no network.

use maud::{Markup, html};

use super::beside::Beside;
use crate::report::plain_page;
use crate::verify::Level;
use crate::verify::compare::{CaseResult, Compared, Comparison};

/// Differences of a case that stand on the page; the figures count all.
const MOST_DIFFERENCES: usize = 200;

/// The page: what there is of both.
pub(super) fn page(comparison: Option<&Comparison>, costs: &Beside) -> String {
    let title = match comparison {
        Some(comparison) if comparison.same => "Original and port: the same",
        Some(_) => "Original and port: different",
        None => "What kernels cost",
    };
    let body = html! {
        @if let Some(comparison) = comparison { (compared(comparison)) }
        @if !costs.is_empty() { (kernels(costs)) }
    };
    plain_page(title, &body)
}

fn compared(comparison: &Comparison) -> Markup {
    let sum = |case: &CaseResult, field: fn(&Compared) -> u64| -> u64 {
        case.compared.iter().map(field).sum()
    };
    html! {
        section {
            h2 { "Comparison" }
            table {
                thead { tr {
                    th { "Case" } th { "Result" } th { "Numbers" } th { "Equal" } th { "Within the tolerance" } th { "Outside" }
                } }
                tbody { @for case in &comparison.cases { tr {
                    td { (case.name) }
                    td { @if case.same { "same" } @else { strong { "different" } } }
                    td { (sum(case, |c| c.numbers)) }
                    td { (sum(case, |c| c.equal)) }
                    td { (sum(case, |c| c.within)) }
                    td { (sum(case, |c| c.outside)) }
                } } }
            }
            @for case in &comparison.cases {
                @for difference in case.differences.iter().take(MOST_DIFFERENCES) {
                    p {
                        code { (case.name) "/" (difference.place) @if difference.line > 0 { ":" (difference.line) } } " "
                        @match difference.level { Level::Error => strong { "error" }, Level::Warning => "warning" }
                        " " (difference.kind.name()) ": " (difference.message)
                    }
                }
                @if case.differences.len() > MOST_DIFFERENCES {
                    p { (case.differences.len() - MOST_DIFFERENCES) " more differences of " (case.name) " are not shown." }
                }
            }
        }
    }
}

fn kernels(costs: &Beside) -> Markup {
    html! {
        section {
            h2 { "Costs of kernels" }
            p { "Counts of an emulated run; no time follows from them." }
            @for kernel in costs.kernels() {
                h3 { code { (kernel.name) } }
                @for advice in &kernel.advice { p { strong { (advice.name) } ": " (advice.text) } }
                table {
                    thead { tr { th { "Compiled for" } th { "Registers" } th { "Spilled" } th { "Bytes of memory" } } }
                    tbody { @for row in &kernel.rows { tr {
                        td { (row.side) }
                        @for cell in &row.cells { td { (cell) } }
                    } } }
                }
                @for (side, figures) in &kernel.figures {
                    details { summary { "On " (side) } ul { @for line in figures { li { (line) } } } }
                }
            }
            @let left = costs.without_kernel();
            @if !left.is_empty() {
                p { "Kernels of CUDA's compiler that no run of the port launched: " (left.join(", ")) "." }
            }
        }
    }
}
