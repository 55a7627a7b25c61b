//! A folder that a run fills: nothing is written outside it, whatever links an earlier run or somebody else left in it.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};

use super::scrap::sweep_once;
use super::{Place, Written, duplicate, failed, link, replace, temporary};

/// The writer of an output tree. Paths are relative to its root and lead down only.
#[derive(Debug)]
pub struct OutputTree {
    root: PathBuf,
    /// Folders, relative to the root, that were seen to be folders and no links.
    real: Mutex<BTreeSet<PathBuf>>,
}

impl OutputTree {
    /// A tree whose root may be a link: a person named it.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            real: Mutex::default(),
        }
    }

    /// The folder that is filled.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Writes a file, unless it has these bytes already. What the name stands for is replaced, also a link or a pipe.
    ///
    /// # Errors
    /// When the way to it leads through a link, or a folder or file cannot be written; the message names it.
    pub fn write(
        &self,
        relative: &Path,
        bytes: &[u8],
        permissions: Option<Permissions>,
    ) -> Result<Written> {
        replace(&self.place(relative)?, bytes, permissions)
    }

    /// Copies a file with its permissions, unless the target has the same bytes already.
    ///
    /// # Errors
    /// As [`OutputTree::write`], or when the source cannot be read.
    pub fn copy(&self, source: &Path, relative: &Path) -> Result<Written> {
        duplicate(source, &self.place(relative)?)
    }

    /// Makes a symbolic link to `destination`.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn link(&self, destination: &Path, relative: &Path) -> Result<Written> {
        link(destination, &self.place(relative)?)
    }

    /// Writes a file from a stream, in the place of what is there.
    ///
    /// # Errors
    /// As [`OutputTree::write`], or when the stream ends in an error.
    pub fn stream(
        &self,
        relative: &Path,
        fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<()> {
        let target = self.place(relative)?;
        let mut file = io::BufWriter::new(temporary(&target, None)?);
        fill(&mut file).with_context(|| failed(&target))?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.with_context(|| failed(&target))?;
        Place::new(&target).persist(file, None)?;
        Ok(())
    }

    /// Makes a new file to which a run adds while it is under way, and says where it lies.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub(crate) fn journal(&self, folder: &Path, prefix: &str) -> Result<(PathBuf, fs::File)> {
        let place = self.place(&folder.join("x"))?;
        let folder = place.parent().unwrap_or(&self.root);
        let file = tempfile::Builder::new().prefix(prefix).tempfile_in(folder);
        let (file, path) = file
            .and_then(|file| file.keep().map_err(|error| error.error))
            .with_context(|| failed(folder))?;
        Ok((path, file))
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn folder(&self, relative: &Path) -> Result<()> {
        self.place(&relative.join("x")).map(drop)
    }

    /// Removes what killed runs left in a folder of the tree.
    pub(crate) fn sweep(&self, folder: &Path) {
        sweep_once(&self.root.join(folder));
    }

    /// Gives a file other permissions.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn set_permissions(&self, relative: &Path, permissions: Permissions) -> Result<()> {
        let target = self.place(relative)?;
        fs::set_permissions(&target, permissions).with_context(|| failed(&target))
    }

    /// Removes a file or link, and the folders that it leaves empty.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn remove(&self, relative: &Path) -> Result<()> {
        let target = self.place(relative)?;
        match fs::remove_file(&target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| failed(&target));
            }
            _ => {}
        }
        let mut real = self.real.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in relative.ancestors().skip(1) {
            let is_root = folder.as_os_str().is_empty();
            if is_root || fs::remove_dir(self.root.join(folder)).is_err() {
                break;
            }
            real.remove(folder);
        }
        Ok(())
    }

    /// Where a file of the tree lies, once all folders above it are there and are folders of the tree.
    fn place(&self, relative: &Path) -> Result<PathBuf> {
        let is_down = |part| matches!(part, Component::Normal(_));
        if !relative.components().all(is_down) {
            bail!("{}: leads out of the output", relative.display());
        }
        let folder = relative.parent().unwrap_or(Path::new(""));
        let is_known = |real: &BTreeSet<PathBuf>| real.contains(folder);
        if !is_known(&self.real.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.make_folders(folder)?;
        }
        Ok(self.root.join(relative))
    }

    fn make_folders(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(&self.root).with_context(|| failed(&self.root))?;
        let mut way = PathBuf::new();
        for part in folder.components() {
            way.push(part);
            make_folder(&self.root.join(&way))?;
        }
        let mut real = self.real.lock().unwrap_or_else(PoisonError::into_inner);
        real.insert(way);
        Ok(())
    }
}

/// Makes a folder, unless there is one. A link to a folder is none: what lies behind it is not ours.
fn make_folder(folder: &Path) -> Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(metadata) if metadata.is_symlink() => bail!(
            "{}: is a link where a folder should go, and nothing is written through links; remove it and run again",
            folder.display()
        ),
        Ok(_) => bail!(
            "{}: is a file where a folder should go; remove it and run again",
            folder.display()
        ),
        // Another thread may have made it since.
        Err(_) => fs::create_dir(folder)
            .or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) })
            .with_context(|| failed(folder)),
    }
}
