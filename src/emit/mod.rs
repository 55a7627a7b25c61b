//! The only writer of files: a temporary file beside the target, then a rename, so that no half-written file is ever seen.
//! A device, a pipe or an open file (`/dev/null`, `/dev/stdout`, a FIFO) is written into: a rename would put a file in its place.

pub(crate) mod fault;
mod folder;
mod lock;
mod place;
mod private;
mod scrap;
mod stream;
mod temporary;
mod tree;

use std::fs::{self, File, Permissions};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

pub(crate) use lock::Lock;
pub(crate) use place::failed;
use place::{Lasting, Place};
pub(crate) use private::{private_folder, user};
pub use stream::{Stream, stream};
pub use tree::OutputTree;

/// What writing did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The target had other bytes or did not exist.
    Changed,
    /// The target has these bytes already and was not touched, so its time stays.
    Unchanged,
}

impl Written {
    fn of(changed: bool) -> Self {
        match changed {
            true => Self::Changed,
            false => Self::Unchanged,
        }
    }
}

/// Writes `bytes` to `target` with `permissions`, creating folders, unless the target has these bytes already.
///
/// # Errors
/// When a folder or file cannot be written; the message names it.
pub fn write(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> Result<Written> {
    if let Some(special) = open_stream(target) {
        special
            .and_then(|mut file| file.write_all(bytes))
            .with_context(|| failed(target))?;
        return Ok(Written::Changed);
    }
    replace(&Place::named(target)?, bytes, permissions)
}

/// Puts a file with these bytes in the place of whatever the name stands for, a folder aside, unless it has them already.
fn replace(place: &Place, bytes: &[u8], permissions: Option<Permissions>) -> Result<Written> {
    let changed = place.replace(bytes, permissions, Lasting::Later)?;
    Ok(Written::of(changed))
}

/// Writes a result over the file that it was made from: see [`OutputTree::settle`].
///
/// # Errors
/// When it cannot be written; the message names it.
pub(crate) fn write_over(
    target: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> Result<()> {
    let place = Place::named(target)?;
    place.replace(bytes, permissions, Lasting::Now)?;
    Ok(())
}

/// Writes a file where nothing is, so that it lasts: see [`OutputTree::settle`]. `false` where something is, which stays.
///
/// # Errors
/// When the folder or file cannot be written; the message names it.
pub(crate) fn write_new(
    target: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> Result<bool> {
    let place = Place::named(target)?;
    place.sweep();
    place.create(bytes, permissions, Lasting::Now)
}

/// Whether there is a file, and no link to one, with these bytes.
pub(crate) fn holds(target: &Path, bytes: &[u8]) -> bool {
    Place::known(target).is_some_and(|place| place.holds(bytes))
}

/// Removes a file of ours. Nobody is told when that fails: it harms nobody.
pub(crate) fn discard(path: &Path) {
    fault::change();
    let _ = fs::remove_file(path);
}

/// Makes a folder, and those above it.
///
/// # Errors
/// When it cannot be made; the message names it.
pub fn folder(target: &Path) -> Result<()> {
    let made = fault::growth().and_then(|()| fs::create_dir_all(target));
    made.with_context(|| failed(target))
}

/// The file that a path which a person named stands for: who names a link means the file behind it.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    let is_link = fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
    // A link to what is not there yet: the file is made where it leads.
    let absent = || Some(path.parent()?.join(fs::read_link(path).ok()?));
    is_link
        .then(|| path.canonicalize().ok().or_else(absent))
        .flatten()
        .unwrap_or_else(|| path.to_path_buf())
}

/// The permissions of a file, where it can be asked.
pub fn permissions(path: &Path) -> Option<Permissions> {
    let metadata = fs::metadata(path).ok()?;
    Some(metadata.permissions())
}

/// Copies a file with its permissions, without holding it in memory, unless the target has the same bytes already.
///
/// # Errors
/// When the source cannot be read or the target cannot be written.
pub fn copy(source: &Path, target: &Path) -> Result<Written> {
    if let Some(special) = open_stream(target) {
        let mut from = opened(source)?;
        special
            .and_then(|mut file| io::copy(&mut from, &mut file))
            .with_context(|| failed(target))?;
        return Ok(Written::Changed);
    }
    duplicate(source, &Place::named(target)?)
}

fn opened(source: &Path) -> Result<File> {
    File::open(source).with_context(|| format!("{}: cannot be read", source.display()))
}

/// Puts a copy of a file in the place of whatever the target's name stands for, a folder aside.
fn duplicate(source: &Path, place: &Place) -> Result<Written> {
    let mut from = opened(source)?;
    let metadata = from.metadata().ok();
    let length = metadata.as_ref().map_or(0, fs::Metadata::len);
    if place.holds_copy(&from, length).unwrap_or(false) {
        return Ok(Written::Unchanged);
    }
    from.seek(io::SeekFrom::Start(0))
        .with_context(|| format!("{}: cannot be read", source.display()))?;
    let permissions = metadata.map(|metadata| metadata.permissions());
    let mut file = place.temporary(permissions.as_ref())?;
    // Between two files the kernel copies, or shares blocks where the file system can.
    let copied = fault::growth().and_then(|()| io::copy(&mut from, file.as_file_mut()));
    copied.with_context(|| failed(place.path()))?;
    place.persist(file, permissions)?;
    Ok(Written::Changed)
}

/// Makes `target` a symbolic link to `destination`, as the source tree has it.
///
/// # Errors
/// When the link cannot be made.
pub fn link(destination: &Path, target: &Path) -> Result<Written> {
    let changed = Place::named(target)?.link(destination)?;
    Ok(Written::of(changed))
}

/// The path that bytes of [`std::ffi::OsStr::as_encoded_bytes`] stand for.
#[cfg(unix)]
pub(crate) fn path_from(bytes: &[u8]) -> std::path::PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).into()
}

/// The path that bytes of [`std::ffi::OsStr::as_encoded_bytes`] stand for.
#[cfg(not(unix))]
pub(crate) fn path_from(bytes: &[u8]) -> std::path::PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Opens `target` where it is no file to be replaced but something to write into; `None` for files, folders and what does not exist.
fn open_stream(target: &Path) -> Option<io::Result<File>> {
    let is_special =
        fs::metadata(target).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    (is_special || is_open_file(target)).then(|| File::options().append(true).open(target))
}

/// `/dev/stdout`, `/dev/fd/3` and their kin: names of files that this process has open, whatever these are.
fn is_open_file(target: &Path) -> bool {
    let is_in_descriptors = |path: &Path| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.is_some_and(|folder| folder.starts_with("/proc") || folder == Path::new("/dev/fd"))
    };
    let Ok(link) = fs::read_link(target) else {
        return false;
    };
    is_in_descriptors(target)
        || is_in_descriptors(&target.parent().unwrap_or(Path::new("")).join(link))
}
