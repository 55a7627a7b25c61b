//! The tools that are offered. What each takes and returns is a type: agents are sent its schema, and what does not fit is refused by
//! what reads it.

mod check;
mod diff;
mod explain;
mod mend;
mod query;
mod status;
mod tool;
mod translate;
mod trial;
mod verify;

use serde_json::{Map, Value};

use super::roots::Roots;
use tool::Tool;

const TOOLS: &[Tool] = &[
    query::TOOL,
    explain::TOOL,
    check::TOOL,
    translate::TOOL,
    diff::TOOL,
    status::TOOL,
    trial::TOOL,
    mend::TOOL,
    verify::TOOL,
];

/// All tools as `tools/list` has them.
pub(super) fn listed() -> Vec<Value> {
    TOOLS.iter().map(Tool::listed).collect()
}

/// Runs a tool; a failure of the tool is an answer, a call that makes no sense is an error.
pub(super) fn call(params: &Value, roots: &Roots) -> Result<Value, String> {
    let name = params["name"].as_str().unwrap_or_default();
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| format!("there is no tool `{name}`"))?;
    let given = match &params["arguments"] {
        Value::Null => Value::Object(Map::new()),
        Value::Object(given) => Value::Object(given.clone()),
        _ => return Err("`arguments` is an object".to_owned()),
    };
    (tool.call)(name, given, roots)
}
