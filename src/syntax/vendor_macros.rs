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
            (true, false) => Truth::Unknown,
            // Under conditions of its own, maybe: what its name says stands, `LIB_DEVICE_HIP`, and never that it is missing.
            (false, true) if defined(name, assume) != Truth::Yes => Truth::Unknown,
            _ => defined(name, assume),
        }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.nvidia.is_empty() && self.amd.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::condition::CudaMacros;

    #[test]
    fn a_macro_that_is_set_for_amd_is_no_less_amds_than_its_name_says() {
        let macros = VendorMacros {
            amd: FxHashSet::from_iter([&b"A_DEVICE_HIP"[..], b"A_DEVICE"].map(Box::from)),
            ..VendorMacros::default()
        };
        for (name, on_amd, elsewhere) in [
            (&b"A_DEVICE_HIP"[..], Truth::Yes, Truth::No),
            (b"A_DEVICE", Truth::Unknown, Truth::No),
        ] {
            let truth = |hip| {
                let cuda = CudaMacros::Unknown;
                macros.defined(name, Assumption { hip, cuda })
            };
            assert_eq!((truth(true), truth(false)), (on_amd, elsewhere));
        }
    }
}
