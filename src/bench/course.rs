//! One program by one translator through all stages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::build::{Made, build};
use super::execute::{Compared, Judge, Ran, Run, trouble};
use super::launch::words;
use super::outcome::{ChipRun, Row, Stage};
use super::program::{Program, Recipe, Test};
use super::toolchain::Toolchain;
use crate::pairs;
use crate::trial::{Limits, Reached};
use crate::verify::End;

/// What a person wants of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes<'a> {
    /// Longest time of a build.
    pub(crate) build_timeout: Duration,
    /// Set when the run is to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// Programs and what is at hand for them.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    /// The programs.
    pub(crate) programs: &'a [Program],
    /// The compiler, or why there is none.
    pub(crate) tools: Result<&'a Toolchain, &'a str>,
    /// The emulated GPU, or why there is none.
    pub(crate) judge: Result<&'a Judge<'a>, &'a str>,
    /// How.
    pub(crate) wishes: Wishes<'a>,
    /// A folder for records.
    pub(crate) scratch: &'a Path,
}

/// A translated tree.
#[derive(Clone, Debug)]
pub(crate) struct Side<'a> {
    /// Who translated it.
    pub(crate) translator: &'a str,
    /// Its root.
    pub(crate) root: &'a Path,
    /// Files that it could not translate, and why.
    pub(crate) failed: BTreeMap<String, String>,
    /// What sources come to by their includes, where no build says it.
    pub(crate) includes: &'a BTreeMap<String, Reached>,
    /// The programs are those that people wrote in HIP.
    pub(crate) is_twins: bool,
}

/// What twins did, by program: the words of a test with the record.
pub(crate) type References = Vec<Vec<(usize, Vec<String>, PathBuf)>>;

/// One program on its way.
struct Course<'a> {
    bench: &'a Bench<'a>,
    side: &'a Side<'a>,
    number: usize,
    program: &'a Program,
    recipe: &'a Recipe,
    /// What its twin did.
    twins: &'a [(usize, Vec<String>, PathBuf)],
    row: Row,
    /// What it did, for a twin.
    done: Vec<(usize, Vec<String>, PathBuf)>,
}

/// What came of a test.
enum Tested {
    /// It ended as it should; whether it is equal on all chips, or why that cannot be said.
    Ended(Result<(), Compared>),
    /// It ended otherwise.
    Failed(String),
    /// It ran out of time.
    Late(String),
    /// A file that it reads is not there.
    Lacks,
    /// A person ended it.
    Interrupted,
}

impl Bench<'_> {
    /// Takes all programs of a side as far as they come; `step` is called behind each. Twins leave references, by which others are
    /// judged. What cannot be started or written is told of its program: it says nothing of the others.
    pub(crate) fn run(
        &self,
        side: &Side<'_>,
        references: &References,
        step: &(dyn Fn() + Sync),
    ) -> (Vec<Row>, References) {
        let one = |(number, program): (usize, &Program)| {
            let recipe = match side.is_twins {
                true => program.twin.as_ref()?,
                false => &program.build,
            };
            let mut course = Course {
                bench: self,
                side,
                number,
                program,
                recipe,
                twins: references.get(number).map_or(&[], Vec::as_slice),
                row: Row::new(
                    side.translator,
                    &program.name,
                    &program.category,
                    &recipe.path(),
                ),
                done: Vec::new(),
            };
            course.row.sources = recipe.sources();
            if let Err(message) = course.go() {
                course.row.breaks_off(message);
            }
            step();
            Some((number, course.row, course.done))
        };
        let programs: Vec<(usize, &Program)> = self.programs.iter().enumerate().collect();
        let done = programs.into_par_iter().with_max_len(1).filter_map(one);
        let done: Vec<_> = done.collect();
        let mut left: References = vec![Vec::new(); self.programs.len()];
        let mut rows = Vec::new();
        for (number, row, done) in done {
            left[number] = done;
            rows.push(row);
        }
        (rows, left)
    }
}

