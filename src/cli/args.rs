use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::reports::ReportArgs;
use crate::config::{FilesTable, TranslateTable};
use crate::diagnostic::Severity;
use crate::edit::Applicability;
use crate::mapping::{LibraryVendor, Version};
use crate::pipeline::Naming;
use crate::report::Format;
use crate::rules::{CompatMode, LaunchStyle, RuleChoice, RuntimeHeader, WarpMode};

const EXAMPLES: &str = "\
Examples:
  cass-transpile src/ out/            translate a tree; the report is printed and written to out/
  cass-transpile kernel.cu -o k.hip   translate one file
  cass-transpile --in-place --backup src/
  cat k.cu | cass-transpile - --stdin-filename k.cu
  cass-transpile check src/           list what needs a person; writes nothing, exit code 1 if there is something
  cass-transpile diff src/            show the translation as a patch
  cass-transpile explain CASS003      what a finding means and what to do

Exit codes: 0 done, 1 findings at or above --fail-on (check) or a difference (diff OUT), 2 usage or tool error.";

/// Translates CUDA C++ to HIP for AMD GPUs, and says what needs a person.
///
/// Needs no CUDA, no ROCm and no compiler flags. Every file of SRC arrives in OUT: translated, or copied as it is.
#[derive(Debug, Parser)]
#[command(name = "cass-transpile", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Whether output is coloured; `auto` does so on terminals, and follows NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(super) color: Color,
    #[command(flatten)]
    pub(super) convert: ConvertArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List what needs a person, as a compiler would; writes nothing
    Check(CheckArgs),
    /// Show what translation changes as a unified diff, or how OUT differs from what it should be
    Diff(DiffArgs),
    /// Print the documentation of a rule
    Explain(ExplainArgs),
    /// List all rules
    Rules(RulesArgs),
    /// Print a JSON schema
    Schema(SchemaArgs),
    /// Write or check a header of `#define cudaX hipX` for projects that keep their CUDA sources
    Shim(ShimArgs),
    /// Serve an editor over the language server protocol
    Lsp(LspArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
    /// Say what a name becomes: CUDA to HIP, HIP to CUDA, prefixes, globs
    Query(super::query::QueryArgs),
    /// List, count, verify or import mapping tables
    Mappings(super::mappings::MappingsArgs),
}

#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// File or folder to translate; `-` reads standard input
    #[arg(required = true)]
    pub(super) src: Option<PathBuf>,
    /// Folder for the result
    pub(super) out: Option<PathBuf>,
    /// File for the result of a single file; `-` writes to standard output
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["out", "in_place"])]
    pub(super) output: Option<PathBuf>,
    /// Change the files of SRC themselves
    #[arg(long, conflicts_with = "out")]
    pub(super) in_place: bool,
    /// With --in-place: keep each changed file beside the new one, with this suffix
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, default_missing_value = ".cuda-orig", requires = "in_place")]
    pub(super) backup: Option<String>,
    /// Put a comment `// CASS003: advice` before each line of the result that a person has to change, in place of those of an
    /// earlier run; `remove` only takes them out
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "add", value_name = "WHAT")]
    pub(super) annotate: Option<Annotate>,
    /// Write nothing but the files of --report, print what would happen
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Write into a folder that holds files of others
    #[arg(long)]
    pub(super) force: bool,
    /// Name of the input for `-`
    #[arg(long, value_name = "NAME", default_value = "stdin.cu")]
    pub(super) stdin_filename: String,
    /// How files are called: `hip` turns .cu into .hip and follows it in includes [default: keep]
    #[arg(long, value_enum)]
    pub(super) naming: Option<Naming>,
    /// Print only errors
    #[arg(short, long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
    #[command(flatten)]
    pub(super) translate: TranslateArgs,
    #[command(flatten)]
    pub(super) files: FileArgs,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
}

