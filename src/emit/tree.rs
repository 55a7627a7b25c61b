//! A folder that a run fills: nothing is written outside it, whatever links an earlier run or somebody else left in it, or puts there
//! while the run goes on.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, anyhow, bail};
use rustc_hash::FxHashMap;

use super::fault;
use super::folder::{Folder, Sort};
use super::place::{Lasting, Place};
use super::scrap::sweep_once;
use super::temporary::new_file;
use super::{Written, duplicate, failed, replace};

/// Folders that are held at a time; a process may have 1,024 files open on most systems, 256 on macOS.
const MOST_HELD: usize = 100;

/// The writer of an output tree. Paths are relative to its root and lead down only.
#[derive(Debug)]
pub struct OutputTree {
    root: PathBuf,
    /// What is known of folders, relative to the root, by the bytes of their paths: to hash a path goes through its parts.
    folders: Mutex<FxHashMap<OsString, Known>>,
    /// Folders that are held, likewise; the root is kept apart from them.
    held: Mutex<FxHashMap<OsString, Folder>>,
    top: Mutex<Option<Folder>>,
}

/// What is known of a folder of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It is not there.
    Absent,
    /// There is something, be it a link.
    Something,
    /// This run made it.
    Made,
}

impl OutputTree {
    /// A tree whose root may be a link: a person named it.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            folders: Mutex::default(),
            held: Mutex::default(),
            top: Mutex::default(),
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

    /// Writes a file of which the work by hand in it is nowhere else: see [`OutputTree::settle`].
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub(crate) fn write_lasting(
        &self,
        relative: &Path,
        bytes: &[u8],
        permissions: Option<Permissions>,
    ) -> Result<Written> {
        let place = self.place(relative)?;
        let changed = place.replace(bytes, permissions, Lasting::Now)?;
        Ok(Written::of(changed))
    }

    /// Sees to it that what was written is on the disk, before something is written that says so.
    ///
    /// Where a promise depends on it, and nowhere else, this program waits for the disk, so that the power may fail at any time:
    ///
    /// - a file with work by hand is on the disk before it takes the place of the one that the work was done in
    ///   ([`OutputTree::write_lasting`]);
    /// - a result in place is on the disk before it takes the place of its source, and so is the backup before that
    ///   ([`super::write_over`], [`super::write_new`]);
    /// - all files of an output are on the disk before its manifest and its texts are, which say what was written there, and these are
    ///   before the journals go (`port::Port::finish`).
    ///
    /// What is made anew from the sources is not waited for one by one: where a run came to no end, the next one takes a file that is
    /// empty for one that was not written.
    pub(crate) fn settle(&self) {
        fault::change();
        // A file system that cannot do it does not keep the promise, and the run is none the worse.
        let _ = self.top().and_then(|top| Ok(top.sync_all()?));
    }

