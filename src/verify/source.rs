//! Runs the cases of one side and writes what they did.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};

use super::costs;
use super::digest::{self, Digest};
use super::emulate::Emulator;
use super::execute::{End, Outcome, Task};
use super::learn;
use super::manifest::Case;
use super::record::{CaseEnd, CaseHead, Device, Entry, Kernel, put};
use super::snapshot::Snapshot;
use super::watch::{self, Seen};

/// Bytes of standard error that are kept.
const STDERR_KEPT: u64 = 1 << 16;

/// How commands are run.
pub struct Taken<'a> {
    /// The emulator, where the port runs on it.
    pub emulator: Option<&'a Emulator>,
    /// Most bytes that a run may print.
    pub most_output: u64,
    /// Whether the device is looked at as well.
    pub watch: bool,
    /// File that the emulator adds what kernels cost in the first run of a case to.
    pub costs: Option<PathBuf>,
    /// Libraries that the environment preloads already.
    pub preload: OsString,
    /// Set when a person wants the run to end.
    pub interrupted: &'a AtomicBool,
}

/// Runs a case as often as it says and writes its record; says how the last run ended.
///
/// # Errors
/// When the command cannot be started, or something cannot be read or written.
pub fn take(case: &Case, how: &Taken<'_>, out: &mut impl Write) -> Result<Outcome> {
    let scratch = tempfile::tempdir().context("no temporary folder can be made")?;
    let mut taking = Taking::new(case, how, scratch.path());
    let inputs = inputs(case)?;
    for run in 0..case.runs {
        taking.run(run)?;
        if !matches!(
            taking.ends.last(),
            Some(Outcome {
                end: End::Exit(_),
                ..
            })
        ) {
            break;
        }
    }
    taking.changed_inputs(&inputs)?;
    taking.write(inputs, out)
}

/// Writes the record of a case that was run elsewhere, of which its output is known: of one run, or of several.
///
/// # Errors
/// When something cannot be read or written.
pub(crate) fn given(
    case: &Case,
    how: &Taken<'_>,
    (code, outputs): (i32, &[String]),
    out: &mut impl Write,
) -> Result<()> {
    let scratch = tempfile::tempdir().context("no temporary folder can be made")?;
    let mut taking = Taking::new(case, how, scratch.path());
    for (run, output) in (0..).zip(outputs) {
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| taking.path(name, run));
        crate::emit::write(&stdout, output.as_bytes(), None)?;
        crate::emit::write(&stderr, b"", None)?;
        taking.take("stdout", &stdout, run)?;
        taking.ends.push(Outcome {
            end: End::Exit(code),
            seconds: 0.0,
        });
    }
    taking.write(Vec::new(), out)?;
    Ok(())
}

fn inputs(case: &Case) -> Result<Vec<(String, String)>> {
    let hash = |path: &PathBuf| {
        let digest = digest::of_file(path).with_context(|| {
            format!(
                "{}: input of case `{}` cannot be read",
                path.display(),
                case.name
            )
        })?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok((name.to_string_lossy().into_owned(), digest.hash))
    };
    case.inputs.iter().map(hash).collect()
}

struct Taking<'a> {
    case: &'a Case,
    how: &'a Taken<'a>,
    scratch: PathBuf,
    /// Texts by name: what is known of their lines.
    texts: BTreeMap<String, PathBuf>,
    blobs: BTreeMap<String, Digest>,
    ends: Vec<Outcome>,
    stale: Vec<String>,
    devices: Vec<Device>,
    kernels: Vec<Kernel>,
    /// What was copied back, and whether every run copied the same.
    copies: Vec<(Digest, bool)>,
}

impl<'a> Taking<'a> {
    fn new(case: &'a Case, how: &'a Taken<'a>, scratch: &Path) -> Self {
        Self {
            case,
            how,
            scratch: scratch.to_path_buf(),
            texts: BTreeMap::new(),
            blobs: BTreeMap::new(),
            ends: Vec::new(),
            stale: Vec::new(),
            devices: Vec::new(),
            kernels: Vec::new(),
            copies: Vec::new(),
        }
    }

    fn run(&mut self, run: u32) -> Result<()> {
        let case = self.case;
        let wanted = case.files.as_deref().map(globs).transpose()?;
        let before = Snapshot::new(&case.folder, wanted.as_ref(), &self.scratch);
        let (stdout, stderr) = (self.path("stdout", run), self.path("stderr", run));
        let environment = self.environment(run)?;
        let task = Task {
            command: &case.command,
            folder: &case.folder,
            environment: &environment,
            stdin: case.stdin.as_deref(),
            timeout: case.timeout,
            most_output: self.how.most_output,
            interrupted: self.how.interrupted,
        };
        self.ends.push(task.run(&stdout, &stderr)?);
        self.take("stdout", &stdout, run)?;
        if self.how.watch {
            self.watched(watch::read(&self.path("watch", run))?, run);
        }
        let after = Snapshot::new(&case.folder, wanted.as_ref(), &self.scratch);
        if wanted.is_some() {
            let untouched = after.untouched_since(&before);
            self.stale
                .extend(untouched.iter().map(|path| slashed(path)));
        }
        for path in after.written_since(&before) {
            let copy = self.path("file", run);
            // A copy: the next run writes over it.
            fs::copy(case.folder.join(&path), &copy)
                .with_context(|| format!("{}: cannot be read", path.display()))?;
            self.take(&slashed(&path), &copy, run)?;
            fs::remove_file(&copy)?;
        }
        Ok(())
    }

