//! `check --fix`: what converts is converted where it is; what is left is reported behind it.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::args::{CheckArgs, ConvertArgs, Fixing};
use crate::cli::{Exit, convert};

/// Translates the files of a check in place. The exit code says how that went, not what is left.
///
/// # Errors
/// When standard input is among them, or a path or its settings cannot be read.
pub(super) fn fix(args: &CheckArgs) -> Result<Exit> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        bail!(
            "-: standard input is no file that --fix could change; `cass-transpile -` prints its translation"
        );
    }
    convert::run(&ConvertArgs {
        paths: args.paths.clone(),
        in_place: true,
        fixing: Some(Fixing {
            force_exclude: args.force_exclude,
            only_changes: args.only_changes(),
            since: args.since.clone(),
        }),
        settings: args.settings.clone(),
        ..ConvertArgs::default()
    })
}
