//! `jsonl`: records in on standard input, records out on standard output, in their order and one at a time.

use std::io::{BufRead, Read as _, Write as _};

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::args::{CodeLanguage, JsonlArgs};
use super::settings::{Given, Settings};
use super::{Exit, input, output};
use crate::config::CheckTable;
use crate::diagnostic::{Judged, Severity};
use crate::engine::{FileOutcome, Session, translate};
use crate::options::CompatMode;
use crate::text::json::Json;
use crate::text::{Language, SourceFile, TextRange};

/// Bytes of the longest record. Its code would be sixty times the largest source that is known.
const LONGEST: u64 = 64 << 20;

/// Filters standard input.
pub(super) fn run(args: &JsonlArgs) -> Result<Exit> {
    let given = Given {
        settings: &args.settings,
        naming: None,
        check: CheckTable::default(),
    };
    let settings = Settings::new(std::path::Path::new("-"), &given)?;
    let mut session = settings.lone_session()?;
    // No header lies beside a record.
    if session.options.compat == CompatMode::Header {
        session.options.compat = CompatMode::Inline;
    }
    let (broken, number) = filter(args, &session)?;
    if input::was_interrupted() {
        return Ok(Exit::Interrupted);
    }
    if broken > 0 {
        output::complain(&format!(
            "{broken} of {number} lines are no records; each comes out with an `error`"
        ));
    }
    Ok(if broken > 0 {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// Writes a line for each line that is read, and returns how many of them are no records, and how many there were.
fn filter(args: &JsonlArgs, session: &Session) -> Result<(usize, usize)> {
    let (mut lines, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
    let (mut line, mut broken, mut number) = (Vec::new(), 0_usize, 0_usize);
    loop {
        line.clear();
        if (&mut lines).take(LONGEST).read_until(b'\n', &mut line)? == 0 || input::was_interrupted()
        {
            break;
        }
        number += 1;
        if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
            skip_line(&mut lines)?;
            broken += 1;
            let error = format!("longer than {} MiB", LONGEST >> 20);
            let answer = json!({ "cass": { "verdict": "error", "error": error } });
            writeln!(out, "{answer}")?;
            continue;
        }
        while line
            .last()
            .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
        {
            line.pop();
        }
        // An empty line has no record, and stays one.
        if line.is_empty() {
            out.write_all(b"\n")?;
            continue;
        }
        let text = record(&line, args, session).unwrap_or_else(|error| {
            broken += 1;
            let line = String::from_utf8_lossy(&line);
            json!({ "cass": { "verdict": "error", "error": error, "line": line } }).to_string()
        });
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok((broken, number))
}

/// Passes over the rest of a line, however long it is.
fn skip_line(lines: &mut impl BufRead) -> std::io::Result<()> {
    while !input::was_interrupted() {
        let there = lines.fill_buf()?;
        let end = there.iter().position(|byte| *byte == b'\n');
        let length = there.len();
        lines.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || length == 0 {
            break;
        }
    }
    Ok(())
}

/// A record with its field translated and the verdict at its end, every other byte as it was; or why the line is none.
fn record(line: &[u8], args: &JsonlArgs, session: &Session) -> Result<String, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| format!("no JSON: {error}"))?;
    let (Value::Object(members), Ok(text)) = (&value, std::str::from_utf8(line)) else {
        return Err("no object".to_owned());
    };
    let Some(code) = members.get(&args.field).and_then(Value::as_str) else {
        let verdict = json!({ "verdict": "none", "changed": false, "findings": [] });
        return Ok(with_verdict(text, None, "", &verdict, members.is_empty()));
    };
    let source = source(code, args.language);
    let outcome = translated(&source, session)
        .ok_or_else(|| "translation ended by a defect of this program".to_owned())?;
    let verdict = verdict(&source, &outcome);
    let (Some(output), false) = (outcome.output, args.check) else {
        return Ok(with_verdict(text, None, "", &verdict, false));
    };
    let output = String::from_utf8(output).map_err(|_| "the result is no text".to_owned())?;
    Ok(with_verdict(
        text,
        place(line, &args.field),
        &output,
        &verdict,
        false,
    ))
}

/// The bytes of the field's string, its quotes included; the last one where a record has it twice, as readers of JSON take it.
fn place(line: &[u8], field: &str) -> Option<TextRange> {
    let mut found = None;
    Json::new(line).members(|json, key| {
        let is_string = json.peek()? == b'"';
        if key != field || !is_string {
            return json.skip();
        }
        let content = json.string()?;
        found = Some(TextRange::new(content.start - 1, content.end + 1));
        Some(())
    })?;
    found
}

fn with_verdict(
    line: &str,
    place: Option<TextRange>,
    output: &str,
    verdict: &Value,
    is_empty: bool,
) -> String {
    let end = line.rfind('}').unwrap_or(line.len());
    let comma = if is_empty { "" } else { "," };
    let body = match place {
        Some(place) => {
            let place = place.as_usize();
            format!(
                "{}{}{}",
                &line[..place.start],
                json!(output),
                &line[place.end..end]
            )
        }
        None => line[..end].to_owned(),
    };
    format!("{}{comma}\"cass\":{verdict}}}", body.trim_end())
}

/// One bad record never ends the run.
fn translated(source: &SourceFile, session: &Session) -> Option<FileOutcome> {
    let run = std::panic::AssertUnwindSafe(|| translate(source, session));
    std::panic::catch_unwind(run).ok()
}

fn source(code: &str, language: CodeLanguage) -> SourceFile {
    let is_python = match language {
        CodeLanguage::Auto => crate::python::reads_as_python(code.as_bytes()),
        CodeLanguage::Cuda => false,
        CodeLanguage::Python => true,
    };
    let (name, language) = match is_python {
        true => ("record.py", Language::Python),
        false => ("record.cu", Language::CFamily),
    };
    let mut source = SourceFile::new(name, code.as_bytes().to_vec());
    source.language = language;
    source
}

fn verdict(source: &SourceFile, outcome: &FileOutcome) -> Value {
    let worst = outcome
        .visible()
        .filter(|it| !it.is_applied() || it.severity() > Severity::Info)
        .map(|it| it.severity())
        .max();
    let verdict = match worst {
        _ if !outcome.is_cuda => "none",
        Some(Severity::Error) => "manual",
        Some(Severity::Warning) => "review",
        _ if outcome.output.is_none() && outcome.findings.is_empty() => "none",
        _ => "ported",
    };
    let findings: Vec<Value> = outcome
        .visible()
        .filter(|it| it.severity() > Severity::Info)
        .map(|it| finding(source, it))
        .collect();
    json!({
        "verdict": verdict,
        "language": if source.language == Language::Python { "python" } else { "cuda" },
        "changed": outcome.output.is_some(),
        "findings": findings,
    })
}

fn finding(source: &SourceFile, finding: &Judged) -> Value {
    let at = source.line_col(finding.range().start);
    let mut members = Map::new();
    let mut add = |key: &str, value: Value| drop(members.insert(key.to_owned(), value));
    add("code", json!(finding.code()));
    add("severity", json!(finding.severity()));
    add("line", json!(at.line));
    add("column", json!(at.column));
    add("message", json!(finding.message()));
    add("help", json!(finding.help()));
    add("applied", json!(finding.is_applied()));
    Value::Object(members)
}
