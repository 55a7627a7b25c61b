//! Which files a run wrote: the working folder before and after.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use globset::GlobSet;
use walkdir::WalkDir;

/// A folder with more files is no working folder of a program; nothing is looked for in it.
const MOST_FILES: usize = 50_000;

/// The files of a folder by their path in it, with size and time.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    files: BTreeMap<PathBuf, (u64, Option<SystemTime>)>,
    /// The folder had too many.
    pub(super) too_many: bool,
}

impl Snapshot {
    /// Looks at a folder; with `wanted`, only at files that it names. What lies in `scratch` is ours, also where the command runs
    /// in the folder for temporary files.
    pub(super) fn new(folder: &Path, wanted: Option<&GlobSet>, scratch: &Path) -> Self {
        let mut snapshot = Self::default();
        let scratch = scratch.file_name().map(std::ffi::OsStr::to_owned);
        let is_theirs = |entry: &walkdir::DirEntry| {
            let name = entry.file_name();
            let is_ours = name.to_string_lossy().starts_with(".cass-");
            entry.depth() == 0 || name != ".git" && !is_ours && Some(name) != scratch.as_deref()
        };
        let walk = WalkDir::new(folder).into_iter().filter_entry(is_theirs);
        for entry in walk.flatten() {
            if !entry.file_type().is_file() {
                continue;
            }
            let (Ok(relative), Ok(metadata)) =
                (entry.path().strip_prefix(folder), entry.metadata())
            else {
                continue;
            };
            if wanted.is_some_and(|wanted| !wanted.is_match(relative)) {
                continue;
            }
            if snapshot.files.len() >= MOST_FILES {
                snapshot.too_many = true;
                snapshot.files.clear();
                break;
            }
            let state = (metadata.len(), metadata.modified().ok());
            snapshot.files.insert(relative.to_path_buf(), state);
        }
        snapshot
    }

    /// Files that are new or other than before.
    pub(super) fn written_since(&self, before: &Self) -> Vec<PathBuf> {
        let is_new = |(path, state): &(&PathBuf, _)| before.files.get(*path) != Some(*state);
        let new = self.files.iter().filter(is_new);
        new.map(|(path, _)| path.clone()).collect()
    }

    /// Files that are what they were before.
    pub(super) fn untouched_since(&self, before: &Self) -> Vec<PathBuf> {
        let is_old = |(path, state): &(&PathBuf, _)| before.files.get(*path) == Some(*state);
        let old = self.files.iter().filter(is_old);
        old.map(|(path, _)| path.clone()).collect()
    }
}
