//! What the command line can say: a file for each command that takes much, and for what several take.

mod answer;
mod bench;
mod check;
mod chips;
mod convert;
mod diff;
mod jsonl;
mod nvcc;
mod other;
mod pairs;
mod port;
mod rule_word;
mod settings;
mod shim;
mod translate;
mod trial;
mod verify;

use clap::{Parser, Subcommand, ValueEnum};

pub(super) use answer::AnswerArgs;
pub(super) use bench::{BenchArgs, BenchFormat};
pub(super) use check::{CheckArgs, Level};
pub(super) use chips::ChipsArgs;
pub(super) use convert::{Annotate, ConvertArgs, Fixing};
pub(super) use diff::DiffArgs;
pub(super) use jsonl::{CodeLanguage, JsonlArgs};
pub(super) use nvcc::NvccArgs;
pub(super) use other::{
    CompletionsArgs, ExplainArgs, InitArgs, LspArgs, ManArgs, McpArgs, RulesArgs, SchemaArgs,
    SchemaOf,
};
pub(super) use pairs::{PairsArgs, ProofArgs};
pub(super) use port::{AcceptArgs, StatusArgs};
pub(super) use settings::{FileArgs, SettingsArgs};
pub(super) use shim::{ShimArgs, ShimCheckArgs, ShimCommand, ShimGenerateArgs};
pub(super) use translate::TranslateArgs;
pub(super) use trial::{Finding, MendArgs, TryArgs, TryFormat, UnitArgs};
pub(super) use verify::{
    VerifyArgs, VerifyCommand, VerifyCompareArgs, VerifyCostsArgs, VerifyRunArgs, VerifyTakeArgs,
    VerifyToleranceArgs,
};

// clap cannot tell sources from the folder behind them: to it they are one list.
const USAGE: &str = "\
cass-transpile [OPTIONS] [SRC]... [OUT]
       cass-transpile <COMMAND>";

const EXAMPLES: &str = "\
Examples:
  cass-transpile check                list what needs a person, in this folder; writes nothing, exit code 1 if there is something
  cass-transpile src/ out/            translate a tree; the report is printed and written to out/
  cass-transpile kernel.cu -o k.hip   translate one file
  cass-transpile --in-place --backup src/
  cat k.cu | cass-transpile - --stdin-filename k.cu
  cass-transpile diff src/            show the translation as a patch
  cass-transpile status src/ out/     what a second run would do; it merges what was changed by hand in out/
  cass-transpile try out/             compile the units of the port, and say what stops them
  cass-transpile explain CASS003      what a finding means and what to do
  cass-transpile verify --help        did the port compute the same? three steps on up to three machines

Exit codes: 0 done, 1 findings at or above --fail-on (check), a difference (diff OUT) or a conflict with work by hand, 2 usage or tool error.";

/// Translates CUDA C++ to HIP for AMD GPUs, and says what needs a person.
///
/// Needs no CUDA, no ROCm and no compiler flags. Every file of SRC arrives in OUT: translated, or copied as it is.
#[derive(Debug, Parser)]
#[command(name = "cass-transpile", version, override_usage = USAGE, after_help = EXAMPLES, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Whether output is coloured; `auto` does so on terminals, and follows NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(super) color: Color,
    /// Print no summary and no notes: only findings, results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Also say which settings hold, how many files took part and how long it took
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) convert: ConvertArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List what needs a person, as a compiler would; writes nothing
    Check(CheckArgs),
    /// Show what translation changes as a unified diff, or how OUT differs from what it should be
    Diff(DiffArgs),
    /// Compare OUT with SRC: in sync, behind, changed by hand, in conflict; findings open and resolved by hand
    Status(StatusArgs),
    /// Compile the units of a port for AMD, as far as the front end goes, and say what stops them
    Try(TryArgs),
    /// Ask a command of your choice about units that do not compile, and keep the answers that are proved
    Mend(MendArgs),
    /// Accept manual changes in OUT as intended; also takes over an OUT that has no manifest
    #[command(visible_alias = "adopt")]
    Accept(AcceptArgs),
    /// Print the documentation of a rule
    Explain(ExplainArgs),
    /// Write a cass.toml with every setting, its default and what it means
    Init(InitArgs),
    /// List all rules
    Rules(RulesArgs),
    /// List the AMD GPUs that --target takes: wavefront, LDS, features, products
    Chips(ChipsArgs),
    /// Print a JSON schema
    Schema(SchemaArgs),
    /// Write or check a header of `#define cudaX hipX` for projects that keep their CUDA sources
    Shim(ShimArgs),
    /// Drop-in replacement for nvcc: make AMD objects and programs from CUDA sources and build files as they are
    Nvcc(NvccArgs),
    /// Serve an editor over the language server protocol
    Lsp(LspArgs),
    /// Serve a coding agent over the Model Context Protocol, on standard input and output
    Mcp(McpArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or of one of its commands
    Man(ManArgs),
    /// Say what a name becomes: CUDA to HIP, HIP to CUDA, prefixes, globs
    Query(super::query::QueryArgs),
    /// List, count, verify or import mapping tables
    Mappings(super::mappings::MappingsArgs),
    /// Did the port compute the same? Run the original, run the port, compare
    Verify(VerifyArgs),
    /// Translate, build, run and compare programs on the emulated GPU, and count how many come how far
    Bench(BenchArgs),
    /// Write pairs of CUDA and HIP for research and training, with the level of proof that each reached
    Pairs(PairsArgs),
    /// Translate one member of each record of a data set: lines of JSON in, lines of JSON out
    Jsonl(JsonlArgs),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    pub(super) fn set(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
