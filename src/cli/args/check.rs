use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::reports::ReportArgs;
use super::SettingsArgs;
use crate::diagnostic::Severity;
use crate::report::CountBy;

#[derive(Debug, Default, Args)]
pub(in crate::cli) struct CheckArgs {
    /// Files and folders to check; `-` reads standard input
    #[arg(default_value = ".")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// List only the names that this header of `#define cudaX hipX` does not cover, with the lines to add
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) shim: Option<PathBuf>,
    /// Lowest severity that makes the exit code 1 [default: warning]
    #[arg(long, value_enum)]
    pub(in crate::cli) fail_on: Option<Level>,
    /// Lowest severity that is printed; `info` also lists what converts safely [default: warning]
    #[arg(long, value_enum)]
    pub(in crate::cli) show: Option<Level>,
    /// File of known findings: only others are printed and fail
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) baseline: Option<PathBuf>,
    /// Write the findings into the baseline, and do nothing else
    #[arg(long, conflicts_with_all = ["changed", "since", "add_suppressions"])]
    pub(in crate::cli) update_baseline: bool,
    /// Apply `include` and `exclude` to files that are named here too, as a hook needs that is given file names
    #[arg(long)]
    pub(in crate::cli) force_exclude: bool,
    /// Only files that git reports as changed: staged, unstaged and untracked ones
    #[arg(long)]
    pub(in crate::cli) changed: bool,
    /// Only files that changed since the branch left this commit or branch
    #[arg(long, value_name = "REF")]
    pub(in crate::cli) since: Option<String>,
    /// Write a suppression with this reason before each line with findings, in the sources themselves
    #[arg(long, value_name = "REASON", conflicts_with = "shim")]
    pub(in crate::cli) add_suppressions: Option<String>,
    /// Translate where the files are, as --in-place does, then report what is left for a person
    #[arg(long, conflicts_with_all = ["shim", "update_baseline", "add_suppressions", "watch"])]
    pub(in crate::cli) fix: bool,
    /// Count findings by rule, name or folder in place of listing them
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "rule", value_name = "BY")]
    pub(in crate::cli) statistics: Option<CountBy>,
    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["update_baseline", "add_suppressions"])]
    pub(in crate::cli) watch: bool,
    /// Name of the input for `-`, which also says which cass.toml holds [default: stdin.cu]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) stdin_filename: Option<String>,
    /// Exit with 0 whatever is found
    #[arg(long)]
    pub(in crate::cli) exit_zero: bool,
    #[command(flatten)]
    pub(in crate::cli) reports: ReportArgs,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

impl CheckArgs {
    /// What standard input is called.
    pub(in crate::cli) fn stdin_name(&self) -> &str {
        self.stdin_filename.as_deref().unwrap_or("stdin.cu")
    }

    /// Whether only files are looked at that git reports as changed.
    pub(in crate::cli) fn only_changes(&self) -> bool {
        self.changed || self.since.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    pub(in crate::cli) fn severity(self) -> Severity {
        match self {
            Self::Info => Severity::Info,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}
