//! What names become.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::{Arguments, Tool, Use, first};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Query>(
    "query",
    "What names of CUDA become in HIP, or where names of HIP come from: target, arguments that change, header, library \
to link, releases, advice. Takes prefixes and globs (cudaGraph*), and words of build files (-lcudart, nvcc).",
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Query {
    /// Names, prefixes or globs.
    names: Vec<String>,
    /// ROCm release to answer for: 6.4, 7.0.
    rocm: Option<String>,
    /// Most names that are told (default 50); all are counted.
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Known {
    /// What is known of each name.
    names: Vec<Value>,
    names_not_listed: usize,
    /// Names that no table knows, and other remarks.
    remarks: String,
}

impl Arguments for Query {
    type Answer = Known;

    fn paths(&self) -> Vec<Use<'_>> {
        Vec::new()
    }

    fn run(&self) -> Result<Known, String> {
        let line =
            Line::of(&["query", "--output-format=json"]).for_machine(self.rocm.as_deref(), &[]);
        let done = line.words(self.names.iter().map(String::as_str)).run()?;
        let names: Vec<Value> = serde_json::from_str(&done.out).unwrap_or_default();
        if names.is_empty() {
            return Err(done.err);
        }
        let (names, names_not_listed) = first(names, self.limit);
        Ok(Known {
            names,
            names_not_listed,
            remarks: done.err.trim().to_owned(),
        })
    }
}
