use crate::engine;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::regular::read_whole;
use super::{EntryKind, PlannedFile, Stage, Watcher};
use crate::build::cmake::{own_prefixes, serves_amd};
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::translate;
use crate::mapping::ApiTable;
use crate::project::FileIndex;
use crate::project::ProjectIndex;
use crate::project::build_facts::{BuildFacts, is_config_header};
use crate::project::build_mark::{self, Mark};
use crate::project::listed_sources::{Sources, sources};
use crate::project::{BuildList, Builds, Links};
use crate::syntax::Document;
use crate::text::{BuildTool, SourceFile, build_tool, from_wide, is_cpp};

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

/// Reads all sources that mention CUDA and collects what the tree defines itself.
pub fn index_project(
    files: &[PlannedFile],
    table: &ApiTable,
    renames: impl IntoIterator<Item = (String, String)>,
    watcher: &dyn Watcher,
) -> ProjectIndex {
    watcher.begin(Stage::Reading, Some(files.len()));
    let indexed: Vec<(String, FileIndex)> = files
        .par_iter()
        .filter_map(|file| {
            let index = index_source(file, table);
            watcher.step();
            index
        })
        .collect();
    let seen: Vec<Seen> = files.par_iter().filter_map(script).collect();
    let (mut scripts, mut plain) = (Vec::new(), Vec::new());
    for seen in seen {
        match seen {
            Seen::Script(script) => scripts.push(script),
            Seen::Plain(path, bytes) => plain.push((path, bytes)),
        }
    }
    let lists = scripts.iter_mut();
    let lists = lists.filter(|it| it.path.ends_with("CMakeLists.txt"));
    let mut lists: Vec<_> = lists.map(Script::folder_and_mark).collect();
    build_mark::join_parts(&mut lists);
    let is_ported = scripts.iter().any(|it| it.asks_for_amd);
    let marks = scripts.iter().map(|it| (it.folder().to_owned(), it.mark));
    let facts: Vec<(String, BuildFacts)> = files.par_iter().filter_map(build_facts).collect();
    let mut project = ProjectIndex::new(indexed, files.iter().map(|file| file.entry.name()))
        .with_links(links(files));
    add_included(&mut project, files, table);
    project
        .with_renames(renames)
        .with_plain_scripts(plain)
        .with_marks(marks)
        .with_sources(scripts.iter().map(|it| (&*it.path, &it.sources)))
        .with_port(is_ported)
        .with_builds(builds(files))
        .with_build_facts(facts)
}

/// Adds the files that are sources because others include them, whatever they are called, `proj/config`, and what those include.
fn add_included(project: &mut ProjectIndex, files: &[PlannedFile], table: &ApiTable) {
    loop {
        let wanted = project.unread_includes();
        if wanted.is_empty() {
            return;
        }
        let included = files
            .par_iter()
            .filter(|it| wanted.contains(&it.entry.name()));
        let indexed: Vec<_> = included
            .filter_map(|file| index_file(file, table))
            .collect();
        project.add_included(wanted, indexed);
    }
}

/// What was seen in a file that may be a build script.
enum Seen {
    Script(Script),
    /// Python without a word of GPUs, and its size: it is not looked through again.
    Plain(String, u64),
}

/// A build script and what it says.
struct Script {
    path: String,
    /// What it makes in its folder.
    mark: Mark,
    asks_for_amd: bool,
    /// What it gives to PyTorch.
    sources: Sources,
}

impl Script {
    fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    fn folder_and_mark(&mut self) -> (&str, &mut Mark) {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        (folder, &mut self.mark)
    }
}

fn script(file: &PlannedFile) -> Option<Seen> {
    let path = file.entry.name();
    if file.entry.kind != EntryKind::File || !build_mark::may_mark(&path) {
        return None;
    }
    let bytes = read(&file.entry.path).ok()?;
    if build_mark::is_plain_python(&path, &bytes) {
        return Some(Seen::Plain(path, bytes.len() as u64));
    }
    let mark = build_mark::mark(&path, &bytes)?;
    let is_torch = mark == Mark::Torch;
    let sources = match is_torch && path.ends_with(".py") {
        true => sources(&bytes),
        false => Sources::default(),
    };
    Some(Seen::Script(Script {
        asks_for_amd: is_torch && build_mark::asks_for_amd(&bytes),
        path,
        mark,
        sources,
    }))
}

/// The links among files, each with where it points.
fn links(files: &[PlannedFile]) -> Links {
    Links::new(files.iter().filter_map(|file| match &file.entry.kind {
        EntryKind::Link(destination) => Some((file.entry.name(), destination.as_path())),
        EntryKind::File => None,
    }))
}

/// What the CMake lists of a tree say together.
fn builds(files: &[PlannedFile]) -> Builds {
    let list = |file: &PlannedFile| {
        let is_list = build_tool(&file.entry.name()) == Some(BuildTool::CMake);
        (file.entry.kind == EntryKind::File && is_list).then(|| {
            let bytes = read(&file.entry.path).unwrap_or_default();
            BuildList {
                path: file.entry.name(),
                serves_amd: serves_amd(&bytes),
                prefixes: own_prefixes(&bytes),
            }
        })
    };
    let lists: Vec<BuildList> = files.par_iter().filter_map(list).collect();
    Builds::new(&lists)
}

/// Finds out which helpers the fragments call that files include inside a namespace or class, so that those files bring them.
pub(crate) fn learn_fragments(files: &[PlannedFile], session: &mut Session) {
    let names = files.iter().map(|file| (file.entry.name(), file));
    let fragments = names.filter(|(name, _)| session.project.is_fragment(name));
    let learnt = fragments.filter_map(|(name, file)| match process(file, session) {
        Processed::Source { outcome, .. } => Some((name, outcome.helpers)),
        _ => None,
    });
    session.fragments = learnt.collect();
}

fn build_facts(file: &PlannedFile) -> Option<(String, BuildFacts)> {
    let name = file.entry.name();
    let is_build = build_tool(&name).is_some() || is_config_header(&name);
    if file.entry.kind != EntryKind::File || !is_build {
        return None;
    }
    let facts = BuildFacts::new(&name, &read(&file.entry.path).ok()?)?;
    Some((name, facts))
}

fn index_source(file: &PlannedFile, table: &ApiTable) -> Option<(String, FileIndex)> {
    is_cpp(&file.entry.name())
        .then(|| index_file(file, table))
        .flatten()
}

fn index_file(file: &PlannedFile, table: &ApiTable) -> Option<(String, FileIndex)> {
    let name = file.entry.name();
    if file.entry.kind != EntryKind::File {
        return None;
    }
    let bytes = read(&file.entry.path).ok()?;
    // A header without CUDA can still include one that has it, or hold a constant such as a warp size.
    if !table.may_occur_in(&bytes) {
        // A file in UTF-16 or UTF-32 is not known to be plain: it is read when its turn comes.
        if from_wide(&bytes).is_some() {
            return None;
        }
        return Some((name, FileIndex::of_plain(&bytes)));
    }
    let source = SourceFile::included(name.clone(), bytes);
    let index = catch_unwind(AssertUnwindSafe(|| {
        engine::file_index(&Document::new(&source), table)
    }))
    .ok()?;
    Some((name, index))
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
    let is_included = session.project.is_included_source(&name);
    let is_read = is_included || !engine::is_opaque(&name);
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

fn read(path: &Path) -> Result<Vec<u8>, String> {
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
