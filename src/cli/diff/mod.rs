//! Patches: what translation changes, and how an output stands to its sources.

mod of_port;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::args::DiffArgs;
use super::settings::{Given, Settings};
use super::{Exit, input, output, port};
use crate::config::CheckTable;
use crate::edit::EditSet;
use crate::engine::FileOutcome;
use crate::options::CompatMode;
use crate::pipeline::{EntryKind, Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::port::Memory;
use crate::report::diff::{Change, FilePatch, Mode, coloured, printable, stat};
use crate::{compat, emit};

/// The patch of one file, and the helpers that its translation calls.
type Piece = (Rendered, BTreeSet<&'static str>);

/// A patch of one file as it is printed. Files wait in this form for those before them, which takes less room than their bytes.
enum Rendered {
    Nothing,
    /// The path of a file that is no text.
    Binary(String),
    Text(Vec<u8>, Change),
}

impl Rendered {
    fn new(file: &FilePatch) -> Self {
        if file.is_empty() {
            Self::Nothing
        } else if file.is_binary() {
            Self::Binary(String::from_utf8_lossy(&file.path).into_owned())
        } else {
            let (text, change) = file.render();
            Self::Text(text, change)
        }
    }
}

/// Prints what translation changes, or how OUT differs from a fresh translation.
pub(super) fn run(args: &DiffArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    let settings = Settings::new(&args.src, &given(args))?;
    if args.settings.rules.show_config {
        settings.print(&args.src)?;
        return Ok(Exit::Clean);
    }
    if let Some(out) = args.out.as_deref().filter(|_| !args.fresh) {
        let port = port::open(out)?;
        if port.memory == Memory::Whole {
            return of_port::run(args, out);
        }
        if let Some(lost) = port::lost_memory(&port, &args.src, out) {
            output::complain(&lost);
        }
    }
    let filter = settings.filter(args.out.clone().into_iter().collect());
    let walked = walk(&args.src, &filter)?;
    let plan = Plan::new(walked.entries, settings.naming());
    let session = settings.session(&plan)?;
    let pieces = run_pipeline(
        &plan.files,
        &session,
        input::interrupted(),
        |file, processed| piece(args, file, processed),
    );
    if input::was_interrupted() {
        output::complain("interrupted; a patch of a part would be none");
        return Ok(Exit::Interrupted);
    }
    let mut outlet = Outlet::new(args);
    let mut helpers = BTreeSet::new();
    for piece in pieces {
        match piece {
            Ok((patch, called)) => {
                helpers.extend(called);
                outlet.take(patch)?;
            }
            Err(message) => outlet.complain(&message),
        }
    }
    if !helpers.is_empty() && session.options.compat == CompatMode::Header {
        outlet.take(Rendered::new(&header(args, &helpers)))?;
    }
    let problems = walked.problems.iter();
    problems.for_each(|problem| outlet.complain(problem));
    outlet.finish()
}

fn given(args: &DiffArgs) -> Given<'_> {
    Given {
        settings: &args.settings,
        naming: args.naming,
        check: CheckTable::default(),
    }
}

/// Where the pieces of the patch go, and what they come to.
struct Outlet<'a> {
    args: &'a DiffArgs,
    /// The patch, when it goes to a file.
    patch: Vec<u8>,
    changes: Vec<Change>,
    colour: bool,
    trouble: bool,
    /// Something differs that is in no patch.
    differs: bool,
}

impl<'a> Outlet<'a> {
    fn new(args: &'a DiffArgs) -> Self {
        Self {
            args,
            patch: Vec::new(),
            changes: Vec::new(),
            colour: output::is_coloured(),
            trouble: false,
            differs: false,
        }
    }