/// What decides the translation; the same for every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Translation")]
pub(super) struct TranslateArgs {
    /// How launches are written: as they are, or as hipLaunchKernelGGL [default: keep]
    #[arg(long, value_enum)]
    pub(super) launch: Option<LaunchStyle>,
    /// Target of cuBLAS [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(super) blas: Option<LibraryVendor>,
    /// Target of cuFFT [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(super) fft: Option<LibraryVendor>,
    /// Target of cuRAND [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(super) rand: Option<LibraryVendor>,
    /// Target of cuSPARSE [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(super) sparse: Option<LibraryVendor>,
    /// Target of cuSOLVER [default: hip]
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(super) solver: Option<LibraryVendor>,
    /// What a warp becomes: 32 lanes that keep the program's meaning on every chip, or the hardware's wavefront [default: logical32]
    #[arg(long, value_enum)]
    pub(super) warp: Option<WarpMode>,
    /// How helper functions reach the output [default: header]
    #[arg(long, value_enum)]
    pub(super) compat: Option<CompatMode>,
    /// ROCm release to convert for [default: 6.4]
    #[arg(long, value_name = "X.Y")]
    pub(super) rocm: Option<Version>,
    /// Which files get the runtime header: those that need it, or every .cu file, as nvcc does [default: needed]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(super) runtime_header: Option<RuntimeHeader>,
    /// Rename names of CUDA in string literals too, such as messages
    #[arg(long)]
    pub(super) strings: bool,
    /// Translate HIP to CUDA: names that one CUDA name alone becomes go back, what is lost on the way is a finding
    #[arg(long)]
    pub(super) reverse: bool,
    /// Leave code (not macros) in `#if 0` and under macros that the file does not define as it is
    #[arg(long)]
    pub(super) skip_inactive: bool,
    /// Chips to convert for; findings that hold only for others are left out
    #[arg(long, value_name = "GFX", value_delimiter = ',')]
    pub(super) target: Vec<String>,
    /// The least sure fix that is applied [default: review]
    #[arg(long, value_enum)]
    pub(super) fix_level: Option<FixLevel>,
    /// Table of your own on top of the built-in ones (TOML, repeatable)
    #[arg(long, value_name = "FILE")]
    pub(super) mappings: Vec<PathBuf>,
}

/// Which files take part.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub(super) struct FileArgs {
    /// Only files that match (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(super) include: Vec<String>,
    /// No files that match (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(super) exclude: Vec<String>,
    /// Also files that .gitignore names
    #[arg(long)]
    pub(super) no_ignore: bool,
    /// Threads; default: one per core
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<usize>,
}

