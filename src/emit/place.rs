//! A place where a file goes, and what is there already: asked at most once, since most files of a run are new and each question costs as
//! much as a rename.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::fault;
use super::folder::{Folder, Sort, There};
use super::scrap::sweep_once;
use super::temporary::{Temporary, ordinary};

/// A name in a held folder, and what was there when it was looked at.
pub(super) struct Place {
    folder: Folder,
    name: OsString,
    /// How the place is called to people.
    path: PathBuf,
    there: OnceCell<Option<There>>,
}

impl Place {
    /// A place in a folder.
    pub(super) fn new(folder: Folder, name: &OsStr, path: PathBuf) -> Self {
        Self {
            folder,
            name: name.to_owned(),
            path,
            there: OnceCell::new(),
        }
    }

    /// The place that a path names; folders above it that are not there are made.
    ///
    /// # Errors
    /// When the folder cannot be made or opened, or the path names no file.
    pub(super) fn named(path: &Path) -> Result<Self> {
        let above = folder_of(path);
        let make = || fault::growth().and_then(|()| fs::create_dir_all(above));
        // Nearly all folders are there already.
        let folder = Folder::open(above)
            .or_else(|_| make().and_then(|()| Folder::open(above)))
            .with_context(|| failed(path))?;
        Self::in_folder(folder, path)
    }

    /// The place that a path names, where its folder is there.
    pub(super) fn known(path: &Path) -> Option<Self> {
        let folder = Folder::open(folder_of(path)).ok()?;
        Self::in_folder(folder, path).ok()
    }

    fn in_folder(folder: Folder, path: &Path) -> Result<Self> {
        match path.file_name() {
            Some(name) => Ok(Self::new(folder, name, path.to_path_buf())),
            None => bail!("{}: is a folder; name a file", path.display()),
        }
    }

    /// How the place is called to people.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What is there; a link is not followed.
    fn there(&self) -> Option<&There> {
        let there = self.there.get_or_init(|| self.folder.look(&self.name));
        there.as_ref()
    }

    /// The file that is there, and no link to one.
    fn file(&self) -> Option<&There> {
        self.there().filter(|there| there.sort == Sort::File)
    }

    /// Whether there is a file with these bytes.
    pub(super) fn holds(&self, bytes: &[u8]) -> bool {
        let has_length = |there: &There| there.length == bytes.len() as u64;
        let has_bytes = || -> io::Result<bool> {
            let mut old = Vec::with_capacity(bytes.len());
            self.open()?.read_to_end(&mut old)?;
            Ok(old == bytes)
        };
        self.file().is_some_and(has_length) && has_bytes().unwrap_or(false)
    }

    /// Whether there is a file with the bytes of another, which has this length.
    pub(super) fn holds_copy(&self, mut other: &File, length: u64) -> io::Result<bool> {
        if self.file().is_none_or(|there| there.length != length) {
            return Ok(false);
        }
        let mut own = io::BufReader::with_capacity(1 << 16, self.open()?);
        let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        loop {
            let count = other.read(&mut left)?;
            if count == 0 {
                return Ok(true);
            }
            own.read_exact(&mut right[..count])?;
            if left[..count] != right[..count] {
                return Ok(false);
            }
        }
    }

    fn open(&self) -> io::Result<File> {
        self.folder.open_file(&self.name)
    }

    /// The permissions of the file that is there.
    pub(super) fn own_permissions(&self) -> Option<Permissions> {
        Some(self.file()?.permissions.clone())
    }

    /// A file beside it, in a folder in which killed runs may have left something.
    pub(super) fn temporary(&self, permissions: Option<&Permissions>) -> Result<Temporary> {
        self.sweep();
        self.temporary_in_clean(permissions)
    }

    /// Removes what killed runs left in its folder.
    pub(super) fn sweep(&self) {
        sweep_once(folder_of(&self.path), &self.folder);
    }

    /// A file beside it. With `permissions` of its own it has no others at any time; else it is as readable as any other new file of
    /// this user.
    fn temporary_in_clean(&self, permissions: Option<&Permissions>) -> Result<Temporary> {
        Temporary::new(&self.folder, permissions).with_context(|| failed(&self.path))
    }

