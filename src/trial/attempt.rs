//! One unit through all its passes, until one fails.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::compiler::{Compiler, Pass};
use super::program::{Limits, run};
use super::store::Store;
use super::unit::Unit;
use crate::nvcc::absolute;
use crate::symptom::{Level, Message, messages};
use crate::verify::End;

/// What became of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It compiles for the host and every chip.
    Compiles,
    /// A pass fails.
    Fails,
    /// A person ended the run before.
    NotTried,
}

/// A unit that was compiled.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// What became of it.
    pub(crate) verdict: Verdict,
    /// The pass that failed: `host`, or a chip.
    pub(crate) pass: String,
    /// The errors of that pass, at least one where it failed.
    pub(crate) errors: Vec<Message>,
}

impl Attempt {
    fn of(verdict: Verdict) -> Self {
        Self {
            verdict,
            pass: String::new(),
            errors: Vec::new(),
        }
    }

    /// One that is not made.
    pub(super) fn none() -> Self {
        Self::of(Verdict::NotTried)
    }

    /// Compiles a unit.
    ///
    /// # Errors
    /// When a compiler cannot be started.
    pub(super) fn new(
        unit: &Unit,
        compiler: &Compiler,
        store: &Store,
        limits: Limits<'_>,
    ) -> Result<Self, String> {
        for pass in compiler.passes(unit) {
            let Some((is_good, log)) = passed(unit, &pass, compiler, store, limits)? else {
                return Ok(Self::none());
            };
            if !is_good {
                return Ok(Self {
                    verdict: Verdict::Fails,
                    pass: pass.to_string(),
                    errors: errors(&log),
                });
            }
        }
        Ok(Self::of(Verdict::Compiles))
    }
}

/// The key of a pass in a store.
fn key(unit: &Unit, pass: &Pass, compiler: &Compiler) -> String {
    let question = compiler.command(unit, pass, Path::new("d"));
    let folder = unit.folder.display().to_string();
    let identity = compiler.identity();
    let parts = [identity.as_str(), &folder]
        .into_iter()
        .chain(question.iter().map(String::as_str));
    Store::key(&parts.collect::<Vec<_>>())
}

/// The files that the compiler read for a unit, as far as it came; none where nothing is known of a pass of it.
pub(super) fn files_read(
    unit: &Unit,
    compiler: &Compiler,
    store: &Store,
) -> Option<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for pass in compiler.passes(unit) {
        let known = store.find(&key(unit, &pass, compiler))?;
        files.extend(known.files.into_iter().map(|(file, _)| file));
        if !known.is_good {
            break;
        }
    }
    Some(files)
}

/// Whether a pass is good, and what the compiler printed; `None` where a person ended it.
fn passed(
    unit: &Unit,
    pass: &Pass,
    compiler: &Compiler,
    store: &Store,
    limits: Limits<'_>,
) -> Result<Option<(bool, String)>, String> {
    let key = key(unit, pass, compiler);
    if let Some(known) = store.find(&key) {
        return Ok(Some((known.is_good, known.log)));
    }
    let scratch =
        tempfile::tempdir().map_err(|error| format!("no temporary folder can be made: {error}"))?;
    let dependencies = scratch.path().join("d");
    let words = compiler.command(unit, pass, &dependencies);
    let ran = run(&words, &unit.folder, &[], limits)?;
    let End::Exit(code) = ran.end else {
        if ran.end == End::Interrupted {
            return Ok(None);
        }
        // Another time it may end well: nothing to remember.
        let log = format!(
            "{}error: the compiler was ended: {}\n",
            whole_lines(&ran.stderr),
            ran.end.text()
        );
        return Ok(Some((false, log)));
    };
    let mut log = ran.stderr + &ran.stdout;
    if code != 0 && errors(&log).is_empty() {
        let last = log
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or("it says nothing")
            .to_owned();
        log.push_str(&format!("\nerror: exit code {code}: {last}\n"));
    }
    if let Ok(list) = std::fs::read_to_string(&dependencies) {
        store.keep(&key, listed(&list, &unit.folder), code == 0, &log);
    }
    Ok(Some((code == 0, log)))
}

/// What the compiler says of a pass with more options, asked anew: whether it is good, and what is printed; `None` where it came to no
/// end.
///
/// # Errors
/// When it cannot be started.
pub(super) fn answer(
    unit: &Unit,
    pass: &Pass,
    compiler: &Compiler,
    options: &[String],
    limits: Limits<'_>,
) -> Result<Option<(bool, String)>, String> {
    let scratch =
        tempfile::tempdir().map_err(|error| format!("no temporary folder can be made: {error}"))?;
    let mut unit = unit.clone();
    unit.options.extend_from_slice(options);
    let words = compiler.command(&unit, pass, &scratch.path().join("d"));
    let ran = run(&words, &unit.folder, &[], limits)?;
    Ok(match ran.end {
        End::Exit(code) => Some((code == 0, ran.stderr + &ran.stdout)),
        _ => None,
    })
}

/// A text that was cut ends with a line that says half.
fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// The errors of a log.
fn errors(log: &str) -> Vec<Message> {
    let all = messages(log).into_iter();
    all.filter(|message| message.level >= Level::Error)
        .collect()
}

/// The files of a list as make reads it: `x.o: a.cu b\ c.h \`.
fn listed(text: &str, folder: &Path) -> Vec<PathBuf> {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let Some((_, rest)) = text.split_once(": ") else {
        return Vec::new();
    };
    let (mut found, mut path) = (Vec::new(), String::new());
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match (character, next) {
            ('\\', Some(next @ (' ' | '#'))) | ('$', Some(next @ '$')) => {
                path.push(next);
                characters.next();
            }
            (character, _) if character.is_whitespace() => {
                if !path.is_empty() {
                    found.push(absolute(&folder.join(std::mem::take(&mut path))));
                }
                // `-MP` writes a rule for each header behind the list.
                if character == '\n' {
                    break;
                }
            }
            (character, _) => path.push(character),
        }
    }
    if !path.is_empty() {
        found.push(absolute(&folder.join(path)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_dependencies_are_read_as_make_does() {
        let text = "x.o: a.cu \\\n  b\\ c.h /d$$.h \\\n  ../e.h\n\nb.h:\n";
        let expected = ["/p/q/a.cu", "/p/q/b c.h", "/d$.h", "/p/e.h"].map(PathBuf::from);
        assert_eq!(listed(text, Path::new("/p/q")), expected);
        assert!(listed("", Path::new("/")).is_empty());
    }
}
