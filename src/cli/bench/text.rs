//! The table of `bench`.

use std::fmt::Write as _;

use anstyle::Style;

use crate::bench::{Cause, Row, Stage, Tally, Totals};
use crate::report::plural;
use crate::report::text::harmless;

/// Programs of a cause that are named.
const MOST_PROGRAMS: usize = 6;
/// Causes of a translator that are shown.
const MOST_CAUSES: usize = 20;
const BOLD: Style = Style::new().bold();

/// The cell of a stage: how many passed, of those with which it could be tried.
fn cells(tally: &Tally) -> Vec<String> {
    let cell = |(passed, tried): (usize, usize)| match tried {
        0 => "not tried".to_owned(),
        tried if tried < tally.programs => format!("{passed} of {tried}"),
        _ => passed.to_string(),
    };
    let stages = tally.stages.iter();
    stages
        .map(|count| cell((count.passed, count.passed + count.failed)))
        .collect()
}

/// The lines of the table, its head first.
fn lines(totals: &Totals) -> Vec<Vec<String>> {
    let mut head = vec![String::new(), "programs".to_owned()];
    let stages = totals
        .tallies
        .first()
        .map_or(&[][..], |tally| &tally.stages);
    head.extend(stages.iter().map(|count| count.stage.name().to_owned()));
    let mut lines = vec![head];
    for tally in &totals.tallies {
        let name = match tally.category.as_deref() {
            None => tally.translator.clone(),
            Some("") => "  (no category)".to_owned(),
            Some(category) => format!("  {}", harmless(category)),
        };
        let mut line = vec![name, tally.programs.to_string()];
        line.extend(cells(tally));
        lines.push(line);
    }
    lines
}

/// `9 of 12 translated, compiled, linked, ran, equal`, and what that was not tried with.
fn sentence(tally: &Tally, chips: &[String]) -> String {
    let last = tally.stages.last();
    let equal = last.map_or(0, |count| count.passed);
    let left = last.map_or(0, |count| count.not_tried);
    let left = match left {
        0 => String::new(),
        left => format!("; {left} could not be tried to the end"),
    };
    format!(
        "{}: {equal} of {} translated, compiled, linked, ran, equal ({}, emulated){left}\n",
        tally.translator,
        tally.programs,
        chips.join(" and ")
    )
}

/// Programs that were compared with nothing, and print something else at another width.
fn widths(totals: &Totals) -> String {
    let differs = |row: &&Row| {
        row.widths_agree == Some(false) && row.runs.iter().all(|run| run.equal.is_none())
    };
    let found: Vec<&Row> = totals.programs.iter().filter(differs).collect();
    match found.len() {
        0 => String::new(),
        count => format!(
            "{count} {} that nothing was given to compare with print something else on another chip: {}\n",
            plural(count, "program"),
            names(
                &found
                    .iter()
                    .map(|row| row.program.clone())
                    .collect::<Vec<_>>()
            )
        ),
    }
}

fn names(programs: &[String]) -> String {
    let shown: Vec<String> = programs
        .iter()
        .take(MOST_PROGRAMS)
        .map(|name| harmless(name))
        .collect();
    let more = match programs.len().saturating_sub(MOST_PROGRAMS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}

/// What stops a translator's programs.
fn of_translator<'t>(totals: &'t Totals, translator: &str) -> Vec<&'t Cause> {
    let own = totals.causes.iter();
    own.filter(|cause| cause.translator == translator).collect()
}

/// A cause in a line.
fn cause_line(cause: &Cause) -> String {
    let count = cause.programs.len();
    let what = match cause.not_tried {
        true => format!("not tried ({})", cause.stage.name()),
        false if cause.stage == Stage::Ran => "not run to the end".to_owned(),
        false => format!("not {}", cause.stage.name()),
    };
    format!(
        "{count} {} {what}: {}",
        plural(count, "program"),
        harmless(&cause.why)
    )
}

/// The table, then what stops programs, then the figures in a sentence.
pub(super) fn full(totals: &Totals, chips: &[String]) -> String {
    let lines = lines(totals);
    let columns = lines.first().map_or(0, Vec::len);
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in &lines {
        let _ = write!(text, "{:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    let all = totals
        .tallies
        .iter()
        .filter(|tally| tally.category.is_none());
    for tally in all.clone() {
        let own = of_translator(totals, &tally.translator);
        if own.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", tally.translator);
        for cause in own.iter().take(MOST_CAUSES) {
            let _ = writeln!(
                text,
                "  {}\n    {}",
                cause_line(cause),
                names(&cause.programs)
            );
        }
        if let Some(more) = own.len().checked_sub(MOST_CAUSES).filter(|more| *more > 0) {
            let _ = writeln!(text, "  and {more} more causes, in --output-format json");
        }
    }
    text.push('\n');
    text.push_str(&self::widths(totals));
    all.for_each(|tally| text.push_str(&sentence(tally, chips)));
    text
}

/// The same as tables of Markdown.
pub(super) fn markdown(totals: &Totals, chips: &[String]) -> String {
    let cell = |text: &str| text.trim().replace('|', "\\|").replace('<', "&lt;");
    let lines = lines(totals);
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let mut cells: Vec<String> = line.iter().map(|text| cell(text)).collect();
        if line[0].starts_with("  ") {
            cells[0] = format!("- {}", cells[0]);
        }
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if number == 0 {
            let _ = writeln!(text, "|:--|{}", "--:|".repeat(line.len() - 1));
        }
    }
    let all = totals
        .tallies
        .iter()
        .filter(|tally| tally.category.is_none());
    for tally in all {
        let _ = write!(text, "\n{}", sentence(tally, chips));
        for (at, cause) in of_translator(totals, &tally.translator).iter().enumerate() {
            if at == 0 {
                text.push('\n');
            }
            let _ = writeln!(
                text,
                "- {} ({})",
                cell(&cause_line(cause)),
                names(&cause.programs)
            );
        }
    }
    text
}
