//! Records of a tree: translated as a whole, proven unit by unit, written as they are done.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, Result};

use super::filter::project_of;
use super::prove;
use crate::cli::args::PairsArgs;
use crate::cli::settings::{Given, Settings};
use crate::cli::{Exit, input, output};
use crate::config::CheckTable;
use crate::engine::Session;
use crate::pairs::{
    Compiler, Draft, Level, Licence, Origin, Pair, Tools, Unit, card, kernels, of_folders, of_text,
    unit,
};
use crate::pipeline::{Naming, Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::{compat, emit};

/// Units that are proven before their records are written: enough for all cores, few enough to lose.
const BATCH: usize = 16;

/// A unit with everything that its record needs.
struct Work {
    draft: Draft,
    kernels: Vec<Pair>,
    source: PathBuf,
    output: PathBuf,
}

/// Makes the records of all trees.
pub(super) fn run(args: &PairsArgs) -> Result<Exit> {
    let target = args.output.as_deref();
    let target = target.context("name the file that the records go to: -o pairs.jsonl")?;
    let tools = args
        .proof
        .compile
        .then(|| prove::tools(&args.proof))
        .transpose()?;
    let equal = args
        .proof
        .verified
        .as_deref()
        .map(equal_cases)
        .transpose()?
        .unwrap_or_default();
    let mut records = Records::open(target)?;
    let mut exit = Exit::Clean;
    for source in &args.sources {
        let scratch = tempfile::tempdir()?;
        let (work, problems) = translated(args, source, scratch.path())?;
        problems
            .iter()
            .for_each(|problem| output::complain(problem));
        if !problems.is_empty() {
            exit = Exit::Trouble;
        }
        prove_all(
            args,
            tools.as_ref(),
            &equal,
            work,
            scratch.path(),
            &mut records,
        )?;
        if input::was_interrupted() {
            output::complain(&format!(
                "interrupted; run again to go on from {}",
                records.part.display()
            ));
            return Ok(Exit::Interrupted);
        }
    }
    let made_with = format!("Made with cass-transpile {}.", env!("CARGO_PKG_VERSION"));
    records.finish(target, &made_with)?;
    Ok(exit)
}

/// Translates a tree into `scratch` and returns its units.
fn translated(args: &PairsArgs, source: &Path, scratch: &Path) -> Result<(Vec<Work>, Vec<String>)> {
    let given = Given {
        settings: &args.settings,
        naming: Some(Naming::Keep),
        check: CheckTable::default(),
    };
    let mut settings = Settings::new(source, &given)?;
    let filter = settings.filter(args.output.iter().cloned().collect());
    let mut walked = walk(source, &filter)?;
    settings.nest(&mut walked)?;
    let mut problems = walked.problems;
    let plan = Plan::new(walked.entries, Naming::Keep);
    let session = settings.session(&plan)?;
    let root = fs::canonicalize(source)?;
    let making = Making {
        args,
        session: &session,
        root: &root,
        scratch,
    };
    let done = run_pipeline(
        &plan.files,
        &session,
        input::interrupted(),
        |file, processed| {
            making
                .finish(file, processed)
                .map_err(|error| format!("{error:#}"))
        },
    );
    let mut helpers = BTreeSet::new();
    let mut work = Vec::new();
    for result in done {
        match result {
            Ok((unit, called)) => {
                helpers.extend(called);
                work.extend(unit);
            }
            Err(message) => problems.push(message),
        }
    }
    if !helpers.is_empty() {
        let header = compat::header(&helpers);
        emit::write(
            &scratch.join(session.project.helper_header()),
            header.as_bytes(),
            None,
        )?;
    }
    Ok((work, problems))
}

struct Making<'a> {
    args: &'a PairsArgs,
    session: &'a Session,
    root: &'a Path,
    scratch: &'a Path,
}

