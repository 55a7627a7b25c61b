//! Files that are written piece by piece.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::temporary::Temporary;
use super::{Place, failed, open_stream};

/// A file that is written piece by piece: nothing is seen at its place before it is whole.
pub struct Stream {
    target: PathBuf,
    /// Where the pieces go: beside the target, or into it where it is no file.
    to: Piecewise,
}

enum Piecewise {
    Temporary(Place, io::BufWriter<Temporary>),
    Open(io::BufWriter<File>),
}

/// Begins a file that is written piece by piece; without [`Stream::finish`] nothing of it stays.
///
/// # Errors
/// When the folder cannot be written.
pub fn stream(target: &Path) -> Result<Stream> {
    let to = match open_stream(target) {
        Some(file) => {
            let file = file.with_context(|| failed(target))?;
            Piecewise::Open(io::BufWriter::new(file))
        }
        None if target.is_dir() => anyhow::bail!("{}: is a folder; name a file", target.display()),
        None => {
            let place = Place::named(target)?;
            let permissions = place.own_permissions();
            let file = place.temporary(permissions.as_ref())?;
            Piecewise::Temporary(place, io::BufWriter::with_capacity(1 << 16, file))
        }
    };
    let target = target.to_path_buf();
    Ok(Stream { target, to })
}

impl Stream {
    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the last pieces cannot be written, or the file cannot be put there.
    pub fn finish(self) -> Result<()> {
        let target = self.target;
        match self.to {
            Piecewise::Open(mut file) => file.flush().with_context(|| failed(&target)),
            Piecewise::Temporary(place, file) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error);
                let file = file.with_context(|| failed(&target))?;
                let permissions = place.own_permissions();
                place.persist(file, permissions)
            }
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            Piecewise::Temporary(_, file) => file.write(bytes),
            Piecewise::Open(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            Piecewise::Temporary(_, file) => file.flush(),
            Piecewise::Open(file) => file.flush(),
        }
    }
}
