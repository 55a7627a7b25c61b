//! The tables held against headers: what a folder of headers declares, which targets it lacks, which names of CUDA have no entry.

mod coverage;
mod public;
mod scan;
mod verify;

pub(crate) use coverage::names_of_list;
pub use coverage::{Coverage, Row, coverage, replace_table};
pub(crate) use public::not_public;
pub use scan::{Declared, Names, What, scan};
pub use verify::{Problem, ProblemKind, Releases, Verified, verify};
