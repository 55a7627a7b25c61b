//! Patches: what translation changes, and how an output stands to its sources.

mod of_port;
mod outlet;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::args::DiffArgs;
use super::part::{Named, named};
use super::progress::Progress;
use super::settings::{Given, Settings};
use super::{Exit, input, output, port, reports, suggest};
use crate::compat;
use crate::config::CheckTable;
use crate::edit::EditSet;
use crate::engine::FileOutcome;
use crate::options::CompatMode;
use crate::pipeline::{
    EntryKind, Plan, PlannedFile, Processed, run as run_pipeline, translated, walk,
};
use crate::port::Memory;
use crate::project::{CalledHelpers, ProjectIndex};
use crate::report::diff::{FilePatch, Mode};
use crate::text::SourceFile;
use outlet::{Outlet, Rendered, path_bytes};

/// The patch of one file, and the helpers that its translation calls.
type Piece = (Rendered, CalledHelpers);

/// Prints what translation changes, or how OUT differs from a fresh translation.
pub(super) fn run(args: &DiffArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    let args = &in_tree(args);
    let settings = Settings::new(&args.src, &given(args))?;
    if args.settings.rules.show_config {
        settings.print(&args.src)?;
        return Ok(Exit::Clean);
    }
    if args.src == Path::new("-") {
        return from_stdin(args, &settings);
    }
    if !args.src.exists() {
        suggest::command(&args.src)?;
    }
    if let Some(out) = args.out.as_deref().filter(|_| !args.fresh) {
        let port = port::open(out)?;
        if port.memory == Memory::Whole {
            return of_port::run(args, out);
        }
        if let Some(lost) = port::lost_memory(&port, &args.src, out) {
            output::complain(&lost);
        }
        if let Some(missing) = port::not_there(out) {
            output::complain(&missing);
        }
    }
    from_files(args, settings)
}

/// The same arguments with the tree that a file is part of, at or below the current folder, from where the names of a patch are.
fn in_tree(args: &DiffArgs) -> DiffArgs {
    let mut args = args.clone();
    if args.out.is_some() || args.settings.rules.show_config {
        return args;
    }
    if let Some(Named::Part(part)) = named(std::slice::from_ref(&args.src)).pop()
        && part.root.is_relative()
    {
        args.src.clone_from(&part.root);
        args.part = Some(part);
    }
    args
}

/// What translation changes in a tree or a file.
fn from_files(args: &DiffArgs, mut settings: Settings) -> Result<Exit> {
    let filter = settings.filter(args.out.clone().into_iter().collect());
    let progress = Progress::new();
    let mut walked = walk(&args.src, &filter, &progress)?;
    settings.nest(&mut walked)?;
    if let Some(part) = &args.part {
        part.keep(&mut walked, false);
    }
    let plan = Plan::new(walked.entries, settings.naming())
        .with_made()
        .with_around(walked.around);
    let session = settings.session(&plan, &progress)?;
    let place = Place::new(args);
    let pieces = run_pipeline(
        &plan.files,
        &session,
        input::interrupted(),
        &progress,
        |file, processed| piece(&place, &session.project, file, processed),
    );
    drop(progress);
    if input::was_interrupted() {
        output::complain("interrupted; a patch of a part would be none");
        return Ok(Exit::Interrupted);
    }
    let mut outlet = Outlet::new(args);
    let mut helpers = CalledHelpers::default();
    for piece in pieces {
        match piece {
            Ok((patch, called)) => {
                helpers.add(called);
                outlet.take(patch)?;
            }
            Err(message) => outlet.complain(&message),
        }
    }
    if session.options.compat == CompatMode::Header {
        for (path, helpers) in helpers.headers() {
            let header = place.named(header(args, path, helpers));
            outlet.take(Rendered::new(&header))?;
        }
    }
    let idle = reports::idle_excludes(&walked.idle_excludes);
    idle.iter()
        .for_each(|note| output::note(&format!("{note}\n")));
    let problems = walked.problems.iter();
    problems.for_each(|problem| outlet.complain(problem));
    outlet.finish()
}

/// What translation changes in standard input.
fn from_stdin(args: &DiffArgs, settings: &Settings) -> Result<Exit> {
    if args.out.is_some() {
        bail!("-: standard input has no place in a folder; leave OUT out");
    }
    let name = args.stdin_filename.as_deref().unwrap_or("stdin.cu");
    let source = SourceFile::new(name, input::read_all()?);
    let session = settings.lone_session()?;
    let mut outlet = Outlet::new(args);
    let file = input::stand_in(name);
    let place = Place::of_input(args);
    match piece(
        &place,
        &session.project,
        &file,
        translated(source, &session),
    ) {
        Ok((patch, _)) => outlet.take(patch)?,
        Err(message) => outlet.complain(&message),
    }
    outlet.finish()
}

fn given(args: &DiffArgs) -> Given<'_> {
    Given {
        settings: &args.settings,
        naming: args.naming,
        check: CheckTable::default(),
    }
}

/// From where the names of a patch are.
struct Place<'a> {
    args: &'a DiffArgs,
    /// The way from the current folder to the sources: there a patch of them is applied.
    from_here: PathBuf,
}

