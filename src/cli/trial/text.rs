//! The result of `try` for people.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::fold::{At, Mending, Outcome, Told};
use crate::report::plural;
use crate::report::text::harmless;

/// Places of a cause that are shown, and units of a place.
const MOST_PLACES: usize = 3;
const MOST_UNITS: usize = 4;
/// Sources without a unit that are named.
const MOST_NAMES: usize = 5;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const SILENT: Style = AnsiColor::Yellow.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Causes with their places, then the figures. `prefix` makes names of the port's files to paths.
pub(super) fn full(outcome: &Outcome, prefix: &str) -> String {
    let mending = outcome.mending.as_ref();
    let mended = mending.map_or("", |mending| mending.diff.as_str());
    let mut text = outcome
        .fixed
        .diff
        .lines()
        .chain(mended.lines())
        .fold(String::new(), |text, line| text + &harmless(line) + "\n");
    if !text.is_empty() {
        text.push('\n');
    }
    for cause in &outcome.causes {
        cause_text(&mut text, cause, outcome.totals.units, prefix);
    }
    summary(&mut text, outcome);
    text
}

fn cause_text(text: &mut String, cause: &Told, all: usize, prefix: &str) {
    let units = plural(all, "unit");
    let _ = writeln!(
        text,
        "{ERROR}error{ERROR:#}: {BOLD}{}{BOLD:#}: stops {} of {all} {units}",
        harmless(&cause.message),
        cause.count
    );
    for at in cause.places.iter().take(MOST_PLACES) {
        place_text(text, at, prefix);
    }
    if let Some(more) = cause
        .places
        .get(MOST_PLACES..)
        .filter(|more| !more.is_empty())
    {
        let (count, silent) = (more.len(), more.iter().filter(|at| at.silent).count());
        let silent = match silent {
            0 => String::new(),
            silent => format!(", {silent} of them {SILENT}silent{SILENT:#}"),
        };
        let _ = writeln!(
            text,
            "  and {count} more {}{silent}",
            plural(count, "place")
        );
    }
    let has_help = cause
        .places
        .iter()
        .flat_map(|at| &at.findings)
        .any(|said| !said.help.is_empty());
    if let Some(advice) = cause.advice.filter(|_| !has_help) {
        let _ = writeln!(text, "  help: {}", harmless(advice));
    }
    text.push('\n');
}

fn place_text(text: &mut String, at: &At, prefix: &str) {
    match &at.file {
        Some(file) => {
            let source = match &at.source {
                Some((source, Some(line))) => format!(" (SRC {}:{line})", harmless(source)),
                Some((source, None)) => format!(" (SRC {})", harmless(source)),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "  --> {}{}:{}:{}{source}",
                harmless(prefix),
                harmless(file),
                at.line,
                at.column
            );
            let _ = writeln!(text, "      {}", harmless(&at.text));
        }
        None => text.push_str("  --> no place in the port\n"),
    }
    if let Some(outside) = &at.outside {
        let _ = writeln!(text, "  in {}", harmless(outside));
    }
    for said in &at.findings {
        let _ = writeln!(
            text,
            "  {}[{}]: {}",
            said.severity,
            said.code,
            harmless(&said.message)
        );
        if !said.help.is_empty() {
            let _ = writeln!(text, "  help: {}", harmless(&said.help));
        }
    }
    if at.silent {
        let _ = writeln!(
            text,
            "  {SILENT}silent{SILENT:#}: the translation said nothing of this place"
        );
    }
    let only_itself = at.units.len() == 1 && at.file.as_ref() == at.units.first();
    if !only_itself {
        let shown: Vec<_> = at
            .units
            .iter()
            .take(MOST_UNITS)
            .map(|unit| harmless(unit))
            .collect();
        let more = match at.units.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(
            text,
            "  {}: {}{more}",
            plural(at.units.len(), "unit"),
            shown.join(", ")
        );
    }
}

