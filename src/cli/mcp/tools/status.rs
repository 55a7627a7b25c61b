//! How a port stands to its source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::{Arguments, Tool, Use, first};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Status>(
    "status",
    "How a port stands to its source: files in sync, behind, changed by hand, in conflict, and findings that are open or were resolved \
by hand. Writes nothing.",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Status {
    /// File or folder that was translated.
    source: String,
    /// Folder with the result.
    port: String,
    /// Most files that are listed (default 50); all are counted.
    limit: Option<usize>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Standing {
    /// Open errors and warnings, and those that somebody resolved by hand.
    findings: Value,
    port: Port,
    #[serde(default)]
    files_not_listed: usize,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Port {
    /// Files by state.
    counts: Value,
    /// Options that differ from those that the port was made with.
    changed_options: Vec<Value>,
    /// Files that are not in sync, with their state.
    files: Vec<Value>,
}

impl Arguments for Status {
    type Answer = Standing;

    fn paths(&self) -> Vec<Use<'_>> {
        vec![Use::reads(&self.source), Use::reads(&self.port)]
    }

    fn run(&self) -> Result<Standing, String> {
        let line = Line::of(&["status", "--output-format=json"]);
        let standing = line.words([&*self.source, &*self.port]).json()?;
        let mut standing: Standing =
            serde_json::from_value(standing).map_err(|error| error.to_string())?;
        (standing.port.files, standing.files_not_listed) = first(standing.port.files, self.limit);
        Ok(standing)
    }
}
