//! A folder that a run fills: nothing is written outside it, whatever links an earlier run or somebody else left in it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail};
use rustc_hash::FxHashMap;

use super::fault::{self, Counted};
use super::scrap::sweep_once;
use super::{Place, Written, create, duplicate, failed, link, place, replace, temporary};

/// The writer of an output tree. Paths are relative to its root and lead down only.
#[derive(Debug)]
pub struct OutputTree {
    root: PathBuf,
    /// What is known of folders, relative to the root, by the bytes of their paths: to hash a path goes through its parts.
    folders: Mutex<FxHashMap<OsString, Folder>>,
}

/// What is known of a folder of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Folder {
    /// It is not there.
    Absent,
    /// There is something, be it a link.
    Something,
    /// It was there, and it and all above it are folders and no links.
    Real,
    /// This run made it.
    Made,
}

impl OutputTree {
    /// A tree whose root may be a link: a person named it.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            folders: Mutex::default(),
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

    /// Whether nothing can be at a place, since its folder is not there or this run made it: asked of the folder, once for all its files.
    pub(crate) fn is_vacant(&self, relative: &Path) -> bool {
        self.is_new(relative.parent().unwrap_or(Path::new("")))
    }

    /// Whether a folder is not there or was made by this run.
    fn is_new(&self, folder: &Path) -> bool {
        let known = self.folders().get(folder.as_os_str()).copied();
        let known = known.unwrap_or_else(|| {
            let looked_at = fs::symlink_metadata(self.root.join(folder));
            let is_absent = looked_at.is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            let found = match is_absent {
                true => Folder::Absent,
                false => Folder::Something,
            };
            // Another thread may have made it since.
            *self.folders().entry(folder.into()).or_insert(found)
        });
        matches!(known, Folder::Absent | Folder::Made)
    }

    /// Writes a file where nothing is; `false` where something is after all, which stays: another name for this run's own file, where
    /// names differ in case alone, or what somebody put there meanwhile.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub(crate) fn create(
        &self,
        relative: &Path,
        bytes: &[u8],
        permissions: Option<Permissions>,
    ) -> Result<bool> {
        create(&self.place(relative)?, bytes, permissions)
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
        let file = Counted(temporary(&target, None)?);
        let mut file = io::BufWriter::with_capacity(1 << 18, file);
        fill(&mut file).with_context(|| failed(&target))?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.with_context(|| failed(&target))?;
        Place::new(&target).persist(file.0, None)?;
        Ok(())
    }

    /// Makes a new file to which a run adds while it is under way, and says where it lies.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub(crate) fn journal(&self, folder: &Path, prefix: &str) -> Result<(PathBuf, fs::File)> {
        let place = self.place(&folder.join("x"))?;
        let folder = place.parent().unwrap_or(&self.root);
        let file = fault::growth();
        let file = file.and_then(|()| tempfile::Builder::new().prefix(prefix).tempfile_in(folder));
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
        if !self.is_new(folder) {
            sweep_once(&self.root.join(folder));
        }
    }

    /// Gives a file other permissions.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn set_permissions(&self, relative: &Path, permissions: Permissions) -> Result<()> {
        let target = self.place(relative)?;
        fault::change();
        fs::set_permissions(&target, place::ordinary(&permissions)).with_context(|| failed(&target))
    }

    /// Removes a file or link, and the folders that it leaves empty.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn remove(&self, relative: &Path) -> Result<()> {
        let target = self.place(relative)?;
        fault::change();
        match fs::remove_file(&target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| failed(&target));
            }
            _ => {}
        }
        let mut folders = self.folders();
        for folder in relative.ancestors().skip(1) {
            let is_root = folder.as_os_str().is_empty();
            fault::change();
            if is_root || fs::remove_dir(self.root.join(folder)).is_err() {
                break;
            }
            folders.remove(folder.as_os_str());
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
        let known = self.folders().get(folder.as_os_str()).copied();
        if !matches!(known, Some(Folder::Real | Folder::Made)) {
            self.make_folders(folder)?;
        }
        Ok(self.root.join(relative))
    }

    fn folders(&self) -> MutexGuard<'_, FxHashMap<OsString, Folder>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make_folders(&self, folder: &Path) -> Result<()> {
        let root = OsStr::new("");
        if self.folders().get(root) != Some(&Folder::Real) {
            super::folder(&self.root)?;
            self.folders().insert(root.to_owned(), Folder::Real);
        }
        let mut way = PathBuf::new();
        for part in folder.components() {
            way.push(part);
            let known = self.folders().get(way.as_os_str()).copied();
            if matches!(known, Some(Folder::Real | Folder::Made)) {
                continue;
            }
            let made = match make_folder(&self.root.join(&way))? {
                true => Folder::Made,
                false => Folder::Real,
            };
            // Of two threads that make it one finds it there.
            let mut folders = self.folders();
            let known = folders.entry(way.clone().into()).or_insert(made);
            if *known != Folder::Made {
                *known = made;
            }
        }
        Ok(())
    }
}

/// Makes a folder, unless there is one; says whether it did. A link to a folder is none: what lies behind it is not ours.
fn make_folder(folder: &Path) -> Result<bool> {
    match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(false),
        Ok(metadata) if metadata.is_symlink() => bail!(
            "{}: is a link where a folder should go, and nothing is written through links; remove it and run again",
            folder.display()
        ),
        Ok(_) => bail!(
            "{}: is a file where a folder should go; remove it and run again",
            folder.display()
        ),
        // Another thread may have made it since.
        Err(_) => fault::growth()
            .and_then(|()| fs::create_dir(folder))
            .map(|()| true)
            .or_else(|error| {
                if folder.is_dir() {
                    Ok(false)
                } else {
                    Err(error)
                }
            })
            .with_context(|| failed(folder)),
    }
}
