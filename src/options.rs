//! What a person chose: everything that decides what a file becomes, and what an estimate of the work by hand assumes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edit::Applicability;
use crate::mapping::{Choices, Version};

/// How launches are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum LaunchStyle {
    /// `kernel<<<grid, block>>>(…)`, as clang reads it.
    #[default]
    Keep,
    /// `hipLaunchKernelGGL(kernel, grid, block, 0, 0, …)`.
    Ggl,
}

/// Which files get the runtime header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum RuntimeHeader {
    /// Those that use the runtime and include nothing that brings it.
    #[default]
    Needed,
    /// Also every `.cu` file, as nvcc includes it into all of them.
    Always,
}

/// What a warp becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum WarpMode {
    /// Groups of 32 lanes keep the program's meaning on wave64 and wave32 alike.
    #[default]
    Logical32,
    /// The hardware's wavefront; every place that assumes 32 is reported.
    Native,
}

/// Who builds the sources for AMD, and so what is left to do in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Each file's own: `torch` where the tree builds PyTorch extensions, else `cuda`.
    #[default]
    Auto,
    /// hipcc reads what this program writes.
    Cuda,
    /// PyTorch's build renames CUDA itself: one source for both vendors, with only what that build does not do.
    Torch,
}

/// Whom the result serves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Vendors {
    /// Both where PyTorch's build or a port of the project's own does, else AMD alone.
    #[default]
    #[serde(alias = "hip")]
    #[cfg_attr(feature = "cli", value(alias = "hip"))]
    Auto,
    /// AMD alone, also what PyTorch's build would rename itself.
    Amd,
    /// Both: each edit means the same to NVIDIA's compiler, stands under a guard or an option beside what was there, or is a finding.
    #[serde(alias = "dual")]
    #[cfg_attr(feature = "cli", value(alias = "dual"))]
    Both,
}

/// How helper functions reach the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum CompatMode {
    /// One header beside the output.
    #[default]
    Header,
    /// Written into each file that uses them.
    Inline,
    /// Not at all: what needs one is a finding.
    None,
}

/// What becomes of code that a project builds for AMD already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum HipSupport {
    /// It stays as it is; what the support lacks is reported.
    #[default]
    Keep,
    /// It is translated like any other code.
    Ignore,
}

/// What a person chose; everything that decides what a file becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Who builds the sources.
    pub dialect: Dialect,
    /// Whom the result serves.
    #[serde(alias = "build")]
    pub vendors: Vendors,
    /// How launches are written.
    pub launch: LaunchStyle,
    /// Library families.
    pub choices: Choices,
    /// Which files get the runtime header.
    pub runtime_header: RuntimeHeader,
    /// Names of CUDA in string literals are renamed too.
    pub strings: bool,
    /// Casts, shifts and functions of the device give CUDA's results at the edges of their types too: what is no number, infinite, out of
    /// range, an amount of the width or more.
    pub strict_math: bool,
    /// Calls of `load_inline` that build for nobody are repaired where that is mechanical.
    pub repair: bool,
    /// Code in `#if 0` and under macros that the file does not define stays as it is.
    pub skip_inactive: bool,
    /// What becomes of code that a project builds for AMD already.
    pub hip_support: HipSupport,
    /// From HIP to CUDA.
    pub reverse: bool,
    /// What a warp becomes.
    pub warp: WarpMode,
    /// How helpers reach the output.
    pub compat: CompatMode,
    /// ROCm release to convert for.
    #[schemars(with = "String")]
    #[serde(with = "version_text")]
    pub rocm: Version,
    /// Chips to convert for, `gfx90a`; empty means all.
    pub targets: Vec<String>,
    /// The least sure fix that conversion applies.
    pub fix_level: Applicability,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialect: Dialect::Auto,
            vendors: Vendors::default(),
            launch: LaunchStyle::Keep,
            choices: Choices::default(),
            runtime_header: RuntimeHeader::default(),
            strings: false,
            strict_math: false,
            repair: false,
            skip_inactive: false,
            hip_support: HipSupport::Keep,
            reverse: false,
            warp: WarpMode::default(),
            compat: CompatMode::default(),
            rocm: Version::new(6, 4),
            targets: Vec::new(),
            fix_level: Applicability::Review,
        }
    }
}

/// Minutes that a problem takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Minutes {
    /// From and to, for understanding it and changing its first place.
    pub first: [u32; 2],
    /// From and to, for each further place.
    pub again: [u32; 2],
}

/// Minutes by kind of problem. Nobody has measured the defaults: they are ranges that porters may argue about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// An error: the code has to be rewritten by hand.
    pub error: Minutes,
    /// A warning without a change: whether it matters here has to be found out.
    pub warning: Minutes,
    /// A warning whose change translation makes: it has to be reviewed.
    pub review: Minutes,
}

impl Default for Weights {
    fn default() -> Self {
        let minutes = |first, again| Minutes { first, again };
        Self {
            error: minutes([30, 240], [3, 15]),
            warning: minutes([10, 60], [1, 5]),
            review: minutes([5, 30], [1, 3]),
        }
    }
}

/// Versions as text in configuration files.
mod version_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::mapping::Version;

    pub(crate) fn serialize<S: Serializer>(
        version: &Version,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(version)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Version, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}
