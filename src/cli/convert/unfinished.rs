//! What a run in place remembers while it goes on: a tree that is half translated looks as if it served AMD by its own doing, and as if its
//! headers had always brought HIP's; the next run would leave the other half alone, or make something else of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::emit;
use crate::engine::Session;
use crate::pipeline::{RECORD_FOLDER, read_regular};
use crate::project::served::RuntimeFacts;
use crate::project::support::Support;

/// The file below the root.
const NAME: &str = "in-place";
/// Bytes that it may have: the paths of 300,000 headers.
const LARGEST: u64 = 64 << 20;

/// The memory of one run.
pub(super) struct Unfinished {
    file: PathBuf,
}

/// What was so before anything was written.
#[derive(Debug, Serialize, Deserialize)]
struct Before {
    /// The folders of the projects that supported AMD.
    supported: Vec<String>,
    /// Who brings the runtime header, where that was noted.
    #[serde(default)]
    runtime: Option<RuntimeFacts>,
}

impl Before {
    fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&read_regular(file, LARGEST).ok()?).ok()
    }

    fn of(session: &Session) -> Self {
        let scopes = session.support.scopes.iter();
        Self {
            supported: scopes.map(|scope| scope.root.clone()).collect(),
            runtime: Some(RuntimeFacts::clone(
                &session.project.runtime(&session.table),
            )),
        }
    }

    /// Has a session see the tree so.
    fn restore(self, session: &mut Session) {
        let mut support = Support::clone(&session.support);
        let is_known = |root: &String| self.supported.contains(root);
        support.scopes.retain(|scope| is_known(&scope.root));
        session.support = Arc::new(support);
        for (_, nested) in &mut session.nested {
            nested.support = Arc::clone(&session.support);
        }
        if let Some(runtime) = self.runtime {
            session.project.remember(runtime);
        }
    }
}

impl Unfinished {
    /// Begins a run below a folder. Where an earlier one did not end, what that found decides who owns the code and who includes what. A
    /// folder in which nothing can be written has no memory: the files below it may be written all the same.
    pub(super) fn begin(root: &Path, session: &mut Session) -> Self {
        let file = root.join(RECORD_FOLDER).join(NAME);
        match Before::read(&file) {
            Some(before) => before.restore(session),
            None => {
                let text = serde_json::to_vec(&Before::of(session)).unwrap_or_default();
                let _ = emit::write(&file, &text, None);
            }
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
