use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::git::{git, names, path_of};

/// Files that differ from a commit.
#[derive(Debug, Default)]
pub struct Changed {
    /// Resolved paths; a folder stands for everything in it.
    paths: BTreeSet<PathBuf>,
}

impl Changed {
    /// The files below `root` that differ from a commit: staged, unstaged and untracked ones, but not deleted ones. Without `since`
    /// the commit is the last one; with it, the one where the current branch left `since`. A submodule is compared with the commit
    /// of it that this one names.
    ///
    /// # Errors
    /// When git is missing, `root` lies in no repository, or there is no such commit.
    pub fn new(root: &Path, since: Option<&str>) -> Result<Self> {
        let folder = if root.is_dir() {
            root
        } else {
            root.parent()
                .filter(|parent| !parent.as_os_str().is_empty())
                .unwrap_or(Path::new("."))
        };
        let top = git(folder, &["rev-parse", "--show-toplevel"]).with_context(|| {
            format!(
                "--changed and --since ask git, and {} is in no repository that it can read; name the files, or work in a checkout",
                root.display()
            )
        })?;
        let top = path_of(&top);
        let base = match since {
            Some(since) => Some(merge_base(&top, since)?),
            // A repository without a commit has no HEAD: all its files are new.
            None => git(&top, &["rev-parse", "--verify", "--quiet", "HEAD"]).ok(),
        };
        let mut changed = Self::default();
        changed.compare(&top, base.as_deref())?;
        Ok(changed)
    }

    /// Whether a file differs, by whatever way it is named.
    pub fn contains(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|path| path.ancestors().any(|above| self.paths.contains(above)))
    }

    /// Adds what differs from `base` in the repository of a work tree; without one all of it.
    fn compare(&mut self, top: &Path, base: Option<&[u8]>) -> Result<()> {
        let commit = base.map(String::from_utf8_lossy);
        let commit = commit.as_deref().map(str::trim);
        let mut list = git(top, &["ls-files", "-z", "--others", "--exclude-standard"])?;
        list.extend(match commit {
            Some(commit) => git(top, &[DIFF, &[commit, "--"]].concat())?,
            None => git(top, &["ls-files", "-z"])?,
        });
        let modules = submodules(top)?;
        let paths = names(&list).map(|name| top.join(path_of(name)));
        let is_module = |path: &PathBuf| modules.iter().any(|name| *path == top.join(name));
        let own = paths.filter(|path| !is_module(path));
        self.paths
            .extend(own.filter_map(|path| path.canonicalize().ok()));
        for module in modules {
            self.compare_submodule(top, &module, commit)?;
        }
        Ok(())
    }

    fn compare_submodule(&mut self, top: &Path, module: &Path, commit: Option<&str>) -> Result<()> {
        let folder = top.join(module);
        // One that is not checked out holds no file.
        if !folder.join(".git").exists() {
            return Ok(());
        }
        let named = commit.and_then(|commit| {
            let entry = format!("{commit}:{}", module.to_str()?.replace('\\', "/"));
            git(top, &["rev-parse", "--verify", "--quiet", &entry]).ok()
        });
        // A shallow clone may lack that commit: then all of it counts as new.
        let is_there = |commit: &Vec<u8>| {
            let commit = format!("{}^{{commit}}", String::from_utf8_lossy(commit).trim());
            git(&folder, &["rev-parse", "--verify", "--quiet", &commit]).is_ok()
        };
        self.compare(&folder, named.filter(is_there).as_deref())
    }
}

const DIFF: &[&str] = &[
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "--diff-filter=d",
];

/// The folders of the submodules that the index knows, relative to the work tree.
fn submodules(top: &Path) -> Result<Vec<PathBuf>> {
    let list = git(top, &["ls-files", "-z", "--stage"])?;
    let module = |entry: &[u8]| {
        let tab = entry.iter().position(|&byte| byte == b'\t')?;
        entry
            .starts_with(b"160000 ")
            .then(|| path_of(&entry[tab + 1..]))
    };
    Ok(names(&list).filter_map(module).collect())
}

fn merge_base(top: &Path, since: &str) -> Result<Vec<u8>> {
    // A name that begins with a dash would be read as an option.
    if since.starts_with('-') {
        bail!("`{since}` is no commit");
    }
    let commit = format!("{since}^{{commit}}");
    git(top, &["rev-parse", "--verify", "--quiet", &commit]).with_context(|| {
        format!("git knows no commit `{since}`; in a shallow clone, fetch it first")
    })?;
    git(top, &["merge-base", since, "HEAD"])
        .with_context(|| format!("`{since}` and HEAD have no commit in common"))
}
