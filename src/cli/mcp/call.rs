//! Calls of tools. Each runs this program anew: what it prints is the answer, and a run that breaks down ends nothing but itself.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};

use super::roots::Roots;
use super::tools::{TOOLS, Tool};

/// Characters of an answer; what an agent reads costs it room.
const LONGEST: usize = 60_000;
/// Findings that are listed unless more are asked for.
const FINDINGS: u64 = 50;

/// What a command printed.
struct Printed {
    out: String,
    err: String,
    code: i32,
}

/// Runs a tool; a failure of the tool is an answer, a call that makes no sense is an error.
pub(super) fn call(params: &Value, roots: &Roots) -> Result<Value, String> {
    let name = params["name"].as_str().unwrap_or_default();
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| format!("there is no tool `{name}`"))?;
    let none = Map::new();
    let given = match &params["arguments"] {
        Value::Null => &none,
        Value::Object(given) => given,
        _ => return Err("`arguments` is an object".to_owned()),
    };
    validate(tool, given)?;
    if let Some(why) = tool.refused_path(given, roots) {
        return Ok(failure(&why));
    }
    let given = Given(given);
    let text = match name {
        "query" => printed(&["query", "--output-format", "json"], &given, "names", None),
        "explain" => printed(
            &["explain", "--output-format", "json"],
            &given,
            "about",
            None,
        ),
        "check" => check(&given),
        "translate" => translate(&given),
        "diff" => diff(&given),
        _ => verify(&given),
    };
    Ok(match text {
        Ok(text) => {
            json!({ "content": [{ "type": "text", "text": shortened(text) }], "isError": false })
        }
        Err(why) => failure(&why),
    })
}

fn failure(why: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": why }], "isError": true })
}

fn validate(tool: &Tool, given: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in given {
        let parameter = tool.parameters.iter().find(|one| one.name == name);
        match parameter {
            None => return Err(format!("`{}` has no argument `{name}`", tool.name)),
            Some(one) if !one.takes(value) => {
                return Err(format!("`{name}` is no {}", one.description));
            }
            Some(_) => {}
        }
    }
    let mut required = tool.parameters.iter().filter(|one| one.is_required);
    match required.find(|one| !given.contains_key(one.name)) {
        Some(missing) => Err(format!("`{}` needs `{}`", tool.name, missing.name)),
        None => Ok(()),
    }
}

/// The arguments of a call, which are of the kinds that the tool names.
struct Given<'a>(&'a Map<String, Value>);

impl<'a> Given<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }

    fn texts(&self, name: &str) -> Vec<&'a str> {
        let list = self.0.get(name).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    /// Options that every command takes.
    fn options(&self) -> Vec<String> {
        let rocm = self.text("rocm").map(|rocm| format!("--rocm={rocm}"));
        let targets = self.texts("target");
        let target = (!targets.is_empty()).then(|| format!("--target={}", targets.join(",")));
        rocm.into_iter().chain(target).collect()
    }

    fn stdin_name(&self) -> String {
        format!(
            "--stdin-filename={}",
            self.text("filename").unwrap_or("kernel.cu")
        )
    }
}

/// Runs a command with the words of an argument behind its options: no word can be an option itself.
fn printed(
    command: &[&str],
    given: &Given<'_>,
    words: &str,
    input: Option<&str>,
) -> Result<String, String> {
    let mut line: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    line.extend(given.options());
    line.push("--".to_owned());
    line.extend(given.texts(words).into_iter().map(str::to_owned));
    let done = run(&line, input)?;
    match done.out.is_empty() || done.out.trim() == "[]" {
        true => Err(done.err),
        false => Ok(done.out),
    }
}

fn check(given: &Given<'_>) -> Result<String, String> {
    let mut line = vec![
        "check".to_owned(),
        "--output-format=json".to_owned(),
        "--quiet".to_owned(),
    ];
    line.extend(given.options());
    let text = given.text("text");
    if text.is_some() {
        line.extend([given.stdin_name(), "-".to_owned()]);
    } else {
        line.push("--".to_owned());
        line.extend(given.texts("paths").into_iter().map(str::to_owned));
    }
    let done = run(&line, text)?;
    let report: Value = serde_json::from_str(&done.out).map_err(|_| done.err.clone())?;
    let limit = given
        .0
        .get("limit")
        .and_then(Value::as_u64)
        .unwrap_or(FINDINGS);
    Ok(shortened_report(&report, limit as usize, &done.err).to_string())
}

