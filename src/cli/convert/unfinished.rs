//! What a run in place remembers while it goes on: a tree that is half translated looks as if it served AMD by its own doing, and the
//! next run would leave the other half alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::emit;
use crate::engine::Session;
use crate::pipeline::{RECORD_FOLDER, read_regular};
use crate::project::support::Support;

/// The file below the root: the folders of the projects that supported AMD before anything was written, one in a line, and a line that no
/// folder is called by where HIP was named anywhere.
const NAME: &str = "in-place";
/// That line.
const NAMES_HIP: &str = "/names-hip";

/// Bytes that it may have: 20,000 projects in one tree.
const LARGEST: u64 = 1 << 20;

/// The memory of one run.
pub(super) struct Unfinished {
    file: PathBuf,
}

impl Unfinished {
    /// Begins a run below a folder. Where an earlier one did not end, what that found decides who owns the code. A folder in which
    /// nothing can be written has no memory: the files below it may be written all the same.
    pub(super) fn begin(root: &Path, session: &mut Session) -> Self {
        let file = root.join(RECORD_FOLDER).join(NAME);
        if let Ok(text) = read_regular(&file, LARGEST) {
            let text = String::from_utf8_lossy(&text);
            let known: Vec<&str> = text.lines().collect();
            session
                .project
                .remember_names_hip(known.contains(&NAMES_HIP));
            let mut support = Support::clone(&session.support);
            support
                .scopes
                .retain(|scope| known.contains(&scope.root.as_str()));
            session.support = Arc::new(support);
            for (_, nested) in &mut session.nested {
                nested.support = Arc::clone(&session.support);
            }
        } else {
            let roots = session.support.scopes.iter();
            let mut text: String = roots.map(|scope| format!("{}\n", scope.root)).collect();
            if session.project.names_hip() {
                text.push_str(&format!("{NAMES_HIP}\n"));
            }
            let _ = emit::write(&file, text.as_bytes(), None);
        }
        Self { file }
    }

    /// Ends it: the tree is whole.
    pub(super) fn end(self) {
        emit::discard(&self.file);
        // The folder may hold what others remember, and then it stays.
        let _ = self.file.parent().map(fs::remove_dir);
    }
}
