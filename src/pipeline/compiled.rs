//! The compilation database of a build, in terms of the tree.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::walk::slashed;
use super::{EntryKind, PlannedFile, read_regular};
use crate::project::compiled::{Command, Compiled, CompiledFile, Database, HINT, defined_macros};
use crate::text::is_cpp;

/// The name of the file in the folder of a build.
const NAME: &str = "compile_commands.json";
/// Bytes of a response file: a command line may have 2 MB, and what is longer goes into one.
const LARGEST_RESPONSE: u64 = 16 << 20;
/// Folders of generated headers are followed so deep.
const DEEPEST: usize = 8;

/// Reads a database, or the one in the folder of a build, and says what it compiles of some files. None where a single file is looked
/// at that it does not name.
///
/// # Errors
/// When it cannot be read, is no such database, or is that of another tree; the message names it and the remedy.
pub(crate) fn compiled(path: &Path, files: &[PlannedFile]) -> Result<Option<Compiled>, String> {
    let file = match path.is_dir() {
        true => path.join(NAME),
        false => path.to_path_buf(),
    };
    let shown = file.display();
    let bytes = std::fs::read(&file)
        .map_err(|error| format!("{shown}: cannot be read: {error}; {HINT}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let folder = file.canonicalize().unwrap_or_else(|_| file.clone());
    let folder = folder.parent().unwrap_or(Path::new("/"));
    let database =
        Database::parse(&text, folder, &read).map_err(|message| format!("{shown}: {message}"))?;
    let Some(root) = files.first().and_then(root_of) else {
        return Ok(None);
    };
    let names: FxHashSet<String> = files.iter().map(|file| file.entry.name()).collect();
    let in_tree = |command: &Command| Some((place(&command.file, &root)?, of_tree(command, &root)));
    let found: Vec<(String, CompiledFile)> = database
        .commands
        .iter()
        .filter_map(in_tree)
        .filter(|(name, _)| names.contains(name))
        .collect();
    if found.is_empty() && files.len() > 1 {
        let first = &database.commands[0].file;
        return Err(format!(
            "{shown}: none of the files that it compiles is in {}; the first is {}. Give the database of this tree's build, or configure again here",
            root.display(),
            first.display()
        ));
    }
    let compiled = Compiled::new(found, defined(files, &database, folder, &root));
    Ok(Some(compiled).filter(|compiled| !compiled.is_empty()))
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = read_regular(path, LARGEST_RESPONSE).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The folder that the names of files are relative to.
fn root_of(file: &PlannedFile) -> Option<PathBuf> {
    let path = std::path::absolute(&file.entry.path).ok()?;
    let mut root = path.parent()?.canonicalize().ok()?;
    let depth = file.entry.relative.components().count();
    (1..depth).all(|_| root.pop()).then_some(root)
}

/// A path by its place in the tree: as it is written, or where its links lead.
fn place(path: &Path, root: &Path) -> Option<String> {
    let below = |path: &Path| path.strip_prefix(root).ok().map(slashed);
    below(path).or_else(|| below(&path.canonicalize().ok()?))
}

fn of_tree(command: &Command, root: &Path) -> CompiledFile {
    let folders = command.folders.iter();
    CompiledFile {
        macros: command.macros.clone(),
        folders: folders.filter_map(|folder| place(folder, root)).collect(),
    }
}

/// The macros that files of the tree define, and headers that the build made in its own folder.
fn defined(
    files: &[PlannedFile],
    database: &Database,
    build: &Path,
    root: &Path,
) -> FxHashSet<Box<[u8]>> {
    let is_code =
        |file: &&PlannedFile| file.entry.kind == EntryKind::File && is_cpp(&file.entry.name());
    let mut paths: Vec<PathBuf> = files
        .iter()
        .filter(is_code)
        .map(|file| file.entry.path.clone())
        .collect();
    let folders: FxHashSet<&PathBuf> = database
        .commands
        .iter()
        .flat_map(|command| &command.folders)
        .collect();
    let is_made = |folder: &&&PathBuf| folder.starts_with(build) && build != root;
    for folder in folders.iter().filter(is_made) {
        headers_in(folder, DEEPEST, &mut paths);
    }
    let of_file = |path: &PathBuf| {
        let bytes = read_regular(path, u64::from(u32::MAX)).unwrap_or_default();
        let names = defined_macros(&bytes).map(Box::from);
        names.collect::<Vec<Box<[u8]>>>()
    };
    paths
        .par_iter()
        .flat_map_iter(of_file)
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

fn headers_in(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let items = folder.read_dir().into_iter().flatten().flatten();
    for item in items {
        let path = item.path();
        let Ok(kind) = item.file_type() else { continue };
        if kind.is_dir() && depth > 0 {
            headers_in(&path, depth - 1, found);
        } else if kind.is_file() && is_cpp(&slashed(&path)) {
            found.push(path);
        }
    }
}
