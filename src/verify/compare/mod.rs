//! Two records side by side: what is equal, what is equal within the tolerance, what differs, what was left out, and whether the
//! comparison could have failed at all.

mod bench;
mod blobs;
mod compared;
mod guards;
mod numbers;
mod texts;

use std::collections::BTreeSet;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::execute::End;
use super::finding::{Difference, Kind, Level};
use super::manifest::Judgement;
use super::record::{CaseIndex, Record};
pub use bench::CaseResult;
pub use compared::Compared;

/// The result of a comparison.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// Whether every case computes the same.
    pub same: bool,
    /// The cases, in the order of the original's record.
    pub cases: Vec<CaseResult>,
}

/// Compares all cases; `judge` has the last word on tolerances.
///
/// # Errors
/// When a record cannot be read again.
pub fn compare(
    record: &Record,
    run: &Record,
    judge: impl Fn(&str, &Judgement) -> Judgement,
) -> Result<Comparison> {
    let mut cases = Vec::new();
    for want in &record.cases {
        let name = &want.head.name;
        let Some(got) = run.cases.iter().find(|case| case.head.name == *name) else {
            cases.push(CaseResult::missing(name, "the port"));
            continue;
        };
        let judgement = judge(name, &want.head.judgement);
        cases.push(case((record, want), (run, got), &judgement)?);
    }
    let known: BTreeSet<&str> = record.names().collect();
    let only_run = run.names().filter(|name| !known.contains(name));
    cases.extend(only_run.map(|name| CaseResult::missing(name, "the original")));
    guards::across_cases(&mut cases);
    for case in &mut cases {
        let fails = |difference: &Difference| difference.level == Level::Error;
        case.same = !case.differences.iter().any(fails);
    }
    Ok(Comparison {
        same: cases.iter().all(|case| case.same),
        cases,
    })
}

fn case(
    (record, want): (&Record, &CaseIndex),
    (run, got): (&Record, &CaseIndex),
    judgement: &Judgement,
) -> Result<CaseResult> {
    let mut differences: Vec<Difference> = ends(want, got).into_iter().collect();
    let has_failed = !differences.is_empty();
    differences.extend(inputs(want, got));
    let mut benches = texts::all((record, want), (run, got), judgement)?;
    benches.extend(blobs::files(want, got, judgement));
    benches.extend(blobs::buffers((record, want), (run, got), judgement)?);
    let signatures = [0, 1].map(|side| {
        let hashes = benches.iter().map(|bench| bench.numbers.signatures[side]);
        hashes.fold(0, |all: u64, hash| all.rotate_left(7) ^ hash)
    });
    for bench in &mut benches {
        differences.append(&mut bench.differences);
    }
    differences.extend(guards::of_case(want, got, &benches));
    let median = |seconds: &[f64]| {
        let mut sorted = seconds.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    };
    let launches = |case: &CaseIndex| case.end.device.first().map(|device| device.launches);
    Ok(CaseResult {
        name: want.head.name.clone(),
        same: true,
        differences,
        compared: benches.into_iter().map(|bench| bench.compared).collect(),
        seconds: [median(&want.end.seconds), median(&got.end.seconds)],
        launches: launches(want).zip(launches(got)).map(<[u64; 2]>::from),
        signatures,
        group: want.head.group.clone(),
        has_failed,
    })
}

fn ends(want: &CaseIndex, got: &CaseIndex) -> Option<Difference> {
    let (Some(&wanted), Some(&ended)) = (want.end.ends.first(), got.end.ends.last()) else {
        return None;
    };
    let message = format!("{} in place of {}", ended.text(), wanted.text());
    if ended == End::TimedOut {
        return Some(Difference::new(Kind::TimedOut, "run", message));
    }
    if !matches!(wanted, End::Exit(_)) {
        let message = format!("the original itself did not end well: {}", wanted.text());
        return Some(Difference::new(Kind::ExitCode, "run", message));
    }
    let last = got.end.stderr.trim_end().lines().last().unwrap_or_default();
    (wanted != ended)
        .then(|| Difference::new(Kind::ExitCode, "run", message).sides(&wanted.text(), last))
}

fn inputs(want: &CaseIndex, got: &CaseIndex) -> Vec<Difference> {
    let differs = |(name, hash): &&(String, String)| {
        let other = got.head.inputs.iter().find(|(other, _)| other == name);
        other.is_none_or(|(_, other)| other != hash)
    };
    let difference = |(name, _): &(String, String)| {
        let message = format!("the two sides did not read the same `{name}`");
        Difference::new(Kind::InputDiffers, "run", message)
    };
    want.head
        .inputs
        .iter()
        .filter(differs)
        .map(difference)
        .collect()
}
