//! Texts that a configuration or a command line names, read with a limit: a path may name a device that never ends.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Bytes of the largest text that is read. The baseline of a tree with 100,000 findings has 30 MB.
const LARGEST: u64 = 256 << 20;

/// Reads a text.
///
/// # Errors
/// When it cannot be read, is no UTF-8 or has no end. The message does not name the path.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let mut text = String::new();
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        bail!("it is larger than {} MB", LARGEST >> 20);
    }
    Ok(text)
}

/// Refuses what a `cass.toml` must not name for reading: a device, or a pipe that nobody fills. What is not there is told by its
/// reader.
///
/// # Errors
/// When the path names such a thing.
pub(super) fn must_be_file(path: &Path) -> Result<()> {
    if path.exists() && !path.is_file() {
        bail!("{}: is no regular file", path.display());
    }
    Ok(())
}

/// Refuses what a `cass.toml` must not name for writing: it comes with a tree, and who checks the tree means no file outside.
///
/// # Errors
/// When the path leads out of the folder.
pub(super) fn must_lie_below(folder: &Path, path: &Path) -> Result<()> {
    if path.is_symlink() && !path.exists() {
        bail!("{}: is a link that leads nowhere", path.display());
    }
    let parent = path.parent().unwrap_or(folder);
    // Links on the way are followed; what is not there yet is judged by its name.
    let resolved = path
        .canonicalize()
        .or_else(|_| parent.canonicalize())
        .unwrap_or_else(|_| plain(parent));
    if resolved.starts_with(folder) {
        return Ok(());
    }
    bail!(
        "{}: `baseline` lies outside the folder of cass.toml; keep it there, or name it with --baseline",
        path.display()
    )
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
