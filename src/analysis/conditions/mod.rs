//! Verdicts about preprocessor conditions: what keeps a branch from AMD, and how the condition changes.

pub(crate) mod blocker;
pub(crate) mod findings;
pub(crate) mod fix;
pub(crate) mod truth;
pub(crate) mod verdict;
pub(crate) mod version_macro;
