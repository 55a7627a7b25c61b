//! Trees of files: what is there, what each becomes, and the run over all of them. The only place that knows threads.

mod changed;
mod git;
mod plan;
mod run;
mod walk;

pub use changed::Changed;
pub use plan::{Naming, Plan, PlannedFile};
pub use run::{Interrupted, Job, Processed, index_project, run};
pub use walk::{Entry, EntryKind, Filter, globs, walk};
