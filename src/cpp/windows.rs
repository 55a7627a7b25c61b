//! How far one looks from a word for what belongs to it.

/// The tokens of a declaration, of the head of a function or class, or of a cast with its operand, that a person writes on a few lines.
/// Generated files have statements of a million tokens, and garbage has statements without an end; walking
/// those from each of their words would cost the square of their length.
pub(crate) const DECLARATION: usize = 64;
