//! What rules and messages mean.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::{Arguments, Tool, Use};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Explain>(
    "explain",
    "What a rule (CASS003, warp-shuffle, a group such as warp) means on AMD and what to do; or the cause and remedy of a \
message of hipcc, clang, a linker or a running program.",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Explain {
    /// Codes, names or groups of rules, or messages.
    about: Vec<String>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Pages {
    /// Pages of rules: code, name, severity, docs.
    #[serde(default)]
    rules: Vec<Value>,
    /// Pages of messages: example, cause, remedy.
    #[serde(default)]
    errors: Vec<Value>,
}

impl Arguments for Explain {
    type Answer = Pages;

    fn paths(&self) -> Vec<Use<'_>> {
        Vec::new()
    }

    fn run(&self) -> Result<Pages, String> {
        let line = Line::of(&["explain", "--output-format=json"]);
        let pages = line.words(self.about.iter().map(String::as_str)).json()?;
        serde_json::from_value(pages).map_err(|error| error.to_string())
    }
}
