//! A `cass.toml` to begin with.

use anyhow::{Result, bail};

use super::args::{InitArgs, SchemaOf};
use super::{Exit, output, schema};
use crate::config;
use crate::emit;

/// Writes the sample, unless there is a file already.
pub(super) fn run(args: &InitArgs) -> Result<Exit> {
    let sample = schema_line() + &config::sample();
    if args.stdout {
        output::print(&sample)?;
        return Ok(Exit::Clean);
    }
    if !args.folder.is_dir() {
        bail!("{}: is no folder", args.folder.display());
    }
    let path = args.folder.join(config::FILE_NAME);
    if path.symlink_metadata().is_ok() {
        bail!("{}: exists already and is left as it is", path.display());
    }
    emit::write(&path, sample.as_bytes(), None)?;
    output::note(&format!(
        "{}: every setting is in a comment with its default; `--show-config` prints what holds\n",
        path.display()
    ));
    Ok(Exit::Clean)
}

/// The comment by which editors of TOML find the schema, in builds that know an address of it.
fn schema_line() -> String {
    schema::address(SchemaOf::Config)
        .map_or_else(String::new, |address| format!("#:schema {address}\n"))
}
