//! What a build compiles of a tree and how, as its compilation database says it (`compile_commands.json`).

pub(crate) mod command;
mod database;
mod defined;
pub(crate) mod files;

pub(crate) use command::Command;
pub(crate) use database::{Database, HINT, Written};
pub(crate) use defined::defined_macros;
pub use files::{Compiled, CompiledFile};
