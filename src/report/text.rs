//! The report for people: compiler-style findings and a short summary, the worst first.

use std::collections::HashSet;

use anstyle::{AnsiColor, Style};

use super::defines::{OF_C, defines, reads_cpp_in_c};
pub(crate) use super::escape::harmless;
use super::figures::{
    GUARDED, open, open_of, percent, ready_with_warnings, reference_count, worst,
};
use super::frame::{frame, noted};
use super::left_out::LeftOut;
use super::model::{Counts, FileReport, FindingReport, Report};
use super::plural::{plural, word_of};
use super::port::PortReport;
use super::support::HipSupport;
use crate::diagnostic::Severity;

/// Stands before the message of a finding that translation deals with.
const FIXABLE: &str = "[*] ";

/// All findings as a compiler would print them, with their lines, marks and replacements, for a window of some columns. What is advised, and
/// how many sources a file stops, stands once a file: one that includes twenty headers of a library has the same to say of each.
pub fn full(report: &Report, columns: usize) -> String {
    let mut text = String::new();
    let mut told = HashSet::new();
    for (file, finding) in report.findings() {
        let is_advice_known = !told.insert((file.path.as_str(), Some(finding.help.as_str())));
        text.push_str(&line(&file.path, finding, report.wrote));
        text.push_str(&frame(finding, is_advice_known, columns));
        let stops_others = finding.severity == Severity::Error && file.reached_by > 0;
        if stops_others && told.insert((file.path.as_str(), None)) {
            text.push_str(&noted("note", &reached(file), columns));
        }
        text.push('\n');
    }
    text
}

/// How many sources an error in a file stops.
fn reached(file: &FileReport) -> String {
    match file.reached_by {
        1 => "1 source includes this file".to_owned(),
        count => format!("{count} sources include this file"),
    }
}

/// All findings, one line each.
pub fn concise(report: &Report) -> String {
    let findings = report.findings();
    findings
        .map(|(file, finding)| line(&file.path, finding, report.wrote))
        .collect()
}

/// One finding in one line: `file:line:col: severity[CODE]: message`, behind `[*]` where translation would make the change.
fn line(path: &str, finding: &FindingReport, wrote: bool) -> String {
    let style = style_of(finding.severity);
    let mark = if finding.fixable && !wrote {
        FIXABLE
    } else {
        ""
    };
    format!(
        "{}:{}: {style}{}[{}]{style:#}: {mark}{}\n",
        harmless(path),
        finding.place,
        word_of(finding.severity),
        finding.code,
        harmless(&finding.message)
    )
}

/// The summary of a run: what there is of each, and no line of zeros.
pub fn summary(report: &Report, verb: &str) -> String {
    let mut text: String = report.hip_support.iter().map(supported).collect();
    // What was chosen for the whole tree comes first: it says how all that follows is meant.
    let is_of_tree = |choice: &&String| choice.starts_with("PyTorch extension");
    let line = |choice: &String| format!("{}\n", harmless(choice));
    text.extend(report.chosen.iter().filter(is_of_tree).map(line));
    text.push_str(&files(report, verb));
    if report.totals.cuda_files > 0 {
        let others = report.chosen.iter().filter(|choice| !is_of_tree(choice));
        text.extend(others.map(line));
        text.push_str(&references(report));
        text.push_str(&findings_line(report));
        text.push_str(&lowered_line(&report.totals.counts));
    }
    text.push_str(&fixable_line(report));
    text.push_str(&worst_files(report));
    text.push_str(&needs(report));
    for note in notes(report) {
        text.push_str(&note);
        text.push('\n');
    }
    for problem in &report.problems {
        text.push_str(&format!("problem: {}\n", harmless(problem)));
    }
    text
}

