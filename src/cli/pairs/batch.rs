//! Units that are proven by compilers, as many at a time as there are threads.

use std::collections::BTreeMap;
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

/// Units and projects that ran equal, and what each was held against.
pub(super) type Equal = BTreeMap<String, String>;

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
    equal: &Equal,
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
                kernel.proof.equal_to.clone_from(&proof.equal_to);
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
    equal: &Equal,
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

fn prove_one(tools: &Tools, equal: &Equal, work: &mut Work, root: &Path) -> Result<()> {
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
    let (path, project) = (&draft.pair.path, &draft.pair.project);
    let held_against = equal.get(path).or_else(|| equal.get(project));
    if let Some(what) = held_against.filter(|_| proof.level == Level::Linked) {
        proof.level = Level::RanEqual;
        proof.next = String::new();
        proof.equal_to = Some(what.clone());
    }
    draft.pair.proof = proof;
    Ok(())
}

/// The cases that `verify compare` called the same, or the programs that `bench` found equal: by path or project.
pub(super) fn equal_cases(path: &Path) -> Result<Equal> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let wrong = || {
        format!(
            "{}: is not what `verify compare` or `bench` print with `--output-format json`",
            path.display()
        )
    };
    let value: serde_json::Value = serde_json::from_str(&text).with_context(wrong)?;
    let list = |name: &str| value[name].as_array();
    let text = |row: &serde_json::Value, name: &str| row[name].as_str().map(str::to_owned);
    // A port by people that `bench` ran beside is no result of this program.
    let is_equal = |row: &&serde_json::Value| {
        row["reached"] == "equal" && row["translator"] == crate::bench::OWN
    };
    match (list("cases"), list("programs")) {
        (Some(cases), _) => {
            let same = cases.iter().filter(|case| case["same"] == true);
            let names = same.filter_map(|case| text(case, "name"));
            Ok(names.map(|name| (name, "record".to_owned())).collect())
        }
        (None, Some(rows)) => {
            let equal = rows.iter().filter(is_equal);
            let named = |row| Some((text(row, "path")?, text(row, "compared_with")?));
            Ok(equal.filter_map(named).collect())
        }
        (None, None) => anyhow::bail!(wrong()),
    }
}
