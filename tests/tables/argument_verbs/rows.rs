//! The rows of argument edits in the tables: one per number of arguments, library and set of edits.

use std::collections::{BTreeMap, BTreeSet};

use cass_transpile::compat::helpers;
use cass_transpile::mapping::{ApiEntry, ApiTable, ArgEdit, Kind, Span, Version};
use cass_transpile::rules::all;
use cass_transpile::survey::Names;

/// The release whose headers Debian has.
pub(crate) const ROCM: Version = Version::new(6, 4);

/// One row: a call with `arity` arguments, the edits it gets, and under which choice and release.
pub(crate) struct Row {
    pub(crate) cuda: &'static str,
    pub(crate) library: &'static str,
    pub(crate) target: &'static str,
    pub(crate) arity: usize,
    pub(crate) edits: &'static [ArgEdit<'static>],
    pub(crate) roc: bool,
    pub(crate) rocm: Version,
}

/// Names of rows by the reason why something is not proven of them.
pub(crate) type Unproven = BTreeMap<&'static str, BTreeSet<String>>;

/// Every row, and those of which no call can be written.
pub(crate) fn rows(cuda: &Names) -> (Vec<Row>, Unproven) {
    let table: &'static ApiTable = Box::leak(Box::new(ApiTable::builtin()));
    let (mut rows, mut unproven) = (Vec::new(), Unproven::new());
    for entry in table.iter().map(|hit| hit.entry) {
        for candidate in candidates(entry) {
            match candidate.arity.or_else(|| declared(cuda, entry)) {
                _ if written_otherwise(entry).is_some() => {
                    let why = written_otherwise(entry).unwrap_or_default();
                    unproven
                        .entry(why)
                        .or_default()
                        .insert(entry.cuda.to_owned());
                }
                Some(arity) => rows.push(Row {
                    cuda: entry.cuda,
                    library: entry.library,
                    target: candidate.target,
                    arity,
                    edits: candidate.edits,
                    roc: candidate.roc,
                    rocm: release(candidate.rocm),
                }),
                None => {
                    let names = unproven.entry("CUDA 13.0 declares no such call any more");
                    names.or_default().insert(entry.cuda.to_owned());
                }
            }
        }
    }
    (rows, unproven)
}

/// One set of edits of an entry; the number of arguments is known for forms.
struct Candidate {
    target: &'static str,
    arity: Option<usize>,
    edits: &'static [ArgEdit<'static>],
    roc: bool,
    rocm: Span,
}

fn candidates(entry: &'static ApiEntry) -> Vec<Candidate> {
    let plain = entry.hip.map(|target| Candidate {
        target,
        arity: None,
        edits: &entry.args,
        roc: false,
        rocm: entry.rocm,
    });
    let roc = entry.roc.as_ref().map(|roc| Candidate {
        target: roc.name,
        arity: None,
        edits: &roc.args,
        roc: true,
        rocm: roc.rocm,
    });
    let forms = entry.forms.iter().filter_map(|form| {
        Some(Candidate {
            target: form.hip.or(entry.hip).filter(|hip| *hip != entry.cuda)?,
            arity: Some(form.arity.into()),
            edits: &form.args,
            roc: false,
            rocm: form.rocm.unwrap_or(entry.rocm),
        })
    });
    let all = plain.into_iter().chain(roc).chain(forms);
    all.filter(|candidate| !candidate.edits.is_empty())
        .collect()
}

/// The most arguments that CUDA's headers declare and no form takes. `cuCtxCreate_v4` is what a macro makes of `cuCtxCreate`: the
/// headers declare it under that name.
fn declared(cuda: &Names, entry: &ApiEntry) -> Option<usize> {
    let forms: Vec<usize> = entry.forms.iter().map(|form| form.arity.into()).collect();
    let plain = entry.cuda.trim_end_matches(|c: char| c.is_ascii_digit());
    let unversioned = plain.strip_suffix("_v").and_then(|plain| cuda.get(plain));
    cuda.get(entry.cuda)
        .or(unversioned)?
        .arities
        .iter()
        .map(|&(_, most)| most)
        .find(|most| *most < 40 && !forms.contains(most))
}

/// Debian's release where it has the target, else the first that has.
fn release(span: Span) -> Version {
    if span.contains(ROCM) {
        return ROCM;
    }
    span.since
        .expect("a target that 6.4 lacks has a first release")
}

/// Why the verbs do not write the call.
fn written_otherwise(entry: &ApiEntry) -> Option<&'static str> {
    if entry.kind != Kind::Function {
        return Some("it is no function");
    }
    if helpers().any(|helper| helper.replaces.contains(&entry.cuda)) {
        return Some("a helper takes its arguments");
    }
    let mut writers = all().iter().filter(|(rule, _)| rule.fix.is_some());
    let owned = writers.any(|(rule, _)| rule.watches(entry.cuda));
    owned.then_some("a rule of its own writes the call")
}
