//! All units on all cores.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::attempt::{Attempt, Verdict, files_read};
use super::compiler::Compiler;
use super::mend::Overlay;
use super::program::Limits;
use super::store::Store;
use super::unit::{Language, Unit};

/// An attempt, with the files that the compiler read for it where that is known.
type Tried = (Attempt, Option<BTreeSet<PathBuf>>);

/// What a person wants of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes<'a> {
    /// Longest time of a pass.
    pub(crate) timeout: Duration,
    /// Set when the run is to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// Units are compiled by it.
#[derive(Debug)]
pub(crate) struct Trial<'a> {
    /// The compiler.
    pub(crate) compiler: &'a Compiler,
    /// What is known already.
    pub(crate) store: &'a Store,
    /// How.
    pub(crate) wishes: Wishes<'a>,
}

impl Trial<'_> {
    /// Compiles all units; `step` is called behind each. What a person ends is not tried.
    ///
    /// # Errors
    /// When a compiler cannot be started.
    pub(crate) fn run(
        &self,
        units: &[Unit],
        step: &(dyn Fn() + Sync),
    ) -> Result<Vec<Attempt>, String> {
        let trouble = Mutex::new(None);
        let attempt = |unit: &Unit| {
            let is_over = || {
                trouble
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .is_some()
            };
            if self.wishes.interrupted.load(Ordering::Relaxed) || is_over() {
                return Attempt::none();
            }
            let done = Attempt::new(unit, self.compiler, self.store, self.limits());
            step();
            done.unwrap_or_else(|message| {
                trouble
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(message);
                Attempt::none()
            })
        };
        // One by one, since a unit takes seconds: who is done takes the next.
        let attempts: Vec<Attempt> = units.par_iter().with_max_len(1).map(attempt).collect();
        self.store.sweep();
        match trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(message) => Err(message),
            None => Ok(attempts),
        }
    }

    /// Compiles some units with texts in the place of files, which stay as they are. With each comes what [`Trial::files_read`] says of it.
    ///
    /// # Errors
    /// When a compiler cannot be started, or there is no room for the texts.
    pub(crate) fn run_with(
        &self,
        units: &[Unit],
        texts: &[(PathBuf, Vec<u8>)],
    ) -> Result<Vec<Tried>, String> {
        let overlay = Overlay::new(texts)?;
        let mut units = units.to_vec();
        for unit in &mut units {
            unit.options.extend(overlay.options());
        }
        // What is said of texts that stand nowhere holds for this call alone.
        let answers = tempfile::tempdir()
            .map_err(|error| format!("no temporary folder can be made: {error}"))?;
        let trial = Trial {
            store: &Store::new(Some(answers.path().to_path_buf())),
            ..*self
        };
        let attempts = trial.run(&units, &|| ())?;
        let read = units.iter().map(|unit| trial.files_read(unit));
        Ok(attempts.into_iter().zip(read).collect())
    }

    /// Whether all passes of a unit have a compiler that can read texts in the place of files.
    pub(crate) fn reads_texts(&self, unit: &Unit) -> bool {
        let compiler = self.compiler;
        let passes = compiler.passes(unit);
        passes.iter().all(|pass| compiler.is_clang(unit, pass))
    }

    /// The files that the compiler read for a unit when it was compiled, as far as it came; none where that is not known.
    pub(crate) fn files_read(&self, unit: &Unit) -> Option<BTreeSet<PathBuf>> {
        files_read(unit, self.compiler, self.store)
    }

    /// Whether the compiler reads a HIP source at all: what is wrong with it is not said of each unit.
    ///
    /// # Errors
    /// When it does not; the message is what it says first.
    pub(crate) fn probe(&self, folder: &Path) -> Result<(), String> {
        let file = folder.join("probe.hip");
        let text = b"#include <hip/hip_runtime.h>\n__global__ void probe(int *x) { x[threadIdx.x] = 0; }\n";
        crate::emit::write(&file, text, None).map_err(|error| format!("{error:#}"))?;
        let unit = Unit {
            file,
            folder: folder.to_path_buf(),
            options: Vec::new(),
            language: Language::Hip,
            program: None,
        };
        let attempt = Attempt::new(&unit, self.compiler, self.store, self.limits())?;
        match attempt.errors.first() {
            Some(error) if attempt.verdict == Verdict::Fails => Err(format!(
                "{} does not compile an empty kernel for {}: {}",
                self.compiler.program.display(),
                attempt.pass,
                error.text
            )),
            _ => Ok(()),
        }
    }

    /// The limits of a pass.
    pub(super) fn limits(&self) -> Limits<'_> {
        Limits {
            timeout: self.wishes.timeout,
            interrupted: self.wishes.interrupted,
        }
    }
}

/// The names by which a build calls its compilers for the host.
pub(crate) fn hosts(
    units: &[Unit],
    find: impl Fn(&str) -> Option<PathBuf>,
) -> std::collections::BTreeMap<String, PathBuf> {
    let of_host = units.iter().filter(|unit| unit.language != Language::Hip);
    let names = of_host.filter_map(|unit| unit.program.clone());
    let is_plain = |name: &String| {
        !name.contains("hipcc") && !name.contains("clang") && !name.contains("nvcc")
    };
    let found = names
        .filter(is_plain)
        .filter_map(|name| Some((name.clone(), find(&name)?)));
    found.collect()
}
