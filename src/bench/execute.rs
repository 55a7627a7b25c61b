//! Runs of a program on the emulated GPU, and comparisons.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use regex::Regex;

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
    /// What it says of a file that it reads and that is not there.
    pub(super) lacks: Option<String>,
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
            let written = Record::open(&record)?;
            let last_words = written.last_words().to_owned();
            let lacks = match outcome.end {
                End::Exit(code) if code != 0 => lacking(&written.last_lines(LAST_LINES)?),
                _ => None,
            };
            Ok(Ran {
                end: outcome.end,
                record,
                last_words,
                lacks,
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

/// Lines of a run that are searched for what it lacks.
const LAST_LINES: usize = 8;
/// `Failed to open examples/input.txt`, `File a.mtx not found`, `No such file or directory`.
static NO_FILE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\bno such file\b|\bfile\b.*\bnot found\b|\b(?:cannot|can't|could not|couldn't|unable to|failed to|error|failure)\b.{0,20}\b(?:open|opening|read|reading|load|loading|find)\b.*(?:\bfile\b|\S[./][a-z])";
    Regex::new(pattern).expect("a constant pattern that the tests use")
});
/// What a program of a port may fail to load by a fault of the port.
static OF_THE_PORT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\b(?:module|code object|symbol|librar\w*|shared object|kernel|hip\w*|\w+\.(?:so|hsaco|co|ptx|cubin|fatbin))\b";
    Regex::new(pattern).expect("a constant pattern that the tests use")
});

/// The line of a failed run that names data which is not there.
fn lacking(lines: &[String]) -> Option<String> {
    let is_data = |line: &&String| NO_FILE.is_match(line) && !OF_THE_PORT.is_match(line);
    lines
        .iter()
        .find(is_data)
        .map(|line| line.trim().to_owned())
}

/// Why a run did not end as it should; none where it did.
pub(super) fn trouble(ran: &Ran, code: i32) -> Option<String> {
    match ran.end {
        End::Exit(ended) if ended == code => None,
        End::Exit(NOT_EMULATED) => Some(format!("not emulated: {}", ran.last_words)),
        end => Some(end.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_is_not_there_is_told_from_a_port_that_fails() {
        let lacks = |line: &str| lacking(&["before".to_owned(), line.to_owned()]).is_some();
        for line in [
            "File data/snap/amazon0302.mtx not found",
            "Failed to open examples/input.txt",
            "Failed to load dataset file: No such file or directory",
            "Error: cannot open input.bin",
            "Couldn't find file weights",
        ] {
            assert!(lacks(line), "{line}");
        }
        for line in [
            "hipModuleLoad failed: no such file or directory",
            "error: failed to load code object a.hsaco",
            "cannot find symbol k in file a.out",
            "libmissing.so: cannot open shared object file: No such file or directory",
            "FAIL: results differ",
            "error reading back 3.5 results",
        ] {
            assert!(!lacks(line), "{line}");
        }
    }
}
