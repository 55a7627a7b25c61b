use std::path::PathBuf;

use clap::Args;

use super::SettingsArgs;
use crate::cli::part::Part;
use crate::pipeline::Naming;

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct DiffArgs {
    /// File or folder to translate; `-` reads standard input. Names in the patch are from the current folder, for `git apply` there
    #[arg(default_value = ".")]
    pub(in crate::cli) src: PathBuf,
    /// Folder that holds the result: shows what a run would change there, exit code 1 if it is behind or was changed by hand and
    /// was not accepted
    pub(in crate::cli) out: Option<PathBuf>,
    /// With OUT: show what was changed by hand there in place of what a run would change
    #[arg(long, requires = "out")]
    pub(in crate::cli) by_hand: bool,
    /// With OUT: show how it differs from a fresh translation, work by hand and all
    #[arg(long, requires = "out", conflicts_with = "by_hand")]
    pub(in crate::cli) fresh: bool,
    /// Print how many lines change by file in place of the patch
    #[arg(long)]
    pub(in crate::cli) stat: bool,
    /// Write the patch to a file; with --stat, the counts are printed as well
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) patch: Option<PathBuf>,
    /// Exit with 1 when translation changes anything; always so with OUT
    #[arg(long)]
    pub(in crate::cli) exit_code: bool,
    /// How files of OUT are called [default: keep]
    #[arg(long, value_enum)]
    pub(in crate::cli) naming: Option<Naming>,
    /// Name of the input for `-` [default: stdin.cu]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) stdin_filename: Option<String>,
    /// The file of the tree that was named, where `src` has become that tree
    #[arg(skip)]
    pub(in crate::cli) part: Option<Part>,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}
