//! Preprocessor conditions: the expression, and the `#if` groups of a file.

pub(crate) mod assembly;
pub(crate) mod both_passes;
pub(crate) mod cuda_macros;
pub(crate) mod expression;
pub(crate) mod groups;
pub(crate) mod nccl_release;
