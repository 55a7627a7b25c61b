//! A file of the record from which texts are read as long as a run lasts. Another run on the same output puts a new pack in the place of
//! this one and removes the journals that it knew: what was open is read on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::content::LARGEST_TEXT;

/// A pack or a journal.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    /// Nothing where it cannot be held open, and on Windows, where no other file could take its place then: it is opened for each text.
    file: Option<File>,
}

impl Source {
    /// The file that is open.
    pub(super) fn of(path: &Path, file: &File) -> Arc<Self> {
        let file = file.try_clone().ok().filter(|_| cfg!(unix));
        let path = path.to_path_buf();
        Arc::new(Self { path, file })
    }

    /// The file at a path, which this run writes.
    pub(super) fn at(path: &Path) -> Arc<Self> {
        let file = File::open(path).ok().filter(|_| cfg!(unix));
        let path = path.to_path_buf();
        Arc::new(Self { path, file })
    }

    /// Up to so many bytes from a place on. What a damaged pack says of a length may be anything: what is not there is left out.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(&self, offset: u64, length: u32) -> io::Result<Vec<u8>> {
        let opened;
        let file = match &self.file {
            Some(file) => file,
            None => {
                opened = crate::pipeline::open_regular(&self.path)?.0;
                &opened
            }
        };
        let behind = file.metadata()?.len().saturating_sub(offset);
        let length = behind.min(length.into()).min(LARGEST_TEXT);
        let mut bytes = vec![0; length as usize];
        read_exact_at(file, &mut bytes, offset)?;
        Ok(bytes)
    }
}

/// Sources of one path are one file to whoever compares places.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for Source {}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_is_read_on_where_another_run_took_it_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pack");
        std::fs::write(&path, b"first text").expect("writable");
        let source = Source::of(&path, &File::open(&path).expect("it is there"));
        let other = folder.path().join("other");
        std::fs::write(&other, b"another text").expect("writable");
        std::fs::rename(&other, &path).expect("it takes its place");
        assert_eq!(source.read(6, 4).expect("it is open"), b"text");
        std::fs::remove_file(&path).expect("it goes");
        assert_eq!(source.read(0, u32::MAX).expect("it is open"), b"first text");
        assert_eq!(source.read(99, 4).expect("it is open"), b"");
        assert!(Source::at(&path).read(0, 1).is_err());
    }
}
