//! Units that are proven by compilers, as many at a time as there are threads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, Result};

use super::records::Records;
use crate::cli::args::PairsArgs;
use crate::cli::input;
use crate::pairs::{Compiler, Draft, Level, Pair, Tools, Unit};

/// Units that are proven before their records are written: enough for all cores, few enough to lose.
const BATCH: usize = 16;

/// A unit with everything that its record needs.
pub(super) struct Work {
    pub(super) draft: Draft,
    pub(super) kernels: Vec<Pair>,
    pub(super) source: PathBuf,
    pub(super) output: PathBuf,
}

pub(super) fn prove_all(
    args: &PairsArgs,
    tools: Option<&Tools>,
    equal: &BTreeSet<String>,
    work: Vec<Work>,
    root: &Path,
    records: &mut Records,
) -> Result<()> {
    let todo: Vec<(usize, Work)> = work
        .into_iter()
        .enumerate()
        .filter(|(_, work)| !records.has(&work.draft.pair.id))
        .collect();
    let mut todo = todo.into_iter().peekable();
    while todo.peek().is_some() && !input::was_interrupted() {
        let batch: Vec<(usize, Work)> = todo.by_ref().take(BATCH).collect();
        for work in proven(args, tools, equal, batch, root)? {
            // What was interrupted is no proof that it does not compile.
            if input::was_interrupted() {
                return Ok(());
            }
            let proof = work.draft.pair.proof.clone();
            records.put(work.draft.pair)?;
            for mut kernel in work.kernels {
                (kernel.proof.level, kernel.proof.next) = (proof.level, proof.next.clone());
                kernel.proof.compilers.clone_from(&proof.compilers);
                records.put(kernel)?;
            }
        }
    }
    Ok(())
}

/// Proves the units of a batch, as many at a time as there are threads, and returns them in their order.
fn proven(
    args: &PairsArgs,
    tools: Option<&Tools>,
    equal: &BTreeSet<String>,
    batch: Vec<(usize, Work)>,
    root: &Path,
) -> Result<Vec<Work>> {
    let Some(tools) = tools else {
        return Ok(batch.into_iter().map(|(_, work)| work).collect());
    };
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.settings.files.jobs.unwrap_or_else(cores);
    let waiting = Mutex::new(batch.into_iter());
    let done = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    loop {
                        let next = waiting.lock().expect("no worker panics with it").next();
                        let Some((number, mut work)) = next else {
                            return Ok(());
                        };
                        let left = match number % args.sample as usize {
                            0 if is_for_hip(&work) => None,
                            0 => Some("not tried: is no unit for hipcc"),
                            _ => Some("not tried: is not in the sample"),
                        };
                        match left {
                            None => prove_one(tools, equal, &mut work, root)?,
                            Some(why) => work.draft.pair.proof.next = why.to_owned(),
                        }
                        done.lock()
                            .expect("no worker panics with it")
                            .insert(number, work);
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("a worker returns its error"))
    })?;
    Ok(done
        .into_inner()
        .expect("the workers are gone")
        .into_values()
        .collect())
}

/// Host sources that only call the runtime go to the host's compiler in most builds.
fn is_for_hip(work: &Work) -> bool {
    let extension = work.output.extension().unwrap_or_default();
    extension == "cu" || extension == "hip"
}

fn prove_one(tools: &Tools, equal: &BTreeSet<String>, work: &mut Work, root: &Path) -> Result<()> {
    let compiler = Compiler {
        tools,
        interrupted: input::interrupted(),
    };
    let draft = &mut work.draft;
    let unit = Unit {
        source: &work.source,
        result: &work.output,
        root,
        is_program: draft.is_program,
    };
    let mut proof = compiler.prove(&unit, draft.pair.proof.level)?;
    let is_equal = equal.contains(&draft.pair.path) || equal.contains(&draft.pair.project);
    if proof.level == Level::Linked && is_equal {
        proof.level = Level::RanEqual;
        proof.next = String::new();
    }
    draft.pair.proof = proof;
    Ok(())
}

/// The cases that `verify compare` called the same.
pub(super) fn equal_cases(path: &Path) -> Result<BTreeSet<String>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let value: serde_json::Value = serde_json::from_str(&text).with_context(|| {
        format!(
            "{}: is not what `verify compare --output-format json` prints",
            path.display()
        )
    })?;
    let cases = value["cases"].as_array().cloned().unwrap_or_default();
    let same = cases.iter().filter(|case| case["same"] == true);
    Ok(same
        .filter_map(|case| case["name"].as_str())
        .map(str::to_owned)
        .collect())
}
