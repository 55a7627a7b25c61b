//! Preprocessor conditions: the expression, and the `#if` groups of a file.

pub mod expression;
pub mod groups;
