use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::args::ConvertArgs;
use crate::cli::port::{REPORT_NAME, header_in};
use crate::compat;
use crate::emit::{self, OutputTree};
use crate::pipeline::{RECORD_FOLDER, is_output};
use crate::text::is_cpp;

/// Where results go.
pub(super) enum Target {
    Tree(OutputTree),
    File(PathBuf),
    Stdout,
    InPlace(PathBuf),
}

impl Target {
    pub(super) fn new(source: &Path, args: &ConvertArgs) -> Result<Self> {
        if args.in_place {
            return Ok(Self::InPlace(source.to_path_buf()));
        }
        match (&args.output, &args.out) {
            (Some(output), _) => Self::of_output(source, output),
            (None, Some(out)) => Self::of_folder(source, out, args),
            // Nothing is written, so nothing has to be named.
            (None, None) if args.dry_run => Ok(Self::InPlace(source.to_path_buf())),
            (None, None) => bail!(
                "say where the result goes: a folder as second argument, `-o FILE` for one file, or --in-place"
            ),
        }
    }

    /// The folder whose files are changed where they are.
    pub(super) fn folder_in_place(&self) -> Option<&Path> {
        match self {
            Self::InPlace(root) if root.is_dir() => Some(root),
            _ => None,
        }
    }

    /// Where `-o` sends the result of one file.
    fn of_output(source: &Path, output: &Path) -> Result<Self> {
        if source.is_dir() {
            bail!(
                "{}: is a folder; `-o` takes the result of one file, give a folder as second argument instead",
                source.display()
            );
        }
        let same = output.canonicalize().ok().zip(source.canonicalize().ok());
        if same.is_some_and(|(output, source)| output == source) {
            bail!(
                "{}: is source and output; use --in-place (with --backup) to change a file where it is",
                output.display()
            );
        }
        Ok(if output == Path::new("-") {
            Self::Stdout
        } else {
            Self::File(output.to_path_buf())
        })
    }

    /// A folder as second argument: one that nobody else's files are in.
    fn of_folder(source: &Path, out: &Path, args: &ConvertArgs) -> Result<Self> {
        let is_new_for_file = source.is_file() && !out.exists();
        if is_new_for_file && is_named_as_source(out) {
            bail!(
                "{0}: is named as a file; `-o {0}` writes the result there, `{0}/` makes a folder of that name",
                out.display()
            );
        }
        if args.dry_run || is_new_for_file || !source.exists() {
            return Ok(Self::Tree(OutputTree::new(out)));
        }
        if out.is_file() {
            bail!(
                "{0}: is a file; give a folder, or use `-o {0}`",
                out.display()
            );
        }
        if out.exists() && out.canonicalize()? == source.canonicalize()? {
            bail!(
                "{}: is source and output; use --in-place (with --backup) to change files where they are",
                out.display()
            );
        }
        if !args.force && holds_files_of_others(out) {
            bail!(
                "{}: is not empty and not the output of an earlier run; choose another folder, or write into it with --force",
                out.display()
            );
        }
        Ok(Self::Tree(OutputTree::new(out)))
    }

    pub(super) fn is_tree(&self) -> bool {
        matches!(self, Self::Tree(_))
    }

    pub(super) fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }

    /// The writer of the folder that is all output.
    pub(super) fn tree(&self) -> Option<&OutputTree> {
        match self {
            Self::Tree(tree) => Some(tree),
            _ => None,
        }
    }

    /// The folder that is all output.
    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Tree(tree) => Some(tree.root()),
            _ => None,
        }
    }

    /// The folder that helper header and report are written to.
    pub(super) fn folder_beside(&self) -> Option<&Path> {
        match self {
            Self::Tree(tree) => Some(tree.root()),
            Self::InPlace(path) if path.is_dir() => Some(path),
            Self::File(path) | Self::InPlace(path) => path.parent(),
            Self::Stdout => None,
        }
    }

    /// Helpers that files translated earlier call: those of the header in the source tree, or, where single files are written
    /// into a folder one after the other, of the header that is there.
    pub(super) fn earlier_helpers(&self, args: &ConvertArgs, path: &str) -> BTreeSet<&'static str> {
        let folder = match self {
            Self::Tree(_) => Some(args.src.as_path()).filter(|source| source.is_dir()),
            _ => self.folder_beside(),
        };
        let header = folder.and_then(|folder| header_in(folder, path));
        header.map_or_else(BTreeSet::new, |header| compat::held(&header))
    }

    /// Writes what belongs to the result as a whole and lies beside it.
    pub(super) fn write_beside(&self, name: &str, text: &str) -> Result<()> {
        match self {
            Self::Tree(tree) => {
                tree.write(Path::new(name), text.as_bytes(), None)?;
            }
            _ => {
                if let Some(folder) = self.folder_beside() {
                    emit::write(&folder.join(name), text.as_bytes(), None)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a path is written as that of a source file: `out.hip`, but not `out.hip/`.
fn is_named_as_source(path: &Path) -> bool {
    let text = path.to_string_lossy();
    !text.ends_with(['/', '\\']) && is_cpp(&text)
}

fn holds_files_of_others(folder: &Path) -> bool {
    // A run that was killed in front of its first record left the folder of the records alone.
    let is_ours = |item: std::io::Result<std::fs::DirEntry>| {
        item.is_ok_and(|item| item.file_name() == RECORD_FOLDER)
    };
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut items| items.all(is_ours));
    !is_empty && !is_output(folder) && !folder.join(REPORT_NAME).is_file()
}
