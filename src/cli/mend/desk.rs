//! Where answers are looked at: each is tried on copies that only the compiler sees, and all that are kept are written at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use super::lost::Holdings;
use super::mind::{Mind, Reply, ended};
use super::question::{Asking, Before};
use crate::cli::args::MendArgs;
use crate::cli::input;
use crate::cli::recorded::Recorded;
use crate::cli::trial::{Asked, Mending, Outcome, Ready, told_apart};
use crate::emit;
use crate::engine::Session;
use crate::mapping::ApiTable;
use crate::options::Options;
use crate::pipeline::slashed;
use crate::port::Port;
use crate::report::diff::{unchanged_lines, unified};
use crate::report::plural;
use crate::trial::{Answer, Attempt, Limits, Verdict, run};
use crate::verify::End;

/// What is not carried into the copy that `--prove` runs in.
const LEFT: [&str; 2] = [".cass", ".git"];

/// Files with texts.
type Texts = BTreeMap<PathBuf, Vec<u8>>;

/// An answer that was looked at.
struct Judged {
    texts: Texts,
    /// What became of units with it.
    attempts: Vec<(usize, Attempt)>,
    fewer_words: usize,
}

/// Why an answer is not kept, with the texts that it would have made.
struct Refused {
    reason: String,
    texts: Texts,
}

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        let texts = Texts::new();
        Self { reason, texts }
    }
}

/// Where answers come in.
pub(super) struct Desk<'a> {
    args: &'a MendArgs,
    ready: &'a Ready,
    records: &'a Port,
    mind: Mind,
    recorded: Recorded,
    session: Session,
    /// Units as they are with the answers that are kept.
    attempts: Vec<Attempt>,
    /// The files of the port that each unit reads, where that is known.
    reads: Vec<Option<BTreeSet<PathBuf>>>,
    /// Kept so far.
    texts: Texts,
    /// Files as they were when they were read first.
    originals: Texts,
    asked: Vec<Asked>,
    proof: Option<String>,
}

impl<'a> Desk<'a> {
    /// A desk for a port, whose units are compiled.
    ///
    /// # Errors
    /// When a compiler cannot be started.
    pub(super) fn new(
        args: &'a MendArgs,
        ready: &'a Ready,
        records: &'a Port,
        mind: Mind,
    ) -> Result<Self> {
        let attempts = ready.attempts()?;
        let trial = ready.trial();
        let units = ready.units.units.iter();
        let of_port = |files: BTreeSet<PathBuf>| -> BTreeSet<PathBuf> {
            let out = &ready.port.out;
            files
                .into_iter()
                .filter(|file| file.starts_with(out))
                .collect()
        };
        Ok(Self {
            reads: units
                .map(|unit| trial.files_read(unit).map(of_port))
                .collect(),
            recorded: Recorded::new(&ready.port.out),
            session: Session::new(Options::default(), ApiTable::builtin()),
            args,
            ready,
            records,
            mind,
            attempts,
            texts: Texts::new(),
            originals: Texts::new(),
            asked: Vec::new(),
            proof: None,
        })
    }

    /// Asks about a unit, where it fails.
    ///
    /// # Errors
    /// When the command or a compiler cannot be started.
    pub(super) fn ask(&mut self, at: usize) -> Result<()> {
        if self.attempts[at].verdict != Verdict::Fails {
            return Ok(());
        }
        let unit = &self.ready.units.units[at];
        let name = self.name(&unit.file);
        let not_asked = if self.ready.trial().reads_texts(unit) {
            let twin = self.same_error(at);
            twin.map(|twin| format!("fails as {twin} does, about which it was asked"))
        } else {
            Some("a compiler of the host reads it, which takes no texts in the place of files: not asked".to_owned())
        };
        if let Some(reason) = not_asked {
            self.asked.push(refusal(name, reason));
            return Ok(());
        }
        let mut before: Vec<Before> = Vec::new();
        for _ in 0..self.args.tries {
            let answer = match self.reply(at, &before)? {
                Reply::Answer(text) => Ok(text),
                Reply::None(reason) => Err(reason),
                Reply::Waits(reason, question) => {
                    self.asked.push(Asked {
                        question: Some(question),
                        ..refusal(name, reason.to_owned())
                    });
                    return Ok(());
                }
            };
            let judged = match &answer {
                Ok(text) => self.judged(at, text)?,
                Err(reason) => Err(reason.clone().into()),
            };
            match judged {
                Ok((judged, why)) => {
                    self.keep(name, judged, why);
                    return Ok(());
                }
                Err(refused) => {
                    let reason = refused.reason;
                    self.asked.push(Asked {
                        refused_diff: self.diff(&refused.texts),
                        files: refused.texts.keys().map(|file| self.name(file)).collect(),
                        ..refusal(name.clone(), reason.clone())
                    });
                    let answer = answer.unwrap_or_default();
                    before.push(Before { answer, reason });
                }
            }
            if input::was_interrupted() {
                break;
            }
        }
        Ok(())
    }

