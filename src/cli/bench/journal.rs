//! What is known of programs from a run that was broken off: a file for each program that came to its end.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::bench::{Program, Row};
use crate::cli::args::BenchArgs;
use crate::emit;
use crate::pipeline::{EntryKind, Filter, slashed, walk};
use crate::port::Hash;

/// A folder of what is known.
pub(super) struct Journal {
    folder: Option<PathBuf>,
    /// What decides results beside the program.
    key: String,
}

#[derive(Serialize, Deserialize)]
struct Known {
    key: String,
    rows: Vec<Row>,
}

impl Journal {
    /// The journal that a command line asks for; `whole` is the tree with all programs.
    ///
    /// # Errors
    /// When the folder cannot be made or the tree cannot be read.
    pub(super) fn new(args: &BenchArgs, whole: &Path) -> Result<Self> {
        let Some(folder) = &args.resume else {
            return Ok(Self {
                folder: None,
                key: String::new(),
            });
        };
        emit::folder(folder)?;
        let folder = Some(folder.canonicalize()?);
        let key = key(args, whole)?;
        Ok(Self { folder, key })
    }

    /// The rows of a program, from all translators, if it came to its end under the same circumstances.
    pub(super) fn known(&self, program: &Program) -> Option<Vec<Row>> {
        let bytes = std::fs::read(self.file(program)?).ok()?;
        let known: Known = serde_json::from_slice(&bytes).ok()?;
        (known.key == self.key).then_some(known.rows)
    }

    /// Keeps the rows of a program.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn keep(&self, program: &Program, rows: Vec<Row>) -> Result<()> {
        let Some(file) = self.file(program) else {
            return Ok(());
        };
        let key = self.key.clone();
        let text = serde_json::to_vec(&Known { key, rows })?;
        emit::write(&file, &text, None).map(drop)
    }

    /// A program is all that is known of it: its build, its arguments, what it should print.
    fn file(&self, program: &Program) -> Option<PathBuf> {
        let hash = Hash::of(format!("{program:?}").as_bytes()).to_string();
        Some(self.folder.as_ref()?.join(format!("{}.json", &hash[..24])))
    }
}

/// This program, what it is told, and every file of the tree: where one of them changes, nothing that is known holds.
fn key(args: &BenchArgs, whole: &Path) -> Result<String> {
    let own = std::env::current_exe()?.metadata()?;
    let mut text = format!(
        "{} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {:?} {:?}\n",
        own.len(),
        own.modified()?,
        args.others,
        args.target,
        args.emulate,
        args.rocm_path,
        args.compiler,
        args.timeout,
        args.build_timeout,
        args.tolerance,
        args.options,
    );
    let filter = Filter {
        no_ignore: true,
        ..Filter::default()
    };
    for entry in walk(whole, &filter, &())?.entries {
        if entry.kind == EntryKind::File {
            let hash = Hash::of(&std::fs::read(&entry.path)?);
            text += &format!("{} {hash}\n", slashed(&entry.relative));
        }
    }
    Ok(Hash::of(text.as_bytes()).to_string())
}
