//! The report as JSON, and its schema.

use std::io::{self, Write};

use super::entries::write_pretty;
use super::model::Report;

/// The report as indented JSON with a newline at its end.
pub fn json(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("the model has only string keys");
    text.push('\n');
    text
}

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    write_pretty(report, out)
}

/// JSON schema (draft 2020-12) of the report as it is written: what is left out when it is empty is not required.
pub fn schema() -> String {
    let generator = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let schema = generator.into_root_schema_for::<Report>();
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
    text.push('\n');
    text
}