    /// A unit before this one that fails by the same error at the same place.
    fn same_error(&self, at: usize) -> Option<String> {
        let first = |at: usize| {
            let error = self.attempts[at].errors.first()?;
            Some((error.site.as_ref()?, &error.text))
        };
        let this = first(at)?;
        let mut earlier = (0..at).filter(|at| self.attempts[*at].verdict == Verdict::Fails);
        let twin = earlier.find(|at| first(*at) == Some(this))?;
        Some(self.name(&self.ready.units.units[twin].file))
    }

    /// What is said to the question about a unit.
    fn reply(&self, at: usize, before: &[Before]) -> Result<Reply> {
        let (unit, attempt) = (&self.ready.units.units[at], &self.attempts[at]);
        let asking = Asking {
            out: &self.ready.port.out,
            recorded: &self.recorded,
            session: &self.session,
            compiler: &self.ready.compiler,
        };
        let texts = |file: &Path| {
            let text = self.now(file).ok()?;
            let apart = told_apart(self.records, &self.ready.port.out, file, &text);
            let by_hand = apart.map_or_else(Vec::new, |apart| apart.by_hand());
            Some((text, by_hand))
        };
        let question = asking.question(unit, attempt, &texts, before);
        let name = self.name(&unit.file);
        let limits = limits(self.args.answer_timeout);
        self.mind.reply(&name, &question, limits)
    }

    /// Whether an answer is kept.
    fn judged(&mut self, at: usize, text: &str) -> Result<Result<(Judged, String), Refused>> {
        let answer = match Answer::read(text) {
            Ok(answer) => answer,
            Err(reason) => return Ok(Err(reason.into())),
        };
        let out = &self.ready.port.out;
        let texts = match answer.texts(out, &|file| self.now(file)) {
            Ok(texts) => texts,
            Err(reason) => return Ok(Err(reason.into())),
        };
        self.remember(&texts)?;
        let fewer_words = match self.allowed(at, &texts) {
            Ok(fewer) => fewer,
            Err(reason) => return Ok(Err(Refused { reason, texts })),
        };
        let attempts = match self.tried(at, &texts)? {
            Ok(attempts) => attempts,
            Err(reason) => return Ok(Err(Refused { reason, texts })),
        };
        let judged = Judged {
            texts,
            attempts,
            fewer_words,
        };
        Ok(Ok((judged, answer.why)))
    }

    /// Keeps files as they are before anything is changed.
    fn remember(&mut self, texts: &Texts) -> Result<()> {
        for file in texts.keys() {
            if !self.originals.contains_key(file) {
                self.originals.insert(file.clone(), std::fs::read(file)?);
            }
        }
        Ok(())
    }

    /// What stands in a file with the answers that are kept.
    fn now(&self, file: &Path) -> Result<Vec<u8>, String> {
        let known = self.texts.get(file).or_else(|| self.originals.get(file));
        known.map_or_else(
            || std::fs::read(file).map_err(|error| error.to_string()),
            |text| Ok(text.clone()),
        )
    }

    /// Whether texts leave alone what nobody asked to change; how many words of code fewer they have.
    fn allowed(&self, at: usize, texts: &Texts) -> Result<usize, String> {
        let [mut before, mut after] = [Holdings::default(), Holdings::default()];
        for (file, text) in texts {
            let (name, original) = (self.name(file), &self.originals[file]);
            if !self.args.by_hand {
                let apart = told_apart(self.records, &self.ready.port.out, file, original);
                let Some(apart) = apart else {
                    return Err(format!("{name}: was written by hand (--by-hand)"));
                };
                if let Some(line) = apart.loses_by_hand(unchanged_lines(original, text)) {
                    return Err(format!(
                        "{name}:{line}: this line was written by hand (--by-hand)"
                    ));
                }
            }
            let now = self.now(file)?;
            before.add(&name, &now);
            after.add(&name, text);
        }
        let errors = self.attempts[at].errors.iter();
        let complained: Vec<&str> = errors.map(|error| error.text.as_str()).collect();
        match before.lost(&after, &complained) {
            Some(lost) => Err(lost),
            None => Ok(before.fewer(&after)),
        }
    }

