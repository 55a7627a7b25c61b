use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// The files below `root` that differ from a commit: staged, unstaged and untracked ones, but not deleted ones. Without `since` the
/// commit is the last one; with it, the one where the current branch left `since`. Paths are resolved.
///
/// # Errors
/// When git is missing, `root` lies in no repository, or there is no such commit.
pub fn changed(root: &Path, since: Option<&str>) -> Result<BTreeSet<PathBuf>> {
    let folder = if root.is_dir() {
        root
    } else {
        root.parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    };
    let top = git(folder, &["rev-parse", "--show-toplevel"]).with_context(|| {
        format!(
            "--changed asks git, and {} is in no repository that it can read",
            root.display()
        )
    })?;
    let top = path_of(top.strip_suffix(b"\n").unwrap_or(&top));
    let base = match since {
        Some(since) => Some(merge_base(&top, since)?),
        // A repository without a commit has no HEAD: all its files are new.
        None => git(&top, &["rev-parse", "--verify", "--quiet", "HEAD"]).ok(),
    };
    let mut names = git(&top, &["ls-files", "-z", "--others", "--exclude-standard"])?;
    names.extend(match &base {
        Some(base) => {
            let base = String::from_utf8_lossy(base);
            git(
                &top,
                &[
                    "diff",
                    "--name-only",
                    "-z",
                    "--no-renames",
                    "--diff-filter=d",
                    base.trim(),
                    "--",
                ],
            )?
        }
        None => git(&top, &["ls-files", "-z"])?,
    });
    let names = names
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty());
    Ok(names
        .filter_map(|name| top.join(path_of(name)).canonicalize().ok())
        .collect())
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

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .context("git cannot be started; --changed needs it")?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", arguments[0], text.trim());
    }
    Ok(output.stdout)
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
