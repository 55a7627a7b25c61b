//! Reading of what nobody listed: `.gitignore`, the memory of an output. Whoever made the tree decides what stands there, so a file is
//! opened once, has to be a regular one, and has a size that it may have at most.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a file, and says how large it is. A pipe is not waited for.
///
/// # Errors
/// When it cannot be opened, or is no regular file, a link to one aside.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    let file = opened(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() {
        true => Ok((file, metadata)),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// Reads a file of at most so many bytes.
///
/// # Errors
/// As [`open_regular`], and when it is larger.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (mut file, metadata) = open_regular(path)?;
    match metadata.len() <= most {
        true => read_whole(&mut file, metadata.len()),
        false => Err(too_large(most)),
    }
}

/// Reads a file whose size is known: `read_to_end` asks for the size and the place once more, and reads once more to see the end.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_whole(file: &mut File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(size).read_to_end(&mut bytes)?;
    // Some file systems do not know the size of what they make up.
    if size == 0 || bytes.len() as u64 != size {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Why a file that others read is not to be read; `None` where it is regular and of at most so many bytes, or not there.
pub(super) fn unfit(path: &Path, most: u64) -> Option<io::Error> {
    let metadata = path.metadata().ok()?;
    match () {
        () if !metadata.is_file() => Some(io::Error::other("it is no regular file")),
        () if metadata.len() > most => Some(too_large(most)),
        () => None,
    }
}

fn too_large(most: u64) -> io::Error {
    io::Error::other(format!("it is larger than {} MiB", most >> 20))
}

/// Without waiting for whoever may write into a pipe.
#[cfg(all(unix, feature = "cli"))]
fn opened(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    let mut options = File::options();
    options.read(true);
    // What the flag does to a regular file: nothing.
    options.custom_flags(flags as i32).open(path)
}

#[cfg(not(all(unix, feature = "cli")))]
fn opened(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(all(unix, feature = "cli"))]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_regular_files_of_some_size_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "text").expect("writable");
        symlink("file", path("link")).expect("a link");
        symlink("/dev/zero", path("device")).expect("a link");
        let made = std::process::Command::new("mkfifo")
            .arg(path("pipe"))
            .status();
        assert!(made.expect("there is a mkfifo").success());
        let read =
            |name: &str, most| read_regular(&path(name), most).map_err(|error| error.to_string());
        assert_eq!(read("file", 4), Ok(b"text".to_vec()));
        assert_eq!(read("link", 4), Ok(b"text".to_vec()));
        assert!(read("file", 3).is_err_and(|error| error.contains("larger")));
        for name in ["device", "pipe", "."] {
            assert!(
                read(name, 4).is_err_and(|error| error.contains("no regular file")),
                "{name}"
            );
        }
        assert!(unfit(&path("device"), 4).is_some() && unfit(&path("none"), 4).is_none());
    }
}
