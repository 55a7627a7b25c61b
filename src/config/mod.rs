//! `cass.toml`: what a project says once for everybody who runs the tool on it. Defaults < file < command line.

mod find;
mod model;
mod sample;
mod text;

pub use find::{FILE_NAME, Found, find, inline, read, read_owned};
pub use model::{CheckTable, Config, EstimateTable, FilesTable, Override, TranslateTable, schema};
pub use sample::sample;
pub use text::read_text;
