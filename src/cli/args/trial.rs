use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::mapping::chip;

const MEND: &str = "\
Each unit that does not compile is asked about. An answer is tried on copies that only the compiler sees, and kept when the unit compiles
for the host and every chip, and no other unit fails by it. Paths outside OUT, links, files that the port does not know, lines written by
hand, and answers by which a definition or a launch goes are refused, each with its reason. Kept answers are printed as a diff.

Examples:
  cass-transpile mend port/ --with 'python3 ask.py'
  cass-transpile mend port/ --with ./ask --tries 3 --target gfx942,gfx1100 --dry-run
  cass-transpile mend port/ --with ./ask --prove 'sh build-and-compare.sh'

Exit codes: 0 every unit compiles, 1 some do not, 2 usage or tool error, no compiler and no units among them.";

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
    /// Mend in OUT what the compiler proves: a name of CUDA that the tables know, a missing include, `typename` and `template`, casts
    /// from and to `void *`; no line that was written by hand. Prints the mends as a diff
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    #[command(flatten)]
    pub(in crate::cli) units: UnitArgs,
}

#[derive(Debug, Args)]
#[command(after_help = MEND)]
pub(in crate::cli) struct MendArgs {
    /// The command: it reads a question as JSON and prints an answer as JSON; `cass-transpile schema mend` has both
    #[arg(
        long = "with",
        value_name = "COMMAND",
        required_unless_present = "answers"
    )]
    pub(in crate::cli) command: Option<String>,
    /// Answers that are there already, an object of JSON by unit, in place of a command; with `{}` the result has the questions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "tries"])]
    pub(in crate::cli) answers: Option<PathBuf>,
    /// Seconds that it has for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) answer_timeout: u32,
    /// How often it is asked about a unit; from the second time on it is told why the answer before was not kept
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(in crate::cli) tries: u32,
    /// Runs in a copy of OUT with all answers, once all units compile with them; what does not end with exit code 0 is not kept
    #[arg(long, value_name = "COMMAND")]
    pub(in crate::cli) prove: Option<String>,
    /// Seconds that --prove has
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) prove_timeout: u32,
    /// Answers may change lines that were written by hand, too
    #[arg(long)]
    pub(in crate::cli) by_hand: bool,
    /// Show what would be kept, and write nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    #[command(flatten)]
    pub(in crate::cli) units: UnitArgs,
}

/// Which units, and how they are compiled.
#[derive(Debug, Args)]
pub(in crate::cli) struct UnitArgs {
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
