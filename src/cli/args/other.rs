//! Commands with hardly an argument.

use clap::{Args, ValueEnum};

use super::SettingsArgs;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExplainArgs {
    /// Code or name of a rule: CASS003, unsupported-api
    pub(in crate::cli) rule: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RulesArgs {
    /// As JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
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
}
