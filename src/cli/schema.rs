use anyhow::Result;

use super::args::{SchemaArgs, SchemaOf};
use super::{Exit, output};
use crate::{config, mapping, report, verify};

/// Prints a JSON schema.
pub(super) fn run(args: &SchemaArgs) -> Result<Exit> {
    match args.of {
        SchemaOf::Report => output::print(&report::json::schema())?,
        SchemaOf::Mappings => output::print(&mapping::json_schema())?,
        SchemaOf::Verify => output::print(&verify::schema())?,
        SchemaOf::Config => output::print(&config::schema())?,
    }
    Ok(Exit::Clean)
}