    /// Puts a file with these bytes there, unless there is one; says whether it did.
    ///
    /// # Errors
    /// When there is a folder, or the file cannot be written; the message names the place.
    pub(super) fn replace(
        &self,
        bytes: &[u8],
        permissions: Option<Permissions>,
        lasting: Lasting,
    ) -> Result<bool> {
        if self.holds(bytes) {
            return Ok(false);
        }
        let permissions = permissions.or_else(|| self.own_permissions());
        let file = self.temporary(permissions.as_ref())?;
        let file = self.filled(file, bytes, lasting)?;
        self.persist(file, permissions)?;
        Ok(true)
    }

    /// Puts a new file there where nothing is; `false` where something is after all, which stays. The folder has been swept.
    ///
    /// # Errors
    /// When it cannot be written; the message names the place.
    pub(super) fn create(
        &self,
        bytes: &[u8],
        permissions: Option<Permissions>,
        lasting: Lasting,
    ) -> Result<bool> {
        let file = self.temporary_in_clean(permissions.as_ref())?;
        let file = self.filled(file, bytes, lasting)?;
        file.give(permissions).with_context(|| failed(&self.path))?;
        match file.place_new(&self.name) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error).with_context(|| failed(&self.path)),
        }
    }

    fn filled(&self, mut file: Temporary, bytes: &[u8], lasting: Lasting) -> Result<Temporary> {
        let written = file.write_all(bytes);
        let written = written.and_then(|()| match lasting {
            Lasting::Now => file.sync(),
            Lasting::Later => Ok(()),
        });
        written.with_context(|| failed(&self.path))?;
        Ok(file)
    }

    /// Gives a temporary file its permissions and this place.
    ///
    /// # Errors
    /// When there is a folder, or the file cannot be moved; the message names the place.
    pub(super) fn persist(&self, file: Temporary, permissions: Option<Permissions>) -> Result<()> {
        // A link to a folder is in the way as well.
        if self.there().is_some() && self.folder.leads_to_folder(&self.name) {
            bail!(
                "{}: is a folder where a file should go; remove it",
                self.path.display()
            );
        }
        let placed = file.give(permissions).and_then(|()| {
            if let Some(there) = self.file() {
                file.keep_owner(there.owner);
            }
            file.place(&self.name)
        });
        placed.with_context(|| failed(&self.path))
    }

    /// Makes a link to `destination` in the place of what is there; says whether there was another.
    ///
    /// # Errors
    /// When it cannot be made; the message names the place.
    pub(super) fn link(&self, destination: &Path) -> Result<bool> {
        let is_same = |old: OsString| Path::new(&old) == destination;
        if self.folder.read_link(&self.name).is_ok_and(is_same) {
            return Ok(false);
        }
        if self.there().is_some() {
            self.remove()?;
        }
        fault::change();
        let made = self.folder.link(destination, &self.name);
        made.with_context(|| failed(&self.path))?;
        Ok(true)
    }

    /// Removes the file or link that is there.
    ///
    /// # Errors
    /// When it is there and cannot be removed; the message names it.
    pub(super) fn remove(&self) -> Result<()> {
        fault::change();
        match self.folder.remove(&self.name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| failed(&self.path))
            }
            _ => Ok(()),
        }
    }

    /// Removes the folder that is there, if nothing is in it; says whether it did.
    pub(super) fn remove_folder(&self) -> bool {
        fault::change();
        self.folder.remove_folder(&self.name).is_ok()
    }

    /// Gives the file that is there other permissions.
    ///
    /// # Errors
    /// When it is no file or they cannot be set; the message names the place.
    pub(super) fn set_permissions(&self, permissions: &Permissions) -> Result<()> {
        let file = self.open().with_context(|| failed(&self.path))?;
        fault::change();
        let set = file.set_permissions(ordinary(permissions));
        set.with_context(|| failed(&self.path))
    }
}

/// When a file has to be on the disk: see `emit::OutputTree::settle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    /// Before it gets its place: what it replaces is nowhere else.
    Now,
    /// When the system writes it: it can be made anew.
    Later,
}

/// The folder that a file of a path lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    folder
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// What is said of a file that cannot be written.
pub(crate) fn failed(target: &Path) -> String {
    format!(
        "{}: cannot be written; check the space on the disk and the permissions of the folder",
        target.display()
    )
}
