//! Whom a place of a script is for, and what was found out of that.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Who reads a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Builds for AMD alone.
    Amd,
    /// Builds for NVIDIA alone.
    Nvidia,
}

/// Where the calls and assignments of a file stand, by the name that is called or set: to walk the file for each name takes minutes for
/// files of 10,000 lines.
pub(super) struct Named {
    pub(super) calls: FxHashMap<String, Vec<Range<usize>>>,
    pub(super) assignments: FxHashMap<String, Vec<Range<usize>>>,
}

/// What was found out already: each answer costs a walk over the file, and a file asks the same of hundreds of places.
#[derive(Default)]
pub(super) struct Asked {
    /// Of a function by its node, as deep as its callers are followed.
    pub(super) callers: FxHashMap<(usize, usize), Option<Side>>,
    pub(super) cuda_versions: FxHashMap<String, bool>,
    pub(super) amd_variables: FxHashMap<String, bool>,
}
