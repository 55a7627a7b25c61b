use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::super::reports::ReportArgs;
use super::SettingsArgs;
use crate::cli::part::Part;
use crate::pipeline::Naming;

#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct ConvertArgs {
    /// SRC and OUT: files or folders to translate, then the folder for the result. `-` reads standard input. Several sources keep their places
    /// below the folder that they share
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// The file or folder that all of SRC lie in
    #[arg(skip)]
    pub(in crate::cli) src: PathBuf,
    /// What of it is translated
    #[arg(skip)]
    pub(in crate::cli) sources: Vec<PathBuf>,
    /// Folder for the result
    #[arg(skip)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// What `check --fix` asks for, where it asks
    #[arg(skip)]
    pub(in crate::cli) fixing: Option<Fixing>,
    /// File for the result of a single file; `-` writes to standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Change the files of SRC themselves
    #[arg(long)]
    pub(in crate::cli) in_place: bool,
    /// With --in-place: keep each changed file beside the new one, with this suffix
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, default_missing_value = ".cuda-orig")]
    pub(in crate::cli) backup: Option<String>,
    /// Put a comment `// CASS003: advice` before each line of the result that a person has to change, in place of those of an
    /// earlier run; `remove` only takes them out
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "add", value_name = "WHAT")]
    pub(in crate::cli) annotate: Option<Annotate>,
    /// Write nothing but the files of --report, print what would happen
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Remove files from OUT whose source is gone, unless they were changed by hand
    #[arg(long)]
    pub(in crate::cli) prune: bool,
    /// Write into a folder that holds files of others, and over what was changed by hand
    #[arg(long)]
    pub(in crate::cli) force: bool,
    /// Name of the input for `-` [default: stdin.cu]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) stdin_filename: Option<String>,
    /// How files are called: `hip` turns .cu into .hip and follows it in includes [default: keep]
    #[arg(long, value_enum)]
    pub(in crate::cli) naming: Option<Naming>,
    #[command(flatten)]
    pub(in crate::cli) reports: ReportArgs,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingsArgs,
}

/// What `check --fix` adds to a translation in place; it tells what is left itself.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Fixing {
    /// Whether globs hold for files that are named too.
    pub(in crate::cli) force_exclude: bool,
    /// Whether files stay that git does not report as changed.
    pub(in crate::cli) only_changes: bool,
    /// The commit or branch to which they are compared, in place of the last commit.
    pub(in crate::cli) since: Option<String>,
    /// The files of the tree that were named, where a tree was not.
    pub(in crate::cli) part: Option<Part>,
}

impl ConvertArgs {
    /// What standard input is called.
    pub(in crate::cli) fn stdin_name(&self) -> &str {
        self.stdin_filename.as_deref().unwrap_or("stdin.cu")
    }

    /// Whether the translation itself goes to standard output.
    pub(in crate::cli) fn prints_result(&self) -> bool {
        let is_stream = |path: &Path| path == Path::new("-");
        self.output
            .as_deref()
            .map_or_else(|| is_stream(&self.src), is_stream)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Annotate {
    Add,
    Remove,
}
