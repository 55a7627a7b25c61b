//! Which entries the installed headers contradict.

mod check;
mod problem;
mod targets;
mod text;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use self::check::check;
use self::problem::problem;
use self::targets::{Checked, targets};
use super::coverage::{Cover, Looker};
use super::public::is_public;
use super::scan::Names;
use crate::mapping::{ApiEntry, ApiTable, Version};

pub use self::problem::{Problem, ProblemKind};

/// What verification found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Verified {
    /// The ROCm release that the tables were read for.
    pub rocm: String,
    /// Headers of ROCm read.
    pub rocm_headers: usize,
    /// Headers of CUDA read.
    pub cuda_headers: usize,
    /// Targets looked up.
    pub checked: usize,
    /// Calls whose arguments were counted on both sides.
    pub counted: usize,
    /// Entries whose target belongs to another release.
    pub other_release: usize,
    /// Targets whose own header (`include` of the entry) is not installed.
    pub without_header: usize,
    /// Device functions that the compiler's own headers declare, where those were not given.
    pub built_in: usize,
    /// Libraries of which not one target is declared: they are not installed.
    pub not_installed: Vec<String>,
    /// Contradictions, by library and name.
    pub problems: Vec<Problem>,
}

/// The release that the headers are of, and libraries that are installed in another one.
#[derive(Clone, Debug)]
pub struct Releases {
    /// Release of HIP and all libraries not named.
    pub rocm: Version,
    /// Release by key of the library.
    pub libraries: Vec<(String, Version)>,
}

impl Releases {
    /// The release of a library's headers.
    fn of(&self, library: &str) -> Version {
        let own = self.libraries.iter().find(|(key, _)| key == library);
        own.map_or(self.rocm, |(_, release)| *release)
    }
}

impl Verified {
    /// Takes out the problems of libraries that are not installed, of which next to no name that was asked for is found: one or two that
    /// some other header happens to declare do not make a library.
    fn leave_out_absent(&mut self, asked: &BTreeMap<&str, usize>, found: &BTreeMap<&str, usize>) {
        let is_absent = |library: &str, asked: usize| {
            asked >= 5 && found.get(library).copied().unwrap_or(0) * 20 < asked
        };
        let absent = asked
            .iter()
            .filter(|(library, asked)| is_absent(library, **asked));
        self.not_installed = absent.map(|(library, _)| (*library).to_owned()).collect();
        let absent = &self.not_installed;
        self.problems
            .retain(|problem| !absent.contains(&problem.library));
    }
}

/// Holds the entries against what the headers declare. `cuda` may be empty: then arguments are not counted.
pub fn verify(table: &ApiTable, releases: &Releases, hip: &Names, cuda: &Names) -> Verified {
    let mut verified = Verified {
        rocm: releases.rocm.to_string(),
        rocm_headers: hip.files,
        cuda_headers: cuda.files,
        ..Verified::default()
    };
    let mut found = BTreeMap::<&str, usize>::new();
    let mut asked = BTreeMap::<&str, usize>::new();
    let has_compiler = hip.has_header("__clang_hip_math.h");
    for hit in table.iter() {
        let rocm = releases.of(hit.entry.library);
        for target in targets(hit.entry) {
            let needs = hit.entry.include.filter(|_| target.arity.is_none());
            if needs.is_some_and(|header| !hip.has_header(header)) {
                verified.without_header += 1;
                continue;
            }
            if !target.rocm.contains(rocm) {
                verified.other_release += 1;
                verified
                    .problems
                    .extend(early_target(hit.entry, &target, rocm, hip));
                continue;
            }
            *asked.entry(hit.entry.library).or_default() += 1;
            verified.checked += 1;
            match check(hit.entry, &target, hip, cuda, &mut verified.counted) {
                Ok(()) => *found.entry(hit.entry.library).or_default() += 1,
                Err(problem) if !has_compiler && may_be_built_in(hit.entry, &problem) => {
                    verified.built_in += 1;
                }
                Err(problem) => verified.problems.push(problem),
            }
        }
    }
    verified.leave_out_absent(&asked, &found);
    verified.problems.extend(without_entry(table, cuda));
    verified
        .problems
        .sort_by(|a, b| (&a.library, a.kind, &a.cuda).cmp(&(&b.library, b.kind, &b.cuda)));
    verified
}

/// A device function that HIP's own headers do not declare: clang's do, in a folder of their own.
fn may_be_built_in(entry: &ApiEntry, problem: &Problem) -> bool {
    problem.kind == ProblemKind::Missing && entry.library == "device"
}

/// A target that the table gives to a later release, although these headers have it.
fn early_target(
    entry: &ApiEntry,
    target: &Checked<'_>,
    rocm: Version,
    hip: &Names,
) -> Option<Problem> {
    let since = target.rocm.since.filter(|&since| rocm < since)?;
    let declared = hip.get(target.name)?;
    let detail = format!(
        "the table says since ROCm {since}, {} of {rocm} declares it",
        declared.header
    );
    Some(problem(
        ProblemKind::WrongRelease,
        entry,
        target.name,
        detail,
    ))
}

/// Names of CUDA's public headers that neither an entry nor a pattern covers.
fn without_entry(table: &ApiTable, cuda: &Names) -> Vec<Problem> {
    let looker = Looker::new(table);
    cuda.sorted()
        .into_iter()
        .filter(|(name, declared)| is_public(name, declared))
        .filter(|(name, _)| looker.cover(name) == Cover::Unknown)
        .map(|(name, declared)| Problem {
            kind: ProblemKind::NoEntry,
            cuda: name.to_owned(),
            target: None,
            library: declared.header.clone(),
            detail: format!("declared as {:?} in {}", declared.what, declared.header),
        })
        .collect()
}