/// Which rules report, and where settings come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules and configuration")]
pub(super) struct RuleArgs {
    /// Report only these rules: codes, names or groups, separated by commas (repeatable)
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) select: Vec<String>,
    /// Do not report these; what converts still converts
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
    /// Switch these off: neither findings nor edits
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) off: Vec<String>,
    /// Report these as errors
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) error: Vec<String>,
    /// Report these as warnings
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) warn: Vec<String>,
    /// Configuration to use in place of the nearest cass.toml at or above SRC
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub(super) config: Option<PathBuf>,
    /// Read no cass.toml
    #[arg(long)]
    pub(super) isolated: bool,
    /// Print the settings that hold for SRC as a cass.toml would say them, and do nothing else
    #[arg(long)]
    pub(super) show_config: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Files and folders to check
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// List only the names that this header of `#define cudaX hipX` does not cover, with the lines to add
    #[arg(long, value_name = "FILE")]
    pub(super) shim: Option<PathBuf>,
    /// Lowest severity that makes the exit code 1 [default: warning]
    #[arg(long, value_enum)]
    pub(super) fail_on: Option<Level>,
    /// Lowest severity that is printed; `info` also lists what converts safely [default: warning]
    #[arg(long, value_enum)]
    pub(super) show: Option<Level>,
    /// File of known findings: only others are printed and fail
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write the findings into the baseline, and do nothing else
    #[arg(long, conflicts_with_all = ["changed", "add_suppressions"])]
    pub(super) update_baseline: bool,
    /// Only files that git calls changed: staged, unstaged and untracked ones
    #[arg(long)]
    pub(super) changed: bool,
    /// With --changed: since the branch left this commit or branch
    #[arg(long, value_name = "REF", requires = "changed")]
    pub(super) since: Option<String>,
    /// Write a suppression with this reason before each line with findings, in the sources themselves
    #[arg(long, value_name = "REASON")]
    pub(super) add_suppressions: Option<String>,
    /// How findings are printed
    #[arg(long, value_enum, default_value = "full")]
    pub(super) output_format: Format,
    /// Count findings by rule in place of listing them
    #[arg(long)]
    pub(super) statistics: bool,
    /// Exit with 0 whatever is found
    #[arg(long)]
    pub(super) exit_zero: bool,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
    #[command(flatten)]
    pub(super) translate: TranslateArgs,
    #[command(flatten)]
    pub(super) files: FileArgs,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
}

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// File or folder to translate
    pub(super) src: PathBuf,
    /// Folder that should hold the result: shows how it differs from a fresh translation, exit code 1 if it does
    pub(super) out: Option<PathBuf>,
    /// Print how many lines change by file in place of the patch
    #[arg(long)]
    pub(super) stat: bool,
    /// Write the patch to a file; with --stat, the counts are printed as well
    #[arg(long, value_name = "FILE")]
    pub(super) patch: Option<PathBuf>,
    /// Exit with 1 when translation changes anything; always so with OUT
    #[arg(long)]
    pub(super) exit_code: bool,
    /// How files of OUT are called [default: keep]
    #[arg(long, value_enum)]
    pub(super) naming: Option<Naming>,
    #[command(flatten)]
    pub(super) translate: TranslateArgs,
    #[command(flatten)]
    pub(super) files: FileArgs,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Code or name of a rule: CASS003, unsupported-api
    pub(super) rule: String,
}

#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ShimArgs {
    #[command(subcommand)]
    pub(super) command: ShimCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum ShimCommand {
    /// Write a shim header for exactly the names that some files and folders use
    Generate(ShimGenerateArgs),
    /// List the names in use that a shim header does not cover, with the lines to add; exit code 1 if there are any
    Check(ShimCheckArgs),
}

#[derive(Debug, Args)]
pub(super) struct ShimGenerateArgs {
    /// Files and folders
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// File for the header instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    pub(super) translate: TranslateArgs,
    #[command(flatten)]
    pub(super) files: FileArgs,
}

#[derive(Debug, Args)]
pub(super) struct ShimCheckArgs {
    /// Files and folders
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// The shim header
    #[arg(long, value_name = "FILE")]
    pub(super) shim: PathBuf,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    pub(super) translate: TranslateArgs,
    #[command(flatten)]
    pub(super) files: FileArgs,
}

#[derive(Debug, Args)]
pub(super) struct LspArgs {
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    pub(super) translate: TranslateArgs,
    #[command(flatten)]
    pub(super) files: FileArgs,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Which schema
    #[arg(value_enum)]
    pub(super) of: SchemaOf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SchemaOf {
    /// The JSON report
    Report,
    /// cass.toml
    Config,
    /// Mapping tables (as TOML is read into JSON)
    Mappings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Level {
    Info,
    Warning,
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Annotate {
    Add,
    Remove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FixLevel {
    Safe,
    Review,
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

impl Level {
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::Info => Severity::Info,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}

impl TranslateArgs {
    /// What the command line says, in the terms of a configuration file.
    pub(super) fn table(&self) -> TranslateTable {
        TranslateTable {
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
            reverse: self.reverse.then_some(true),
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

impl FileArgs {
    /// What the command line says, in the terms of a configuration file.
    pub(super) fn table(&self) -> FilesTable {
        FilesTable {
            include: (!self.include.is_empty()).then(|| self.include.clone()),
            exclude: Some(self.exclude.clone()),
            no_ignore: self.no_ignore.then_some(true),
        }
    }
}

impl RuleArgs {
    /// What the command line says, in the terms of a configuration file.
    pub(super) fn choice(&self) -> RuleChoice {
        RuleChoice {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            off: self.off.clone(),
            error: self.error.clone(),
            warn: self.warn.clone(),
        }
    }
}
