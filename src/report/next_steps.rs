//! What to do next, in the order in which a port goes; only what this report asks for.

use super::defines::defines;
use super::figures::open;
use super::model::Report;
use super::plural::{number, plural};
use super::problems::problems;
use crate::diagnostic::Severity;
use crate::options::Vendors;

/// Problems that are named.
const MOST_PROBLEMS: usize = 3;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// What to do; what stands between backticks is code.
    pub(super) text: String,
    /// Problems that it is about, by their place in the list of problems.
    pub(super) problems: Vec<usize>,
}

pub(super) fn next_steps(report: &Report) -> Vec<Step> {
    let steps = [
        failed(report),
        translate(report),
        by_hand(report),
        build(report),
        review_warnings(report),
        compare(report),
        keep(report),
    ];
    steps.into_iter().flatten().collect()
}

fn step(text: String) -> Option<Step> {
    Some(Step {
        text,
        problems: Vec::new(),
    })
}

fn failed(report: &Report) -> Option<Step> {
    let count = report.totals.failed;
    if count == 0 {
        return None;
    }
    step(format!(
        "Make {} {} readable and run again: the figures do not know them.",
        number(count),
        plural(count, "file")
    ))
}

fn translate(report: &Report) -> Option<Step> {
    let totals = &report.totals;
    if report.wrote || totals.lines_changed == 0 {
        return None;
    }
    let source = report.run.as_ref().map_or("", |run| &run.source);
    let source = if source.is_empty() { "SRC" } else { source };
    step(format!(
        "Translate: `cass-transpile {source} OUT` changes {} {} in a copy, and a later run keeps what was done there by hand.",
        number(totals.lines_changed),
        plural(totals.lines_changed, "line")
    ))
}

fn by_hand(report: &Report) -> Option<Step> {
    let list = problems(report);
    let errors: Vec<_> = (0..list.len())
        .filter(|&at| list[at].finding.severity == Severity::Error)
        .collect();
    let places: usize = errors.iter().map(|&at| list[at].places).sum();
    let named: usize = errors
        .iter()
        .take(MOST_PROBLEMS)
        .map(|&at| list[at].places)
        .sum();
    let text = match errors.len() {
        0 => return None,
        1 => format!(
            "Solve the one problem that stops the build, in {} {}:",
            number(places),
            plural(places, "place")
        ),
        count if count <= MOST_PROBLEMS => {
            format!(
                "Solve the {count} problems that stop the build, in {} places:",
                number(places)
            )
        }
        count => format!(
            "Solve the {count} problems that stop the build. These {MOST_PROBLEMS} are {} of their {} places:",
            number(named),
            number(places)
        ),
    };
    Some(Step {
        text,
        problems: errors.into_iter().take(MOST_PROBLEMS).collect(),
    })
}

fn build(report: &Report) -> Option<Step> {
    if report.totals.cuda_files == 0 {
        return None;
    }
    let flags = defines(report).into_iter().flat_map(|(_, flags)| flags);
    let flags: Vec<String> = flags.chain(report.link.iter().cloned()).collect();
    let with = match flags.as_slice() {
        [] => String::new(),
        flags => format!(" with `{}`", flags.join(" ")),
    };
    if report.options.vendors == Vendors::Both {
        return step(format!(
            "Build for AMD with `cmake -DUSE_HIP=ON` or `make USE_HIP=1`, single sources with `hipcc -I cass_hip -include cass_cuda_shim.h -DUSE_ROCM`{with}; without these NVIDIA's build is as it was. What AMD alone needs lies in `cass_hip/`."
        ));
    }
    step(format!(
        "Build with hipcc{with}; `hipcc … 2>&1 | cass-transpile explain -` says what its messages mean."
    ))
}

fn review_warnings(report: &Report) -> Option<Step> {
    let (_, warnings) = open(report);
    if warnings == 0 {
        return None;
    }
    let list = problems(report);
    let of_warp = |at: &usize| {
        let finding = list[*at].finding;
        finding.severity == Severity::Warning && finding.group == crate::diagnostic::Group::Warp
    };
    let first: Vec<usize> = (0..list.len())
        .filter(of_warp)
        .take(MOST_PROBLEMS)
        .collect();
    let begin = if first.is_empty() {
        "."
    } else {
        ". Those about warps first: they compile, and may compute something else on 64 lanes:"
    };
    Some(Step {
        text: format!(
            "Look at {} {} with a warning{begin}",
            number(warnings),
            plural(warnings, "place")
        ),
        problems: first,
    })
}

fn compare(report: &Report) -> Option<Step> {
    if report.totals.cuda_files == 0 {
        return None;
    }
    step("Run both programs and compare: `cass-transpile verify record`, `run` and `compare`; or the project's own tests, where they check numbers.".to_owned())
}

fn keep(report: &Report) -> Option<Step> {
    if report.baseline.is_some() || open(report) == (0, 0) {
        return None;
    }
    step("Keep what is reached: `cass-transpile check --baseline known.json --update-baseline`, then `check --baseline known.json` in CI fails for new findings only.".to_owned())
}
