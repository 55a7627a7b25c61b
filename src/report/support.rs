//! The support for AMD that the sources have already, for people and programs: what a report says first.

use schemars::JsonSchema;
use serde::Serialize;

/// One project of the tree that supports AMD already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HipSupport {
    /// Its folder, `/` at its end; empty for the whole tree.
    pub folder: String,
    /// Macros by which the code chooses, and options of the build that switch them on.
    pub macros: Vec<String>,
    /// Headers that map names of CUDA to HIP's.
    pub mappings: Vec<Mapping>,
    /// Headers with names of the project's own for both vendors.
    pub layers: Vec<Mapping>,
    /// What the build files do for AMD.
    pub build: Vec<BuildSigns>,
    /// The build rewrites the sources with AMD's hipify before it compiles them.
    pub hipify: bool,
    /// Folders with files that are written for CUDA alone, and translated.
    pub cuda_alone: Vec<CudaFolder>,
    /// Folders and files for NVIDIA that have one for AMD beside them.
    pub twins: Vec<Twin>,
}

/// A header that maps names, or has names for both vendors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Mapping {
    /// Its path.
    pub path: String,
    /// How many names of CUDA it gives a meaning, or stands in for.
    pub names: usize,
}

/// Files for CUDA alone in a project that supports AMD.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CudaFolder {
    /// Their folder.
    pub path: String,
    /// How many files of it.
    pub files: usize,
}

/// What a build file does for AMD.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BuildSigns {
    /// Its path.
    pub path: String,
    /// The words: `enable_language(… HIP)`.
    pub signs: Vec<String>,
}

/// Code for NVIDIA and its counterpart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Twin {
    /// For NVIDIA.
    pub nvidia: String,
    /// For AMD.
    pub amd: String,
}

impl HipSupport {
    /// What it is made of, one sentence each, the first of many.
    pub(super) fn lines(&self) -> Vec<String> {
        const MOST: usize = 4;
        let list = |all: Vec<String>| match all.len().saturating_sub(MOST) {
            0 => all.join(", "),
            more => format!("{} and {more} more", all[..MOST].join(", ")),
        };
        let mut lines = Vec::new();
        let mut add = |what: &str, all: Vec<String>| {
            if !all.is_empty() {
                lines.push(format!("{what} {}", list(all)));
            }
        };
        add("chooses by", self.macros.clone());
        let mappings = self.mappings.iter();
        let mappings = mappings.map(|it| format!("{} ({} names)", it.path, it.names));
        add("maps names in", mappings.collect());
        let layers = self.layers.iter();
        let layers = layers.map(|it| match it.names {
            0 => format!("{} (by a prefix)", it.path),
            names => format!("{} ({names} names)", it.path),
        });
        add("has names for both vendors in", layers.collect());
        let build = self.build.iter();
        let build = build.map(|it| format!("{} in {}", it.signs.join(", "), it.path));
        add("builds with", build.collect());
        if self.hipify {
            add("converts at build time with", vec!["hipify".to_owned()]);
        }
        let alone = self.cuda_alone.iter();
        let alone = alone.map(|it| match it.files {
            1 => format!("{} (1 file)", it.path),
            files => format!("{} ({files} files)", it.path),
        });
        add(
            "is written for CUDA alone, and translated, in",
            alone.collect(),
        );
        let twins = self.twins.iter();
        let twins = twins.map(|it| format!("{} for {}", it.amd, it.nvidia));
        add("has", twins.collect());
        lines
    }

    /// Where it is, for people.
    pub(super) fn place(&self) -> &str {
        match &*self.folder {
            "" => "this tree",
            folder => folder,
        }
    }
}
