//! Which part of a data set a record belongs to: by project, so that no project is in two.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dedup;

/// A part of a data set.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Eight tenths of the projects.
    Train,
    /// One tenth.
    Validation,
    /// One tenth.
    Test,
}

/// The part of a project; the name alone decides, so that it stays when others come and go.
pub fn split(project: &str) -> Split {
    let hash = dedup::hash(project.as_bytes());
    let number = u32::from_str_radix(&hash[..8], 16).unwrap_or(0) % 10;
    match number {
        0..=7 => Split::Train,
        8 => Split::Validation,
        _ => Split::Test,
    }
}