impl<'a> Place<'a> {
    fn new(args: &'a DiffArgs) -> Self {
        let from_here = match args.out {
            // What an output lacks is named as in it.
            Some(_) => PathBuf::new(),
            None => input::from_here(&args.src),
        };
        Self { args, from_here }
    }

    /// Standard input is called as the person says.
    fn of_input(args: &'a DiffArgs) -> Self {
        Self {
            args,
            from_here: PathBuf::new(),
        }
    }

    /// A patch with its names from here.
    fn named(&self, mut patch: FilePatch) -> FilePatch {
        let mut prefix = path_bytes(&self.from_here);
        if !prefix.is_empty() {
            prefix.push(b'/');
            if let Some((old, _)) = &mut patch.old {
                old.splice(0..0, prefix.iter().copied());
            }
            patch.path.splice(0..0, prefix);
        }
        patch
    }
}

fn piece(
    place: &Place<'_>,
    project: &ProjectIndex,
    file: &PlannedFile,
    processed: Processed,
) -> Result<Piece, String> {
    let (helpers, translated) = match processed {
        Processed::Failed { message } => return Err(message),
        Processed::Source { source, outcome } => {
            let FileOutcome {
                output,
                edits,
                helpers,
                ..
            } = *outcome;
            let header = project.helper_header_of(&source.path);
            let called = CalledHelpers::of(header, helpers);
            (called, Some((source.bytes, output, edits)))
        }
        Processed::Opaque | Processed::Plain { .. } => (CalledHelpers::default(), None),
    };
    let patch = match &place.args.out {
        Some(out) => {
            let translated = translated.map(|(source, output, _)| output.unwrap_or(source));
            Some(difference_from_fresh(
                &out.join(&file.output),
                file,
                translated,
            )?)
        }
        None => translated.map(|(source, output, edits)| change(file, source, output, edits)),
    };
    let patch = patch.map(|patch| place.named(patch));
    // What is not read does not change, unless somebody changed it.
    let rendered = patch.map_or(Rendered::Nothing, |patch| Rendered::new(&patch));
    Ok((rendered, helpers))
}

/// How the file at `target` differs from a fresh translation.
fn difference_from_fresh(
    target: &Path,
    file: &PlannedFile,
    translated: Option<Vec<u8>>,
) -> Result<FilePatch, String> {
    let path = path_bytes(&file.output);
    let bytes = match (&file.entry.kind, translated) {
        (EntryKind::Link(destination), _) => path_bytes(destination),
        (EntryKind::File | EntryKind::Made(_), Some(bytes)) => bytes,
        (EntryKind::File | EntryKind::Made(_), None) => read(&file.entry.path)?,
    };
    Ok(FilePatch {
        old: found(target)?.map(|old| (path.clone(), old)),
        path,
        bytes,
        mode: mode(file),
        edits: None,
        is_deleted: false,
    })
}

/// What translation changes.
fn change(
    file: &PlannedFile,
    source: Vec<u8>,
    output: Option<Vec<u8>>,
    edits: EditSet,
) -> FilePatch {
    // Where no byte changes, none is looked at: the name may change all the same.
    let (before, after) = output.map_or_else(Default::default, |output| (source, output));
    let is_made = matches!(file.entry.kind, EntryKind::Made(_));
    FilePatch {
        old: (!is_made).then(|| (path_bytes(&file.entry.relative), before)),
        path: path_bytes(&file.output),
        bytes: after,
        mode: mode(file),
        edits: Some(edits),
        is_deleted: false,
    }
}

/// The helper header belongs to the translation as any file does: without it, a patched tree would not compile.
fn header(args: &DiffArgs, path: &str, helpers: &BTreeSet<&'static str>) -> FilePatch {
    let folder = match &args.out {
        Some(out) => out.as_path(),
        None if args.src.is_dir() => &args.src,
        None => args.src.parent().unwrap_or(Path::new("")),
    };
    let old = found(&folder.join(path)).ok().flatten();
    let mut helpers = helpers.clone();
    if let Some(earlier) = port::header_in(&args.src, path) {
        helpers.extend(compat::held(&earlier));
    }
    let path = path.as_bytes().to_vec();
    FilePatch {
        old: old.map(|old| (path.clone(), old)),
        path,
        bytes: compat::header(&helpers).into_bytes(),
        ..FilePatch::default()
    }
}

/// The content of a file, or what a link points at; `None` when there is nothing.
fn found(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Ok(metadata) if metadata.is_symlink() => {
            Ok(std::fs::read_link(path).ok().map(|to| path_bytes(&to)))
        }
        // A pipe would be waited for.
        Ok(metadata) if !metadata.is_file() => Ok(None),
        _ => read(path).map(Some),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn mode(file: &PlannedFile) -> Mode {
    use std::os::unix::fs::PermissionsExt as _;
    let executable = |path: &Path| {
        path.metadata()
            .is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
    };
    match &file.entry.kind {
        EntryKind::Link(_) => Mode::Link,
        EntryKind::File if executable(&file.entry.path) => Mode::Executable,
        EntryKind::File | EntryKind::Made(_) => Mode::File,
    }
}

#[cfg(not(unix))]
fn mode(file: &PlannedFile) -> Mode {
    match &file.entry.kind {
        EntryKind::Link(_) => Mode::Link,
        EntryKind::File | EntryKind::Made(_) => Mode::File,
    }
}
