use std::path::PathBuf;

use clap::Args;

use super::{AnswerArgs, SettingsArgs};
use crate::pipeline::Naming;

#[derive(Debug, Args)]
pub(in crate::cli) struct StatusArgs {
    /// File or folder that was translated
    pub(in crate::cli) src: PathBuf,
    /// Folder with the result
    pub(in crate::cli) out: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) answer: AnswerArgs,
    /// How files of OUT are called [default: keep]
    #[arg(long, value_enum)]
    pub(in crate::cli) naming: Option<Naming>,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AcceptArgs {
    /// File or folder that was translated: for an output without a manifest, as it was then
    pub(in crate::cli) src: PathBuf,
    /// Folder with the result
    pub(in crate::cli) out: PathBuf,
    /// Only these files of OUT; all when none is named
    pub(in crate::cli) files: Vec<PathBuf>,
    /// How files of OUT are called [default: keep]
    #[arg(long, value_enum)]
    pub(in crate::cli) naming: Option<Naming>,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}
