//! Who builds a file: what a person said for its path or for all, else what the tree tells.

use crate::engine::Session;
use crate::engine::route::{Reading, dual_dialect};
use crate::options::{Dialect, HipSupport, Vendors};

impl Session {
    /// The dialect of a file: `Cuda` or `Torch`.
    pub(super) fn dialect_of(&self, reading: &Reading<'_>) -> Dialect {
        let path = &reading.source.path;
        match self.dialect_of_path(path) {
            Dialect::Cuda
                if !self.is_chosen(path)
                    && reading.includes_torch()
                    && !self.project.renames_nothing(path) =>
            {
                Dialect::Torch
            }
            dialect => dialect,
        }
    }

    /// The dialect of a file by its path and the tree alone: `Cuda` or `Torch`.
    pub(crate) fn dialect_of_path(&self, path: &str) -> Dialect {
        let chosen = self.dialects.of(path).unwrap_or(self.options.dialect);
        match chosen {
            // Back from HIP only names change, whoever builds.
            _ if self.options.reverse => Dialect::Cuda,
            Dialect::Auto if self.options.vendors == Vendors::Amd => Dialect::Cuda,
            Dialect::Auto if self.project.is_torch(path) => Dialect::Torch,
            Dialect::Auto if self.vendors_of(path) == Vendors::Both => dual_dialect(path),
            Dialect::Auto => Dialect::Cuda,
            chosen => chosen,
        }
    }

    /// Whom the result of a file serves. A project that supports AMD builds for NVIDIA what it has for CUDA alone, and goes on to.
    pub(crate) fn vendors_of(&self, path: &str) -> Vendors {
        let options = &self.options;
        let is_open = options.vendors == Vendors::Auto && !options.reverse;
        let is_kept = options.hip_support != HipSupport::Ignore
            && self.support.is_alone(path)
            && !self.project.is_torch(path);
        match is_open && is_kept {
            true => Vendors::Both,
            false => options.vendors,
        }
    }

    fn is_chosen(&self, path: &str) -> bool {
        let chosen = self.dialects.of(path).unwrap_or(self.options.dialect);
        chosen != Dialect::Auto || self.options.reverse || self.options.vendors == Vendors::Amd
    }
}