/// What an agent needs of a report: the figures, and findings as far as there is room.
fn shortened_report(report: &Value, limit: usize, problems: &str) -> Value {
    let files = report["files"].as_array().into_iter().flatten();
    let findings = files.flat_map(|file| {
        let findings = file["findings"].as_array().into_iter().flatten();
        findings.map(|finding| (&file["path"], finding))
    });
    let keys = [
        "severity",
        "code",
        "rule",
        "line",
        "column",
        "message",
        "help",
        "fixable",
        "source_line",
    ];
    let short = |(path, finding): (&Value, &Value)| {
        let pairs = keys
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), finding.get(key)?.clone())));
        let mut found: Map<String, Value> = pairs.collect();
        found.insert("path".to_owned(), path.clone());
        Value::Object(found)
    };
    let all: Vec<Value> = findings.map(short).collect();
    let left = all.len().saturating_sub(limit);
    json!({
        "totals": report["totals"],
        "link": report["link"],
        "defines": report["defines"],
        "findings": all.into_iter().take(limit).collect::<Vec<_>>(),
        "findings_not_listed": left,
        "problems": problems.trim(),
    })
}

fn translate(given: &Given<'_>) -> Result<String, String> {
    let mut line: Vec<String> = given.options();
    match (
        given.text("text"),
        given.text("source"),
        given.text("output"),
    ) {
        (Some(text), None, None) => {
            line.extend([given.stdin_name(), "-".to_owned()]);
            let done = run(&line, Some(text))?;
            match done.code {
                0 => Ok(json!({ "output": done.out, "findings": done.err }).to_string()),
                _ => Err(done.err),
            }
        }
        (None, Some(source), output) => {
            let dry = given.0.get("dry_run") == Some(&Value::Bool(true));
            if !dry && output.is_none() {
                return Err("say with `output` where the result goes".to_owned());
            }
            line.extend(dry.then(|| "--dry-run".to_owned()));
            line.push("--".to_owned());
            line.extend(
                [Some(source), output]
                    .into_iter()
                    .flatten()
                    .map(str::to_owned),
            );
            whole(run(&line, None)?)
        }
        _ => Err("give either `text`, or `source` and `output`".to_owned()),
    }
}

fn diff(given: &Given<'_>) -> Result<String, String> {
    let mut line = vec!["diff".to_owned()];
    line.extend(given.options());
    let text = given.text("text");
    match text {
        Some(_) => line.extend([given.stdin_name(), "-".to_owned()]),
        None => {
            line.extend([
                "--".to_owned(),
                given.text("path").unwrap_or(".").to_owned(),
            ]);
            line.extend(given.text("output").map(str::to_owned));
        }
    }
    whole(run(&line, text)?)
}

fn verify(given: &Given<'_>) -> Result<String, String> {
    let words = ["verify", "compare", "--output-format=json", "--"];
    let mut line: Vec<String> = words.map(str::to_owned).to_vec();
    line.extend(
        ["original", "port"]
            .iter()
            .filter_map(|name| given.text(name))
            .map(str::to_owned),
    );
    whole(run(&line, None)?)
}

/// What a command printed and said; where it was in trouble, what it complained of.
fn whole(done: Printed) -> Result<String, String> {
    match done.code {
        0 | 1 => Ok(done.out + &done.err),
        _ => Err(done.err + &done.out),
    }
}

fn run(line: &[String], input: Option<&str>) -> Result<Printed, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg("--color=never").args(line);
    let stdin = if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let stdin = child.stdin.take();
    // The program reads all of its input before it writes.
    if let (Some(mut stdin), Some(text)) = (stdin, input) {
        let _ = stdin.write_all(text.as_bytes());
    }
    let done = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Printed {
        out: text(&done.stdout),
        err: text(&done.stderr),
        code: done.status.code().unwrap_or(2),
    })
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text,
        Some((at, _)) => format!(
            "{}\n… cut after {LONGEST} characters; ask for less",
            &text[..at]
        ),
    }
}
