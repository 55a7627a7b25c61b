//! The figures, and what a build of the result needs.

use std::fmt::Display;

use super::escape::{code, prose};
use crate::report::defines::defines;
use crate::report::estimate::{Share, shares, total, words};
use crate::report::figures::{
    ERRORS, GUARDED, READY, WARNINGS, open, percent, ready_with_warnings, reference_count,
};
use crate::report::model::Report;
use crate::report::plural::plural;
use crate::report::text::older_release;

pub(super) fn figures(report: &Report) -> String {
    let (totals, counts) = (&report.totals, report.totals.counts);
    let mut rows = Vec::new();
    if let Some(share) = totals.portability {
        rows.push(row("Portability", percent(share), &portability(report)));
    }
    if totals.cuda_files > 0 {
        let value = format!("{} of {}", totals.ready_files, totals.cuda_files);
        let meaning = format!("{READY}{}", ready_with_warnings(report));
        rows.push(row("Ready without manual changes", value, &meaning));
    }
    let (errors, warnings) = open(report);
    let of_all = |all: usize| match report.baseline {
        Some(_) => format!(" (new ones; {all} in all)"),
        None => String::new(),
    };
    let meaning = format!("{ERRORS}{}", of_all(counts.errors));
    rows.push(row("Errors", errors, &meaning));
    let meaning = format!("{WARNINGS}{}", of_all(counts.warnings));
    rows.push(row("Warnings", warnings, &meaning));
    if counts.guarded > 0 {
        let meaning = format!("names of CUDA {GUARDED}, left alone");
        rows.push(row("Guarded", counts.guarded, &meaning));
    }
    let meaning = format!("with CUDA in them, of {}", totals.files);
    rows.push(row("Files", totals.cuda_files, &meaning));
    let meaning = "that translation changes";
    rows.push(row("Lines", totals.lines_changed, meaning));
    rows.extend(estimate(report));
    let head = "| Figure | Value | Meaning |\n|:--|--:|:--|\n";
    format!("{head}{}\n", rows.concat())
}

fn row(name: &str, value: impl Display, meaning: &str) -> String {
    format!("| {name} | {value} | {meaning} |\n")
}

fn portability(report: &Report) -> String {
    let counts = report.totals.counts;
    let part = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!("{count} {what}, "),
    };
    let already = part(counts.already, "in HIP already");
    let covered = part(counts.covered, "covered by the project itself");
    format!(
        "CUDA references that convert, of {}: {already}{covered}{} safely, {} to be reviewed, {} not",
        reference_count(report),
        counts.safe,
        counts.review,
        counts.manual
    )
}

fn estimate(report: &Report) -> Option<String> {
    let shares = shares(report);
    let kind = |share: &Share| {
        let problems = plural(share.problems, "problem");
        format!("{} {problems} {}", share.problems, share.what)
    };
    let kinds: Vec<String> = shares.iter().map(kind).collect();
    let meaning = format!(
        "of work by hand for {}; an assumption, not measured, see `[estimate]` of `cass.toml`",
        kinds.join(", ")
    );
    (!shares.is_empty()).then(|| row("Estimate", words(total(&shares)), &meaning))
}

pub(super) fn needs(report: &Report) -> String {
    let mut text = String::new();
    if report.options.strict_math {
        text.push_str(
            "**Strict math** CUDA's results at the edges of types (`--strict-math`); compile with `-fno-strict-float-cast-overflow` for conversions without a cast\n\n",
        );
    }
    if let Some(need) = &report.rocm {
        let names: Vec<String> = need.because.iter().map(|name| code(name)).collect();
        text.push_str(&format!(
            "**Needs ROCm {} or later** (for {}); converted for ROCm {}{}.\n\n",
            need.version,
            names.join(", "),
            report.options.rocm,
            older_release(report)
        ));
    }
    if !report.link.is_empty() {
        text.push_str(&format!(
            "**Link with** {}\n\n",
            code(&report.link.join(" "))
        ));
    }
    for (folder, flags) in defines(report) {
        let program = match folder.as_str() {
            "" => String::new(),
            folder => format!(" in {}", code(folder)),
        };
        let flags = code(&flags.join(" "));
        text.push_str(&format!("**Define for AMD**{program} {flags}\n\n"));
    }
    let on_host = report.totals.host_files;
    if on_host > 0 {
        text.push_str(&format!("**For the host's compiler** {on_host} {} HIP's headers: hipcc, or `-D__HIP_PLATFORM_AMD__` and ROCm's `-I`\n\n", if on_host == 1 { "file includes" } else { "files include" }));
    }
    if !report.libraries.is_empty() {
        text.push_str("<details><summary>CUDA references by library</summary>\n\n| Library | Safe | To review | Not converted |\n|:--|--:|--:|--:|\n");
        for library in &report.libraries {
            text.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                prose(&library.title),
                library.safe,
                library.review,
                library.manual
            ));
        }
        text.push_str("\n</details>\n\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::every_part;

    #[test]
    fn the_parts_of_the_references_add_up() {
        assert_eq!(
            portability(&every_part()),
            "CUDA references that convert, of 15: 1 in HIP already, 2 covered by the project itself, 3 safely, 4 to be reviewed, 5 not"
        );
    }
}
