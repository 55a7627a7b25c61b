use anyhow::Result;
use clap::ValueEnum as _;

use super::args::{SchemaArgs, SchemaOf};
use super::{Exit, bench, mend, output, trial};
use crate::{config, mapping, report, rules, verify};

/// Prints a JSON schema.
pub(super) fn run(args: &SchemaArgs) -> Result<Exit> {
    output::print(&identified(args.of))?;
    Ok(Exit::Clean)
}

/// All schemas by name, as `schema NAME` prints them; the documentation site serves them at their `$id`.
pub fn schemas() -> impl Iterator<Item = (String, String)> {
    let named = |of: &SchemaOf| (name(*of), identified(*of));
    SchemaOf::value_variants().iter().map(named)
}

fn name(of: SchemaOf) -> String {
    let value = of.to_possible_value().expect("no schema is hidden");
    value.get_name().to_owned()
}

/// Where the documentation site of this build serves a schema.
pub(super) fn address(of: SchemaOf) -> Option<String> {
    let site = rules::own_site()?;
    Some(format!("{site}/schemas/{}.json", name(of)))
}

/// A schema with the `$id` that other schemas and editors refer to it by, in front of its other members.
fn identified(of: SchemaOf) -> String {
    let schema = match of {
        SchemaOf::Report => report::json::schema(),
        SchemaOf::Config => config::schema(),
        SchemaOf::Mappings => mapping::json_schema(),
        SchemaOf::Verify => verify::schema(),
        SchemaOf::Try => trial::schema(),
        SchemaOf::Mend => mend::schema(),
        SchemaOf::Bench => bench::schema(),
    };
    let name = name(of);
    // A name that no address has to answer to, where no site is known.
    let id = address(of).unwrap_or_else(|| format!("urn:cass-transpile:schema:{name}"));
    schema.replacen("{\n", &format!("{{\n  \"$id\": \"{id}\",\n"), 1)
}