/// How many files there are, and what became of them.
fn files(report: &Report, verb: &str) -> String {
    let totals = &report.totals;
    let failed = match totals.failed {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    let all = format!("{} {}", totals.files, plural(totals.files, "file"));
    if totals.files == 0 && report.left_out.is_empty() {
        return "no source file was found\n".to_owned();
    }
    if totals.files == 0 {
        return "nothing to look at\n".to_owned();
    }
    if totals.cuda_files == 0 {
        return format!("{all}, none with CUDA: nothing to translate{failed}\n");
    }
    let copied = match totals.copied {
        0 => String::new(),
        1 => ", 1 as it is".to_owned(),
        copied => format!(", {copied} as they are"),
    };
    format!(
        "{all}, {} with CUDA: {} {verb}{copied}{failed}; {} {} changed\n",
        totals.cuda_files,
        totals.translated,
        totals.lines_changed,
        plural(totals.lines_changed, "line")
    )
}

/// The uses of CUDA by what became of them, and how many files nobody has to change.
fn references(report: &Report) -> String {
    let (totals, counts) = (&report.totals, report.totals.counts);
    let parts = [
        (counts.already, "in HIP already"),
        (counts.covered, "covered by the project itself"),
        (counts.safe, "converted safely"),
        (counts.review, "converted, to be reviewed"),
        (counts.manual, "not converted"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let mut text = String::new();
    if let Some(share) = totals.portability {
        text.push_str(&format!(
            "CUDA references: {} = {}: {} are in HIP\n",
            reference_count(report),
            parts.join(" + "),
            percent(share)
        ));
    }
    text.push_str(&format!(
        "ready without manual changes: {} of {}{}\n",
        totals.ready_files,
        totals.cuda_files,
        ready_with_warnings(report)
    ));
    text
}

/// How the output of an earlier run stands, and what took no part: one line each.
pub(super) fn notes(report: &Report) -> Vec<String> {
    let of_port = report.port.iter().map(PortReport::summary);
    let left_out = report.left_out.iter().map(LeftOut::line);
    let text: String = of_port.chain(left_out).collect();
    let remarks = report.remarks.iter().map(|remark| harmless(remark));
    let lines = text.lines().map(str::to_owned);
    lines.chain(remarks).collect()
}

/// What a project does for AMD already.
fn supported(support: &HipSupport) -> String {
    let mut text = format!(
        "{} supports AMD already: nothing that its own support covers is edited; `--hip-support ignore` translates it\n",
        harmless(support.place())
    );
    for line in support.lines() {
        text.push_str(&format!("  {}\n", harmless(&line)));
    }
    text
}

/// How many findings there are, how many of them the baseline has, and what was left alone.
fn findings_line(report: &Report) -> String {
    let counts = report.totals.counts;
    let all = tally(counts.errors, counts.warnings);
    let mut text = match report.baseline {
        None => format!("findings: {all}"),
        Some(compared) => {
            let (errors, warnings) = open(report);
            let new = match errors + warnings {
                0 => "nothing".to_owned(),
                _ => tally(errors, warnings),
            };
            format!(
                "findings: {new} new, {} {} in the baseline ({all} in all)",
                compared.known,
                if compared.known == 1 { "is" } else { "are" }
            )
        }
    };
    if counts.hazards > 0 {
        text.push_str(&format!(
            "; {} of them about other things than names",
            counts.hazards
        ));
    }
    if counts.guarded > 0 {
        let names = plural(counts.guarded, "name");
        text.push_str(&format!(
            "; {} {names} {GUARDED} left alone",
            counts.guarded
        ));
    }
    text + "\n"
}

/// How many errors are told as information only, and why.
fn lowered_line(counts: &Counts) -> String {
    let line = |count: usize, why: &str| match count {
        0 => String::new(),
        _ => format!(
            "{count} {} told as information: {why}\n",
            plural(count, "error")
        ),
    };
    line(
        counts.decided,
        "the project's own build for AMD has decided; `--hip-support ignore` brings them back",
    ) + &line(
        counts.not_compiled,
        "the build compiles that code nowhere, or nothing here loads it on AMD",
    ) + &line(
        counts.older_library,
        "the code is for a newer release of its library than this ROCm has",
    )
}

/// How many of the findings a translation deals with, where nothing was written.
fn fixable_line(report: &Report) -> String {
    let dealt = |(_, finding): &(&FileReport, &FindingReport)| {
        finding.fixable && finding.severity > Severity::Info && !finding.is_known()
    };
    let count = report.findings().filter(dealt).count();
    if report.wrote || count == 0 {
        return String::new();
    }
    format!(
        "{FIXABLE}translation makes the change for {count} of these findings; look at what it does there\n"
    )
}

/// The five files that need most work.
fn worst_files(report: &Report) -> String {
    let files = worst(report);
    let line = |file: &&FileReport| match &file.problem {
        Some(problem) => format!(
            "  {}: failed: {}\n",
            harmless(&file.path),
            harmless(problem)
        ),
        None => {
            let (errors, warnings) = open_of(report, file);
            let reached = match file.reached_by {
                0 => String::new(),
                _ => format!("; {}", reached(file)),
            };
            format!(
                "  {}: {}{reached}\n",
                harmless(&file.path),
                tally(errors, warnings)
            )
        }
    };
    if files.is_empty() {
        String::new()
    } else {
        format!(
            "files that need most work:\n{}",
            files.iter().take(5).map(line).collect::<String>()
        )
    }
}

/// `2 errors, 1 warning`, without what there is none of.
fn tally(errors: usize, warnings: usize) -> String {
    let part = |count, word| match count {
        0 => None,
        count => Some(format!("{count} {}", plural(count, word))),
    };
    let parts = [part(errors, "error"), part(warnings, "warning")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => "none".to_owned(),
        false => parts.join(", "),
    }
}

/// What files for the host's compiler need that include HIP's headers.
fn host_files(report: &Report) -> String {
    match report.totals.host_files {
        0 => String::new(),
        files => format!(
            "{files} {} for the host's compiler {} HIP's headers: hipcc, or -D__HIP_PLATFORM_AMD__ and ROCm's -I{}\n",
            plural(files, "file"),
            if files == 1 { "includes" } else { "include" },
            if reads_cpp_in_c(report) { OF_C } else { "" }
        ),
    }
}

/// What `--strict-math` leaves to the compiler.
const STRICT_MATH: &str = "strict math: casts, shifts and functions of the device give CUDA's results at the edges of their types; for conversions without a cast \
     compile with -fno-strict-float-cast-overflow, for sums of products see docs/howto/strict-math.md\n";

fn needs(report: &Report) -> String {
    let mut text = String::new();
    if report.options.strict_math {
        text.push_str(STRICT_MATH);
    }
    let libraries: Vec<String> = report
        .libraries
        .iter()
        .map(|library| {
            format!(
                "{} {}",
                library.title,
                library.safe + library.review + library.manual
            )
        })
        .collect();
    if !libraries.is_empty() {
        text.push_str(&format!("by library: {}\n", libraries.join(", ")));
    }
    if !report.link.is_empty() {
        text.push_str(&format!(
            "link with: {}\n",
            harmless(&report.link.join(" "))
        ));
    }
    for (folder, flags) in defines(report) {
        let program = match folder.as_str() {
            "" => String::new(),
            folder => format!(" in {}", harmless(folder)),
        };
        let flags = flags.join(" ");
        text.push_str(&format!(
            "code for both vendors{program} asks for: {flags}\n"
        ));
    }
    text.push_str(&host_files(report));
    if let Some(need) = &report.rocm {
        text.push_str(&format!(
            "needs ROCm {} or later (for {}); converted for ROCm {}{}\n",
            need.version,
            need.because.join(", "),
            report.options.rocm,
            older_release(report)
        ));
    }
    text
}

/// What to say beside the release that is needed, where names are spelt for a later one.
pub(super) fn older_release(report: &Report) -> &'static str {
    let need = report.rocm.as_ref();
    let need = need.and_then(|need| need.version.parse::<crate::mapping::Version>().ok());
    match need {
        Some(need) if need < report.options.rocm => {
            "; `--rocm` chooses the spellings of another release"
        }
        _ => "",
    }
}

fn style_of(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Cyan,
    };
    Style::new().bold().fg_color(Some(color.into()))
}
