//! The edits of a unit that the compiler proves: with them their errors are gone, and without any one of them its error is back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::diagnosis::{Diagnosis, OPTIONS, diagnoses};
use super::headers::Names;
use super::overlay::Overlay;
use super::proposal::{Proposal, proposals};
use super::text::MendedText;
use crate::nvcc::absolute;
use crate::trial::attempt::{Attempt, answer};
use crate::trial::compiler::Pass;
use crate::trial::run::Trial;
use crate::trial::unit::Unit;

/// How often the edits of a unit are chosen anew.
const MOST_CHOICES: usize = 8;

/// A mend of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mended {
    /// The file, absolute.
    pub(crate) file: PathBuf,
    /// The line that the compiler complained of, from 1, as it was then.
    pub(crate) line: u32,
    /// What it said.
    pub(crate) why: String,
}

/// Finds the mends of units. What was refused once is not tried again.
pub(crate) struct Mender<'a> {
    trial: &'a Trial<'a>,
    out: &'a Path,
    names: Names,
    /// A file of the port, by its path: none where its lines cannot be told from those written by hand.
    open: &'a dyn Fn(&Path) -> Option<MendedText>,
    texts: BTreeMap<PathBuf, Option<MendedText>>,
    refused: BTreeSet<(PathBuf, u32, String)>,
}

impl fmt::Debug for Mender<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mender")
            .field("out", &self.out)
            .finish_non_exhaustive()
    }
}

/// An error with the edits that may mend it, and the one that is tried.
#[derive(Clone, Debug)]
struct Choice {
    file: PathBuf,
    line: u32,
    text: String,
    proposals: Vec<Proposal>,
    at: usize,
}

impl Choice {
    fn proposal(&self) -> &Proposal {
        &self.proposals[self.at]
    }

    /// The file that is edited.
    fn target(&self) -> &PathBuf {
        let function = self.proposal().function.as_ref();
        function.map_or(&self.file, |function| &function.file)
    }

    /// The next edit is tried; whether there is one.
    fn goes_on(&mut self) -> bool {
        self.at += 1;
        self.at < self.proposals.len()
    }
}

/// Files with edits, and where each got lines.
#[derive(Debug, Default)]
struct Edited {
    texts: BTreeMap<PathBuf, MendedText>,
    inserted: BTreeMap<PathBuf, BTreeMap<&'static str, u32>>,
}

impl Edited {
    /// The line of a file before lines came in above it.
    fn line_before(&self, file: &Path, line: u32) -> u32 {
        let above = |inserted: &BTreeMap<&str, u32>| {
            let count = inserted.len() as u32;
            let first = inserted.values().min().copied().unwrap_or(u32::MAX);
            if line >= first + count { count } else { 0 }
        };
        line - self.inserted.get(file).map_or(0, above)
    }

    fn overlay(&self) -> Result<Overlay, String> {
        let files = self.texts.iter();
        let files: Vec<_> = files
            .map(|(file, text)| (file.clone(), text.bytes()))
            .collect();
        Overlay::new(&files)
    }
}

impl<'a> Mender<'a> {
    /// A mender of a port in a folder.
    pub(crate) fn new(
        trial: &'a Trial<'a>,
        out: &'a Path,
        open: &'a dyn Fn(&Path) -> Option<MendedText>,
    ) -> Self {
        Self {
            trial,
            out,
            names: Names::new(),
            open,
            texts: BTreeMap::new(),
            refused: BTreeSet::new(),
        }
    }

    /// The mends of a unit that fails, with the files as they are then. Nothing is written.
    ///
    /// # Errors
    /// When the compiler cannot be started.
    pub(crate) fn unit(
        &mut self,
        unit: &Unit,
        attempt: &Attempt,
    ) -> Result<(Vec<Mended>, BTreeMap<PathBuf, MendedText>), String> {
        let nothing = (Vec::new(), BTreeMap::new());
        let compiler = self.trial.compiler;
        let passes = compiler.passes(unit);
        let pass = passes.into_iter().find(|it| it.to_string() == attempt.pass);
        let Some(pass) = pass.filter(|pass| compiler.is_clang(unit, pass)) else {
            return Ok(nothing);
        };
        let options: Vec<String> = OPTIONS.iter().map(|it| (*it).to_owned()).collect();
        let Some((_, log)) = answer(unit, &pass, compiler, &options, self.trial.limits())? else {
            return Ok(nothing);
        };
        let errors = diagnoses(&log);
        let choices = self.choices(unit, &errors);
        let Some((choices, edited)) = self.chosen(unit, &pass, choices)? else {
            return Ok(nothing);
        };
        let mended = choices.into_iter().map(|choice| Mended {
            why: choice.proposal().why.clone(),
            file: choice.file,
            line: choice.line,
        });
        Ok((mended.collect(), edited.texts))
    }

    /// Takes files over as they were written.
    pub(crate) fn take(&mut self, texts: BTreeMap<PathBuf, MendedText>) {
        self.texts
            .extend(texts.into_iter().map(|(file, text)| (file, Some(text))));
    }

    /// Takes mends back: they are not tried again.
    pub(crate) fn refuse(&mut self, mended: &[Mended], texts: BTreeMap<PathBuf, MendedText>) {
        let keys = mended
            .iter()
            .map(|it| (it.file.clone(), it.line, it.why.clone()));
        self.refused.extend(keys);
        self.take(texts);
    }

