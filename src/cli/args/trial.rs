use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::mapping::chip;

#[derive(Debug, Args)]
#[command(after_help = "\
Nothing is linked and nothing is run: ROCm's headers and a clang are enough, no GPU and no device library.

Examples:
  cass-transpile try port/                          find the units, compile each, say what stops them
  cass-transpile try port/ -p build/                the units of a compilation database, of the CUDA build too
  cass-transpile try port/ --target gfx942,gfx1100  for more than one chip
  cass-transpile try port/ --include 'src/**' -- -DUSE_ROCM

Exit codes: 0 every unit compiles, 1 some do not, 2 usage or tool error, no compiler and no units among them.")]
pub(in crate::cli) struct TryArgs {
    /// Folder with a port: what a translation wrote, or a tree that was translated in place
    #[arg(default_value = ".")]
    pub(in crate::cli) out: PathBuf,
    /// Compilation database of the build, or its folder; one of the CUDA build serves too
    #[arg(short = 'p', long, value_name = "FILE|DIR")]
    pub(in crate::cli) compile_commands: Option<PathBuf>,
    /// How units are found [default: the first that gives some, in this order]
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        conflicts_with = "compile_commands"
    )]
    pub(in crate::cli) units: Option<Finding>,
    /// Chips to compile for, as target ids (gfx90a:xnack-) or products (MI300X)
    #[arg(long, value_name = "CHIP", value_delimiter = ',', value_parser = chip::target_id, default_value = "gfx90a")]
    pub(in crate::cli) target: Vec<String>,
    /// Folder of ROCm, with its headers in `include` [default: ROCM_PATH, HIP_PATH, /opt/rocm]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) rocm_path: Option<PathBuf>,
    /// hipcc or clang++ [default: ROCm's, then those in PATH]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) compiler: Option<PathBuf>,
    /// Only units that match (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) include: Vec<String>,
    /// No units that match (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) exclude: Vec<String>,
    /// Units at a time; a unit takes up to 1 GB of memory; default: one per core
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<usize>,
    /// Longest time for a unit and chip
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) timeout: u32,
    /// Compile again what is known from an earlier run
    #[arg(long)]
    pub(in crate::cli) no_cache: bool,
    /// Mend in OUT what the compiler proves: a name of CUDA that the tables know, a missing include, `typename` and `template`, casts
    /// from and to `void *`; no line that was written by hand. Prints the mends as a diff
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(in crate::cli) output_format: TryFormat,
    /// Options for every unit
    #[arg(last = true, value_name = "OPTION")]
    pub(in crate::cli) options: Vec<String>,
}

/// How units are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Finding {
    /// A compilation database that lies in OUT or in its folder `build`
    Database,
    /// CMake configures OUT in a folder of its own
    Cmake,
    /// `make -n` prints the commands of the Makefiles in OUT
    Make,
    /// Every source with device code, with the include folders that its includes need
    Includes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TryFormat {
    /// Causes with their places, for people
    #[default]
    Full,
    /// One JSON object
    Json,
}
