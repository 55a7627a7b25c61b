//! The tables held against headers: what a folder of headers declares, which targets it lacks, which names of CUDA have no entry.

mod coverage;
mod public;
mod scan;
mod verify;

pub use coverage::{Coverage, Row, coverage, names_of_list, replace_table};
pub use public::not_public;
pub use scan::{Declared, Names, What, scan};
pub use verify::{Problem, ProblemKind, Releases, Verified, verify};
