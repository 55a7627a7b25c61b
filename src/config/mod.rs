//! `cass.toml`: what a project says once for everybody who runs the tool on it. Defaults < file < command line.

mod find;
mod model;
mod sample;
mod text;

pub(crate) use find::{FILE_NAME, parse, read_owned};
pub use find::{Found, find, inline, read};
pub use model::{CheckTable, Config, EstimateTable, FilesTable, Override, TranslateTable, schema};
pub use sample::sample;
pub(crate) use text::read_text;
