//! Who translates the sources of a tree: this program, or a command.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::emit;
use crate::pipeline::{Entry, EntryKind, Filter, slashed, walk};
use crate::trial::{Limits, fed, run};
use crate::verify::End;

/// Who translates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Translator {
    /// A command that takes a tree and a folder for the result behind its words.
    Tree(Vec<String>),
    /// A command that takes a source: `{src}` and `{out}` in its words, else standard input and output.
    Source {
        /// What it is called in the table.
        name: String,
        /// Its words.
        words: Vec<String>,
    },
}

/// Sources that a command is given although this program leaves them as they are.
const CUDA: [&str; 2] = ["cu", "cuh"];
/// Sources that a command is given where this program changes them.
const SOURCES: [&str; 10] = [
    "h", "hh", "hpp", "hxx", "inl", "c", "cc", "cpp", "cxx", "inc",
];

/// The files of a tree, files that `.gitignore` names among them.
///
/// # Errors
/// When it cannot be read.
pub(super) fn files(root: &Path) -> Result<Vec<String>, String> {
    let entries = entries(root)?;
    let paths = entries.iter().map(|entry| slashed(&entry.relative));
    Ok(paths.collect())
}

fn entries(root: &Path) -> Result<Vec<Entry>, String> {
    let filter = Filter {
        no_ignore: true,
        ..Filter::default()
    };
    let walked = walk(root, &filter, &()).map_err(|error| format!("{error:#}"))?;
    Ok(walked.entries)
}

/// Copies a tree, files that `.gitignore` names among them, but without some files and folders; what was copied.
///
/// # Errors
/// When it cannot be read or written.
pub(crate) fn copy(
    from: &Path,
    to: &Path,
    without: &BTreeSet<String>,
) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for entry in &entries(from)? {
        let mut names = entry.relative.ancestors().map(slashed);
        if names.any(|name| without.contains(&name)) {
            continue;
        }
        let target = to.join(&entry.relative);
        let done = match &entry.kind {
            EntryKind::File => emit::copy(&entry.path, &target),
            // No file of the tree.
            EntryKind::Made(_) => continue,
            EntryKind::Link(destination) => emit::link(destination, &target),
        };
        done.map_err(|error| format!("{error:#}"))?;
        files.push(slashed(&entry.relative));
    }
    Ok(files)
}

impl Translator {
    /// Translates a tree into a folder; the files that it could not, and why. A command for sources takes the build files, and all that
    /// is no source, from `built`: the result of this program.
    ///
    /// # Errors
    /// When the tree cannot be translated at all.
    pub(crate) fn translate(
        &self,
        source: &Path,
        built: &Path,
        target: &Path,
        limits: Limits<'_>,
    ) -> Result<BTreeMap<String, String>, String> {
        match self {
            Self::Tree(words) => {
                let mut words = words.clone();
                words.extend([source, target].map(|path| path.display().to_string()));
                let ran = run(&words, Path::new("."), &[], limits)?;
                match ran.end {
                    // 1: there are findings.
                    End::Exit(0 | 1) => Ok(BTreeMap::new()),
                    End::Interrupted => Err("interrupted".to_owned()),
                    other => Err(format!(
                        "{}: {}: {}",
                        words[0],
                        other.text(),
                        last(&ran.stderr)
                    )),
                }
            }
            Self::Source { words, .. } => {
                let files = copy(built, target, &BTreeSet::new())?;
                let wanted: Vec<&String> = files
                    .iter()
                    .filter(|file| is_wanted(file, source, built))
                    .collect();
                let one = |file: &&String| {
                    let from = source.join(file.as_str());
                    let done = translated(words, &from, &target.join(file.as_str()), limits);
                    Some(((*file).clone(), done.err()?))
                };
                Ok(wanted.par_iter().with_max_len(1).filter_map(one).collect())
            }
        }
    }
}

/// Whether a command is given a file.
fn is_wanted(file: &str, source: &Path, built: &Path) -> bool {
    let extension = Path::new(file).extension().and_then(|end| end.to_str());
    let is_one_of = |list: &[&str]| extension.is_some_and(|extension| list.contains(&extension));
    let differs = || {
        let [one, other] = [source, built].map(|root| std::fs::read(root.join(file)).ok());
        one.is_some() && one != other
    };
    source.join(file).is_file() && (is_one_of(&CUDA) || is_one_of(&SOURCES) && differs())
}

/// Translates a source by a command.
fn translated(
    words: &[String],
    source: &Path,
    target: &Path,
    limits: Limits<'_>,
) -> Result<(), String> {
    let scratch =
        tempfile::tempdir().map_err(|error| format!("no temporary folder can be made: {error}"))?;
    let out: PathBuf = scratch.path().join("out");
    let has = |what: &str| words.iter().any(|word| word.contains(what));
    let [from, to] = [source, &out].map(|path| path.display().to_string());
    let filled = words.iter().map(|word| {
        let word = word.replace("{src}", &from);
        word.replace("{out}", &to)
    });
    let stdin = (!has("{src}")).then_some(source);
    let ran = fed(
        &filled.collect::<Vec<_>>(),
        Path::new("."),
        &[],
        stdin,
        limits,
    )?;
    if ran.end != End::Exit(0) {
        return Err(format!("{}: {}", ran.end.text(), last(&ran.stderr)));
    }
    let result = match has("{out}") {
        true => std::fs::read(&out).unwrap_or_default(),
        false => ran.stdout.into_bytes(),
    };
    if result.iter().all(u8::is_ascii_whitespace) {
        return Err("it gave no result".to_owned());
    }
    emit::write(target, &result, None)
        .map(drop)
        .map_err(|error| format!("{error:#}"))
}

/// The last line of what was said.
fn last(text: &str) -> &str {
    let lines = text.lines().map(str::trim);
    lines
        .rev()
        .find(|line| !line.is_empty())
        .unwrap_or("it says nothing")
}
