//! Runs of a program on the emulated GPU, and comparisons.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::program::Expected;
use crate::verify::compare::compare;
use crate::verify::{
    Case, Emulator, End, Judgement, Kind, Level, Record, Role, Taken, begin, given, take,
};

/// Megabytes that a run may print.
const MOST_OUTPUT: u64 = 64;
/// The exit code by which the emulator says that it does not know an instruction or a function.
const NOT_EMULATED: i32 = 97;

/// How programs are run and compared.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    /// The emulated GPU.
    pub(crate) emulator: &'a Emulator,
    /// Its chips.
    pub(crate) chips: &'a [String],
    /// Longest time of a run.
    pub(crate) timeout: Duration,
    /// When results are equal.
    pub(crate) judgement: Judgement,
    /// Libraries that the environment preloads already.
    pub(crate) preload: OsString,
    /// Set when a person wants the run to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// What is run.
pub(super) struct Run<'a> {
    pub(super) words: &'a [String],
    pub(super) folder: &'a Path,
    pub(super) stdin: Option<&'a Path>,
    /// How often, so that what differs by itself is learned.
    pub(super) times: u32,
}

/// What came of it.
pub(super) struct Ran {
    pub(super) end: End,
    /// What it did.
    pub(super) record: PathBuf,
    /// The last line that it printed as a message.
    pub(super) last_words: String,
}

/// What two records come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    Same,
    /// By this.
    Different(String),
    /// Nothing could be compared.
    Nothing,
}

impl Judge<'_> {
    fn taken<'t>(&'t self, emulator: Option<&'t Emulator>) -> Taken<'t> {
        Taken {
            emulator,
            most_output: MOST_OUTPUT << 20,
            watch: false,
            costs: None,
            preload: self.preload.clone(),
            interrupted: self.interrupted,
        }
    }

    fn case(&self, run: &Run<'_>) -> Case {
        Case {
            name: "run".to_owned(),
            group: "run".to_owned(),
            command: run.words.to_vec(),
            folder: run.folder.to_path_buf(),
            stdin: run.stdin.map(Path::to_path_buf),
            environment: BTreeMap::new(),
            timeout: self.timeout,
            runs: run.times,
            files: Some(Vec::new()),
            inputs: Vec::new(),
            judgement: self.judgement.clone(),
        }
    }

    /// Runs a program on a chip.
    ///
    /// # Errors
    /// When something cannot be started, read or written.
    pub(super) fn run(&self, run: &Run<'_>, chip: &str, record: PathBuf) -> Result<Ran, String> {
        let emulator = self.emulator.on(chip);
        let mut out = Vec::new();
        let taken = begin(&mut out, Role::Run).and_then(|()| {
            let outcome = take(&self.case(run), &self.taken(Some(&emulator)), &mut out)?;
            crate::emit::write(&record, &out, None)?;
            let last_words = Record::open(&record)?.last_words().to_owned();
            Ok(Ran {
                end: outcome.end,
                record,
                last_words,
            })
        });
        taken.map_err(|error| format!("{error:#}"))
    }

    /// The record of what a program should do.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn expected(&self, expected: &Expected, record: &Path) -> Result<(), String> {
        let words = ["given".to_owned()];
        let run = Run {
            words: &words,
            folder: Path::new("."),
            stdin: None,
            times: 1,
        };
        let mut out = Vec::new();
        let what = (expected.code, expected.outputs.as_slice());
        let written = begin(&mut out, Role::Record)
            .and_then(|()| given(&self.case(&run), &self.taken(None), what, &mut out))
            .and_then(|()| crate::emit::write(record, &out, None).map(drop));
        written.map_err(|error| format!("{error:#}"))
    }

    /// Compares a run with what it should do.
    ///
    /// # Errors
    /// When a record cannot be read again.
    pub(super) fn compare(&self, want: &Path, got: &Path) -> Result<Compared, String> {
        let result = Record::open(want).and_then(|want| {
            let got = Record::open(got)?;
            compare(&want, &got, |_, _| self.judgement.clone())
        });
        let comparison = result.map_err(|error| format!("{error:#}"))?;
        let differences = comparison.cases.iter().flat_map(|case| &case.differences);
        let mut errors = differences.filter(|found| found.level == Level::Error);
        Ok(match errors.next() {
            None => Compared::Same,
            Some(first) if first.kind == Kind::NothingCompared => Compared::Nothing,
            Some(first) => Compared::Different(first.kind.name().to_owned()),
        })
    }
}

/// Why a run did not end as it should; none where it did.
pub(super) fn trouble(ran: &Ran, code: i32) -> Option<String> {
    match ran.end {
        End::Exit(ended) if ended == code => None,
        End::Exit(NOT_EMULATED) => Some(format!("not emulated: {}", ran.last_words)),
        end => Some(end.text()),
    }
}
