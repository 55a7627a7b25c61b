//! What was compared at one place.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// What was compared at one place.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Compared {
    /// `stdout`, a file, `buffers`.
    pub place: String,
    /// Lines, or buffers, of the original that were compared.
    pub items: u64,
    /// Numbers that were compared.
    pub numbers: u64,
    /// Numbers that are the same.
    pub equal: u64,
    /// Numbers that differ within the tolerance.
    pub within: u64,
    /// Numbers that differ by more.
    pub outside: u64,
    /// Largest relative difference within the tolerance.
    pub worst_relative: f64,
    /// Largest absolute difference within the tolerance.
    pub worst_absolute: f64,
    /// What was left out, by reason, and how often.
    pub left_out: BTreeMap<String, u64>,
    /// Differences beyond those that are listed.
    pub more: u64,
}