impl Course<'_> {
    fn limits(&self) -> Limits<'_> {
        Limits {
            timeout: self.bench.wishes.build_timeout,
            interrupted: self.bench.wishes.interrupted,
        }
    }

    /// As far as it comes.
    fn go(&mut self) -> Result<(), String> {
        const INTERRUPTED: &str = "interrupted";
        if self.bench.wishes.interrupted.load(Ordering::Relaxed) {
            self.row.leaves(Stage::Translated, INTERRUPTED);
            return Ok(());
        }
        if let Some(why) = self.recipe.trouble(&self.side.failed) {
            self.row.fails(Stage::Translated, why);
            return Ok(());
        }
        self.row.reached = Some(Stage::Translated);
        let sources = self.row.sources.iter();
        let texts = sources.map(|source| std::fs::read(self.side.root.join(source)).ok());
        let digests = texts.map(|text| Some(pairs::hash(&text?)));
        self.row.compiled = digests.collect::<Option<_>>().unwrap_or_default();
        let tools = match self.bench.tools {
            Ok(tools) => tools,
            Err(why) => {
                self.row.leaves(Stage::Compiled, why);
                return Ok(());
            }
        };
        let side = (self.side.root, self.side.includes);
        match build(self.recipe, side, tools, self.limits())? {
            Made::Program => {
                self.row.reached = Some(Stage::Linked);
                self.test(tools)
            }
            Made::Objects(why) => {
                self.row.reached = Some(Stage::Compiled);
                self.row.leaves(Stage::Linked, why);
                Ok(())
            }
            Made::Failed(stage, why) => {
                if stage > Stage::Compiled {
                    self.row.reached = Some(Stage::Compiled);
                }
                self.row.fails(stage, why);
                Ok(())
            }
            Made::Interrupted => {
                self.row.leaves(Stage::Compiled, INTERRUPTED);
                Ok(())
            }
        }
    }

    /// The tests that are run, with the words that a twin was run with.
    fn tests(&self) -> Vec<(usize, Test, Option<PathBuf>)> {
        let all = self.program.tests.iter().cloned().enumerate();
        let has_results = self
            .program
            .tests
            .iter()
            .any(|test| test.expected.is_some());
        if has_results || self.twins.is_empty() {
            return all.map(|(number, test)| (number, test, None)).collect();
        }
        let with_twin = |(number, words, record): &(usize, Vec<String>, PathBuf)| {
            let mut test = self.program.tests[*number].clone();
            test.words = Some(words.clone());
            (*number, test, Some(record.clone()))
        };
        self.twins.iter().map(with_twin).collect()
    }

    /// Runs the tests: all, or the first that ends in time.
    fn test(&mut self, tools: &Toolchain) -> Result<(), String> {
        let judge = match self.bench.judge {
            Ok(judge) => judge,
            Err(why) => {
                self.row.leaves(Stage::Ran, why);
                return Ok(());
            }
        };
        let (mut late, mut equal, mut count) = (None, Ok(()), 0);
        for (number, test, twin) in self.tests() {
            let wanted = test.words.as_deref();
            let found = words(self.recipe, self.side.root, wanted, tools, self.limits());
            let Some(command) = found else {
                let why = "no program that could be run is found in its folder";
                self.row.leaves(Stage::Ran, why);
                return Ok(());
            };
            self.row.command = command;
            match self.one(judge, number, &test, twin.as_deref())? {
                Tested::Late(why) if !self.program.needs_all => {
                    late = Some(why);
                    continue;
                }
                Tested::Late(why) | Tested::Failed(why) => {
                    self.row.fails(Stage::Ran, why);
                    return Ok(());
                }
                Tested::Lacks => {
                    self.row
                        .leaves(Stage::Ran, "a file that it reads is not there");
                    return Ok(());
                }
                Tested::Interrupted => {
                    self.row.leaves(Stage::Ran, "interrupted");
                    return Ok(());
                }
                Tested::Ended(compared) => equal = equal.and(compared),
            }
            count += 1;
            if !self.program.needs_all {
                break;
            }
        }
        self.conclude(late.filter(|_| count == 0), equal);
        Ok(())
    }

    /// Writes down what the tests came to.
    fn conclude(&mut self, late: Option<String>, equal: Result<(), Compared>) {
        if let Some(why) = late {
            self.row.fails(Stage::Ran, why);
            return;
        }
        self.row.reached = Some(Stage::Ran);
        match equal {
            Ok(()) => self.row.reached = Some(Stage::Equal),
            Err(Compared::Different(why)) => self.row.fails(Stage::Equal, why),
            Err(_) if self.row.runs.iter().any(|run| run.equal.is_some()) => {
                let why = "it prints nothing that could be compared";
                self.row.leaves(Stage::Equal, why);
            }
            Err(_) => {
                let why = match self.side.is_twins {
                    true => "no result of the original is given; translations are held against it",
                    false => "no result is given to compare with",
                };
                self.row.leaves(Stage::Equal, why);
            }
        }
    }

    /// Runs a test on every chip.
    fn one(
        &mut self,
        judge: &Judge<'_>,
        number: usize,
        test: &Test,
        twin: Option<&Path>,
    ) -> Result<Tested, String> {
        let scratch = self.scratch(number);
        crate::emit::folder(&scratch).map_err(|error| format!("{error:#}"))?;
        let stdin = scratch.join("stdin");
        let has_input = test.stdin.is_some();
        if let Some(text) = &test.stdin {
            crate::emit::write(&stdin, text.as_bytes(), None)
                .map_err(|error| format!("{error:#}"))?;
        }
        let want = self.wanted(judge, &scratch, test, twin)?;
        let source = if test.expected.is_some() {
            "given"
        } else {
            "twin"
        };
        self.row.compared_with = want.is_some().then(|| source.to_owned());
        let code = test.expected.as_ref().map_or(0, |expected| expected.code);
        let folder = self.side.root.join(self.recipe.folder());
        let command = self.row.command.clone();
        self.row.runs.clear();
        let mut records = Vec::new();
        for chip in judge.chips {
            let run = Run {
                words: &command,
                folder: &folder,
                stdin: has_input.then_some(&*stdin),
                // The first run of a twin is what others are compared with.
                times: if self.side.is_twins && records.is_empty() {
                    2
                } else {
                    1
                },
            };
            let ran = judge.run(&run, chip, scratch.join(format!("{chip}.jsonl")))?;
            self.row.runs.push(ChipRun {
                chip: chip.clone(),
                end: ran.end.text(),
                equal: None,
            });
            match (ran.end, trouble(&ran, code)) {
                (End::Interrupted, _) => return Ok(Tested::Interrupted),
                (_, Some(_)) if ran.lacks.is_some() => {
                    let line = ran.lacks.unwrap_or_default();
                    if let Some(run) = self.row.runs.last_mut() {
                        run.end = format!("{}: {line}", run.end);
                    }
                    return Ok(Tested::Lacks);
                }
                (End::TimedOut, Some(why)) => return Ok(Tested::Late(why)),
                (_, Some(why)) => return Ok(Tested::Failed(why)),
                (_, None) => records.push(ran),
            }
        }
        if self.side.is_twins
            && let Some(first) = records.first()
        {
            self.done.push((number, command, first.record.clone()));
        }
        self.compared(judge, want.as_deref(), &records)
    }

    fn scratch(&self, test: usize) -> PathBuf {
        let side = match self.side.is_twins {
            true => "twins",
            false => self.side.translator,
        };
        self.bench
            .scratch
            .join(side)
            .join(format!("{}-{test}", self.number))
    }

    /// The record that a test is compared with.
    fn wanted(
        &self,
        judge: &Judge<'_>,
        scratch: &Path,
        test: &Test,
        twin: Option<&Path>,
    ) -> Result<Option<PathBuf>, String> {
        let Some(expected) = &test.expected else {
            return Ok(twin.map(Path::to_path_buf));
        };
        let record = scratch.join("expected.jsonl");
        judge.expected(expected, &record)?;
        Ok(Some(record))
    }

    /// Compares all runs with what they should be, and with each other.
    fn compared(
        &mut self,
        judge: &Judge<'_>,
        want: Option<&Path>,
        records: &[Ran],
    ) -> Result<Tested, String> {
        if let [first, rest @ ..] = records {
            let mut agree = true;
            for other in rest {
                let compared = judge.compare(&first.record, &other.record)?;
                agree &= !matches!(compared, Compared::Different(_));
            }
            self.row.widths_agree = (!rest.is_empty()).then_some(agree);
        }
        let Some(want) = want else {
            return Ok(Tested::Ended(Err(Compared::Nothing)));
        };
        let mut worst = Ok(());
        for (run, ran) in self.row.runs.iter_mut().zip(records) {
            let compared = judge.compare(want, &ran.record)?;
            run.equal = Some(compared == Compared::Same);
            match compared {
                Compared::Same => {}
                Compared::Different(why) if worst == Ok(()) => {
                    let why = format!("{why} on {}", run.chip);
                    worst = Err(Compared::Different(why));
                }
                other => worst = worst.and(Err(other)),
            }
        }
        Ok(Tested::Ended(worst))
    }
}