    /// A file of the port as it is.
    pub(crate) fn text(&mut self, file: &Path) -> Option<&MendedText> {
        let open = self.open;
        let known = self.texts.entry(file.to_path_buf());
        known.or_insert_with(|| open(file)).as_ref()
    }

    /// The errors that may be mended, each once.
    fn choices(&mut self, unit: &Unit, errors: &[Diagnosis]) -> Vec<Choice> {
        let mut found: Vec<Choice> = Vec::new();
        for error in errors {
            let file = absolute(&unit.folder.join(&error.file));
            let is_known =
                |it: &Choice| it.file == file && it.line == error.line && it.text == error.text;
            let key = (file.clone(), error.line, error.text.clone());
            if !file.starts_with(self.out)
                || found.iter().any(is_known)
                || self.refused.contains(&key)
            {
                continue;
            }
            // A type as a borrow that ends: the names are read beside the text.
            let Some(text) = self.text(&file).cloned() else {
                continue;
            };
            let mut proposals = proposals(error, &text, &self.names);
            proposals.retain_mut(|proposal| self.is_at_hand(unit, proposal));
            if !proposals.is_empty() && text.line(error.line).is_some() {
                found.push(Choice {
                    file,
                    line: error.line,
                    text: error.text.clone(),
                    proposals,
                    at: 0,
                });
            }
        }
        found
    }

    /// Whether the function that is edited, if it is one, stands in a file of the port; its path is absolute then.
    fn is_at_hand(&mut self, unit: &Unit, proposal: &mut Proposal) -> bool {
        let Some(function) = &mut proposal.function else {
            return true;
        };
        function.file = absolute(&unit.folder.join(&function.file));
        function.file.starts_with(self.out)
            && self
                .text(&function.file)
                .is_some_and(|text| function.is_defined_in(text))
    }

    /// Those of the choices whose errors are gone with all of them, and come back without each.
    fn chosen(
        &mut self,
        unit: &Unit,
        pass: &Pass,
        mut choices: Vec<Choice>,
    ) -> Result<Option<(Vec<Choice>, Edited)>, String> {
        for _ in 0..MOST_CHOICES {
            let edited = self.edited(&mut choices);
            if choices.is_empty() {
                return Ok(None);
            }
            let Some(left) = self.lines_with_errors(unit, pass, &edited)? else {
                return Ok(None);
            };
            let is_bad = |choice: &Choice| left.contains(&(choice.file.clone(), choice.line));
            if !choices.iter().any(is_bad) {
                return self.needed(unit, pass, choices);
            }
            choices.retain_mut(|choice| !is_bad(choice) || choice.goes_on());
        }
        Ok(None)
    }

    /// Those of the choices without which an error comes back.
    fn needed(
        &mut self,
        unit: &Unit,
        pass: &Pass,
        mut choices: Vec<Choice>,
    ) -> Result<Option<(Vec<Choice>, Edited)>, String> {
        let mut at = 0;
        while choices.len() > 1 && at < choices.len() {
            let one = choices.remove(at);
            let edited = self.edited(&mut choices.clone());
            let Some(left) = self.lines_with_errors(unit, pass, &edited)? else {
                return Ok(None);
            };
            if left.contains(&(one.file.clone(), one.line)) {
                choices.insert(at, one);
                at += 1;
            }
        }
        let edited = self.edited(&mut choices);
        Ok((!choices.is_empty()).then_some((choices, edited)))
    }

    /// The files with all edits; a choice whose edits do not fit beside those of others goes.
    fn edited(&mut self, choices: &mut Vec<Choice>) -> Edited {
        let mut edited = Edited::default();
        let mut splices = BTreeMap::<PathBuf, Vec<_>>::new();
        choices.retain(|choice| {
            let Some(text) = self.text(choice.target()).cloned() else {
                return false;
            };
            let of_file = splices.entry(choice.target().clone()).or_default();
            let mut all = of_file.clone();
            all.extend(choice.proposal().splices.iter().cloned());
            let mut made = text;
            let fits = made.splice(&all).is_some()
                && (choice.proposal().header.is_none() || made.include_line().is_some());
            if fits {
                *of_file = all;
                edited.texts.insert(choice.target().clone(), made);
            }
            fits
        });
        for choice in choices.iter() {
            let Some(header) = choice.proposal().header else {
                continue;
            };
            let inserted = edited.inserted.entry(choice.file.clone()).or_default();
            if let Some(text) = edited.texts.get_mut(&choice.file)
                && !inserted.contains_key(header)
                && let Some(line) = text.include_line()
            {
                text.insert(line, &format!("#include <{header}>"));
                inserted.insert(header, line);
            }
        }
        edited
    }

    /// The lines, as they are in the port, of which the compiler complains with some edits made.
    fn lines_with_errors(
        &self,
        unit: &Unit,
        pass: &Pass,
        edited: &Edited,
    ) -> Result<Option<BTreeSet<(PathBuf, u32)>>, String> {
        let overlay = edited.overlay()?;
        let answer = answer(
            unit,
            pass,
            self.trial.compiler,
            &overlay.options(),
            self.trial.limits(),
        )?;
        let line = |error: Diagnosis| {
            let file = absolute(&unit.folder.join(&error.file));
            let line = edited.line_before(&file, error.line);
            (file, line)
        };
        Ok(answer.map(|(_, log)| diagnoses(&log).into_iter().map(line).collect()))
    }
}
