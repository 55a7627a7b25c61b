//! How an output stands to its sources, on one screen.

use anyhow::Result;

use super::args::StatusArgs;
use super::port::{Asked, Findings, Overview, Stand, changed_options, lost_memory, not_there};
use super::{Exit, output};
use crate::report::plural;
use crate::report::{PortReport, PortState};

/// Prints the state; 0 whatever it is, as `git status` does.
pub(super) fn run(args: &StatusArgs) -> Result<Exit> {
    let asked = Asked {
        source: &args.src,
        out: &args.out,
        naming: args.naming,
        settings: &args.settings,
    };
    let Some(overview) = Overview::new(&asked)? else {
        output::complain("interrupted; nothing is said of a part");
        return Ok(Exit::Interrupted);
    };
    if let Some(lost) = lost_memory(&overview.port, &args.src, &args.out) {
        output::complain(&lost);
    }
    if let Some(missing) = not_there(&args.out) {
        output::complain(&missing);
    }
    let mut findings = Findings::default();
    for file in &overview.files {
        findings.errors += file.findings.errors;
        findings.warnings += file.findings.warnings;
        findings.by_hand += file.findings.by_hand;
    }
    let report = report(&overview);
    if args.answer.is_json() {
        let json = serde_json::json!({ "port": report, "findings": findings });
        output::print(&(serde_json::to_string_pretty(&json)? + "\n"))?;
    } else {
        output::print(&status_text(&overview, &report, findings))?;
    }
    overview
        .problems
        .iter()
        .for_each(|problem| output::complain(problem));
    Ok(if overview.problems.is_empty() {
        Exit::Clean
    } else {
        Exit::Trouble
    })
}

fn report(overview: &Overview) -> PortReport {
    let files = overview.files.iter().map(|file| Stand::report(&file.stand));
    let files = files.chain(overview.vanished.report(false)).collect();
    let changed = changed_options(&overview.port.known.options, &overview.options);
    PortReport::new(files, true, changed)
}

fn status_text(overview: &Overview, report: &PortReport, findings: Findings) -> String {
    let in_sync = report.count(PortState::InSync);
    let mut text = format!("  {in_sync} in sync\n");
    for (state, what) in [
        (PortState::Behind, "behind: the next run updates them"),
        (PortState::New, "new: the next run adds them"),
        (
            PortState::Merged,
            "behind and changed by hand: the next run merges both",
        ),
        (PortState::Conflict, "in conflict: choose one by hand"),
        (PortState::Edited, "changed by hand"),
        (PortState::Deleted, "deleted by hand"),
        (
            PortState::Gone,
            "gone from the sources: --prune removes them",
        ),
        (
            PortState::GoneEdited,
            "gone from the sources, changed by hand",
        ),
    ] {
        text.push_str(&report.line(state, what));
    }
    let Findings {
        errors,
        warnings,
        by_hand,
    } = findings;
    text.push_str(&format!(
        "findings: {errors} {}, {warnings} {} open; {by_hand} resolved by hand\n",
        plural(errors, "error"),
        plural(warnings, "warning")
    ));
    if !overview.port.known.tool.is_empty() {
        text.push_str(&format!("last run: {}\n", overview.port.known.tool));
    }
    if !report.changed_options.is_empty() {
        let names = report.changed_options.join(", ");
        text.push_str(&format!("options that differ from the last run: {names}\n"));
    }
    text
}
