use std::path::PathBuf;

use clap::Args;

use super::TranslateArgs;
use super::rule_word::RuleWord;
use crate::config::FilesTable;
use crate::engine::RuleChoice;

/// What a cass.toml can say as well, the same for every command that reads sources.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct SettingsArgs {
    #[command(flatten)]
    pub(in crate::cli) translate: TranslateArgs,
    #[command(flatten)]
    pub(in crate::cli) files: FileArgs,
    #[command(flatten)]
    pub(in crate::cli) rules: RuleArgs,
}

/// Which files take part.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Files")]
pub(in crate::cli) struct FileArgs {
    /// Only files that match, from the current folder or from the one that is named (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) include: Vec<String>,
    /// No files that match, from either folder as well (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) exclude: Vec<String>,
    /// Also files that .gitignore names
    #[arg(long)]
    pub(in crate::cli) no_ignore: bool,
    /// Compilation database of the build, or its folder: which files are compiled, with which macros and include folders. Findings
    /// in code that it does not compile become information
    #[arg(short = 'p', long, value_name = "FILE|DIR")]
    pub(in crate::cli) compile_commands: Option<PathBuf>,
    /// Threads; default: one per core
    #[arg(short, long, value_name = "N")]
    pub(in crate::cli) jobs: Option<usize>,
}

/// Which rules report, and where settings come from.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Rules and configuration")]
pub(in crate::cli) struct RuleArgs {
    /// Report only these rules: codes, names or groups, separated by commas (repeatable)
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleWord, hide_possible_values = true)]
    pub(in crate::cli) select: Vec<String>,
    /// Do not report these; what converts still converts
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleWord, hide_possible_values = true)]
    pub(in crate::cli) ignore: Vec<String>,
    /// Switch these off: neither findings nor edits
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(in crate::cli) off: Vec<String>,
    /// Report these as errors
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(in crate::cli) error: Vec<String>,
    /// Report these as warnings
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(in crate::cli) warn: Vec<String>,
    /// File to use in place of the nearest cass.toml of each file, or one setting: `--config 'translate.warp="native"'` (repeatable)
    #[arg(long, value_name = "FILE|KEY=VALUE")]
    pub(in crate::cli) config: Vec<String>,
    /// Read no cass.toml
    #[arg(long)]
    pub(in crate::cli) isolated: bool,
    /// Print the settings that hold for SRC as a cass.toml would say them, and do nothing else
    #[arg(long)]
    pub(in crate::cli) show_config: bool,
}

impl FileArgs {
    /// What the command line says, in the terms of a configuration file.
    pub(in crate::cli) fn table(&self) -> FilesTable {
        FilesTable {
            include: (!self.include.is_empty()).then(|| self.include.clone()),
            exclude: Some(self.exclude.clone()),
            no_ignore: self.no_ignore.then_some(true),
            compile_commands: self.compile_commands.clone(),
        }
    }
}

impl RuleArgs {
    /// What the command line says, in the terms of a configuration file.
    pub(in crate::cli) fn choice(&self) -> RuleChoice {
        RuleChoice {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            off: self.off.clone(),
            error: self.error.clone(),
            warn: self.warn.clone(),
        }
    }
}
