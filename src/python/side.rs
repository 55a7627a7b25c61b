//! Whom a place of a script is for, and what was found out of that.

use rustc_hash::FxHashMap;

/// Who reads a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Builds for AMD alone.
    Amd,
    /// Builds for NVIDIA alone.
    Nvidia,
}

/// The calls and assignments of a file by their numbers, by the name that is called or set: to walk the file for each name takes minutes for
/// files of 10,000 lines.
pub(super) struct Named {
    pub(super) calls: FxHashMap<String, Vec<u32>>,
    pub(super) assignments: FxHashMap<String, Vec<u32>>,
}

/// What was found out already: each answer costs a walk over the file, and a file asks the same of hundreds of places.
#[derive(Default)]
pub(super) struct Asked {
    /// Of a function by its node, as deep as its callers are followed.
    pub(super) callers: FxHashMap<(u32, usize), Option<Side>>,
    /// Of a place by its node, as deep as callers are followed.
    pub(super) sides: FxHashMap<(u32, usize), Option<Side>>,
    /// Of a node: the first child whose condition says whom what stands behind is for.
    pub(super) deciding: FxHashMap<u32, Option<(u32, Side)>>,
    pub(super) cuda_versions: FxHashMap<String, bool>,
    pub(super) amd_variables: FxHashMap<String, bool>,
}