impl Making<'_> {
    /// Puts a file where compilers look for it; a unit of CUDA becomes a record.
    fn finish(
        &self,
        file: &PlannedFile,
        processed: Processed,
    ) -> Result<(Option<Work>, BTreeSet<&'static str>)> {
        let output = self.scratch.join(&file.output);
        let (source, outcome) = match processed {
            Processed::Failed { message } => anyhow::bail!(message),
            Processed::Opaque => return Ok((None, BTreeSet::new())),
            Processed::Plain { .. } => {
                if self.args.proof.compile {
                    emit::copy(&file.entry.path, &output)?;
                }
                return Ok((None, BTreeSet::new()));
            }
            Processed::Source { source, outcome } => (source, outcome),
        };
        if self.args.proof.compile {
            let bytes = outcome.output.as_deref().unwrap_or(&source.bytes);
            emit::write(&output, bytes, None)?;
        }
        let helpers = outcome.helpers.clone();
        if !(outcome.is_cuda && is_unit(&file.entry.path)) {
            return Ok((None, helpers));
        }
        let origin = Origin {
            url: self.args.origin.clone(),
            commit: self.args.commit.clone(),
        };
        let project = project_of(&source.path, self.args.project_depth);
        let licence = self.licence(&source.bytes, &file.entry.path);
        let draft = unit(
            &source,
            &outcome,
            &project,
            &origin,
            licence,
            &self.session.options,
        );
        let kernels = if self.args.kernels {
            kernels(&draft.pair, &source, &outcome)
        } else {
            Vec::new()
        };
        let source = std::path::absolute(&file.entry.path)?;
        Ok((
            Some(Work {
                draft,
                kernels,
                source,
                output,
            }),
            helpers,
        ))
    }

    fn licence(&self, bytes: &[u8], path: &Path) -> Option<Licence> {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let given = self.args.license.clone();
        of_text(bytes)
            .or_else(|| of_folders(&folder?, self.root))
            .or_else(|| {
                Some(Licence {
                    spdx: given?,
                    from: "--license".to_owned(),
                })
            })
    }
}

/// Files that a compiler is given; what they include is part of them.
fn is_unit(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    matches!(
        &*extension,
        "cu" | "hip" | "cpp" | "cc" | "cxx" | "c" | "C" | "c++"
    )
}

fn prove_all(
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
    let threads =
        args.settings.files.jobs.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
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
                        let is_sample = number % args.sample as usize == 0;
                        if is_sample && is_for_hip(&work) {
                            prove_one(tools, equal, &mut work, root)?;
                        } else {
                            let why = if is_sample {
                                "is no unit for hipcc"
                            } else {
                                "is not in the sample"
                            };
                            work.draft.pair.proof.next = format!("not tried: {why}");
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
fn equal_cases(path: &Path) -> Result<BTreeSet<String>> {
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

/// The file of records while it grows: `FILE.part`, which the next run goes on with.
struct Records {
    part: PathBuf,
    file: fs::File,
    ids: BTreeSet<String>,
    /// The first record of each source.
    keys: BTreeMap<String, String>,
}

impl Records {
    fn open(target: &Path) -> Result<Self> {
        let mut name = target.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let (mut ids, mut keys, mut whole) = (BTreeSet::new(), BTreeMap::new(), 0);
        if let Ok(file) = fs::File::open(&part) {
            for line in BufReader::new(file).split(b'\n') {
                let line = line?;
                // A line that was cut off is written again.
                let Ok(value) = serde_json::from_slice::<serde_json::Value>(&line) else {
                    break;
                };
                let field = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
                keys.entry(field("dedup")).or_insert_with(|| field("id"));
                ids.insert(field("id"));
                whole += line.len() as u64 + 1;
            }
        }
        let file = fs::File::options().create(true).append(true).open(&part);
        let file = file.with_context(|| format!("{}: cannot be written", part.display()))?;
        file.set_len(whole.min(file.metadata()?.len()))?;
        if !ids.is_empty() {
            output::note(&format!(
                "going on with {}: {} records are there\n",
                part.display(),
                ids.len()
            ));
        }
        Ok(Self {
            part,
            file,
            ids,
            keys,
        })
    }

    fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    fn put(&mut self, mut pair: Pair) -> Result<()> {
        if !self.ids.insert(pair.id.clone()) {
            return Ok(());
        }
        let first = self
            .keys
            .entry(pair.dedup.clone())
            .or_insert_with(|| pair.id.clone());
        pair.duplicate_of = (*first != pair.id).then(|| first.clone());
        let line = serde_json::to_string(&pair)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| {
            format!(
                "{}: cannot be written; is the disk full?",
                self.part.display()
            )
        })
    }

    /// Puts the records in their place, and the card beside them.
    fn finish(self, target: &Path, made_with: &str) -> Result<()> {
        self.file.sync_all()?;
        drop(self.file);
        let file = fs::File::open(&self.part)?;
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        let lines: Vec<String> = lines.map(|line| light(&line)).collect();
        let text = card(lines.iter().map(String::as_str), made_with);
        fs::rename(&self.part, target)
            .with_context(|| format!("{}: cannot be written", target.display()))?;
        emit::write(&target.with_extension("md"), text.as_bytes(), None)?;
        output::print(&text)
    }
}

/// A record without its long texts, for counting.
fn light(line: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<serde_json::Value>(line) else {
        return line.to_owned();
    };
    for field in ["source", "result", "edits", "findings", "options"] {
        value.as_object_mut().map(|object| object.remove(field));
    }
    for field in ["amdgcn", "ptx"] {
        if let Some(text) = value["proof"].get_mut(field) {
            *text = serde_json::Value::Bool(true);
        }
    }
    value.to_string()
}
