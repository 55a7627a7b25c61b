//! Files as they would be, for the compiler alone: nothing is written into the port before it is proved.

use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use crate::emit;

/// A folder with files and the list that has clang read them in place of those of the port.
pub(in crate::trial) struct Overlay {
    folder: TempDir,
}

impl Overlay {
    /// The files with their texts.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(in crate::trial) fn new(files: &[(PathBuf, Vec<u8>)]) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("a temporary folder: {error}");
        let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
        let mut roots = Vec::new();
        for (at, (file, text)) in files.iter().enumerate() {
            let written = folder.path().join(at.to_string());
            emit::write(&written, text, None).map_err(|error| failed(&error))?;
            roots.push(json!({"name": file, "type": "file", "external-contents": written}));
        }
        // The compiler goes on to call the files by their own names.
        let list = json!({"version": 0, "use-external-names": false, "roots": roots});
        let overlay = Self { folder };
        let list = list.to_string();
        emit::write(&overlay.list(), list.as_bytes(), None).map_err(|error| failed(&error))?;
        Ok(overlay)
    }

    fn list(&self) -> PathBuf {
        self.folder.path().join("overlay.json")
    }

    /// What clang is told.
    pub(in crate::trial) fn options(&self) -> [String; 2] {
        let list: &Path = &self.list();
        ["-ivfsoverlay".to_owned(), list.display().to_string()]
    }
}
