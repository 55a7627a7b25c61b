//! `check --fix`: what converts is converted where it is; what is left is reported behind it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::args::{CheckArgs, ConvertArgs, Fixing};
use crate::cli::part::{Named, Part, named};
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
    let (mut alone, mut parts) = (Vec::new(), Vec::new());
    for named in named(&args.paths) {
        match named {
            Named::Alone(path) => alone.push(path),
            Named::Part(part) => parts.push(part),
        }
    }
    let mut exits = Vec::new();
    for part in parts {
        exits.push(run(args, vec![part.root.clone()], Some(part))?);
    }
    if !alone.is_empty() {
        exits.push(run(args, alone, None)?);
    }
    let worst = [Exit::Interrupted, Exit::Trouble];
    let worst = worst.into_iter().find(|exit| exits.contains(exit));
    Ok(worst.unwrap_or(Exit::Clean))
}

/// Translates paths in place, or a part of the one tree among them.
fn run(args: &CheckArgs, paths: Vec<PathBuf>, part: Option<Part>) -> Result<Exit> {
    convert::run(&ConvertArgs {
        paths,
        in_place: true,
        fixing: Some(Fixing {
            force_exclude: args.force_exclude,
            only_changes: args.only_changes(),
            since: args.since.clone(),
            part,
        }),
        settings: args.settings.clone(),
        ..ConvertArgs::default()
    })
}
