//! What the tables of `mappings/` say of releases: plausible, in order, with a source, and one for every target.

use cass_transpile::mapping::{ApiEntry, ApiTable, Hit, Kind, Version};

use crate::rows::refuse;

#[test]
fn versions_are_plausible_and_spans_run_forward() {
    let table = ApiTable::builtin();
    let mut problems = Vec::new();
    for Hit { entry, .. } in table.iter() {
        let rocm = entry.roc.as_ref().map(|roc| roc.rocm);
        for span in [Some(entry.rocm), rocm].into_iter().flatten() {
            let ends = [span.since, span.until].into_iter().flatten();
            if ends
                .clone()
                .any(|end| end < Version::new(1, 0) || end > Version::new(10, 9))
            {
                problems.push(format!("`{}`: no such ROCm: {span:?}", entry.cuda));
            }
        }
        for span in [Some(entry.rocm), rocm, Some(entry.cuda_versions)]
            .into_iter()
            .flatten()
        {
            if let (Some(since), Some(until)) = (span.since, span.until)
                && since >= until
            {
                problems.push(format!("`{}`: {since}..{until} is empty", entry.cuda));
            }
        }
        if entry
            .older
            .windows(2)
            .any(|pair| pair[0].below >= pair[1].below)
        {
            problems.push(format!("`{}`: `older` is not in order", entry.cuda));
        }
    }
    refuse(&problems);
}

/// What is said about releases can be checked somewhere: the entry names where, or its table does.
#[test]
fn every_release_has_a_source() {
    let table = ApiTable::builtin();
    let problems: Vec<String> = table
        .iter()
        .filter(|hit| hit.entry.has_releases() && hit.entry.source.is_none())
        .map(|hit| format!("`{}` ({})", hit.entry.cuda, hit.entry.library))
        .collect();
    refuse(&problems);
    let dated = |hit: &Hit<'_>| hit.entry.hip.is_some() && hit.entry.rocm.since.is_some();
    assert!(table.iter().filter(dated).count() > 6_250);
}

/// Every target has a first release, but for those that no release of ROCm brings: FFTW's own names, the compiler's, libhipcxx, `int`,
/// namespaces that stay because a port outside of ROCm keeps them.
#[test]
fn every_target_has_a_first_release() {
    const COMPILER: [&str; 2] = ["__fns", "__managed__"];
    let table = ApiTable::builtin();
    let undated = |hit: &Hit<'_>| {
        let entry = hit.entry;
        let first = entry.hip.is_some() && entry.rocm.since.is_none();
        first
            || entry
                .roc
                .as_ref()
                .is_some_and(|roc| roc.rocm.since.is_none())
    };
    let brought_by_others = |entry: &ApiEntry| {
        let target = entry.hip.unwrap_or_default();
        matches!(entry.kind, Kind::Header | Kind::Pattern)
            || entry.include == Some("fftw3.h")
            || entry.library == "libcudacxx"
            || entry.kind == Kind::Namespace && entry.hip == Some(entry.cuda)
            || target.starts_with("__builtin_")
            || target.is_empty()
            || target == "int"
            || COMPILER.contains(&target)
    };
    let problems: Vec<String> = table
        .iter()
        .filter(|hit| undated(hit) && !brought_by_others(hit.entry))
        .map(|hit| format!("`{}` ({})", hit.entry.cuda, hit.entry.library))
        .collect();
    refuse(&problems);
}
