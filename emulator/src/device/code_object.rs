//! A loaded code object: segments in memory, symbols, kernels.

use std::collections::BTreeMap;
use std::fmt;

use super::metadata::Kernel;

/// Why a code object cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError(pub(crate) String);

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoadError {}

/// A loaded code object.
#[derive(Debug)]
pub struct CodeObject {
    kernels: BTreeMap<String, Kernel>,
    symbols: BTreeMap<String, (u64, u64)>,
}

impl CodeObject {
    /// The kernels by name.
    pub fn kernels(&self) -> &BTreeMap<String, Kernel> {
        &self.kernels
    }

    /// The kernel of a (mangled) name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.get(name)
    }

    /// Address and length in bytes of a variable (`__device__`, `__constant__`, `NAME` and `NAME.managed` of managed ones).
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).copied()
    }
}
