//! `pairs`: a data set of CUDA and HIP.

use std::path::PathBuf;

use clap::Args;

use super::SettingsArgs;

const EXAMPLES: &str = "\
Examples:
  cass-transpile pairs src/ -o pairs.jsonl                                  source, result, edits, findings, licence; parsed by the grammar
  cass-transpile pairs src/ -o pairs.jsonl --compile --rocm-path /opt/rocm       and compiled by clang, as far as it goes
  cass-transpile pairs src/ -o pairs.jsonl --compile --assembly --cuda-include /usr/local/cuda/include
  cass-transpile pairs HeCBench/src -o p.jsonl --project-depth 1 --origin https://github.com/zjin-lcf/HeCBench --commit 1a2b3c4
  cass-transpile pairs - < lines.jsonl > pairs.jsonl                        a filter, for Spark's pipe() and Ray: a line out for each in

A line of the filter is {\"source\": …} and may have path, project, license, url, commit; one that cannot be read becomes
{\"line\": N, \"error\": …} in its place.

Levels of proof, each on those before: translated, parsed, compiled-host, compiled-device, linked (--link), ran-equal (--verified).
`proof.next` says why a record got no further. A run that was interrupted goes on where it stopped. Beside pairs.jsonl a card,
pairs.md, counts records by level, split and licence.

Exit codes: 0 done, 2 usage or tool error (130 interrupted).";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::cli) struct PairsArgs {
    /// Files and folders to read; `-` for lines of JSON on standard input
    #[arg(required = true, value_name = "SRC")]
    pub(in crate::cli) sources: Vec<PathBuf>,
    /// File that the records go to, a line each [default: standard output, for `-` only]
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// A record for each kernel, beside those of the units
    #[arg(long)]
    pub(in crate::cli) kernels: bool,
    /// How many folders below SRC make a project: splits are by project
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(in crate::cli) project_depth: usize,
    /// Where the sources come from
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) origin: Option<String>,
    /// Their commit
    #[arg(long, value_name = "HASH")]
    pub(in crate::cli) commit: Option<String>,
    /// Their licence, where neither a notice nor a file names one
    #[arg(long, value_name = "SPDX")]
    pub(in crate::cli) license: Option<String>,
    /// Only every Nth unit is compiled, the others stay at their level
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) sample: u32,
    #[command(flatten)]
    pub(in crate::cli) proof: ProofArgs,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Proof")]
pub(in crate::cli) struct ProofArgs {
    /// Compile the results with clang, for the host and for --chip
    #[arg(long)]
    pub(in crate::cli) compile: bool,
    /// Chip that is compiled for
    #[arg(long, value_name = "CHIP", default_value = "gfx90a")]
    pub(in crate::cli) chip: String,
    /// clang++ with AMD's back end [default: that of ROCm, else the first of clang++, clang++-21 … clang++-17 that there is]
    #[arg(long, value_name = "PROGRAM")]
    pub(in crate::cli) clang: Option<String>,
    /// ROCm's folder [default: $ROCM_PATH, else /opt/rocm]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) rocm_path: Option<PathBuf>,
    /// Write device assembly into the records
    #[arg(long, requires = "compile")]
    pub(in crate::cli) assembly: bool,
    /// Folder of CUDA's headers: with it, --assembly has the source's PTX as well, by clang
    #[arg(long, value_name = "DIR", requires = "assembly")]
    pub(in crate::cli) cuda_include: Option<PathBuf>,
    /// Architecture of the PTX
    #[arg(long, value_name = "ARCH", default_value = "sm_80")]
    pub(in crate::cli) cuda_arch: String,
    /// Library of HIP's runtime to link programs with
    #[arg(long, value_name = "LIB", requires = "compile")]
    pub(in crate::cli) link: Option<PathBuf>,
    /// What `verify compare --output-format json` printed: units whose path or project is a case that is the same ran equal; or what
    /// `bench --output-format json` printed of the same folder: programs that it found equal
    #[arg(long, value_name = "FILE", requires = "link")]
    pub(in crate::cli) verified: Option<PathBuf>,
    /// Option of the compilers, -Ifolder or -DNAME (repeatable)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(in crate::cli) compiler_option: Vec<String>,
}
