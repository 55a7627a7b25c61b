//! Files that a command line names one by one, as parts of the trees that they stand in: what CUDA in a file means is decided by headers,
//! build files and ports elsewhere in the tree as well, and a hook names the files of a commit alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::input;
use super::reports::is_repository;
use crate::config;
use crate::pipeline::{Entry, EntryKind, LeftOut, Reason, Walked, is_output};

/// What paths name.
pub(super) enum Named {
    /// A folder, standard input, or a file of no tree.
    Alone(PathBuf),
    /// Files of one tree.
    Part(Part),
}

/// Files of one tree.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The folder of the tree, as it is called from the current folder.
    pub(super) root: PathBuf,
    /// The files by their paths below that folder, each with the path that names it.
    pub(super) files: BTreeMap<PathBuf, PathBuf>,
}

/// What each of some paths names; files of one tree come together, where the first of them stands.
pub(super) fn named(paths: &[PathBuf]) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    for path in paths {
        let Some((root, relative)) = place(path) else {
            all.push(Named::Alone(path.clone()));
            continue;
        };
        let root = input::named_from_here(root);
        let known = all.iter_mut().find_map(|named| match named {
            Named::Part(part) if part.root == root => Some(part),
            _ => None,
        });
        match known {
            Some(part) => drop(part.files.insert(relative, path.clone())),
            None => all.push(Named::Part(Part {
                root,
                files: BTreeMap::from([(relative, path.clone())]),
            })),
        }
    }
    all
}

/// The tree that a file is part of, and its path in there. Nothing for folders and links, and for files of no tree.
fn place(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
    let name = path.file_name().filter(|_| is_file)?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    let root = tree_around(&folder)?;
    let relative = folder.strip_prefix(&root).ok()?.join(name);
    Some((root, relative))
}

/// The tree that a resolved folder is part of: the output of an earlier run or the repository around it, whichever is nearer, and without
/// either the folder of the configuration.
pub(super) fn tree_around(folder: &Path) -> Option<PathBuf> {
    let is_tree = |folder: &&Path| is_output(folder) || is_repository(folder);
    match folder.ancestors().find(is_tree) {
        Some(root) => Some(root.to_path_buf()),
        // One that cannot be read is told of when the settings are.
        None => Some(config::find(folder).ok().flatten()?.folder().to_path_buf()),
    }
}

impl Part {
    /// Makes what was named the entries of the walked tree, with all else around them. Files that the tree leaves out, such as those that
    /// `.gitignore` names, take part unless globs are to hold for files that are named too; what is said of the rest of the tree is not
    /// about them.
    pub(super) fn keep(&self, walked: &mut Walked, force_exclude: bool) {
        walked.keep(|entry| {
            entry.kind == EntryKind::File && self.files.contains_key(&entry.relative)
        });
        walked.problems.clear();
        walked.empty_folders.clear();
        walked.left_out.clear();
        let kept = walked.entries.iter().map(|entry| &entry.relative);
        let kept: BTreeSet<&PathBuf> = kept.collect();
        let gone = self.files.iter().filter(|(path, _)| !kept.contains(path));
        let gone: Vec<_> = gone.collect();
        if force_exclude {
            walked.left_out = gone.iter().map(|(path, _)| filtered(path)).collect();
            return;
        }
        let named = gone.into_iter().map(|(relative, path)| Entry {
            path: path.clone(),
            relative: relative.clone(),
            kind: EntryKind::File,
        });
        let named: Vec<Entry> = named.collect();
        walked.entries.extend(named);
        walked.entries.sort_by(|a, b| a.relative.cmp(&b.relative));
    }
}

fn filtered(path: &Path) -> LeftOut {
    LeftOut {
        reason: Reason::Filtered,
        path: path.to_path_buf(),
        is_folder: false,
    }
}
