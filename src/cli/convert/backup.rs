//! Backups of files that are changed where they are: none is ever translated or written over.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::emit;
use crate::engine::is_opaque;

/// The suffix of the backups of a run.
#[derive(Clone, Debug)]
pub(super) struct Backup {
    suffix: String,
}

impl Backup {
    /// Backups with this suffix.
    ///
    /// # Errors
    /// When the backups would be no files of their own, or would be sources of the next run.
    pub(super) fn new(suffix: &str) -> Result<Self> {
        if suffix.is_empty() || suffix.contains(['/', '\\']) {
            bail!("--backup: `{suffix}` is no suffix; write it like `--backup=.cuda-orig`");
        }
        let names = ["a.cu", "Makefile", "CMakeLists.txt", "build.sh"];
        if let Some(name) = names
            .iter()
            .find(|name| !is_opaque(&format!("{name}{suffix}")))
        {
            bail!(
                "--backup: `{name}{suffix}` would be a source of the next run; write it like `--backup=.cuda-orig`"
            );
        }
        Ok(Self {
            suffix: suffix.to_owned(),
        })
    }

    /// Whether a file is a backup by its name: `a.cu.cuda-orig`, or `a.cu.cuda-orig.2` where there was one.
    pub(super) fn is_one(&self, path: &Path) -> bool {
        let name = path.to_string_lossy();
        let without_number = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let first = without_number.strip_suffix('.').unwrap_or(&name);
        name.ends_with(&self.suffix) || first.ends_with(&self.suffix)
    }

    /// Keeps the bytes that were read of a file beside it: the file may have others by now. A backup that is there already and differs
    /// stays, and this one gets a number.
    ///
    /// # Errors
    /// When the backup cannot be written.
    pub(super) fn keep(&self, file: &Path, original: &[u8]) -> Result<()> {
        let mut number = 1;
        loop {
            let name = self.name(file, number);
            if emit::write_new(&name, original, emit::permissions(file))?
                || emit::holds(&name, original)
            {
                return Ok(());
            }
            number += 1;
        }
    }

    fn name(&self, file: &Path, number: usize) -> PathBuf {
        let mut name = OsString::from(file);
        name.push(&self.suffix);
        if number > 1 {
            name.push(format!(".{number}"));
        }
        PathBuf::from(name)
    }
}
