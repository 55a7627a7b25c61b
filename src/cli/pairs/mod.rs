//! `pairs`: records for research and for training translators.

mod batch;
mod filter;
mod prove;
mod records;
mod tree;

use std::path::Path;

use anyhow::{Result, bail};

use super::args::PairsArgs;
use super::{Exit, input};
pub(super) use prove::device_libraries;

/// Makes records of trees, or of lines.
pub(super) fn run(args: &PairsArgs) -> Result<Exit> {
    input::set_threads(&args.settings.files);
    if args.sources.iter().any(|source| source == Path::new("-")) {
        if args.sources.len() > 1 {
            bail!("`-` stands alone: lines come from standard input, or sources from folders");
        }
        if args.proof.compile {
            bail!(
                "--compile needs the files that a source includes; name a folder in place of `-`"
            );
        }
        return filter::run(args);
    }
    tree::run(args)
}
