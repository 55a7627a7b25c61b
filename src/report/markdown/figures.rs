//! The figures, and what a build of the result needs.

use super::escape::{code, prose};
use crate::report::defines::defines;
use crate::report::estimate::{Share, shares, total, words};
use crate::report::figures::{ERRORS, GUARDED, READY, WARNINGS, open, percent, reference_count};
use crate::report::model::Report;
use crate::report::plural::plural;
use crate::report::text::older_release;

pub(super) fn figures(report: &Report) -> String {
    let (totals, counts) = (&report.totals, report.totals.counts);
    let mut text = String::from("| Figure | Value | Meaning |\n|:--|--:|:--|\n");
    let mut row = |name: &str, value: String, meaning: &str| {
        text.push_str(&format!("| {name} | {value} | {meaning} |\n"));
    };
    if let Some(portability) = totals.portability {
        let meaning = format!(
            "CUDA references that convert, of {}: {}{} safely, {} to be reviewed, {} not",
            reference_count(report),
            match counts.already {
                0 => String::new(),
                already => format!("{already} in HIP already, "),
            },
            counts.safe,
            counts.review,
            counts.manual
        );
        row("Portability", percent(portability), &meaning);
    }
    if totals.cuda_files > 0 {
        let value = format!("{} of {}", totals.ready_files, totals.cuda_files);
        row("Files that need no hand", value, READY);
    }
    let (errors, warnings) = open(report);
    let of_all = |all: usize| match report.baseline {
        Some(_) => format!(" (new ones; {all} in all)"),
        None => String::new(),
    };
    let meaning = format!("{ERRORS}{}", of_all(counts.errors));
    row("Errors", errors.to_string(), &meaning);
    let meaning = format!("{WARNINGS}{}", of_all(counts.warnings));
    row("Warnings", warnings.to_string(), &meaning);
    if counts.guarded > 0 {
        let meaning = format!("names of CUDA {GUARDED}, left alone");
        row("Guarded", counts.guarded.to_string(), &meaning);
    }
    let meaning = format!("with CUDA in them, of {}", totals.files);
    row("Files", totals.cuda_files.to_string(), &meaning);
    row(
        "Lines",
        totals.lines_changed.to_string(),
        "that translation changes",
    );
    let shares = shares(report);
    if !shares.is_empty() {
        let kind = |share: &Share| {
            let problems = plural(share.problems, "problem");
            format!("{} {problems} {}", share.problems, share.what)
        };
        let kinds: Vec<String> = shares.iter().map(kind).collect();
        let meaning = format!(
            "of work by hand for {}; an assumption that nobody measured, see `[estimate]` of `cass.toml`",
            kinds.join(", ")
        );
        text.push_str(&format!(
            "| Estimate | {} | {meaning} |\n",
            words(total(&shares))
        ));
    }
    text + "\n"
}

pub(super) fn needs(report: &Report) -> String {
    let mut text = String::new();
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
