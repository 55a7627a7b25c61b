//! What of a tree takes no part in a run: said in every summary, so that nobody has to find out by a build that stops.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::git::{git, names, path_of};

/// Name of the folder in which an output keeps the record of what was written there.
pub(crate) const RECORD_FOLDER: &str = ".cass";
/// The file in it that marks a folder as output of this tool.
pub(crate) const MANIFEST_NAME: &str = "manifest.json";

/// The report of the run that wrote a port, at its root.
pub(crate) const REPORT_NAME: &str = "cass-report.json";

/// Why something takes no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A `.gitignore` names it, and git does not track it.
    Ignored,
    /// As [`Reason::Ignored`], where git could not be asked what it tracks.
    MaybeTracked,
    /// `include` and `exclude` decide so.
    Filtered,
    /// It holds the output of an earlier run.
    Output,
    /// Neither file nor folder nor link: a pipe, a socket, a device.
    Special,
}

/// A file or folder that takes no part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// Why.
    pub reason: Reason,
    /// Its path relative to the root; a folder stands for all that is in it.
    pub path: PathBuf,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// Whether a folder holds the output of an earlier run.
pub(crate) fn is_output(folder: &Path) -> bool {
    folder.join(RECORD_FOLDER).join(MANIFEST_NAME).is_file()
}

/// The folders of a walk, held against what is on the disk.
pub(super) struct Folders<'a> {
    /// Where the walk began.
    pub(super) root: &'a Path,
    /// Every path that the walk came by, folders too, relative to the root; by its bytes, since to hash a path goes through its parts.
    pub(super) seen: &'a FxHashSet<OsString>,
    /// Resolved folders that are passed over without a word.
    pub(super) skip: &'a [PathBuf],
}

/// What the walk passed over, and folders in which there is nothing.
#[derive(Default)]
pub(super) struct Passed {
    pub(super) ignored: Vec<PathBuf>,
    pub(super) outputs: Vec<PathBuf>,
    /// Outputs and folders to be skipped: nothing below them takes part.
    pub(super) closed: Vec<PathBuf>,
    pub(super) empty: Vec<PathBuf>,
}

impl Folders<'_> {
    /// Looks through the folders that the walk came by; the root is one.
    pub(super) fn passed(&self, folders: &[PathBuf]) -> Passed {
        let of_each: Vec<Passed> = folders.par_iter().map(|it| self.passed_in(it)).collect();
        let mut all = Passed::default();
        for passed in of_each {
            all.ignored.extend(passed.ignored);
            all.outputs.extend(passed.outputs);
            all.closed.extend(passed.closed);
            all.empty.extend(passed.empty);
        }
        all
    }

    fn passed_in(&self, folder: &Path) -> Passed {
        let mut passed = Passed::default();
        let Ok(items) = self.root.join(folder).read_dir() else {
            return passed;
        };
        let mut is_empty = true;
        for item in items.flatten() {
            is_empty = false;
            self.sort(folder.join(item.file_name()), &mut passed);
        }
        if is_empty && !folder.as_os_str().is_empty() {
            passed.empty.push(folder.to_path_buf());
        }
        passed
    }

    fn sort(&self, path: PathBuf, passed: &mut Passed) {
        if self.seen.contains(path.as_os_str()) || is_private(self.root, &path) {
            return;
        }
        let full = self.root.join(&path);
        let skipped = || {
            let resolved = full.canonicalize();
            resolved.is_ok_and(|resolved| self.skip.contains(&resolved))
        };
        if !self.skip.is_empty() && skipped() {
            passed.closed.push(path);
        } else if is_output(&full) {
            passed.outputs.push(path.clone());
            passed.closed.push(path);
        } else {
            passed.ignored.push(path);
        }
    }
}

/// What belongs to git or to this tool, at the root or anywhere: `.git` is a file in work trees and submodules. A file of the name of a
/// port's report is one where the root is a port.
pub(super) fn is_private(root: &Path, path: &Path) -> bool {
    let is_own =
        path == Path::new(RECORD_FOLDER) || path == Path::new(REPORT_NAME) && is_output(root);
    is_own || path.file_name().is_some_and(|name| name == ".git")
}

/// The files below `root` that git tracks, relative to it; `None` when git cannot be asked although there is a repository.
pub(super) fn tracked(root: &Path) -> Option<BTreeSet<PathBuf>> {
    let resolved = root.canonicalize().ok()?;
    if !resolved
        .ancestors()
        .any(|folder| folder.join(".git").exists())
    {
        return Some(BTreeSet::new());
    }
    // Only the index is read, so it does not matter whose the repository is: in a container it is often another user's.
    let arguments = [
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--recurse-submodules",
    ];
    let output = git(root, &arguments).ok()?;
    Some(names(&output).map(path_of).collect())
}

/// What of ignored paths stays out when the tracked files below them take part.
pub(super) fn untracked(
    root: &Path,
    ignored: Vec<PathBuf>,
    tracked: &BTreeSet<PathBuf>,
) -> Vec<PathBuf> {
    let (mut left, mut open) = (Vec::new(), ignored);
    while let Some(path) = open.pop() {
        let holds_tracked = tracked
            .range(path.clone()..)
            .next()
            .is_some_and(|next| next.starts_with(&path));
        if !holds_tracked {
            left.push(path);
        } else if let Ok(items) = root.join(&path).read_dir() {
            open.extend(items.flatten().map(|item| path.join(item.file_name())));
        }
    }
    left
}
