//! The figures as tiles.

use maud::{Markup, html};

use crate::report::figures::{
    ERRORS, GUARDED, READY, WARNINGS, open, percent, ready_with_warnings, reference_count,
};
use crate::report::model::Report;
use crate::report::plural::number;

/// Class, name, value, meaning.
type Tile = (&'static str, &'static str, String, String);

pub(super) fn section(report: &Report) -> Markup {
    html! {
        section aria-labelledby="figures-title" {
            h2 id="figures-title" { "Figures" }
            dl class="tiles" {
                @for (class, name, value, meaning) in tiles(report) {
                    div class=(format!("tile {class}")) { dt { (name) } dd class="value" { (value) } dd { (meaning) } }
                }
            }
        }
    }
}

fn tiles(report: &Report) -> Vec<Tile> {
    let totals = &report.totals;
    let portability = totals.portability.map_or("–".to_owned(), percent);
    let ready = format!(
        "of {} files with CUDA {READY}{}",
        number(totals.cuda_files),
        ready_with_warnings(report)
    );
    let files = format!("have CUDA in them, of {} in the tree", number(totals.files));
    let lines = if report.wrote {
        "Lines changed"
    } else {
        "Lines to change"
    };
    let differ = "lines that differ between source and translation".to_owned();
    let (errors, warnings) = findings(report);
    vec![
        ("accent", "Portability", portability, split(report)),
        (
            "",
            "Ready without manual changes",
            number(totals.ready_files),
            ready,
        ),
        errors,
        warnings,
        (
            "",
            "Hazards",
            number(totals.counts.hazards),
            hazards(report),
        ),
        ("", "Files", number(totals.cuda_files), files),
        ("", lines, number(totals.lines_changed), differ),
    ]
}

/// What became of the references.
fn split(report: &Report) -> String {
    let counts = report.totals.counts;
    let part = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!(
            "{} {} {what}, ",
            number(count),
            if count == 1 { "is" } else { "are" }
        ),
    };
    let already = part(counts.already, "in HIP already");
    let covered = part(counts.covered, "covered by the project itself");
    format!(
        "of {} CUDA references convert: {already}{covered}{} safely, {} for review. {} do not.",
        number(reference_count(report)),
        number(counts.safe),
        number(counts.review),
        number(counts.manual)
    )
}

fn findings(report: &Report) -> (Tile, Tile) {
    let counts = report.totals.counts;
    let (errors, warnings) = open(report);
    let new = match report.baseline {
        Some(_) => format!(
            "; the baseline's are left out of {} and {}",
            number(counts.errors),
            number(counts.warnings)
        ),
        None => String::new(),
    };
    (
        (
            "error",
            "Errors",
            number(errors),
            format!("places that {ERRORS}{new}"),
        ),
        (
            "warning",
            "Warnings",
            number(warnings),
            format!("places that {WARNINGS}{new}"),
        ),
    )
}

fn hazards(report: &Report) -> String {
    let guarded = match report.totals.counts.guarded {
        0 => String::new(),
        guarded => format!(
            " {} names stand {} and stay.",
            number(guarded),
            GUARDED.replace('`', "")
        ),
    };
    format!(
        "of the findings are about more than a name: lane masks, inline assembly, conditionals.{guarded}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::every_part;

    #[test]
    fn the_parts_of_the_references_add_up() {
        let said = split(&every_part());
        assert_eq!(
            said,
            "of 15 CUDA references convert: 1 is in HIP already, 2 are covered by the project itself, 3 safely, 4 for review. 5 do not."
        );
    }
}
