//! The chips that are emulated, and what sets them apart.

/// A generation of instruction encodings and rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// gfx9: wavefronts of 64 lanes, accumulation registers, work-item ids packed in one register.
    Cdna,
    /// gfx10: wavefronts of 32 or 64 lanes.
    Rdna2,
    /// gfx11: as gfx10, with dual issue and work-item ids packed in one register.
    Rdna3,
}

/// One chip. Figures are those that HIP's `hipDeviceProp_t` and LLVM's AMDGPU usage page give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// LLVM's name of the processor, such as `gfx90a`.
    pub name: &'static str,
    /// Which rules hold.
    pub family: Family,
    /// Lanes of a wavefront when the code object does not choose.
    pub wavefront: u32,
    /// Bytes of LDS that one group may have.
    pub lds: u32,
    /// Bytes of a line of the cache that vector memory goes through first.
    pub line: u32,
    /// Compute units, as `multiProcessorCount` gives them.
    pub compute_units: u32,
    /// Marketing name of a card with this chip.
    pub card: &'static str,
}

impl Chip {
    /// All chips, in the order of their names.
    pub const ALL: [Chip; 4] = [
        Chip {
            name: "gfx90a",
            family: Family::Cdna,
            wavefront: 64,
            lds: 65536,
            line: 64,
            compute_units: 104,
            card: "AMD Instinct MI210",
        },
        Chip {
            name: "gfx942",
            family: Family::Cdna,
            wavefront: 64,
            lds: 65536,
            line: 128,
            compute_units: 304,
            card: "AMD Instinct MI300X",
        },
        Chip {
            name: "gfx1030",
            family: Family::Rdna2,
            wavefront: 32,
            lds: 65536,
            line: 128,
            compute_units: 40,
            card: "AMD Radeon RX 6900 XT",
        },
        Chip {
            name: "gfx1100",
            family: Family::Rdna3,
            wavefront: 32,
            lds: 65536,
            line: 128,
            compute_units: 48,
            card: "AMD Radeon RX 7900 XTX",
        },
    ];

    /// The chip of a name such as `gfx90a` or `gfx90a:sramecc+:xnack-`; features after a colon are looked past.
    pub fn named(name: &str) -> Option<Chip> {
        let bare = name.split(':').next().unwrap_or(name);
        Chip::ALL.into_iter().find(|chip| chip.name == bare)
    }

    /// Major and minor version, as `hipDeviceProp_t` gives them: 9.0 for gfx90a, 11.0 for gfx1100.
    pub fn version(&self) -> (i32, i32) {
        match self.name {
            "gfx90a" => (9, 0),
            "gfx942" => (9, 4),
            "gfx1030" => (10, 3),
            _ => (11, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_after_a_colon_are_looked_past() {
        assert_eq!(
            Chip::named("gfx90a:sramecc+:xnack-").map(|c| c.name),
            Some("gfx90a")
        );
        assert_eq!(Chip::named("gfx90"), None);
    }
}
