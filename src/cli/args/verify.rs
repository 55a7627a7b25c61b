//! `verify`: record, run, compare.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::super::reports::ReportArgs;

const STEPS: &str = "\
Three steps, which may be on three machines:
  cass-transpile verify record -o gold.jsonl -- ./heat_cuda 256      where the original runs; twice, to learn what differs by itself
  cass-transpile verify run -o port.jsonl -- ./heat_hip 256          where the port runs
  cass-transpile verify compare gold.jsonl port.jsonl                anywhere

Without an AMD GPU, and in one step:
  cass-transpile verify run --emulate --against gold.jsonl -- ./heat_hip 256

For CI, the cases stand in verify.toml (its JSON schema: `cass-transpile schema verify`):
  [defaults]
  rel = 1e-5                            # also abs, ulp, timeout (seconds), ignore = [\"regex of lines\"], unordered
  [[case]]
  name = \"small\"
  record = [\"./heat_cuda\", \"{seed}\"]    # the original
  run = [\"./heat_hip\", \"{seed}\"]        # the port
  seeds = [1, 2]                        # a port that ignores its input is found out
  files = [\"out/*.bin\"]                 # default: every file that is new or changed in the working folder
and `record -o gold.jsonl` and `run -o port.jsonl` without a command run them all.

What is compared: the exit code; standard output and text files line by line, numbers by tolerance; binary files, and with --buffers
what the device copied back, as arrays of numbers. Left out and counted: times, rates, paths, addresses, lines that name the device,
and what differs between two runs of the original. A comparison that cannot fail is a failure: see `verify compare --help`.

Exit codes: 0 the same (record, run: done), 1 different, 2 usage or tool error (a command that cannot be started, an unreadable record).";

const GUARDS: &str = "\
Beside differences, these are found:
  nothing-compared      no output, or all of it left out
  tolerance-too-wide    half of a value (error) or 1 % more (warning) would pass for most numbers
  constant-output       all numbers of the original are the same
  copied-output         measured times of the record, digit for digit
  no-launch             the original launches kernels, the port none (needs --buffers on both sides)
  launch-failed         a launch failed and the program went on (--buffers)
  work-skipped          a kernel is launched less often, or on less than half of the threads (--buffers)
  fallback              the port says that it computes on the CPU
  inputs-cached         results that do not follow the seed, or runs that launch less than the first
  stale-file            a file of `files` that the run did not write
  timing-unsynchronised a clock was read around a launch that nothing waited for (--buffers)
  precision-lowered     the port's numbers fit a smaller type than the original's

A number passes when one of --abs, --rel and --ulp says so; integers and words are exact. A number that differs a little between runs
of the original gets room for eight times that.";

#[derive(Debug, Args)]
#[command(after_long_help = STEPS)]
pub(in crate::cli) struct VerifyArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: VerifyCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum VerifyCommand {
    /// Run the original and write down what it does
    #[command(after_long_help = STEPS)]
    Record(VerifyTakeArgs),
    /// Run the port and write down what it does
    #[command(after_long_help = STEPS)]
    Run(Box<VerifyRunArgs>),
    /// Compare what the port did with what the original did
    #[command(after_long_help = GUARDS)]
    Compare(VerifyCompareArgs),
    /// Costs that `run --costs=FILE` wrote, of several chips side by side, with what CUDA's compiler says of registers
    Costs(VerifyCostsArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyTakeArgs {
    /// File that what was seen goes to
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Cases [default: verify.toml, when no command is given]
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub(in crate::cli) manifest: Option<PathBuf>,
    /// Only cases of this name (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    pub(in crate::cli) case: Vec<String>,
    /// How often the command runs; what differs between runs of the original is left out [default: 2 for record, 1 for run]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(in crate::cli) runs: Option<u32>,
    /// Seconds after which the command is ended [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub(in crate::cli) timeout: Option<f64>,
    /// Also look at the device: what is copied back, which kernels are launched, what is waited for (Linux; through a preloaded library)
    #[arg(long)]
    pub(in crate::cli) buffers: bool,
    /// Folder that the command runs in
    #[arg(long, value_name = "DIR", conflicts_with = "manifest")]
    pub(in crate::cli) cwd: Option<PathBuf>,
    /// File that standard input is read from
    #[arg(long, value_name = "FILE", conflicts_with = "manifest")]
    pub(in crate::cli) stdin: Option<PathBuf>,
    /// Environment variable of the command (repeatable)
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "manifest")]
    pub(in crate::cli) env: Vec<String>,
    /// Glob of files that the command writes, in the folder it runs in (repeatable) [default: all that are new or changed]
    #[arg(long, value_name = "GLOB", conflicts_with = "manifest")]
    pub(in crate::cli) files: Vec<String>,
    /// File that the command reads; it has to be the same for the original and the port (repeatable)
    #[arg(long, value_name = "FILE", conflicts_with = "manifest")]
    pub(in crate::cli) input: Vec<PathBuf>,
    /// Most megabytes that a run may print
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub(in crate::cli) max_output: u64,
    /// The command with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub(in crate::cli) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyRunArgs {
    #[command(flatten)]
    pub(in crate::cli) take: VerifyTakeArgs,
    /// Run on the emulated GPU: the folder of its libamdhip64.so [default: beside this program, or $CASS_EMULATOR]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    pub(in crate::cli) emulate: Option<Option<PathBuf>>,
    /// Chip of the emulated GPU: gfx90a, gfx1030 …
    #[arg(long, value_name = "CHIP", requires = "emulate")]
    pub(in crate::cli) chip: Option<String>,
    /// Also count what each kernel costs, no times: registers, occupancy, instructions, lanes at work, memory [default: printed; FILE: lines of JSON]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, requires = "emulate")]
    pub(in crate::cli) costs: Option<Option<PathBuf>>,
    /// What `nvcc -Xptxas -v` printed of the original: stands beside the costs in `--report html=FILE`
    #[arg(long, value_name = "FILE", requires = "costs")]
    pub(in crate::cli) ptxas: Option<PathBuf>,
    /// Compare with this record at once
    #[arg(long, value_name = "RECORD")]
    pub(in crate::cli) against: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) tolerance: VerifyToleranceArgs,
    #[command(flatten)]
    pub(in crate::cli) reports: ReportArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyCostsArgs {
    /// What `verify run --costs=FILE` wrote, one for each chip
    #[arg(required = true, value_name = "FILE")]
    pub(in crate::cli) costs: Vec<PathBuf>,
    /// What `nvcc -Xptxas -v` printed of the original
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) ptxas: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reports: ReportArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyCompareArgs {
    /// What `verify record` wrote
    pub(in crate::cli) record: PathBuf,
    /// What `verify run` wrote
    pub(in crate::cli) run: PathBuf,
    /// Tolerances by case from this manifest in place of those of the record
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) tolerance: VerifyToleranceArgs,
    #[command(flatten)]
    pub(in crate::cli) reports: ReportArgs,
}

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Tolerance")]
pub(in crate::cli) struct VerifyToleranceArgs {
    /// Largest absolute difference of two numbers [default: 1e-8]
    #[arg(long, value_name = "X")]
    pub(in crate::cli) abs: Option<f64>,
    /// Largest relative difference [default: 1e-5]
    #[arg(long, value_name = "X")]
    pub(in crate::cli) rel: Option<f64>,
    /// Largest distance in single-precision values [default: 0]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) ulp: Option<u32>,
    /// Leave out lines that this regular expression matches (repeatable)
    #[arg(long, value_name = "REGEX")]
    pub(in crate::cli) ignore: Vec<String>,
    /// Lines come in any order
    #[arg(long)]
    pub(in crate::cli) unordered: bool,
}
