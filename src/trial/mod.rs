//! Does a port compile, and if not, why: its units are found, each is compiled as far as the front end of the compiler goes, and what
//! the compiler says is grouped by cause.
//!
//! | module | what it holds |
//! |---|---|
//! | `unit` | a unit and what finding them came to |
//! | `command` | a command of a build as units |
//! | `database` | the units of a compilation database |
//! | `make` | those of Makefiles |
//! | `cmake` | those of CMake lists |
//! | `by_includes` | those of a tree without a build that can be asked |
//! | `program` | a program that is run for what it prints |
//! | `compiler` | the command that compiles a unit for the host or a chip |
//! | `store` | what was found earlier, by content |
//! | `attempt` | one unit through all passes |
//! | `run` | all units on all cores |
//! | `cause` | why units fail |
//! | `answer` | what a command answers that is asked to mend a unit |
//! | `mend` | mends that the compiler proves |

mod answer;
mod attempt;
mod by_includes;
mod cause;
mod cmake;
mod command;
mod compiler;
mod database;
mod make;
mod mend;
mod program;
mod run;
mod store;
mod unit;

pub(crate) use answer::Answer;
pub(crate) use attempt::{Attempt, Verdict};
pub(crate) use by_includes::{Reached, Tree, by_includes, reached};
pub(crate) use cause::{Cause, Located, causes};
pub(crate) use cmake::by_cmake;
pub(crate) use compiler::Compiler;
pub(crate) use database::by_database;
pub(crate) use make::by_make;
pub(crate) use mend::{Mended, MendedText, Mender};
pub(crate) use program::{Limits, Ran, fed, run};
pub(crate) use run::{Trial, Wishes, hosts};
pub(crate) use store::Store;
pub(crate) use unit::{Unit, Units, Way};
