//! Units that are proven by compilers, as many at a time as there are threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, Result};

use super::records::Records;
use crate::cli::args::PairsArgs;
use crate::cli::input;
use crate::pairs::{self, Compiler, Draft, Level, Pair, Proof, Tools, Unit};

/// Units that are proven before their records are written: enough for all cores, few enough to lose.
const BATCH: usize = 16;

/// Units and projects that ran equal.
pub(super) type Equal = BTreeMap<String, Ran>;

/// What a unit did that ran equal.
pub(super) struct Ran {
    /// What it was held against.
    held_against: String,
    /// What `bench` linked it to, where it did so itself and not by a Makefile.
    linked: Option<Linked>,
}

/// What `bench` made of a unit.
#[derive(Clone)]
struct Linked {
    /// The program of several sources that it is a part of; none where it is the program.
    program: Option<String>,
    /// The chips that it ran on.
    chips: Vec<String>,
    /// A hash of its text as it was compiled; none where `bench` says none.
    text: Option<String>,
}

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
                kernel.proof.program.clone_from(&proof.program);
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
    let (path, project) = (&draft.pair.path, &draft.pair.project);
    let ran = equal.get(path).or_else(|| equal.get(project));
    let linked = ran.and_then(|ran| ran.linked.as_ref());
    let text = pairs::hash(draft.pair.result.as_bytes());
    let is_other_text = linked.is_some_and(|linked| linked.text.as_ref() != Some(&text));
    let mut proof = match linked.filter(|_| !is_other_text) {
        // It was compiled for both sides, linked and run: nothing is left for a compiler to say.
        Some(linked) if !tools.assembly => Proof {
            compilers: linked.chips.clone(),
            ..Proof::of(Level::Linked, "")
        },
        _ => compiler.prove(&unit, draft.pair.proof.level)?,
    };
    let needed = |ran: &&Ran| match ran.linked {
        Some(_) => proof.level >= Level::CompiledDevice,
        None => proof.level == Level::Linked,
    };
    if is_other_text {
        proof.next =
            "bench ran another text: give both commands the same tree and options".to_owned();
    } else if let Some(ran) = ran.filter(needed) {
        proof.level = Level::RanEqual;
        proof.next = String::new();
        proof.equal_to = Some(ran.held_against.clone());
        proof.program = linked.and_then(|linked| linked.program.clone());
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
            let record = |name| {
                let held_against = "record".to_owned();
                (
                    name,
                    Ran {
                        held_against,
                        linked: None,
                    },
                )
            };
            Ok(names.map(record).collect())
        }
        (None, Some(rows)) => Ok(rows.iter().filter(is_equal).flat_map(of_program).collect()),
        (None, None) => anyhow::bail!(wrong()),
    }
}

/// The program of a row of `bench`, and the units that were linked to it.
fn of_program(row: &serde_json::Value) -> Vec<(String, Ran)> {
    let (Some(path), Some(with)) = (row["path"].as_str(), row["compared_with"].as_str()) else {
        return Vec::new();
    };
    let texts = |list: &serde_json::Value, of: fn(&serde_json::Value) -> Option<&str>| {
        let list = list.as_array().into_iter().flatten();
        list.filter_map(of).map(str::to_owned).collect::<Vec<_>>()
    };
    let sources = texts(&row["sources"], serde_json::Value::as_str);
    let compiled = texts(&row["compiled"], serde_json::Value::as_str);
    let chips = texts(&row["runs"], |run| run["chip"].as_str());
    let chips: Vec<String> = chips.iter().map(|chip| format!("bench {chip}")).collect();
    let ran = |at: usize, program: Option<&str>| Ran {
        held_against: with.to_owned(),
        linked: (!sources.is_empty()).then(|| Linked {
            program: program.map(str::to_owned),
            chips: chips.clone(),
            text: compiled.get(at).cloned(),
        }),
    };
    match sources.len() {
        0 | 1 => vec![(path.to_owned(), ran(0, None))],
        _ => {
            let parts = sources.iter().enumerate();
            parts
                .map(|(at, part)| (part.clone(), ran(at, Some(path))))
                .collect()
        }
    }
}
