//! Macros of a tree that say for whom code is compiled, although their names do not.

use rustc_hash::FxHashSet;

use super::condition::{Assumption, Truth, defined};

/// Macros that one vendor's build alone defines, as the tree shows: `TURING_MMA_AVAILABLE`, defined where HIP is not.
#[derive(Clone, Debug, Default)]
pub struct VendorMacros {
    /// Never defined in a build for AMD.
    pub nvidia: FxHashSet<Box<[u8]>>,
    /// Defined in no other build.
    pub amd: FxHashSet<Box<[u8]>>,
}

impl VendorMacros {
    /// Truth of `#ifdef name` under an assumption.
    pub(crate) fn defined(&self, name: &[u8], assume: Assumption) -> Truth {
        match (self.nvidia.contains(name), self.amd.contains(name)) {
            (true, false) if assume.hip => Truth::No,
            (false, true) if !assume.hip => Truth::No,
            (true, false) | (false, true) => Truth::Unknown,
            _ => defined(name, assume),
        }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.nvidia.is_empty() && self.amd.is_empty()
    }
}
