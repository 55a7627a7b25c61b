//! Whether a port computed the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tool::{Arguments, Tool, Use};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Verify>(
    "verify",
    "Compares two records of `cass-transpile verify record` and `verify run`: whether the port computed the same as the \
original. Runs no program.",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Verify {
    /// Record of the original.
    original: String,
    /// Record of the port.
    port: String,
}

/// The comparison as `verify compare --output-format json` prints it.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Compared(Map<String, Value>);

impl Arguments for Verify {
    type Answer = Compared;

    fn paths(&self) -> Vec<Use<'_>> {
        vec![Use::reads(&self.original), Use::reads(&self.port)]
    }

    fn run(&self) -> Result<Compared, String> {
        let line = Line::of(&["verify", "compare", "--output-format=json"]);
        let compared = line.words([&*self.original, &*self.port]).json()?;
        serde_json::from_value(compared).map_err(|error| error.to_string())
    }
}
