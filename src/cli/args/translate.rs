use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::config::TranslateTable;
use crate::edit::Applicability;
use crate::mapping::{LibraryVendor, Version, chip};
use crate::options::CompatMode;
use crate::options::Dialect;
use crate::options::HipSupport;
use crate::options::LaunchStyle;
use crate::options::RuntimeHeader;
use crate::options::Vendors;
use crate::options::WarpMode;

/// What decides the translation; the same for every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Translation")]
pub(in crate::cli) struct TranslateArgs {
    /// Build system for AMD: hipcc, or PyTorch's, which renames CUDA itself and needs one source for both vendors [default: auto]
    #[arg(long, value_enum)]
    pub(in crate::cli) dialect: Option<Dialect>,
    /// Vendors that the result serves: AMD alone, or both, from one source and with an option in build files that is off by default
    /// [default: auto, both for PyTorch and for trees that support AMD]
    #[arg(long, value_enum, alias = "build", value_name = "WHOM")]
    pub(in crate::cli) vendors: Option<Vendors>,
    /// How launches are written: as they are, or as hipLaunchKernelGGL [default: keep]
    #[arg(long, value_enum)]
    pub(in crate::cli) launch: Option<LaunchStyle>,
    /// Target of cuBLAS [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(in crate::cli) blas: Option<LibraryVendor>,
    /// Target of cuFFT [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(in crate::cli) fft: Option<LibraryVendor>,
    /// Target of cuRAND [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(in crate::cli) rand: Option<LibraryVendor>,
    /// Target of cuSPARSE [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(in crate::cli) sparse: Option<LibraryVendor>,
    /// Target of cuSOLVER [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(in crate::cli) solver: Option<LibraryVendor>,
    /// What a warp becomes: 32 lanes that keep the program's meaning on every chip, or the hardware's wavefront [default: logical32]
    #[arg(long, value_enum)]
    pub(in crate::cli) warp: Option<WarpMode>,
    /// How helper functions reach the output [default: header]
    #[arg(long, value_enum)]
    pub(in crate::cli) compat: Option<CompatMode>,
    /// ROCm release to convert for [default: 6.4]
    #[arg(long, value_name = "X.Y", value_parser = chip::rocm_release)]
    pub(in crate::cli) rocm: Option<Version>,
    /// Which files get the runtime header: those that need it, or every .cu file, as nvcc does [default: needed]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(in crate::cli) runtime_header: Option<RuntimeHeader>,
    /// Rename names of CUDA in string literals too, such as messages
    #[arg(long)]
    pub(in crate::cli) strings: bool,
    /// What becomes of code that a project builds for AMD already: kept as it is, or translated like any other [default: keep]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(in crate::cli) hip_support: Option<HipSupport>,
    /// Translate HIP to CUDA: names with exactly one CUDA counterpart are renamed, the others are findings
    #[arg(long)]
    pub(in crate::cli) reverse: bool,
    /// Give CUDA's results at the edges of types too: NaN and overflow in casts, shifts by the width or more, fast functions
    #[arg(long)]
    pub(in crate::cli) strict_math: bool,
    /// Repair calls of PyTorch's `load_inline` that build for nobody, where that is mechanical
    #[arg(long)]
    pub(in crate::cli) repair: bool,
    /// Leave code (not macros) in `#if 0` and under macros that the file does not define as it is
    #[arg(long)]
    pub(in crate::cli) skip_inactive: bool,
    /// Chips to convert for, as target ids (gfx90a:xnack-) or products (MI300X); findings that hold only for others are left out
    #[arg(long, value_name = "CHIP", value_delimiter = ',', value_parser = chip::target_id)]
    pub(in crate::cli) target: Vec<String>,
    /// The least certain fix that is applied [default: review]
    #[arg(long, value_enum)]
    pub(in crate::cli) fix_level: Option<FixLevel>,
    /// Table of your own on top of the built-in ones (TOML, repeatable)
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) mappings: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FixLevel {
    Safe,
    Review,
}

impl TranslateArgs {
    /// What the command line says, in the terms of a configuration file.
    pub(in crate::cli) fn table(&self) -> TranslateTable {
        TranslateTable {
            dialect: self.dialect,
            vendors: self.vendors,
            launch: self.launch,
            blas: self.blas,
            fft: self.fft,
            rand: self.rand,
            sparse: self.sparse,
            solver: self.solver,
            warp: self.warp,
            compat: self.compat,
            runtime_header: self.runtime_header,
            strings: self.strings.then_some(true),
            hip_support: self.hip_support,
            reverse: self.reverse.then_some(true),
            strict_math: self.strict_math.then_some(true),
            repair: self.repair.then_some(true),
            skip_inactive: self.skip_inactive.then_some(true),
            rocm: self.rocm.map(|version| version.to_string()),
            target: (!self.target.is_empty()).then(|| self.target.clone()),
            fix_level: self.fix_level.map(FixLevel::applicability),
            naming: None,
            mappings: (!self.mappings.is_empty()).then(|| self.mappings.clone()),
        }
    }
}

impl FixLevel {
    fn applicability(self) -> Applicability {
        match self {
            Self::Safe => Applicability::Safe,
            Self::Review => Applicability::Review,
        }
    }
}