    fn take(&mut self, file: Rendered) -> Result<()> {
        let (text, change) = match file {
            Rendered::Nothing => return Ok(()),
            Rendered::Binary(path) => {
                self.complain(&format!(
                    "{path}: differs, and is no text that a patch could hold"
                ));
                return Ok(());
            }
            Rendered::Text(text, change) => (text, change),
        };
        self.changes.push(change);
        if self.args.patch.is_some() {
            self.patch.extend(text);
        } else if !self.args.stat {
            let text = if output::is_terminal() {
                printable(&text)
            } else {
                text
            };
            output::print_bytes(&if self.colour { coloured(&text) } else { text })?;
        }
        Ok(())
    }

    fn complain(&mut self, message: &str) {
        output::complain(message);
        self.trouble = true;
    }

    fn finish(self) -> Result<Exit> {
        if let Some(path) = &self.args.patch {
            emit::write(path, &self.patch, None)?;
        }
        if self.args.stat {
            output::print(&stat(&self.changes))?;
        }
        let differs = self.differs
            || !self.changes.is_empty() && (self.args.out.is_some() || self.args.exit_code);
        Ok(match (self.trouble, differs) {
            (true, _) => Exit::Trouble,
            (false, true) => Exit::Findings,
            (false, false) => Exit::Clean,
        })
    }
}

fn piece(args: &DiffArgs, file: &PlannedFile, processed: Processed) -> Result<Piece, String> {
    let (helpers, translated) = match processed {
        Processed::Failed { message } => return Err(message),
        Processed::Source { source, outcome } => {
            let FileOutcome {
                output,
                edits,
                helpers,
                ..
            } = *outcome;
            (helpers, Some((source.bytes, output, edits)))
        }
        Processed::Opaque | Processed::Plain { .. } => (BTreeSet::new(), None),
    };
    let patch = match &args.out {
        Some(out) => {
            let translated = translated.map(|(source, output, _)| output.unwrap_or(source));
            Some(drift(&out.join(&file.output), file, translated)?)
        }
        None => translated.map(|(source, output, edits)| change(file, source, output, edits)),
    };
    // What is not read does not change, unless somebody changed it.
    let rendered = patch.map_or(Rendered::Nothing, |patch| Rendered::new(&patch));
    Ok((rendered, helpers))
}

/// How the file at `target` differs from a fresh translation.
fn drift(
    target: &Path,
    file: &PlannedFile,
    translated: Option<Vec<u8>>,
) -> Result<FilePatch, String> {
    let path = path_bytes(&file.output);
    let bytes = match (&file.entry.kind, translated) {
        (EntryKind::Link(destination), _) => path_bytes(destination),
        (EntryKind::File, Some(bytes)) => bytes,
        (EntryKind::File, None) => read(&file.entry.path)?,
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
    FilePatch {
        old: Some((path_bytes(&file.entry.relative), before)),
        path: path_bytes(&file.output),
        bytes: after,
        mode: mode(file),
        edits: Some(edits),
        is_deleted: false,
    }
}

/// The helper header belongs to the translation as any file does: without it, a patched tree would not compile.
fn header(args: &DiffArgs, helpers: &BTreeSet<&'static str>) -> FilePatch {
    let folder = match &args.out {
        Some(out) => out.as_path(),
        None if args.src.is_dir() => &args.src,
        None => args.src.parent().unwrap_or(Path::new("")),
    };
    let path = compat::HEADER_NAME.as_bytes().to_vec();
    let old = found(&folder.join(compat::HEADER_NAME)).ok().flatten();
    let mut helpers = helpers.clone();
    if let Ok(earlier) = std::fs::read(args.src.join(compat::HEADER_NAME)) {
        helpers.extend(compat::held(&earlier));
    }
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
        EntryKind::File => Mode::File,
    }
}

#[cfg(not(unix))]
fn mode(file: &PlannedFile) -> Mode {
    match &file.entry.kind {
        EntryKind::Link(_) => Mode::Link,
        EntryKind::File => Mode::File,
    }
}

#[cfg(unix)]
fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn path_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}
