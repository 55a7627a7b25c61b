//! A file that has not got its name yet: nothing of it is seen at its place before it is whole.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write};

use super::fault;
use super::folder::Folder;
use super::scrap;

/// Names that are tried where others have taken them.
const TRIES: usize = 100;

/// A new file in a folder; it goes unless it is given a place.
#[derive(Debug)]
pub(super) struct Temporary {
    folder: Folder,
    name: OsString,
    file: File,
    is_placed: bool,
}

impl Temporary {
    /// Makes one with these permissions at most.
    pub(super) fn new(folder: &Folder, permissions: Option<&Permissions>) -> io::Result<Self> {
        let (name, file) = new_file(folder, scrap::prefix(), permissions)?;
        Ok(Self {
            folder: folder.clone(),
            name,
            file,
            is_placed: false,
        })
    }

    /// The file itself.
    pub(super) fn as_file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it permissions: those that it was made with may lack what the user's mask takes. To ask costs a third of what it costs to
    /// set.
    pub(super) fn give(&self, permissions: Option<Permissions>) -> io::Result<()> {
        let has = |wanted: &Permissions| {
            let now = self.file.metadata();
            now.is_ok_and(|it| it.permissions() == *wanted)
        };
        let wanted = permissions.as_ref().map(ordinary);
        match wanted.filter(|wanted| !has(wanted)) {
            Some(wanted) => {
                fault::change();
                self.file.set_permissions(wanted)
            }
            None => Ok(()),
        }
    }

    /// Gives it the owner of the file in whose place it comes, as far as this user may: root translates other people's trees too.
    #[cfg(unix)]
    pub(super) fn keep_owner(&self, owner: (u32, u32)) {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let Ok(new) = self.file.metadata() else {
            return;
        };
        if owner != (new.uid(), new.gid()) {
            // A user who may write the folder but not give files away owns what he wrote.
            let _ = fchown(&self.file, Some(owner.0), Some(owner.1));
        }
    }

    #[cfg(not(unix))]
    pub(super) fn keep_owner(&self, _: (u32, u32)) {}

    /// Sees to it that its bytes are on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        fault::change();
        self.file.sync_all()
    }

    /// Gives it a name, in the place of whatever has it.
    pub(super) fn place(mut self, name: &OsStr) -> io::Result<()> {
        fault::change();
        self.folder.rename(&self.name, name)?;
        self.is_placed = true;
        Ok(())
    }

    /// Gives it a name that nothing has.
    pub(super) fn place_new(mut self, name: &OsStr) -> io::Result<()> {
        fault::change();
        self.folder.rename_new(&self.name, name)?;
        self.is_placed = true;
        Ok(())
    }
}

/// Makes a file with a name that nothing has.
pub(super) fn new_file(
    folder: &Folder,
    prefix: &str,
    permissions: Option<&Permissions>,
) -> io::Result<(OsString, File)> {
    fault::growth()?;
    let mut tries = (0..TRIES).map(|_| {
        let name = OsString::from(format!("{prefix}{}", some_letters()));
        folder.create(&name, permissions).map(|file| (name, file))
    });
    let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    let found = tries.find(|made| !made.as_ref().is_err_and(is_taken));
    found.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
}

/// Letters that nobody guesses.
fn some_letters() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    // Each state has keys of its own, which come from the system's random numbers.
    let number = RandomState::new().hash_one(0);
    let letter = |at: u32| char::from(LETTERS[(number >> (at * 5)) as usize % LETTERS.len()]);
    (0..6).map(letter).collect()
}

/// Permissions without those that lend the owner's rights to whoever starts the file: they were given to other bytes, and in an output
/// perhaps by another user.
#[cfg(unix)]
pub(super) fn ordinary(permissions: &Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    Permissions::from_mode(permissions.mode() & !0o7000)
}

/// Permissions as they are.
#[cfg(not(unix))]
pub(super) fn ordinary(permissions: &Permissions) -> Permissions {
    permissions.clone()
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        fault::growth()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = self.folder.remove(&self.name);
        }
    }
}