/// What was mended, by what the compiler said.
fn mends(text: &mut String, outcome: &Outcome) {
    let fixed = &outcome.fixed;
    if fixed.mends.is_empty() {
        return;
    }
    for mend in &fixed.mends {
        let (file, line, why) = (harmless(&mend.file), mend.line, harmless(&mend.message));
        let _ = writeln!(text, "mended: {file}:{line}: {why}");
    }
    let count = fixed.mends.len();
    let _ = writeln!(
        text,
        "{count} {} that the compiler proves; the next run of the translation keeps {}, `accept` says that {} wanted so",
        plural(count, "mend"),
        if count == 1 { "it" } else { "them" },
        if count == 1 { "it is" } else { "they are" },
    );
}

/// What a command was asked, and what became of its answers.
fn answers(text: &mut String, mending: &Mending) {
    for asked in &mending.asked {
        let unit = harmless(&asked.unit);
        let said = match asked.why.as_str() {
            "" => String::new(),
            why => format!(": it says: {}", harmless(why)),
        };
        let _ = match asked.kept {
            true => writeln!(
                text,
                "kept: {unit}: changes {}{said}",
                harmless(&asked.files.join(", "))
            ),
            false => writeln!(text, "not kept: {unit}: {}", harmless(&asked.reason)),
        };
        if asked.kept && asked.fewer_words > 0 {
            let fewer = asked.fewer_words;
            let _ = writeln!(
                text,
                "  {SILENT}look{SILENT:#}: {fewer} fewer {} of code than before",
                plural(fewer, "word")
            );
        }
    }
    let (all, kept) = (mending.asked.len(), mending.asked.iter());
    let kept = kept.filter(|asked| asked.kept).count();
    let proof = match &mending.proof {
        Some(proof) => harmless(proof),
        None if kept > 0 => {
            "they compile; what they compute was compared with nothing (--prove)".to_owned()
        }
        None => return,
    };
    let written = if mending.dry_run {
        "would be kept"
    } else {
        "kept"
    };
    let _ = writeln!(
        text,
        "{kept} of {all} {} {written}: {proof}",
        plural(all, "answer")
    );
}

fn summary(text: &mut String, outcome: &Outcome) {
    let totals = outcome.totals;
    mends(text, outcome);
    if let Some(mending) = &outcome.mending {
        answers(text, mending);
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {}", harmless(note));
    }
    if !outcome.without_unit.is_empty() {
        let count = outcome.without_unit.len();
        let named: Vec<_> = outcome
            .without_unit
            .iter()
            .take(MOST_NAMES)
            .map(|name| harmless(name))
            .collect();
        let more = if count > MOST_NAMES { ", …" } else { "" };
        let is = if count == 1 {
            "source with device code is"
        } else {
            "sources with device code are"
        };
        let _ = writeln!(
            text,
            "note: {count} {is} in no command: {}{more}",
            named.join(", ")
        );
    }
    let _ = writeln!(text, "units by: {}", harmless(&outcome.found_by));
    let _ = writeln!(
        text,
        "compiler: {} ({})",
        harmless(&outcome.compiler),
        harmless(&outcome.compiler_version)
    );
    let not_tried = match totals.not_tried {
        0 => String::new(),
        count => format!(", {count} not tried"),
    };
    let unseen = match outcome.without_unit.len() {
        0 => String::new(),
        1 => ", 1 source in no command".to_owned(),
        count => format!(", {count} sources in no command"),
    };
    let lacking = match totals.lack_header {
        0 => String::new(),
        1 => ", 1 lacks a header of others".to_owned(),
        count => format!(", {count} lack a header of others"),
    };
    let failing = match totals.fail {
        0 => String::new(),
        count => format!(
            "; {count} {} by {} {}, {} silent",
            if count == 1 { "fails" } else { "fail" },
            outcome.causes.len(),
            plural(outcome.causes.len(), "cause"),
            totals.silent
        ),
    };
    let _ = writeln!(
        text,
        "{BOLD}{} of {} {} for {}{BOLD:#}{failing}{lacking}{unseen}{not_tried}",
        totals.compile,
        totals.units,
        if totals.units == 1 {
            "unit compiles"
        } else {
            "units compile"
        },
        harmless(&outcome.targets.join(", ")),
    );
}
