//! A contradiction between an entry and the headers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::mapping::ApiEntry;

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The target is declared nowhere.
    Missing,
    /// The target is declared, but as something else.
    WrongKind,
    /// No declaration takes as many arguments as the edits leave.
    ArgumentCount,
    /// The headers declare a target that the table gives to another release.
    WrongRelease,
    /// A name of CUDA's headers has no entry.
    NoEntry,
}

/// One contradiction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The CUDA name.
    pub cuda: String,
    /// The target the entry gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The table, or the header of a name without entry.
    pub library: String,
    /// The facts.
    pub detail: String,
}

impl Problem {
    /// A target that these headers have earlier than the table says is news, no error: often it stands behind a switch.
    pub(super) fn is_early_target(&self) -> bool {
        self.kind == ProblemKind::WrongRelease
    }
}

pub(super) fn problem(
    kind: ProblemKind,
    entry: &ApiEntry,
    target: &str,
    detail: String,
) -> Problem {
    Problem {
        kind,
        cuda: entry.cuda.to_owned(),
        target: Some(target.to_owned()),
        library: entry.library.to_owned(),
        detail,
    }
}
