//! Flags that would have no effect are errors: who writes one expects something of it.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::args::ConvertArgs;
use crate::pipeline::Naming;

/// Refuses a command line with a flag that the rest of it makes idle; `naming` is what command line and configuration come to.
///
/// # Errors
/// When there is one; the message names the flag and the remedy.
pub(super) fn refuse_idle(args: &ConvertArgs, naming: Naming) -> Result<()> {
    let is_stdin = args.src == Path::new("-");
    let is_tree = args.out.is_some() || (args.dry_run && args.output.is_none() && !args.in_place);
    let idle = [
        (
            args.backup.is_some() && !args.in_place,
            "--backup: only --in-place changes files that could be kept; leave it out, or add --in-place",
        ),
        (
            args.in_place && naming == Naming::Hip,
            "--naming hip: files that are changed in place keep their names; give a folder for the result, or --naming keep",
        ),
        (
            !args.in_place && !is_tree && args.naming.is_some(),
            "--naming: one file is written under the name that -o gives; leave it out",
        ),
        (
            args.force && !is_tree,
            "--force: only a folder as second argument can hold files of others; leave it out",
        ),
        (
            args.prune && !is_tree,
            "--prune: only a folder as second argument can hold files whose source is gone; leave it out",
        ),
        (
            args.stdin_filename.is_some() && !is_stdin,
            "--stdin-filename: only a source of `-` needs a name; leave it out",
        ),
        (
            is_stdin && (args.in_place || is_tree),
            "-: what comes from standard input goes to standard output, or with `-o FILE` to a file",
        ),
        (
            is_stdin && args.dry_run,
            "--dry-run: nothing is written of what comes from standard input; use `cass-transpile check`",
        ),
    ];
    match idle.into_iter().find(|(is_idle, _)| *is_idle) {
        Some((_, message)) => bail!(message),
        None => Ok(()),
    }
}
