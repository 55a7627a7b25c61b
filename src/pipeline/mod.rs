//! Trees of files: what is there, what each becomes, and the run over all of them. The only place that knows threads.

mod changed;
mod compiled;
mod git;
mod ignore_files;
mod left_out;
mod plan;
mod regular;
mod repository;
mod run;
mod scan;
mod scrap;
mod walk;
mod watcher;

pub use changed::Changed;
pub(crate) use compiled::compiled;
pub use left_out::{LeftOut, Reason};
pub(crate) use left_out::{MANIFEST_NAME, RECORD_FOLDER, REPORT_NAME, is_output};
pub use plan::{Naming, Plan, PlannedFile};
pub(crate) use regular::{open_regular, read_regular, read_whole};
pub(crate) use repository::Repository;
pub use run::{Interrupted, Processed, run, translated};
pub(crate) use run::{give_back, learn_fragments};
pub use scan::index_project;
pub(crate) use scrap::{SCRAP_PREFIX, scrap_owner};
pub use walk::{Entry, EntryKind, Filter, Line, Walked, walk};
pub(crate) use walk::{globs, slashed};
pub use watcher::{Stage, Watcher};
