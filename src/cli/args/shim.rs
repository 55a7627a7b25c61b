use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::SettingsArgs;

#[derive(Debug, Args)]
pub(in crate::cli) struct ShimArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: ShimCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ShimCommand {
    /// Write a shim header for exactly the names that some files and folders use
    Generate(ShimGenerateArgs),
    /// List the names in use that a shim header does not cover, with the lines to add; exit code 1 if there are any
    Check(ShimCheckArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShimGenerateArgs {
    /// Files and folders
    #[arg(required = true)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// File for the header instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Folder for the header and for headers with the names of CUDA's that lead to it: the build adds it with -I
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(in crate::cli) include_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShimCheckArgs {
    /// Files and folders
    #[arg(required = true)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// The shim header
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) shim: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}