    /// Units with texts in the place of files: the one that was asked about, and all that read one of the files.
    fn tried(&self, at: usize, texts: &Texts) -> Result<Result<Vec<(usize, Attempt)>, String>> {
        let trial = self.ready.trial();
        let units = &self.ready.units.units;
        let reads_one = |it: &usize| {
            let reads = self.reads[*it].as_ref();
            reads.is_none_or(|reads| texts.keys().any(|file| reads.contains(file)))
        };
        let others = (0..units.len()).filter(|it| *it != at && reads_one(it));
        let others = others.filter(|it| trial.reads_texts(&units[*it]));
        let all: Vec<usize> = std::iter::once(at).chain(others).collect();
        let wanted: Vec<_> = all.iter().map(|it| units[*it].clone()).collect();
        let mut whole = self.texts.clone();
        whole.extend(texts.clone());
        let whole: Vec<_> = whole.into_iter().collect();
        let done = trial
            .run_with(&wanted, &whole)
            .map_err(anyhow::Error::msg)?;
        if input::was_interrupted() {
            return Ok(Err("interrupted".to_owned()));
        }
        let own = &done[0];
        if own.0.verdict != Verdict::Compiles {
            let (pass, error) = (&own.0.pass, first_error(&own.0));
            return Ok(Err(format!(
                "the unit still fails with it, for {pass}: {error}"
            )));
        }
        let read = own.1.as_ref();
        let unread = texts
            .keys()
            .find(|file| read.is_none_or(|read| !read.contains(*file)));
        if let Some(file) = unread {
            let name = self.name(file);
            return Ok(Err(format!(
                "{name}: the compiler does not read it for the unit, so that nothing proves the change"
            )));
        }
        let worse = all.iter().zip(&done).find(|(it, (attempt, _))| {
            attempt.verdict == Verdict::Fails && self.attempts[**it].verdict == Verdict::Compiles
        });
        if let Some((it, (attempt, _))) = worse {
            let (name, error) = (self.name(&units[*it].file), first_error(attempt));
            return Ok(Err(format!("{name} fails by it: {error}")));
        }
        let attempts = done.into_iter().map(|(attempt, _)| attempt);
        Ok(Ok(all.into_iter().zip(attempts).collect()))
    }

    fn keep(&mut self, unit: String, judged: Judged, why: String) {
        for (at, attempt) in judged.attempts {
            self.attempts[at] = attempt;
            // It may read other files from here on.
            self.reads[at] = None;
        }
        self.asked.push(Asked {
            kept: true,
            why,
            files: judged.texts.keys().map(|file| self.name(file)).collect(),
            fewer_words: judged.fewer_words,
            ..refusal(unit, String::new())
        });
        self.texts.extend(judged.texts);
    }

    /// Runs the command of `--prove` in a copy of the port with all that is kept.
    ///
    /// # Errors
    /// When there is no room for the copy, or the command cannot be started.
    pub(super) fn prove(&mut self, words: &[String]) -> Result<()> {
        if self.texts.is_empty() {
            return Ok(());
        }
        let failing = self
            .attempts
            .iter()
            .filter(|it| it.verdict != Verdict::Compiles);
        let failing = failing.count();
        let command = words.join(" ");
        if failing > 0 {
            let units = plural(failing, "unit");
            self.drop_all(&format!(
                "`{command}` was not run: {failing} {units} still fail"
            ));
            return Ok(());
        }
        if input::was_interrupted() {
            self.drop_all(&format!("`{command}` was not run: interrupted"));
            return Ok(());
        }
        let scratch = tempfile::tempdir()?;
        let copy = scratch.path().join("port");
        let left = LEFT.map(str::to_owned).into();
        let copied = crate::bench::copy(&self.ready.port.out, &copy, &left);
        copied.map_err(anyhow::Error::msg)?;
        for (file, text) in &self.texts {
            let permissions = std::fs::metadata(file)?.permissions();
            let name = file.strip_prefix(&self.ready.port.out)?;
            emit::write(&copy.join(name), text, Some(permissions))?;
        }
        let ran = run(words, &copy, &[], limits(self.args.prove_timeout));
        let ran = ran.map_err(anyhow::Error::msg)?;
        match ran.end {
            End::Exit(0) => {
                self.proof = Some(format!("`{command}` ends with exit code 0 with them"))
            }
            _ => self.drop_all(&format!("`{command}` fails with it: {}", ended(&ran))),
        }
        Ok(())
    }

