//! Edits of one file: what a fix wants to change, how sure it is, and how changes are applied.

mod apply;
mod set;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::TextRange;

pub use apply::{apply, apply_within};
pub use set::{EditSet, Resolution};

/// How sure a fix is. Ordered: a policy is one comparison.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Shown to a person, never applied.
    Manual,
    /// Compiles, but may differ in meaning or speed: applied, and reported for review.
    Review,
    /// Same meaning on AMD as before.
    Safe,
}

/// Replaces a range of the original file; an empty range inserts, empty content deletes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// Bytes of the original file that go.
    pub range: TextRange,
    /// Bytes that come instead.
    pub content: Cow<'static, str>,
}

impl Edit {
    /// Replaces `range` by `content`.
    pub fn replace(range: TextRange, content: impl Into<Cow<'static, str>>) -> Self {
        Self {
            range,
            content: content.into(),
        }
    }

    /// Inserts `content` before the byte at `offset`.
    pub fn insert(offset: u32, content: impl Into<Cow<'static, str>>) -> Self {
        Self::replace(TextRange::at(offset), content)
    }

    /// Deletes `range`.
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, "")
    }
}

/// Edits that belong together: applied all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The edits, in terms of the original file.
    pub edits: Vec<Edit>,
    /// How sure the fix is.
    pub applicability: Applicability,
}

impl Fix {
    /// A fix that keeps the program's meaning.
    pub fn safe(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            applicability: Applicability::Safe,
        }
    }

    /// A fix that a person must look at.
    pub fn review(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            applicability: Applicability::Review,
        }
    }

    /// A proposal that is only shown.
    pub fn manual(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            applicability: Applicability::Manual,
        }
    }
}
