//! Outcomes to bytes: the report model and its formats. Never sees a document.

mod build;
pub mod diff;
pub mod json;
mod model;
pub mod text;

pub use build::{Builder, file_report};
pub use model::*;
