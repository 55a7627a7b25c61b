//! Macros that a build has to define for AMD, and for which programs of the tree.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Report;
use crate::diagnostic::Severity;

/// Flags for the compiler by the folder whose files ask for them; an empty folder stands for the whole tree. A tree of one program has
/// one line.
pub(super) fn defines(report: &Report) -> Vec<(String, Vec<String>)> {
    let mut asking = BTreeMap::<&str, BTreeSet<&str>>::new();
    for file in &report.files {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for name in &file.switches {
            asking.entry(name).or_default().insert(folder);
        }
    }
    let all = report.files.iter().map(|file| file.path.as_str());
    let whole = common_folder(all);
    let mut found = BTreeMap::<String, Vec<String>>::new();
    for (name, folders) in asking {
        // A folder counts as a path in it would.
        let files: Vec<String> = folders.iter().map(|folder| format!("{folder}/")).collect();
        let common = common_folder(files.iter().map(String::as_str));
        let program = if common == whole { "" } else { common };
        let flags = found.entry(program.to_owned()).or_default();
        flags.push(format!("-D{name}"));
    }
    // What all programs ask for is no news of one.
    if found.len() == 1 {
        let flags = found.into_values().next().unwrap_or_default();
        return vec![(String::new(), flags)];
    }
    found.into_iter().collect()
}

/// What the line about files for the host's compiler adds where C files read headers of ROCm that are C++.
pub(super) const OF_C: &str = "; C files that read a header of C++ (CASS133) must be compiled as C++, whatever options they get";

/// Whether the report has such files.
pub(super) fn reads_cpp_in_c(report: &Report) -> bool {
    let mut findings = report.files.iter().flat_map(|file| &file.findings);
    findings.any(|finding| {
        finding.severity > Severity::Info
            && crate::rules::find(finding.code)
                .is_some_and(|(rule, _)| rule.has(crate::rules::Fact::WantsCpp))
    })
}

/// The folder that all of some paths lie in.
fn common_folder<'p>(mut paths: impl Iterator<Item = &'p str>) -> &'p str {
    let folder = |path: &'p str| path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let first = paths.next().map_or("", folder);
    paths.fold(first, |common, path| {
        let mut common = common;
        while !(common.is_empty()
            || path
                .strip_prefix(common)
                .is_some_and(|rest| rest.starts_with('/')))
        {
            common = folder(common);
        }
        common
    })
}
