//! Trees of files: what is there, what each becomes, and the run over all of them. The only place that knows threads.

mod changed;
mod compiled;
mod git;
mod left_out;
mod plan;
mod repository;
mod run;
mod scrap;
mod walk;
mod watcher;

pub use changed::Changed;
pub use compiled::compiled;
pub use left_out::{LeftOut, MANIFEST_NAME, RECORD_FOLDER, Reason, is_output};
pub use plan::{Naming, Plan, PlannedFile, slashed};
pub use repository::Repository;
pub use run::{Interrupted, Job, Processed, index_project, learn_fragments, run, translated};
pub use scrap::{SCRAP_PREFIX, scrap_owner};
pub use walk::{Entry, EntryKind, Filter, Walked, globs, walk};
pub use watcher::{Stage, Watcher};
