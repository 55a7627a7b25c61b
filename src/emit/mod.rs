//! The only writer of files: a temporary file beside the target, then a rename, so that no half-written file is ever seen.
//! A device, a pipe or an open file (`/dev/null`, `/dev/stdout`, a FIFO) is written into: a rename would put a file in its place.

pub(crate) mod fault;
mod lock;
mod place;
mod scrap;
mod stream;
mod tree;

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;

pub use lock::Lock;
use place::{Place, failed};
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

/// Writes `bytes` to `target` with `permissions`, creating folders, unless the target has these bytes already.
///
/// # Errors
/// When a folder or file cannot be written; the message names it.
pub fn write(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> Result<Written> {
    if let Some(stream) = open_stream(target) {
        stream
            .and_then(|mut stream| stream.write_all(bytes))
            .with_context(|| failed(target))?;
        return Ok(Written::Changed);
    }
    replace(target, bytes, permissions)
}

/// Puts a file with these bytes in the place of whatever the name stands for, a folder aside, unless it has them already.
fn replace(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> Result<Written> {
    let place = Place::new(target);
    if place.holds(bytes) {
        return Ok(Written::Unchanged);
    }
    let permissions = permissions.or_else(|| place.own_permissions());
    let file = filled(temporary(target, permissions.as_ref())?, bytes, target)?;
    place.persist(file, permissions)?;
    Ok(Written::Changed)
}

/// Writes a file where nothing is; `false` where something is, which stays.
///
/// # Errors
/// When the folder or file cannot be written; the message names it.
pub(crate) fn write_new(
    target: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> Result<bool> {
    scrap::sweep_once(folder_of(target));
    create(target, bytes, permissions)
}

/// Whether there is a file, and no link to one, with these bytes.
pub(crate) fn holds(target: &Path, bytes: &[u8]) -> bool {
    Place::new(target).holds(bytes)
}

/// Puts a new file where nothing is; `false` where something is after all, which stays.
fn create(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> Result<bool> {
    let file = temporary_in_clean(target, permissions.as_ref())?;
    let file = filled(file, bytes, target)?;
    place::give_permissions(&file, target, permissions)?;
    fault::change();
    match file.persist_noclobber(target) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error).with_context(|| failed(target)),
    }
}

fn filled(mut file: NamedTempFile, bytes: &[u8], target: &Path) -> Result<NamedTempFile> {
    let written = fault::growth().and_then(|()| file.write_all(bytes));
    written.with_context(|| failed(target))?;
    Ok(file)
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
    if let Some(stream) = open_stream(target) {
        let mut from = opened(source)?;
        stream
            .and_then(|mut stream| io::copy(&mut from, &mut stream))
            .with_context(|| failed(target))?;
        return Ok(Written::Changed);
    }
    duplicate(source, target)
}

fn opened(source: &Path) -> Result<File> {
    File::open(source).with_context(|| format!("{}: cannot be read", source.display()))
}

/// Puts a copy of a file in the place of whatever the target's name stands for, a folder aside.
fn duplicate(source: &Path, target: &Path) -> Result<Written> {
    let mut from = opened(source)?;
    let place = Place::new(target);
    if place.is_file() && same_content(source, target).unwrap_or(false) {
        return Ok(Written::Unchanged);
    }
    let permissions = from.metadata().ok().map(|metadata| metadata.permissions());
    let mut file = temporary(target, permissions.as_ref())?;
    // Between two files the kernel copies, or shares blocks where the file system can.
    let copied = fault::growth().and_then(|()| io::copy(&mut from, file.as_file_mut()));
    copied.with_context(|| failed(target))?;
    place.persist(file, permissions)?;
    Ok(Written::Changed)
}

/// Makes `target` a symbolic link to `destination`, as the source tree has it.
///
/// # Errors
/// When the link cannot be made.
#[cfg(unix)]
pub fn link(destination: &Path, target: &Path) -> Result<Written> {
    if fs::read_link(target).is_ok_and(|old| old == destination) {
        return Ok(Written::Unchanged);
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).with_context(|| failed(folder))?;
    }
    if fs::symlink_metadata(target).is_ok() {
        fault::change();
        fs::remove_file(target).with_context(|| failed(target))?;
    }
    fault::change();
    std::os::unix::fs::symlink(destination, target).with_context(|| failed(target))?;
    Ok(Written::Changed)
}

/// Symbolic links need a privilege on Windows: the file they point at is copied instead.
///
/// # Errors
/// When the file cannot be copied.
#[cfg(not(unix))]
pub fn link(destination: &Path, target: &Path) -> Result<Written> {
    copy(destination, target)
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

/// A file beside the target, in a folder that killed runs may have left something in.
fn temporary(target: &Path, permissions: Option<&Permissions>) -> Result<NamedTempFile> {
    scrap::sweep_once(folder_of(target));
    temporary_in_clean(target, permissions)
}

fn folder_of(target: &Path) -> &Path {
    let folder = target.parent();
    folder
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A file beside the target. With `permissions` of its own it has no others at any time; else it is as readable as any other new file
/// of this user.
fn temporary_in_clean(target: &Path, permissions: Option<&Permissions>) -> Result<NamedTempFile> {
    let folder = folder_of(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(scrap::prefix());
    if let Some(first) = first_permissions(permissions) {
        builder.permissions(first);
    }
    fault::growth().with_context(|| failed(target))?;
    // Nearly all folders are there already.
    builder
        .tempfile_in(folder)
        .or_else(|_| {
            fs::create_dir_all(folder)?;
            builder.tempfile_in(folder)
        })
        .with_context(|| failed(target))
}

/// What a new file may be at most; the user's mask takes its part.
#[cfg(unix)]
fn first_permissions(wanted: Option<&Permissions>) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(wanted.map_or_else(|| Permissions::from_mode(0o666), place::ordinary))
}

#[cfg(not(unix))]
fn first_permissions(_: Option<&Permissions>) -> Option<Permissions> {
    None
}

fn same_content(a: &Path, b: &Path) -> io::Result<bool> {
    if fs::metadata(a)?.len() != fs::metadata(b)?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (
        io::BufReader::with_capacity(1 << 16, File::open(a)?),
        io::BufReader::with_capacity(1 << 16, File::open(b)?),
    );
    let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let count = a.read(&mut left)?;
        if count == 0 {
            return Ok(true);
        }
        b.read_exact(&mut right[..count])?;
        if left[..count] != right[..count] {
            return Ok(false);
        }
    }
}
