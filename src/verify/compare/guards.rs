//! False success: results that agree although nothing, or something else, was computed.

use std::collections::{BTreeMap, BTreeSet};

use regex::RegexSet;

use super::bench::{Bench, CaseResult};
use crate::verify::finding::{Difference, Kind};
use crate::verify::record::{CaseIndex, Device};

/// What programs print when they compute without the GPU.
const FALLBACKS: &[&str] = &[
    r"(?i)\bfall(s|ing)?[ -]?back\b",
    r"(?i)\bno (cuda|hip|rocm|gpu|amd|compute)[ -]?(capable |enabled )?(gpu|device)?s? ?(found|available|detected|is|are)",
    r"(?i)\b(using|on|with) (the )?cpu\b",
    r"(?i)\bcpu[ -](only|mode|version|path|fallback)\b",
    r"(?i)\bwithout (a |the )?gpu\b",
];

/// Guards over one case.
pub(super) fn of_case(want: &CaseIndex, got: &CaseIndex, benches: &[Bench<'_>]) -> Vec<Difference> {
    let mut found = Vec::new();
    found.extend(nothing_compared(benches));
    found.extend(benches.iter().filter_map(constant));
    found.extend(benches.iter().filter_map(tolerance_too_wide));
    found.extend(copied(benches));
    found.extend(benches.iter().filter_map(lowered));
    found.extend(fallback(want, got));
    found.extend(got.end.stale.iter().map(|name| {
        let message =
            format!("`{name}` was not written by this run, or is an input that it changed");
        Difference::new(Kind::StaleFile, name, message)
    }));
    found.extend(not_watched(want, got));
    if let (Some(original), Some(port)) = (want.end.device.first(), got.end.device.first()) {
        found.extend(device(original, port));
        found.extend(kernels(want, got));
    }
    found.extend(cached(got));
    found
}

fn not_watched(want: &CaseIndex, got: &CaseIndex) -> Option<Difference> {
    let message = match (want.end.device.first(), got.end.device.first()) {
        (Some(_), None) => "the port was run without --buffers, the original with it",
        (None, Some(_)) => "the original was recorded without --buffers, the port with it",
        (Some(device), Some(_)) if device.launches == 0 => "no launch of the original was seen",
        _ => return None,
    };
    Some(Difference::new(Kind::NotWatched, "kernels", message))
}

fn nothing_compared(benches: &[Bench<'_>]) -> Option<Difference> {
    let compared: u64 = benches.iter().map(|bench| bench.numbers.compared()).sum();
    let differs = benches.iter().any(|bench| bench.compared.outside > 0);
    let reasons: BTreeSet<&str> = benches
        .iter()
        .flat_map(|bench| bench.compared.left_out.keys().map(String::as_str))
        .collect();
    let message = if reasons.is_empty() {
        "there is no output to compare".to_owned()
    } else {
        let reasons: Vec<&str> = reasons.into_iter().collect();
        format!("all of the output was left out: {}", reasons.join(", "))
    };
    (compared == 0 && !differs).then(|| Difference::new(Kind::NothingCompared, "run", message))
}

fn constant(bench: &Bench<'_>) -> Option<Difference> {
    let message = "all numbers of the original are the same";
    bench
        .numbers
        .is_constant()
        .then(|| Difference::new(Kind::ConstantOutput, &bench.place, message))
}

/// The comparison was tested on the original's own numbers: wrong values that pass say that the tolerance is too wide.
fn tolerance_too_wide(bench: &Bench<'_>) -> Option<Difference> {
    let (half, percent) = bench.numbers.share_that_cannot_fail()?;
    let share = |share: f64| format!("{:.0} %", share * 100.0);
    if half >= 0.5 {
        let message = format!(
            "half the value, or 1 in place of 0, would pass for {} of the numbers",
            share(half)
        );
        return Some(Difference::new(
            Kind::ToleranceTooWide,
            &bench.place,
            message,
        ));
    }
    (percent >= 0.5).then(|| {
        let message = format!(
            "an error of 1 % would pass for {} of the numbers",
            share(percent)
        );
        Difference::new(Kind::ToleranceTooWide, &bench.place, message).warning()
    })
}

fn copied(benches: &[Bench<'_>]) -> Option<Difference> {
    let sum = |at: usize| -> u64 { benches.iter().map(|bench| bench.numbers.timings[at]).sum() };
    let (all, same) = (sum(0), sum(1));
    (all > 0 && all == same).then(|| {
        let message =
            format!("{same} of {all} numbers that vary from run to run are those of the record");
        Difference::new(Kind::CopiedOutput, "stdout", message)
    })
}

fn lowered(bench: &Bench<'_>) -> Option<Difference> {
    let name = bench.numbers.fits.lowered()?;
    let message = format!("the numbers of the port fit {name}, those of the original do not");
    Some(Difference::new(
        Kind::PrecisionLowered,
        &bench.place,
        message,
    ))
}

fn fallback(want: &CaseIndex, got: &CaseIndex) -> Option<Difference> {
    let patterns = RegexSet::new(FALLBACKS).expect("the patterns are fixed");
    let says = |text: &str| -> Option<String> {
        let mut lines = text.lines();
        lines
            .find(|line| patterns.is_match(line))
            .map(str::to_owned)
    };
    let line = says(&got.end.stderr)?;
    if says(&want.end.stderr).is_some() {
        return None;
    }
    let found = Difference::new(
        Kind::Fallback,
        "stderr",
        "the port computes without the GPU",
    );
    Some(found.sides("", &line))
}

fn device(want: &Device, got: &Device) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut say = |kind, message: String| found.push(Difference::new(kind, "kernels", message));
    if want.launches > 0 && got.launches == 0 {
        say(
            Kind::NoLaunch,
            format!(
                "no kernel was launched; the original launches {}",
                want.launches
            ),
        );
        if got.no_device > 0 {
            say(
                Kind::Fallback,
                "the port asked for devices, and there is none".to_owned(),
            );
        }
    }
    if got.failed_launches > want.failed_launches {
        say(
            Kind::LaunchFailed,
            format!("{} launches returned an error", got.failed_launches),
        );
    }
    if got.unsynchronised > 0 && want.unsynchronised == 0 {
        say(
            Kind::Unsynchronised,
            format!(
                "the clock was read {} times with a launch in flight that nothing had waited for",
                got.unsynchronised
            ),
        );
    }
    if got.hidden_streams > want.hidden_streams {
        say(
            Kind::Unsynchronised,
            format!(
                "{} times were taken by events on one stream while another was at work",
                got.hidden_streams
            ),
        );
    }
    if got.unwaited > want.unwaited {
        say(
            Kind::Unwaited,
            format!("{} copies back were never waited for", got.unwaited),
        );
    }
    found
}

fn kernels(want: &CaseIndex, got: &CaseIndex) -> Vec<Difference> {
    let port: BTreeMap<&str, (u64, u64)> = got
        .end
        .kernels
        .iter()
        .map(|kernel| (kernel.name.as_str(), (kernel.launches, kernel.threads)))
        .collect();
    let mut found = Vec::new();
    if port.is_empty() {
        return found;
    }
    for kernel in &want.end.kernels {
        let name = &kernel.name;
        let Some(&(launches, threads)) = port.get(name.as_str()) else {
            let message = format!(
                "`{name}` is never launched; the original launches it {} times",
                kernel.launches
            );
            found.push(Difference::new(Kind::KernelMissing, "kernels", message));
            continue;
        };
        let message = if launches < kernel.launches {
            format!(
                "`{name}` is launched {launches} times in place of {}",
                kernel.launches
            )
        } else if threads * 2 < kernel.threads {
            format!(
                "`{name}` runs {threads} threads in place of {}",
                kernel.threads
            )
        } else {
            continue;
        };
        found.push(Difference::new(Kind::WorkSkipped, "kernels", message));
    }
    found
}

/// Later runs of the port that launch less than the first kept something of it.
fn cached(got: &CaseIndex) -> Option<Difference> {
    let first = got.end.device.first()?.launches;
    let later = got.end.device.iter().map(|device| device.launches).min()?;
    (later < first).then(|| {
        let message =
            format!("a later run launches {later} kernels, the first {first}: it kept results");
        Difference::new(Kind::InputsCached, "kernels", message)
    })
}

/// Guards that need several cases: a result that does not follow its input.
pub(super) fn across_cases(cases: &mut [CaseResult]) {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        if !case.group.is_empty() && !case.has_failed {
            groups.entry(case.group.clone()).or_default().push(at);
        }
    }
    for members in groups.values().filter(|members| members.len() > 1) {
        let outputs = |side: usize| -> BTreeSet<u64> {
            members
                .iter()
                .map(|at| cases[*at].signatures[side])
                .collect()
        };
        if outputs(0).len() > 1 && outputs(1).len() == 1 {
            let message = format!(
                "the port gives the same result for {} seeds, the original does not",
                members.len()
            );
            let difference = Difference::new(Kind::InputsCached, "stdout", message);
            members
                .iter()
                .for_each(|at| cases[*at].differences.push(difference.clone()));
        }
    }
}
