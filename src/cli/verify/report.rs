//! A comparison in the formats of the tool.

use anstyle::{AnsiColor, Style};
use anyhow::Result;

use super::beside::Beside;
use super::page::page;
use crate::diagnostic::{Group, Severity};
use crate::options::Options;
use crate::report::{self, Builder, Columns, FileReport, FindingReport, Format};
use crate::verify::compare::{CaseResult, Compared, Comparison};
use crate::verify::{Difference, Level};

/// The comparison in a format.
pub(super) fn render(comparison: &Comparison, costs: &Beside, format: Format) -> Result<String> {
    Ok(match format {
        Format::Full => full(comparison),
        Format::Concise => concise(comparison),
        Format::Json => serde_json::to_string_pretty(comparison)? + "\n",
        Format::JsonLines => json_lines(comparison)?,
        Format::Markdown => markdown(comparison),
        Format::Html => page(Some(comparison), costs),
        other => report::render(&as_report(comparison), other),
    })
}

fn full(comparison: &Comparison) -> String {
    let mut text = String::new();
    for case in &comparison.cases {
        let bold = Style::new().bold();
        text.push_str(&format!("{bold}{}{bold:#}: {}\n", case.name, verdict(case)));
        for compared in &case.compared {
            text.push_str(&format!("  {:<10} {}\n", compared.place, figures(compared)));
        }
        if let Some([want, got]) = case.launches {
            text.push_str(&format!(
                "  {:<10} {want} of the original, {got} of the port\n",
                "launches"
            ));
        }
        let [want, got] = case.seconds;
        text.push_str(&format!(
            "  {:<10} {want:.3} s, {got:.3} s (not compared)\n",
            "time"
        ));
        for difference in &case.differences {
            text.push_str(&indented(case, difference));
        }
    }
    text.push_str(&last_line(comparison));
    text
}

fn verdict(case: &CaseResult) -> String {
    let errors = count(case, Level::Error);
    let warnings = count(case, Level::Warning);
    let warned = match warnings {
        0 => String::new(),
        1 => ", 1 warning".to_owned(),
        more => format!(", {more} warnings"),
    };
    let word = |style: AnsiColor, word: String| {
        let style = Style::new().bold().fg_color(Some(style.into()));
        format!("{style}{word}{style:#}{warned}")
    };
    match errors {
        0 => word(AnsiColor::Green, "same".to_owned()),
        1 => word(AnsiColor::Red, "1 error".to_owned()),
        more => word(AnsiColor::Red, format!("{more} errors")),
    }
}

fn count(case: &CaseResult, level: Level) -> usize {
    let found = case.differences.iter();
    found.filter(|difference| difference.level == level).count()
}

fn figures(compared: &Compared) -> String {
    let what = if compared.place == "buffers" {
        "copies"
    } else {
        "lines"
    };
    let mut text = format!(
        "{} {what}, {} numbers: {} equal, {} within the tolerance",
        compared.items, compared.numbers, compared.equal, compared.within
    );
    if compared.within > 0 {
        text.push_str(&format!(
            " (at most {:.1e} relative, {:.1e} absolute)",
            compared.worst_relative, compared.worst_absolute
        ));
    }
    text.push_str(&format!(", {} outside", compared.outside));
    if !compared.left_out.is_empty() {
        let reasons: Vec<String> = compared
            .left_out
            .iter()
            .map(|(reason, count)| format!("{count} {reason}"))
            .collect();
        text.push_str(&format!("; left out: {}", reasons.join(", ")));
    }
    text
}

fn place(case: &CaseResult, difference: &Difference) -> String {
    match difference.line {
        0 => format!("{}/{}", case.name, difference.place),
        line => format!("{}/{}:{line}", case.name, difference.place),
    }
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
    }
}

/// `case/stdout:12: error[number-differs]: …`
fn headline(case: &CaseResult, difference: &Difference) -> String {
    let color = match difference.level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!(
        "{}: {style}{}[{}]{style:#}: {}\n",
        harmless(&place(case, difference)),
        word(difference.level),
        difference.kind.name(),
        harmless(&difference.message)
    )
}

