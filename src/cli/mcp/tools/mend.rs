//! Answers to what rules leave in a port, kept with proof.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tool::{Arguments, Tool, Use, first};
use crate::cli::mcp::program::Line;

pub(super) const TOOL: Tool = Tool::new::<Mend>(
    "mend",
    "Asks about the units of a port that do not compile, and looks at answers. Without `answers` it gives the questions: files with the \
lines by hand, what the compiler says, what the translation said, what the tables know of the names. With answers it says of each \
whether it would be kept: the unit compiles for the host and every chip, no other unit fails by it, no function or launch goes, no line \
by hand changes; `write` writes those. That it compiles is no proof that it computes the same. Needs clang and ROCm's headers, no GPU.",
)
.writing();

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Mend {
    /// Folder with a port; default: the folder of the server.
    port: Option<String>,
    /// By unit, as the questions name them.
    #[serde(default)]
    answers: BTreeMap<String, Answer>,
    /// Write the answers that are kept; else nothing is written.
    #[serde(default)]
    write: bool,
    /// How units are found: database, cmake, make, includes.
    units: Option<String>,
    /// Compilation database of the build, or its folder.
    compile_commands: Option<String>,
    /// Chips: gfx90a, MI300X, gfx1100.
    #[serde(default)]
    target: Vec<String>,
    /// Folder of ROCm, with its headers in `include`.
    rocm_path: Option<String>,
    /// Most units that are listed (default 50).
    limit: Option<usize>,
}

/// What is to be changed, as in `cass-transpile schema mend`.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Answer {
    #[serde(default)]
    edits: Vec<TextEdit>,
    #[serde(default)]
    files: Vec<File>,
    /// A sentence.
    #[serde(default)]
    why: String,
}

/// A text that stands in a file once, and what comes in its place.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TextEdit {
    /// From the root of the port.
    path: String,
    old: String,
    new: String,
}

/// The whole new text of a file that is there.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// From the root of the port.
    path: String,
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Mended {
    /// Units that compile and fail, with the answers that are kept.
    totals: Value,
    /// Each unit that fails: its question, or whether its answer is kept, and why not.
    units: Vec<Value>,
    units_not_listed: usize,
    /// The answers that are kept, as a unified diff.
    diff: String,
    /// Whether they were written.
    written: bool,
}

impl Arguments for Mend {
    type Answer = Mended;

    fn paths(&self) -> Vec<Use<'_>> {
        let port = self.port.as_deref().unwrap_or(".");
        let port = match self.write {
            true => Use::writes(port),
            false => Use::reads(port),
        };
        let database = self.compile_commands.as_deref().map(Use::reads);
        std::iter::once(port).chain(database).collect()
    }

    fn run(&self) -> Result<Mended, String> {
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = scratch.path().join("answers.json");
        let answers = serde_json::to_vec(&self.answers).map_err(|error| error.to_string())?;
        crate::emit::write(&file, &answers, None).map_err(|error| format!("{error:#}"))?;
        let line = Line::of(&["mend", "--output-format=json"]).for_machine(None, &self.target);
        let line = line.with(format!("--answers={}", file.display()));
        let line = match self.write {
            true => line,
            false => line.with("--dry-run"),
        };
        let options = [
            ("--compile-commands", &self.compile_commands),
            ("--units", &self.units),
            ("--rocm-path", &self.rocm_path),
        ];
        let line = line.for_port(options, self.port.as_deref());
        let mut said: Map<String, Value> = match line.json()? {
            Value::Object(said) => said,
            other => return Err(other.to_string()),
        };
        let mut mending = said.remove("mending").unwrap_or_default();
        let asked = match mending["asked"].take() {
            Value::Array(asked) => asked,
            _ => Vec::new(),
        };
        let diff = mending["diff"].as_str().unwrap_or_default().to_owned();
        let (units, units_not_listed) = first(asked, self.limit);
        Ok(Mended {
            totals: said.remove("totals").unwrap_or_default(),
            units,
            units_not_listed,
            written: self.write && !diff.is_empty(),
            diff,
        })
    }
}
