//! Why a code object cannot be loaded.

use std::fmt;

/// Why a code object cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError(pub(crate) String);

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoadError {}