    /// Keeps nothing.
    fn drop_all(&mut self, reason: &str) {
        let diff = self.diff(&self.texts);
        self.texts.clear();
        for asked in self.asked.iter_mut().filter(|asked| asked.kept) {
            (asked.kept, asked.reason) = (false, reason.to_owned());
            asked.refused_diff.clone_from(&diff);
        }
    }

    /// Writes what is kept, and compiles all units as they are then.
    ///
    /// # Errors
    /// When a file cannot be written, or a compiler cannot be started.
    pub(super) fn finish(mut self) -> Result<Outcome> {
        let before = self.ready.attempts()?;
        if self.args.dry_run {
            let mending = self.mending();
            let attempts = if self.texts.is_empty() {
                before
            } else {
                self.attempts
            };
            return Ok(self.ready.outcome(&attempts).with_mending(mending));
        }
        let changed =
            |(file, text): (&PathBuf, &Vec<u8>)| std::fs::read(file).ok().as_ref() != Some(text);
        let mut originals = self
            .originals
            .iter()
            .filter(|(file, _)| self.texts.contains_key(*file));
        if let Some((file, _)) = originals.find(|it| changed(*it)) {
            let name = self.name(file);
            self.drop_all(&format!("{name}: somebody changed it in the meantime"));
        }
        write(&self.texts)?;
        self.ready.look_again();
        let mut after = self.ready.attempts()?;
        let is_worse = |(old, new): (&Attempt, &Attempt)| {
            old.verdict == Verdict::Compiles && new.verdict == Verdict::Fails
        };
        if let Some(at) = before.iter().zip(&after).position(is_worse) {
            let name = self.name(&self.ready.units.units[at].file);
            let texts = self.texts.keys();
            let originals = texts.map(|file| (file.clone(), self.originals[file].clone()));
            write(&originals.collect())?;
            self.drop_all(&format!(
                "{name} fails by what was kept, and all was taken back"
            ));
            self.ready.look_again();
            after = self.ready.attempts()?;
        }
        Ok(self.ready.outcome(&after).with_mending(self.mending()))
    }

    fn mending(&mut self) -> Mending {
        Mending {
            command: match (&self.args.command, &self.args.answers) {
                (Some(command), _) => command.clone(),
                (None, file) => file.as_deref().map_or_else(String::new, slashed),
            },
            diff: self.diff(&self.texts),
            asked: std::mem::take(&mut self.asked),
            proof: self.proof.take(),
            dry_run: self.args.dry_run,
        }
    }

    /// Texts as a diff of the port as it is.
    fn diff(&self, texts: &Texts) -> String {
        let mut diff = Vec::new();
        for (file, text) in texts {
            let name = self.name(file);
            diff.extend(unified(&name, &name, &self.originals[file], text));
        }
        String::from_utf8_lossy(&diff).into_owned()
    }

    fn name(&self, file: &Path) -> String {
        slashed(file.strip_prefix(&self.ready.port.out).unwrap_or(file))
    }
}

fn refusal(unit: String, reason: String) -> Asked {
    Asked {
        unit,
        kept: false,
        reason,
        why: String::new(),
        files: Vec::new(),
        fewer_words: 0,
        refused_diff: String::new(),
        question: None,
    }
}

fn write(texts: &Texts) -> Result<()> {
    for (file, text) in texts {
        let permissions = std::fs::metadata(file)?.permissions();
        emit::write(file, text, Some(permissions))?;
    }
    Ok(())
}

fn limits(seconds: u32) -> Limits<'static> {
    Limits {
        timeout: Duration::from_secs(u64::from(seconds)),
        interrupted: input::interrupted(),
    }
}

fn first_error(attempt: &Attempt) -> String {
    let Some(error) = attempt.errors.first() else {
        return "it says nothing".to_owned();
    };
    match &error.site {
        Some(site) => format!("{}:{}: {}", site.file, site.line, error.text),
        None => error.text.clone(),
    }
}
