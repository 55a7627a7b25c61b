//! Commands with hardly an argument.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::rule_word::RuleWord;
use super::{AnswerArgs, SettingsArgs};

#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainArgs {
    /// Codes, names or groups of rules (CASS003, unsupported-api, warp, CASS4), or what a compiler or linker said in quotes; `-` reads
    /// that from standard input
    #[arg(required_unless_present_any = ["all", "errors"], value_parser = RuleWord, hide_possible_values = true)]
    pub(in crate::cli) words: Vec<String>,
    /// All rules, one page behind the other
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// All messages of compilers, linkers and programs that are known here
    #[arg(long)]
    pub(in crate::cli) errors: bool,
    #[command(flatten)]
    pub(in crate::cli) answer: AnswerArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct InitArgs {
    /// Folder of the project
    #[arg(default_value = ".")]
    pub(in crate::cli) folder: PathBuf,
    /// Print it in place of writing a file
    #[arg(long)]
    pub(in crate::cli) stdout: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RulesArgs {
    #[command(flatten)]
    pub(in crate::cli) answer: AnswerArgs,
}

/// Options of `mcp`.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct McpArgs {
    /// Work below this folder alone; may be given several times [default: the folders that the client has open]
    #[arg(long, value_name = "FOLDER")]
    pub(in crate::cli) root: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct LspArgs {
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(in crate::cli) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ManArgs {
    /// The command: `check`, `shim generate`
    #[arg(value_name = "COMMAND")]
    pub(in crate::cli) commands: Vec<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SchemaArgs {
    /// Which schema
    #[arg(value_enum)]
    pub(in crate::cli) of: SchemaOf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum SchemaOf {
    /// The JSON report
    Report,
    /// cass.toml
    Config,
    /// Mapping tables (as TOML is read into JSON)
    Mappings,
    /// verify.toml
    Verify,
    /// What `try --output-format json` prints
    Try,
    /// What `mend` asks a command, and what it takes as an answer
    Mend,
    /// What `bench --output-format json` prints
    Bench,
}
