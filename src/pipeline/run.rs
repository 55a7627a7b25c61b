use crate::engine;
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::regular::read_whole;
use super::{EntryKind, PlannedFile, Stage, Watcher};
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::translate;
use crate::text::{SourceFile, is_read_by_start, start_to_read};

/// Set when a person wants the run to end: no new file is begun.
pub type Interrupted = AtomicBool;

/// One file of a run, read and translated.
pub enum Processed {
    /// Not C-family source, or a link: its bytes were not read.
    Opaque,
    /// Source without CUDA, as was seen when the tree was indexed: it was not read again.
    Plain {
        /// Its size.
        bytes: u64,
    },
    /// Source that was read; `outcome.is_cuda` says whether it was more than copied.
    Source {
        /// The file as read.
        source: Box<SourceFile>,
        /// What became of it.
        outcome: Box<FileOutcome>,
    },
    /// The file could not be read, or translation broke down: a message for people. The bytes are there if reading worked.
    Failed {
        /// What happened.
        message: String,
    },
}

/// Finds out which helpers the fragments call that files include inside a namespace or class, so that those files bring them.
pub(crate) fn learn_fragments(files: &[PlannedFile], session: &mut Session) {
    let names = files.iter().map(|file| (file.entry.name(), file));
    let fragments = names.filter(|(name, _)| session.project.inclusions().is_fragment(name));
    let learnt = fragments.filter_map(|(name, file)| match process(file, session) {
        Processed::Source { outcome, .. } => Some((name, outcome.helpers)),
        _ => None,
    });
    session.fragments = learnt.collect();
}

/// Gives back what holds a part for each file, without the run waiting for it: that takes a twentieth of the time of a run that copies.
pub(crate) fn give_back(it: impl Send + 'static) {
    rayon::spawn(move || drop(it));
}

/// Processes the files in parallel and hands each to `finish`; results come in the order of the files.
pub fn run<T: Send>(
    files: &[PlannedFile],
    session: &Session,
    interrupted: &Interrupted,
    watcher: &dyn Watcher,
    finish: impl Fn(&PlannedFile, Processed) -> T + Sync,
) -> Vec<T> {
    watcher.begin(Stage::Translating, Some(files.len()));
    let step = |file: &PlannedFile| {
        (!interrupted.load(Ordering::Relaxed)).then(|| {
            let done = finish(file, process(file, session));
            watcher.step();
            done
        })
    };
    files
        .par_iter()
        .map(step)
        .collect::<Vec<_>>()
        .into_iter()
        .flatten()
        .collect()
}

fn process(file: &PlannedFile, session: &Session) -> Processed {
    let name = file.entry.name();
    if let EntryKind::Made(from) = &file.entry.kind {
        return match read(from) {
            Ok(bytes) => made(name, &bytes, session),
            Err(message) => Processed::Failed { message },
        };
    }
    let is_included = session.project.is_included_source(&name);
    let is_read = is_included || !engine::is_opaque(&name) || is_known_by_start(file, &name);
    if file.entry.kind != EntryKind::File || !is_read {
        return Processed::Opaque;
    }
    let session = session.of(&name);
    if let Some(bytes) = session.size_of_unread(&name) {
        return Processed::Plain { bytes };
    }
    match read(&file.entry.path) {
        Ok(bytes) if is_included => translated(SourceFile::included(name, bytes), session),
        Ok(bytes) => translated(SourceFile::new(name, bytes), session),
        Err(message) => Processed::Failed { message },
    }
}

/// Whether a file whose name says nothing begins as a script does, `#!`, or as a file of YAML that says what to install or to run: of most
/// no more is read.
fn is_known_by_start(file: &PlannedFile, name: &str) -> bool {
    if file.entry.kind != EntryKind::File {
        return false;
    }
    let Some(size) = start_to_read(name) else {
        return false;
    };
    let mut start = Vec::with_capacity(size);
    let limit = u64::try_from(size).unwrap_or(u64::MAX);
    let opened = File::open(&file.entry.path);
    let read = opened.and_then(|it| it.take(limit).read_to_end(&mut start));
    read.is_ok() && is_read_by_start(name, &start)
}

/// A file that is made of the bytes of another one: all of it is new.
fn made(name: String, bytes: &[u8], session: &Session) -> Processed {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        engine::made(&name, bytes, session.of(&name))
    }));
    match outcome {
        Ok(outcome) => Processed::Source {
            source: Box::new(SourceFile::new(name, Vec::new())),
            outcome: Box::new(outcome),
        },
        Err(_) => Processed::Failed {
            message: format!(
                "{name}: translation broke down on its module, which is a bug; it is not written. Please report it"
            ),
        },
    }
}

/// Translates one file; a panic in it is this file's failure and nobody else's.
pub fn translated(source: SourceFile, session: &Session) -> Processed {
    match catch_unwind(AssertUnwindSafe(|| translate(&source, session))) {
        Ok(outcome) => Processed::Source {
            source: Box::new(source),
            outcome: Box::new(outcome),
        },
        Err(_) => Processed::Failed {
            message: format!(
                "{}: translation broke down on this file, which is a bug; the file is copied as it is. Please report it",
                source.path
            ),
        },
    }
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let mut file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > u64::from(u32::MAX) {
        return Err(format!(
            "{}: 4 GiB or larger, copied without being read; split it",
            path.display()
        ));
    }
    read_whole(&mut file, size).map_err(failed)
}
