//! Whom a place of a script is for, and what was found out of a file already.

use rustc_hash::FxHashMap;

/// Who reads a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Builds for AMD alone.
    Amd,
    /// Builds for NVIDIA alone.
    Nvidia,
    /// Builds for the accelerators of another maker, or nobody: neither NVIDIA's nor AMD's.
    Other,
}

/// What other makers than NVIDIA and AMD call their accelerators and what runs on them: Huawei, Cambricon, Moore Threads, MetaX, Kunlunxin,
/// Iluvatar, Hygon, Enflame, Intel, Google. Apple's `mps` is CUDA's service for several processes as well.
pub(crate) const OTHER_ACCELERATORS: &[&str] = &[
    "npu",
    "ascend",
    "mlu",
    "camb",
    "cambricon",
    "musa",
    "mthreads",
    "metax",
    "maca",
    "kunlunxin",
    "iluvatar",
    "hcu",
    "dcu",
    "ppu",
    "gcu",
    "aipu",
    "intel",
    "xpu",
    "hpu",
    "gaudi",
    "habana",
    "tpu",
];

/// What folders, modules and functions for AMD's GPUs have in their names.
pub(crate) const AMD_WORDS: &[&str] = &["amd", "rocm", "hip"];

/// Whether a text names an accelerator of another maker by a word of it, `torch.npu.is_available`, and no GPU beside it.
pub(crate) fn names_other_accelerator(text: &str) -> bool {
    const GPUS: &[&str] = &["cuda", "gpu", "nvidia", "rocm", "hip", "amd"];
    let lower = text.to_ascii_lowercase();
    let words = || lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    words().any(|word| OTHER_ACCELERATORS.contains(&word))
        && !words().any(|word| GPUS.iter().any(|gpu| word.starts_with(gpu)))
}

/// The calls and assignments of a file by their numbers, by the name that is called or set: to walk the file for each name takes minutes for
/// files of 10,000 lines.
pub(super) struct Named {
    pub(super) calls: FxHashMap<String, Vec<u32>>,
    pub(super) assignments: FxHashMap<String, Vec<u32>>,
}

/// The identifiers of a file by their numbers, by what they are called, and how often a text stands in it as a string.
pub(super) struct Words {
    pub(super) identifiers: FxHashMap<String, Vec<u32>>,
    pub(super) texts: FxHashMap<String, usize>,
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
    /// Of a variable by its name, and whether it holds: whom it is for.
    pub(super) variables: FxHashMap<(String, bool), Option<Side>>,
    /// Whether the module keeps lists for AMD, and for NVIDIA, by their names.
    pub(super) lists: Option<[bool; 2]>,
    /// Of a function by its node: whether it calls what loads something.
    pub(super) loading: FxHashMap<u32, bool>,
}

/// The functions of a file that Triton compiles, read once: a file has hundreds of options that ask for them.
pub(super) struct Kernels {
    /// Their definitions with decorators by number, in order.
    pub(super) all: Vec<u32>,
    /// The places among all of those that have a name, or speak of it in their decorators.
    pub(super) by_word: FxHashMap<String, Vec<usize>>,
    /// Of each: the most products of matrices in one loop of it or of a kernel that it calls, however far.
    pub(super) most: Vec<usize>,
    /// The products of matrices of each loop of the file by its number, those of loops within it aside.
    pub(super) dots: FxHashMap<u32, usize>,
}
