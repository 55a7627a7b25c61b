//! What a command is asked about a unit that does not compile: its files, what the compiler says, what the translation said, and what
//! the tables know of the names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::query;
use crate::cli::recorded::{Recorded, Said};
use crate::engine::Session;
use crate::nvcc::absolute;
use crate::pipeline::slashed;
use crate::symptom::{self, Message};
use crate::text::LineCol;
use crate::trial::{Attempt, Compiler, Unit};

/// Names that are looked up for one question.
const MOST_NAMES: usize = 60;
/// What the command is to do, for one that hands its input on to a model.
const TASK: &str = "This unit of a port from CUDA to HIP does not compile for AMD GPUs. Change as little as makes it compile and keeps \
what it computes, with waves of 64 lanes and of 32. Leave the lines in `by_hand` of each file as they are. Print one JSON object and \
nothing else: {\"edits\": [{\"path\": …, \"old\": text that stands there once, \"new\": text}], \"files\": [{\"path\": …, \"text\": the \
whole new text}], \"why\": one sentence}; {} if you cannot.";

/// A question, as the command reads it from standard input.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Question {
    /// Version of this format; grows when a field changes its meaning.
    schema_version: u32,
    /// What is to be done, in words.
    task: &'static str,
    /// The source that does not compile, from the root of the port.
    unit: String,
    /// The folder that the compiler runs in, and what it is told beside the source, the chip and ROCm's folder.
    folder: String,
    options: Vec<String>,
    /// The compiler's version, and the chips.
    compiler: String,
    targets: Vec<String>,
    /// The pass that fails: `host`, or a chip.
    pass: String,
    /// What the compiler says, in its order.
    errors: Vec<Complaint>,
    /// The files of the port in which something is wrong, the unit's own first.
    files: Vec<FileText>,
    /// What `query` says of names in the errors and on their lines.
    names: Vec<serde_json::Value>,
    /// Answers that were given to this question before, and why they were not kept.
    before: Vec<Before>,
}

/// An error of the compiler.
#[derive(Debug, JsonSchema, Serialize)]
struct Complaint {
    text: String,
    /// In the port, by the first of the places that lead to it; none where nothing of the port does.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u32,
    column: u32,
    /// Where the compiler stopped in a header of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<String>,
    /// The same place in the sources of the translation: file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<(String, Option<u32>)>,
    notes: Vec<String>,
    /// What the translation said of the place.
    findings: Vec<Said>,
    /// What is known of such messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
}

/// A file of the port.
#[derive(Debug, JsonSchema, Serialize)]
struct FileText {
    path: String,
    text: String,
    /// Lines, first and last from 1, that were written by hand, or by an answer before. An answer that changes the former is not kept.
    by_hand: Vec<(usize, usize)>,
}

/// An answer that was not kept.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub(super) struct Before {
    /// What was printed.
    pub(super) answer: String,
    /// Why it was not kept.
    pub(super) reason: String,
}

/// What questions are made of.
pub(super) struct Asking<'a> {
    /// The port, absolute.
    pub(super) out: &'a Path,
    pub(super) recorded: &'a Recorded,
    pub(super) session: &'a Session,
    pub(super) compiler: &'a Compiler,
}

/// What stands in a file, and which of its lines were written by hand.
pub(super) type Texts<'a> = &'a dyn Fn(&Path) -> Option<(Vec<u8>, Vec<(usize, usize)>)>;

impl Asking<'_> {
    /// The question about a unit.
    pub(super) fn question(
        &self,
        unit: &Unit,
        attempt: &Attempt,
        texts: Texts<'_>,
        before: &[Before],
    ) -> Question {
        let mut files = BTreeMap::new();
        let mut open = |file: &Path| -> Vec<u8> {
            let known = files.entry(file.to_path_buf());
            let known = known.or_insert_with(|| texts(file));
            known
                .as_ref()
                .map_or_else(Vec::new, |(text, _)| text.clone())
        };
        open(&unit.file);
        let (mut errors, mut words) = (Vec::new(), BTreeSet::new());
        for message in &attempt.errors {
            let place = self.place(unit, message);
            let text = place.as_ref().map(|(file, ..)| open(file));
            let line = text.as_deref().zip(place.as_ref());
            let line = line.map_or_else(String::new, |(text, (_, at))| line_of(text, at.line));
            words.extend(names(&message.text).chain(names(&line)).map(str::to_owned));
            errors.push(self.complaint(message, place, text.as_deref()));
        }
        let names = words
            .iter()
            .flat_map(|word| query::known(word, self.session));
        let own = |file: &PathBuf| *file != unit.file;
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by_key(|(file, _)| own(file));
        let shown = files.into_iter().filter_map(|(file, known)| {
            let (text, by_hand) = known?;
            Some(FileText {
                path: self.name(&file),
                text: String::from_utf8_lossy(&text).into_owned(),
                by_hand,
            })
        });
        Question {
            schema_version: 1,
            task: TASK,
            unit: self.name(&unit.file),
            folder: unit.folder.display().to_string(),
            options: unit.options.clone(),
            compiler: self.compiler.version.clone(),
            targets: self.compiler.targets.clone(),
            pass: attempt.pass.clone(),
            errors,
            files: shown.collect(),
            names: names.take(MOST_NAMES).collect(),
            before: before.to_vec(),
        }
    }

    fn name(&self, file: &Path) -> String {
        slashed(file.strip_prefix(self.out).unwrap_or(file))
    }

    /// The first place of the port that leads to a message.
    fn place(&self, unit: &Unit, message: &Message) -> Option<(PathBuf, LineCol)> {
        message.sites().find_map(|site| {
            let file = absolute(&unit.folder.join(&site.file));
            let (line, column) = (site.line, site.column);
            (file.starts_with(self.out) && file.is_file())
                .then_some((file, LineCol { line, column }))
        })
    }

    fn complaint(
        &self,
        message: &Message,
        place: Option<(PathBuf, LineCol)>,
        text: Option<&[u8]>,
    ) -> Complaint {
        let file = place.as_ref().map(|(file, _)| self.name(file));
        let at = place.map_or(LineCol { line: 0, column: 0 }, |(_, at)| at);
        let of_port = file.as_deref().zip(text);
        let own = message.site.as_ref();
        let is_outside = |site: &&symptom::Site| {
            file.as_ref()
                .is_none_or(|file| !slashed(Path::new(&site.file)).ends_with(file.as_str()))
        };
        Complaint {
            findings: of_port.map_or_else(Vec::new, |(file, text)| {
                self.recorded.said_of_call(file, at, text)
            }),
            source: of_port.and_then(|(file, text)| self.recorded.source(file, at.line, text)),
            outside: own
                .filter(is_outside)
                .map(|site| format!("{}:{}", site.file, site.line)),
            line: at.line,
            column: at.column,
            notes: message.notes.iter().map(|(_, text)| text.clone()).collect(),
            advice: symptom::matching(&message.text)
                .first()
                .map(|symptom| symptom.remedy.as_str()),
            text: message.text.clone(),
            file,
        }
    }
}

fn line_of(text: &[u8], line: u32) -> String {
    let mut lines = text.split(|byte| *byte == b'\n');
    let line = lines.nth(line.saturating_sub(1) as usize);
    String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
}

/// The words of a text that may be names.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words.filter(|word| {
        word.len() > 3 && word.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
    })
}
