//! The report as JSON, and its schema.

use super::model::Report;

/// The report as indented JSON with a newline at its end.
pub fn json(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("the model has only string keys");
    text.push('\n');
    text
}

/// JSON schema (draft 2020-12) of the report.
pub fn schema() -> String {
    let mut text = serde_json::to_string_pretty(&schemars::schema_for!(Report))
        .expect("a schema is plain data");
    text.push('\n');
    text
}
