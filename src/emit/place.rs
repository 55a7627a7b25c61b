//! A place where a file goes, and what is there already: asked once, since most files of a run are new and each question costs as much
//! as a rename.

use std::fs::{self, File, Metadata, Permissions};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

use super::fault;

/// A place and what was there when it was looked at.
pub(super) struct Place<'p> {
    path: &'p Path,
    there: Option<Metadata>,
}

impl<'p> Place<'p> {
    /// Looks at a place; a link is not followed.
    pub(super) fn new(path: &'p Path) -> Self {
        let there = fs::symlink_metadata(path).ok();
        Self { path, there }
    }

    /// Whether there is a file and no link to one.
    pub(super) fn is_file(&self) -> bool {
        self.there.as_ref().is_some_and(Metadata::is_file)
    }

    /// Whether there is a file with these bytes.
    pub(super) fn holds(&self, bytes: &[u8]) -> bool {
        let has_length = |there: &Metadata| there.len() == bytes.len() as u64;
        self.is_file()
            && self.there.as_ref().is_some_and(has_length)
            && fs::read(self.path).is_ok_and(|old| old == bytes)
    }

    /// The permissions of the file that is there.
    pub(super) fn own_permissions(&self) -> Option<Permissions> {
        let file = self.there.as_ref().filter(|there| there.is_file())?;
        Some(file.permissions())
    }

    /// Gives a temporary file its permissions and this place.
    ///
    /// # Errors
    /// When there is a folder, or the file cannot be moved; the message names the place.
    pub(super) fn persist(
        &self,
        file: NamedTempFile,
        permissions: Option<Permissions>,
    ) -> Result<()> {
        // A link to a folder is in the way as well.
        if self.there.is_some() && self.path.is_dir() {
            bail!(
                "{}: is a folder where a file should go; remove it",
                self.path.display()
            );
        }
        give_permissions(&file, self.path, permissions)?;
        if let Some(there) = &self.there {
            keep_owner(file.as_file(), there);
        }
        fault::change();
        file.persist(self.path)
            .map_err(|error| error.error)
            .with_context(|| failed(self.path))?;
        Ok(())
    }
}

/// Gives a temporary file its permissions: those that it was made with may lack what the user's mask takes. To ask costs a third of what
/// it costs to set.
///
/// # Errors
/// When they cannot be set; the message names the place that it goes to.
pub(super) fn give_permissions(
    file: &NamedTempFile,
    place: &Path,
    permissions: Option<Permissions>,
) -> Result<()> {
    let file = file.as_file();
    let has = |wanted: &Permissions| file.metadata().is_ok_and(|it| it.permissions() == *wanted);
    let wanted = permissions.as_ref().map(ordinary);
    match wanted.filter(|wanted| !has(wanted)) {
        Some(wanted) => {
            fault::change();
            file.set_permissions(wanted).with_context(|| failed(place))
        }
        None => Ok(()),
    }
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

/// Gives a file the owner of the one in whose place it comes, as far as this user may: root translates other people's trees too.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let Ok(new) = file.metadata() else {
        return;
    };
    if old.is_file() && (old.uid(), old.gid()) != (new.uid(), new.gid()) {
        // A user who may write the folder but not give files away owns what he wrote.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// What is said of a file that cannot be written.
pub(super) fn failed(target: &Path) -> String {
    format!(
        "{}: cannot be written; check the space on the disk and the permissions of the folder",
        target.display()
    )
}
