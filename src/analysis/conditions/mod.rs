//! Verdicts about preprocessor conditions: what keeps a branch from AMD, and how the condition changes.

pub mod fix;
pub mod obstacle;
pub mod truth;
pub mod verdict;