    /// Sees to it that the names in a folder are on the disk.
    pub(crate) fn settle_names(&self, folder: &Path) {
        fault::change();
        let _ = self.folder_at(folder).and_then(|held| Ok(held.sync()?));
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
                true => Known::Absent,
                false => Known::Something,
            };
            // Another thread may have made it since.
            *self.folders().entry(folder.into()).or_insert(found)
        });
        matches!(known, Known::Absent | Known::Made)
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
        self.place(relative)?
            .create(bytes, permissions, Lasting::Later)
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
        let changed = self.place(relative)?.link(destination)?;
        Ok(Written::of(changed))
    }

    /// Writes a file from a stream, in the place of what is there, and onto the disk: see `OutputTree::settle`.
    ///
    /// # Errors
    /// As [`OutputTree::write`], or when the stream ends in an error.
    pub fn stream(
        &self,
        relative: &Path,
        fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<()> {
        let place = self.place(relative)?;
        let mut file = io::BufWriter::with_capacity(1 << 18, place.temporary(None)?);
        let filled = fill(&mut file).and_then(|()| {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync().map(|()| file)
        });
        place.persist(filled.with_context(|| failed(place.path()))?, None)
    }

    /// Makes a new file to which a run adds while it is under way, and says where it lies.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub(crate) fn journal(&self, folder: &Path, prefix: &str) -> Result<(PathBuf, fs::File)> {
        let made = self.folder_at(folder)?;
        let path = self.root.join(folder);
        let (name, file) = new_file(&made, prefix, None).with_context(|| failed(&path))?;
        Ok((path.join(name), file))
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn folder(&self, relative: &Path) -> Result<()> {
        must_lead_down(relative)?;
        self.folder_at(relative).map(drop)
    }

    /// Removes what killed runs left in a folder of the tree.
    pub(crate) fn sweep(&self, folder: &Path) {
        if !self.is_new(folder)
            && let Ok(held) = self.existing(folder)
        {
            sweep_once(&self.root.join(folder), &held);
        }
    }

    /// Gives a file other permissions.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn set_permissions(&self, relative: &Path, permissions: Permissions) -> Result<()> {
        self.place(relative)?.set_permissions(&permissions)
    }

    /// Removes a file or link, and the folders that it leaves empty.
    ///
    /// # Errors
    /// As [`OutputTree::write`].
    pub fn remove(&self, relative: &Path) -> Result<()> {
        self.place(relative)?.remove()?;
        for folder in relative.ancestors().skip(1) {
            let is_root = folder.as_os_str().is_empty();
            if is_root || !self.place(folder)?.remove_folder() {
                break;
            }
            self.folders().remove(folder.as_os_str());
            self.held().remove(folder.as_os_str());
        }
        Ok(())
    }

    /// Where a file of the tree goes, once all folders above it are there and are folders of the tree.
    fn place(&self, relative: &Path) -> Result<Place> {
        must_lead_down(relative)?;
        let Some(name) = relative.file_name() else {
            bail!("{}: is the output itself", relative.display());
        };
        let path = self.root.join(relative);
        must_be_readable(&path)?;
        let folder = self.folder_at(relative.parent().unwrap_or(Path::new("")))?;
        Ok(Place::new(folder, name, path))
    }

    fn folders(&self) -> MutexGuard<'_, FxHashMap<OsString, Known>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> MutexGuard<'_, FxHashMap<OsString, Folder>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The root, made where it is not there.
    fn top(&self) -> Result<Folder> {
        let mut top = self.top.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(top) = &*top {
            return Ok(top.clone());
        }
        super::folder(&self.root)?;
        let opened = Folder::open(&self.root).with_context(|| failed(&self.root))?;
        Ok(top.insert(opened).clone())
    }

    /// A folder of the tree, made where it is not there, with those above it.
    fn folder_at(&self, folder: &Path) -> Result<Folder> {
        if folder.as_os_str().is_empty() {
            return self.top();
        }
        if let Some(held) = self.held().get(folder.as_os_str()) {
            return Ok(held.clone());
        }
        let above = self.folder_at(folder.parent().unwrap_or(Path::new("")))?;
        let name = folder.file_name().unwrap_or(OsStr::new(""));
        let path = self.root.join(folder);
        let (held, is_made) = opened_or_made(&above, name, &path)?;
        if is_made {
            self.folders().insert(folder.into(), Known::Made);
        }
        let mut all = self.held();
        if all.len() >= MOST_HELD {
            // Files come in the order of their folders, so those that are done are among them.
            all.clear();
        }
        Ok(all.entry(folder.into()).or_insert(held).clone())
    }

    /// A folder of the tree that is there.
    fn existing(&self, folder: &Path) -> io::Result<Folder> {
        let mut held = Folder::open(&self.root)?;
        for part in folder {
            held = held.below(part)?;
        }
        Ok(held)
    }
}

fn must_lead_down(relative: &Path) -> Result<()> {
    let is_down = |part| matches!(part, Component::Normal(_));
    match relative.components().all(is_down) {
        true => Ok(()),
        false => bail!("{}: leads out of the output", relative.display()),
    }
}

/// Refuses a path that is longer than the system takes: in a held folder a file can be made whose path nobody can open.
fn must_be_readable(path: &Path) -> Result<()> {
    // Below this every system takes it, and need not be asked.
    const SHORT: usize = 1000;
    if path.as_os_str().len() <= SHORT {
        return Ok(());
    }
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            Err(error).with_context(|| failed(path))
        }
        _ => Ok(()),
    }
}

/// Opens a folder, or makes it where nothing is; says whether it did. A link to a folder is none: what lies behind it is not ours.
fn opened_or_made(above: &Folder, name: &OsStr, path: &Path) -> Result<(Folder, bool)> {
    if let Ok(held) = above.below(name) {
        return Ok((held, false));
    }
    match above.look(name).map(|there| there.sort) {
        Some(Sort::Link) => Err(anyhow!(
            "{}: is a link where a folder should go, and nothing is written through links; remove it and run again",
            path.display()
        )),
        Some(Sort::File | Sort::Other) => Err(anyhow!(
            "{}: is a file where a folder should go; remove it and run again",
            path.display()
        )),
        // Another thread may have made it between the two questions.
        Some(Sort::Folder) => {
            let held = above.below(name).with_context(|| failed(path))?;
            Ok((held, false))
        }
        None => {
            let made = fault::growth().and_then(|()| above.make(name));
            // Another thread may have made it since.
            let is_made = match made {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(error).with_context(|| failed(path));
                }
                made => made.is_ok(),
            };
            let held = above.below(name).with_context(|| failed(path))?;
            Ok((held, is_made))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn a_folder_that_threads_ask_for_at_once_is_theirs_all() {
        const THREADS: usize = 4;
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let tree = OutputTree::new(root.path());
        let start = Barrier::new(THREADS);
        let failures = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for at in 0..2000 {
                        start.wait();
                        if let Err(error) = tree.folder(Path::new(&format!("folder-{at}"))) {
                            let mut all = failures.lock().expect("no thread panicked");
                            all.push(format!("{error:#}"));
                        }
                    }
                });
            }
        });
        let failures = failures.into_inner().expect("no thread panicked");
        assert_eq!(failures, Vec::<String>::new());
    }
}
