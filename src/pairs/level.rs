//! How far a pair is proven.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Levels of proof; each stands on those before it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The tool made the result.
    Translated,
    /// The result parses without an error of the tool's grammar, or, where that one is stricter, of clang's front end.
    Parsed,
    /// clang's front end takes it for the host.
    CompiledHost,
    /// clang makes a linked code object of it for the chip.
    CompiledDevice,
    /// It links to a program with a library of HIP's runtime.
    Linked,
    /// The program did the same as what it was held against (`equal_to`), as `verify compare` says.
    RanEqual,
}

impl Level {
    /// All levels, the lowest first.
    pub const ALL: [Self; 6] = [
        Self::Translated,
        Self::Parsed,
        Self::CompiledHost,
        Self::CompiledDevice,
        Self::Linked,
        Self::RanEqual,
    ];

    /// As it stands in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Translated => "translated",
            Self::Parsed => "parsed",
            Self::CompiledHost => "compiled-host",
            Self::CompiledDevice => "compiled-device",
            Self::Linked => "linked",
            Self::RanEqual => "ran-equal",
        }
    }
}

/// What was tried, and how far it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// The highest level that was reached.
    pub level: Level,
    /// Why the next one was not: the compiler's first error, or that it was not tried.
    pub next: String,
    /// Device assembly of the result, where it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amdgcn: Option<String>,
    /// Device assembly of the source, where it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ptx: Option<String>,
    /// What it ran equal to: `record`, what the original did as `verify record` wrote it; `given`, a result that was recorded or stands
    /// beside the program; `twin`, the port to HIP by people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_to: Option<String>,
    /// The program that ran, where the unit was linked to it with others: its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The compilers and chips of the above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compilers: Vec<String>,
}

impl Proof {
    /// A level that was reached without a compiler.
    pub fn of(level: Level, next: &str) -> Self {
        Self {
            level,
            next: next.to_owned(),
            amdgcn: None,
            ptx: None,
            equal_to: None,
            program: None,
            compilers: Vec::new(),
        }
    }
}
