//! What a translation is worth: programs are translated, compiled, linked, run on the emulated GPU and compared, and a table says how
//! many came how far. Other translators stand beside it as commands.
//!
//! | module | what it holds |
//! |---|---|
//! | `program` | a program, how it is built, how it is tested |
//! | `folder` | the programs of a tree |
//! | `tasks` | the programs of a file with a task a line |
//! | `given` | results and arguments that are given |
//! | `translator` | this program, or a command, on all sources of a tree |
//! | `toolchain` | the compiler and the folders that builds ask for |
//! | `build` | a program is made |
//! | `launch` | what to run of what was made |
//! | `execute` | runs and comparisons |
//! | `course` | one program by one translator through all stages |
//! | `outcome` | how far it came, and the table |

mod build;
mod course;
mod execute;
mod folder;
mod given;
mod launch;
mod outcome;
mod program;
mod tasks;
mod toolchain;
mod translator;

/// What this program is called in tables.
pub(crate) const OWN: &str = "cass-transpile";

pub(crate) use build::includes;
pub(crate) use course::{Bench, References, Side, Wishes};
pub(crate) use execute::Judge;
pub(crate) use folder::programs;
pub(crate) use given::{Given, arguments, recorded};
pub(crate) use outcome::{Cause, Row, Stage, Tally, Totals, causes, tallies};
pub(crate) use program::{Program, twins};
pub(crate) use tasks::{Fields, tasks};
pub(crate) use toolchain::{Found, Toolchain};
pub(crate) use translator::{Translator, copy};
