//! The repository that sources lie in, and its commit.

use std::path::{Path, PathBuf};

use super::git::{git, path_of};

/// A repository of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    /// The folder of its work tree.
    pub top: PathBuf,
    /// The start of its commit's hash; none before the first commit.
    pub commit: Option<String>,
    /// Whether tracked files differ from the commit.
    pub is_changed: bool,
}

impl Repository {
    /// The repository of a folder; none where git knows none, or is missing.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let top = path_of(&git(folder, &["rev-parse", "--show-toplevel"]).ok()?);
        let commit = git(
            &top,
            &["rev-parse", "--short=12", "--verify", "--quiet", "HEAD"],
        )
        .ok();
        let status = [
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--ignore-submodules=all",
        ];
        let changes = git(&top, &status).unwrap_or_default();
        Some(Self {
            top,
            commit: commit.map(|id| String::from_utf8_lossy(&id).trim().to_owned()),
            is_changed: !changes.is_empty(),
        })
    }
}
