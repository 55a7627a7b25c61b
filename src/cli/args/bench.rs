//! `bench`: how many programs come how far.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::VerifyToleranceArgs;
use crate::mapping::chip;

const EXAMPLES: &str = "\
Stages, each on those before it:
  translated   the translator gave a result for every source
  compiled     for the host and every chip
  linked       a program came of it
  ran          it ended as it should, on the emulated GPU, on every chip
  equal        it printed what it should: what was recorded or is given, else what its twin in HIP prints
What cannot be tried (no compiler, no emulator, no `main`, nothing to compare with) is `not tried`, never passed.

Programs are folders with a Makefile, folders whose sources have one `main`, and sources by themselves. `X-hip` beside `X-cuda`,
`hip/X` beside `cuda/X` and `x.hip` beside `x.cu` are twins. A file has a task a line, as JSON: the source (cuda_source, source,
code ...), a driver, a twin (hip_source, target ...), arguments, input, expected_output, or a list of tests; or a line of code each.

Examples:
  cass-transpile bench HeCBench/src --arguments emulator/tools/hecbench.tsv --recorded cuda.jsonl
  cass-transpile bench tasks.jsonl --with 'hipify-perl=hipify-perl {src}' --with 'model=python3 ask.py'
  cass-transpile bench programs/ --emulate=/opt/emulator --output-format markdown
  cass-transpile bench programs/ -- --rocm 7.0           options behind `--` go to the translation

Exit codes: 0 no program failed, 1 some did, 2 usage or tool error (130 interrupted: what is known is printed).";

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number, from 1".to_owned()),
        Ok(count) => Ok(count),
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct BenchArgs {
    /// Folder of programs, a source, or a file of tasks
    #[arg(value_name = "DIR|FILE")]
    pub(in crate::cli) programs: PathBuf,
    /// Another translator beside this one (repeatable): a command that gets each source. `{src}` is its path and `{out}` that of the
    /// result; without them it reads standard input and prints the result
    #[arg(long = "with", value_name = "NAME=COMMAND")]
    pub(in crate::cli) others: Vec<String>,
    /// Results of the original, a line of JSON each: name, arguments, code, out, and again (a second run)
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) recorded: Option<PathBuf>,
    /// Arguments by program: its name, a tab, the program and its arguments; the first that end in time count
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) arguments: Option<PathBuf>,
    /// Member of tasks in a role (repeatable): name, category, source, driver, twin, output, input, arguments, tests
    #[arg(long = "field", value_name = "ROLE=NAME")]
    pub(in crate::cli) fields: Vec<String>,
    /// Only programs whose name matches (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) include: Vec<String>,
    /// No programs whose name matches (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) exclude: Vec<String>,
    /// Only so many programs, chosen by --seed; the same for the same names, wherever it runs
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(in crate::cli) sample: Option<usize>,
    /// What a sample is chosen by
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    pub(in crate::cli) seed: u32,
    /// Keep what is known of each program in this folder, and go on from what it knows: a run that is broken off loses little
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) resume: Option<PathBuf>,
    /// Chips to compile for and to emulate
    #[arg(long, value_name = "CHIP", value_delimiter = ',', value_parser = chip::target_id, default_value = "gfx90a,gfx1030")]
    pub(in crate::cli) target: Vec<String>,
    /// Folder of the emulator, as emulator/tools/install.sh lays it out [default: $CASS_EMULATOR, or beside this program]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) emulate: Option<PathBuf>,
    /// Folder of ROCm, with its headers in `include` [default: ROCM_PATH, HIP_PATH, /opt/rocm]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) rocm_path: Option<PathBuf>,
    /// hipcc or clang++ [default: ROCm's, then those in PATH]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) compiler: Option<PathBuf>,
    /// Seconds after which a run is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) timeout: u32,
    /// Seconds after which a build, or a command of --with for one source, is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) build_timeout: u32,
    /// Programs at a time; a build takes up to 1 GB of memory; default: one per core
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<usize>,
    /// Keep translations and builds in this folder, which must be empty or new
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) tolerance: VerifyToleranceArgs,
    /// How the result is printed
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Reports"
    )]
    pub(in crate::cli) output_format: BenchFormat,
    /// Write the result to this file in place of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Reports")]
    pub(in crate::cli) output_file: Option<PathBuf>,
    /// Options of the translation
    #[arg(last = true, value_name = "OPTION")]
    pub(in crate::cli) options: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum BenchFormat {
    /// The table and what stops programs, for people
    #[default]
    Full,
    /// The same as tables of Markdown
    Markdown,
    /// One JSON object, with every program
    Json,
}
