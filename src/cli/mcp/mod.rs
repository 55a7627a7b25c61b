//! The Model Context Protocol over standard input and output: coding agents ask for facts of the tables and for findings in place of
//! guessing. The protocol is JSON-RPC by line with four requests; the crate `rmcp` brings 37 crates for it.

mod program;
mod roots;
mod tools;

use std::io::{self, BufRead as _, Read as _, Write as _};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::args::McpArgs;
use super::{Exit, input};
use roots::Roots;

/// Revisions of the protocol that are spoken, the newest first. They differ in nothing that is used here.
const REVISIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Bytes of the longest message that is read.
const LONGEST: u64 = 64 << 20;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// What an agent is told at the start.
const INSTRUCTIONS: &str = "Facts for porting CUDA C++ to HIP on AMD GPUs. Ask `query` what a name becomes before you write it, \
`check` what in files or text does not port, `translate` for the HIP code, `explain` for a rule (CASS003) or a message of hipcc, clang \
or a linker, `try` whether a port compiles, `mend` about units that do not and whether your answer would be kept, `status` how it stands to its source. Findings of severity error do not compile or work on AMD; warnings compile and may compute something else.";

/// Answers requests until standard input ends.
pub(super) fn run(args: &McpArgs) -> Result<Exit> {
    if let Some(missing) = args.root.iter().find(|root| !root.is_dir()) {
        bail!(
            "{}: is no folder; --root takes one that is there",
            missing.display()
        );
    }
    let mut roots = Roots::new(args.root.clone());
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        if (&mut input).take(LONGEST).read_until(b'\n', &mut line)? == 0 || input::was_interrupted()
        {
            return Ok(Exit::Clean);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        for message in answered(&line, &mut roots) {
            let mut out = io::stdout().lock();
            writeln!(out, "{message}")?;
            out.flush()?;
        }
    }
}

/// What is sent upon a line; a notification has no answer.
fn answered(line: &[u8], roots: &mut Roots) -> Vec<Value> {
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => return vec![refused(&Value::Null, PARSE_ERROR, &error.to_string())],
    };
    if let Value::Array(batch) = message {
        let answers = batch.iter().filter_map(|message| one(message, roots));
        let answers: Vec<Value> = answers.collect();
        return match answers.is_empty() {
            true => Vec::new(),
            false => vec![Value::Array(answers)],
        };
    }
    one(&message, roots).into_iter().collect()
}

/// What is sent upon a message.
fn one(message: &Value, roots: &mut Roots) -> Option<Value> {
    let Some(method) = message["method"].as_str() else {
        let is_answer = message.get("result").or(message.get("error")).is_some();
        roots.answer(message);
        return (!is_answer)
            .then(|| refused(&message["id"], INVALID_REQUEST, "a request has a `method`"));
    };
    let params = &message["params"];
    if matches!(
        method,
        "notifications/initialized" | "notifications/roots/list_changed"
    ) {
        return roots.question();
    }
    let id = message.get("id")?;
    let result = match method {
        "initialize" => {
            roots.introduce(params);
            Ok(initialize_result(params))
        }
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({ "tools": tools::listed() })),
        "tools/call" => tools::call(params, roots).map_err(|why| (INVALID_PARAMS, why)),
        _ => Err((METHOD_NOT_FOUND, format!("`{method}` is not offered"))),
    };
    Some(match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, why)) => refused(id, code, &why),
    })
}

fn initialize_result(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let known = REVISIONS.into_iter().find(|revision| *revision == asked);
    json!({
        "protocolVersion": known.unwrap_or(REVISIONS[0]),
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "cass-transpile", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

fn refused(id: &Value, code: i32, why: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
}