    /// What is added to the environment: the emulator, the library that watches, and what the case says.
    fn environment(&self, run: u32) -> Result<Vec<(OsString, OsString)>> {
        let (mut environment, mut preload) = (Vec::new(), Vec::new());
        if self.how.watch {
            let folder = self.path("watch", run);
            fs::create_dir(&folder)?;
            environment.push(watch::variable(&folder));
            preload.push(watch::install(&self.scratch)?.into_os_string());
        }
        if let Some(emulator) = self.how.emulator {
            environment.extend(emulator.environment(&self.scratch)?);
            preload.push(emulator.library().into());
            let costs = self.how.costs.as_ref().filter(|_| run == 0);
            environment.extend(costs.map(|file| (OsString::from(costs::VARIABLE), file.into())));
        }
        if !preload.is_empty() {
            preload.extend(Some(self.how.preload.clone()).filter(|list| !list.is_empty()));
            environment.push((OsString::from("LD_PRELOAD"), preload.join(OsStr::new(":"))));
        }
        let own = self.case.environment.iter();
        environment.extend(own.map(|(k, v)| (OsString::from(k), OsString::from(v))));
        Ok(environment)
    }

    /// Adds what was seen of the device in one run.
    fn watched(&mut self, seen: Seen, run: u32) {
        self.devices.push(seen.device);
        if run == 0 {
            self.kernels = seen.kernels;
            self.copies = seen.copies.into_iter().map(|copy| (copy, true)).collect();
            return;
        }
        let mut others = seen.copies.into_iter();
        for (copy, stable) in &mut self.copies {
            *stable &= others.next().is_some_and(|other| other.hash == copy.hash);
        }
    }

    fn path(&self, name: &str, run: u32) -> PathBuf {
        self.scratch.join(format!("{name}-{run}"))
    }

    /// Adds what one run printed or wrote to what is known.
    fn take(&mut self, name: &str, content: &Path, run: u32) -> Result<()> {
        let is_text = learn::is_text(content)?;
        if !is_text {
            self.texts.remove(name);
            self.blobs
                .entry(name.to_owned())
                .or_insert(digest::of_file(content)?);
            return Ok(());
        }
        let number = self.texts.len();
        match self.texts.get(name) {
            None if run > 0 && self.blobs.contains_key(name) => {}
            None => {
                let known = self.scratch.join(format!("known-{number}-{run}"));
                learn::first(content, &known)?;
                self.texts.insert(name.to_owned(), known);
            }
            Some(known) => {
                let next = known.with_extension(run.to_string());
                learn::another(known, content, &next)?;
                fs::remove_file(known)?;
                self.texts.insert(name.to_owned(), next);
            }
        }
        Ok(())
    }

    fn changed_inputs(&mut self, before: &[(String, String)]) -> Result<()> {
        let after = inputs(self.case)?;
        let changed = before.iter().zip(&after).filter(|(a, b)| a != b);
        let changed: Vec<String> = changed.map(|((name, _), _)| name.clone()).collect();
        self.stale.extend(changed);
        Ok(())
    }

    fn write(self, inputs: Vec<(String, String)>, out: &mut impl Write) -> Result<Outcome> {
        let case = self.case;
        let stderr = tail(&self.path("stderr", 0))?;
        let head = CaseHead {
            name: case.name.clone(),
            group: case.group.clone(),
            command: case.command.clone(),
            runs: u32::try_from(self.ends.len()).unwrap_or(u32::MAX),
            inputs,
            emulated: self.how.emulator.is_some(),
            judgement: case.judgement.clone(),
        };
        put(out, &Entry::Case(head))?;
        for (name, known) in &self.texts {
            put(out, &Entry::Text { name: name.clone() })?;
            let mut lines = BufReader::new(fs::File::open(known)?);
            std::io::copy(&mut lines, out)?;
        }
        for (name, digest) in self.blobs.clone() {
            put(out, &Entry::Blob { name, digest })?;
        }
        for (digest, stable) in self.copies {
            put(out, &Entry::Copy { digest, stable })?;
        }
        let mut stale = self.stale.clone();
        stale.sort();
        stale.dedup();
        let end = CaseEnd {
            ends: self.ends.iter().map(|outcome| outcome.end).collect(),
            seconds: self.ends.iter().map(|outcome| outcome.seconds).collect(),
            stderr,
            stale,
            device: self.devices,
            kernels: self.kernels,
        };
        put(out, &Entry::End(end))?;
        Ok(*self.ends.last().expect("a case runs at least once"))
    }
}

/// The end of what was printed on standard error.
fn tail(path: &Path) -> Result<String> {
    let mut file = fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(STDERR_KEPT)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = Glob::new(pattern);
        builder.add(
            glob.with_context(|| format!("`{pattern}` is not a glob; write it like `out/*.dat`"))?,
        );
    }
    Ok(builder.build()?)
}
