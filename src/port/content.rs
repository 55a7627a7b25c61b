//! What is, was or should be at a place of the output.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest as _, Sha256};

use crate::pipeline::read_whole;

/// Files above this are not held in memory and not merged: 16 MiB, far above any source that a person edits.
pub(super) const LARGEST_TEXT: u64 = 16 << 20;

/// SHA-256 of a content: what `sha256sum` prints.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
        let mut text = [0; 64];
        for (place, byte) in text.chunks_exact_mut(2).zip(&self.0) {
            place.copy_from_slice(&digits(byte));
        }
        out.write_str(std::str::from_utf8(&text).expect("digits are ASCII"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("`{text}` is no SHA-256"));
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(bytes))
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A file.
    #[default]
    File,
    /// A file that can be started.
    Executable,
    /// A symbolic link; its content is what it points at.
    Link,
}

impl Kind {
    /// What a file is by its permissions.
    #[cfg(unix)]
    pub fn of(permissions: &fs::Permissions) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        match permissions.mode() & 0o100 {
            0 => Self::File,
            _ => Self::Executable,
        }
    }

    /// Without such permissions every file is a plain one.
    #[cfg(not(unix))]
    pub fn of(_: &fs::Permissions) -> Self {
        Self::File
    }

    /// Permissions with those to start the file given to whoever may read it, or to nobody.
    #[cfg(unix)]
    pub fn permissions(self, now: fs::Permissions) -> fs::Permissions {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = now.mode();
        fs::Permissions::from_mode(match self {
            Self::Executable if mode & 0o100 == 0 => mode | (mode & 0o444) >> 2,
            Self::File => mode & !0o111,
            _ => mode,
        })
    }

    /// Permissions as they are: there is none to start a file.
    #[cfg(not(unix))]
    pub fn permissions(self, now: fs::Permissions) -> fs::Permissions {
        now
    }
}

/// What a content is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// What it is.
    pub kind: Kind,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// A file or link with its bytes, as far as they are held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// What it is recognised by.
    pub mark: Mark,
    /// Its bytes; `None` when there are too many to be held.
    pub bytes: Option<Vec<u8>>,
}

impl Content {
    /// A content that is at hand.
    pub fn new(kind: Kind, bytes: Vec<u8>) -> Self {
        let hash = Hash::of(&bytes);
        Self {
            mark: Mark { kind, hash },
            bytes: Some(bytes),
        }
    }

    /// What is at a path; `None` when there is neither file nor link.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        if metadata.is_symlink() {
            let destination = fs::read_link(path)?;
            let bytes = destination.as_os_str().as_encoded_bytes().to_vec();
            return Ok(Some(Self::new(Kind::Link, bytes)));
        }
        if !metadata.is_file() {
            return Ok(None);
        }
        Ok(Some(Self::of_file(path)?.0))
    }

    /// What a file holds, and its permissions: asked of the open file, since each way to it by its path costs as much as to read it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn of_file(path: &Path) -> io::Result<(Self, fs::Permissions)> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let permissions = metadata.permissions();
        let kind = Kind::of(&permissions);
        if metadata.len() <= LARGEST_TEXT {
            let bytes = read_whole(&mut file, metadata.len())?;
            return Ok((Self::new(kind, bytes), permissions));
        }
        let hash = hash_of_file(file)?;
        let mark = Mark { kind, hash };
        Ok((Self { mark, bytes: None }, permissions))
    }

    /// The bytes, where lines mean something: a file without zero bytes.
    pub fn text(&self) -> Option<&[u8]> {
        let bytes = self.bytes.as_deref()?;
        (self.mark.kind != Kind::Link && memchr::memchr(0, bytes).is_none()).then_some(bytes)
    }
}

/// Whether an error says that there is nothing: a file may stand where a folder of the path should be, or a path be too long.
pub(super) fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

fn hash_of_file(mut file: File) -> io::Result<Hash> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Hash(hasher.finalize().into())),
            count => hasher.update(&buffer[..count]),
        }
    }
}
