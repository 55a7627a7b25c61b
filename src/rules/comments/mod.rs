//! Comments to this tool.

pub mod invalid_suppression;
pub mod merge_conflict;
pub mod unused_suppression;