/// Output of programs in ours: nothing that moves a cursor.
fn harmless(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

fn indented(case: &CaseResult, difference: &Difference) -> String {
    let mut text = format!("  {}", headline(case, difference));
    for (side, line) in [("original", &difference.want), ("port", &difference.got)] {
        if !line.is_empty() {
            text.push_str(&format!("    {side:>8} | {}\n", harmless(line)));
        }
    }
    text + &format!("    = help: {}\n", difference.kind.help())
}

fn last_line(comparison: &Comparison) -> String {
    let cases = comparison.cases.len();
    let same = comparison.cases.iter().filter(|case| case.same).count();
    let more: u64 = comparison
        .cases
        .iter()
        .flat_map(|case| &case.compared)
        .map(|compared| compared.more)
        .sum();
    let more = match more {
        0 => String::new(),
        more => format!("; {more} more differences are not listed"),
    };
    format!(
        "{}: {same} of {cases} {} the same{more}\n",
        if comparison.same {
            "verified"
        } else {
            "NOT verified"
        },
        if cases == 1 { "case" } else { "cases" }
    )
}

fn concise(comparison: &Comparison) -> String {
    let mut text = String::new();
    for case in &comparison.cases {
        case.differences
            .iter()
            .for_each(|difference| text.push_str(&headline(case, difference)));
    }
    text + &last_line(comparison)
}

fn json_lines(comparison: &Comparison) -> Result<String> {
    let mut text = String::new();
    for case in &comparison.cases {
        for difference in &case.differences {
            let mut value = serde_json::to_value(difference)?;
            value["case"] = case.name.clone().into();
            text.push_str(&format!("{value}\n"));
        }
    }
    Ok(text)
}

fn markdown(comparison: &Comparison) -> String {
    let title = if comparison.same {
        "the same"
    } else {
        "different"
    };
    let mut text = format!(
        "## Original and port: {title}\n\n| Case | Result | Numbers | Within the tolerance | Outside |\n|:--|:--|--:|--:|--:|\n"
    );
    let cell = |text: &str| harmless(text).replace('|', "\\|").replace('<', "&lt;");
    for case in &comparison.cases {
        let sum = |field: fn(&Compared) -> u64| case.compared.iter().map(field).sum::<u64>();
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            cell(&case.name),
            if case.same { "same" } else { "**different**" },
            sum(|c| c.numbers),
            sum(|c| c.within),
            sum(|c| c.outside)
        ));
    }
    text.push('\n');
    for case in &comparison.cases {
        for difference in case.differences.iter().take(50) {
            text.push_str(&format!(
                "- `{}` {} **{}**: {}\n",
                place(case, difference).replace('`', "'"),
                word(difference.level),
                difference.kind.name(),
                cell(&difference.message)
            ));
        }
    }
    text
}

/// As findings of the tool, for formats of programs.
fn as_report(comparison: &Comparison) -> report::Report {
    let mut builder = Builder::new(Options::default(), Vec::new());
    for case in &comparison.cases {
        let mut file = FileReport {
            path: case.name.clone(),
            is_cuda: true,
            ..FileReport::default()
        };
        file.counts.errors = count(case, Level::Error);
        file.counts.warnings = count(case, Level::Warning);
        let findings = case.differences.iter().enumerate();
        file.findings = findings.map(|(at, d)| finding(at, d)).collect();
        builder.add(file);
    }
    builder.finish()
}

fn finding(at: usize, difference: &Difference) -> FindingReport {
    let line = u32::try_from(difference.line).unwrap_or(u32::MAX).max(1);
    let columns = Columns {
        chars: (1, 1),
        utf16: (1, 1),
    };
    FindingReport {
        code: difference.kind.code(),
        rule: difference.kind.name(),
        group: Group::Launch,
        severity: match difference.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
        },
        message: format!("{}: {}", difference.place, difference.message),
        help: difference.kind.help().to_owned(),
        line,
        column: 1,
        end_line: line,
        end_column: 1,
        range: crate::text::TextRange::default(),
        place: format!("{line}:1"),
        columns,
        fingerprint: format!("{}:{at}", difference.kind.code()),
        former: Vec::new(),
        baseline: None,
        library: None,
        api: None,
        fix: None,
        edits: Vec::new(),
        fixable: false,
        applied: false,
        reasons: Vec::new(),
        targets: Vec::new(),
        labels: Vec::new(),
        excerpt: crate::report::Excerpt::default(),
        source_line: difference.want.clone(),
        output_line: Some(difference.got.clone()),
    }
}
