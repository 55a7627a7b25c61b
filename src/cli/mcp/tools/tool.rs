//! What a tool is: a command of this program with typed arguments and a typed answer.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::cli::mcp::roots::Roots;

/// Entries of lists that are returned unless more are asked for: what an agent reads costs it room.
const MOST: usize = 50;
/// Characters of an answer.
const LONGEST: usize = 60_000;

/// What an agent gives to a tool.
pub(super) trait Arguments: DeserializeOwned + JsonSchema {
    /// What it gets back.
    type Answer: Serialize + JsonSchema;

    /// The paths that are used.
    fn paths(&self) -> Vec<Use<'_>>;

    /// Does it.
    ///
    /// # Errors
    /// What the program complained of, or what is missing.
    fn run(&self) -> Result<Self::Answer, String>;
}

/// A path that a call names.
pub(super) struct Use<'a> {
    path: &'a str,
    writes: bool,
}

impl<'a> Use<'a> {
    pub(super) fn reads(path: &'a str) -> Self {
        let writes = false;
        Self { path, writes }
    }

    pub(super) fn writes(path: &'a str) -> Self {
        let writes = true;
        Self { path, writes }
    }
}

/// A tool: a command of this program with arguments by name.
pub(super) struct Tool {
    pub(super) name: &'static str,
    description: &'static str,
    /// Whether it writes files.
    writes: bool,
    input: fn() -> Value,
    output: fn() -> Value,
    pub(super) call: Call,
}

/// The answer to a call as `tools/call` has it.
pub(super) type Call = fn(&str, Value, &Roots) -> Result<Value, String>;

impl Tool {
    pub(super) const fn new<A: Arguments>(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            writes: false,
            input: schema::<A>,
            output: schema::<A::Answer>,
            call: called::<A>,
        }
    }

    pub(super) const fn writing(self) -> Self {
        Self {
            writes: true,
            ..self
        }
    }

    /// The tool as `tools/list` has it.
    pub(super) fn listed(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": (self.input)(),
            "outputSchema": (self.output)(),
            "annotations": { "readOnlyHint": !self.writes, "destructiveHint": self.writes, "openWorldHint": false },
        })
    }
}

fn called<A: Arguments>(name: &str, given: Value, roots: &Roots) -> Result<Value, String> {
    // Told as an answer, so that the model sees it and asks better: so the protocol has it.
    let given: A = match serde_json::from_value(given) {
        Ok(given) => given,
        Err(error) => return Ok(failure(&format!("`{name}`: {error}"))),
    };
    // Without paths the folder of the server is read.
    let mut paths = given.paths().into_iter();
    if let Some(why) = paths.find_map(|one| roots.refusal(one.path, one.writes)) {
        return Ok(failure(&why));
    }
    let answer = given.run().and_then(|answer| {
        let answer = serde_json::to_value(answer).map_err(|error| error.to_string())?;
        let text = answer.to_string();
        match text.chars().count() {
            0..=LONGEST => Ok((answer, text)),
            long => Err(format!(
                "the answer has {long} characters, more than an agent is sent: ask for less (`limit`), or have the result written to files"
            )),
        }
    });
    Ok(match answer {
        Ok((answer, text)) => json!({
            "content": [{ "type": "text", "text": text }],
            "structuredContent": answer,
            "isError": false,
        }),
        Err(why) => failure(&why),
    })
}

fn failure(why: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": why.trim() }], "isError": true })
}

/// The schema of a type, in one piece.
fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// The first entries of a list, and how many are left.
pub(super) fn first<T>(mut list: Vec<T>, limit: Option<usize>) -> (Vec<T>, usize) {
    let left = list.len().saturating_sub(limit.unwrap_or(MOST));
    list.truncate(list.len() - left);
    (list, left)
}
