//! Where things are on a machine: ROCm, its compiler, the cache, the toolkit folder that the command was called from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::identity::Claim;

/// Where things are, and what a person said for all commands.
#[derive(Clone, Debug)]
pub struct Place {
    /// ROCm's folder.
    pub rocm: PathBuf,
    /// AMD's clang, or hipcc.
    pub compiler: Option<PathBuf>,
    /// Folder of the cache.
    pub cache: PathBuf,
    /// The toolkit folder that the command lies in.
    pub toolkit: Option<PathBuf>,
    /// Chips to compile for.
    pub targets: Vec<String>,
    /// Release of CUDA to speak of.
    pub claim: Claim,
    /// `-ptx` and `-cubin` write AMD's code object.
    pub modules: bool,
    /// Whether findings are printed.
    pub tells: bool,
}

/// Settings of a toolkit folder, by key.
pub type Said = BTreeMap<String, String>;
