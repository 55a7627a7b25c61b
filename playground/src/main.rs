//! The translator for a browser. It is a program of WASI that reads one request from standard input and writes the answer to standard
//! output, both JSON: the page starts it anew for each text, so nothing of one run can reach the next.

use std::io::Read as _;

use cass_transpile::{Finding, Severity, Translation, Translator};
use serde::{Deserialize, Serialize};

/// What the page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// Name of the file: a build file is translated in another way than a source.
    name: String,
    /// The source.
    text: String,
    /// The table `[translate]` of a `cass.toml`.
    #[serde(default)]
    options: toml::Table,
}

/// What the page shows.
#[derive(Default, Serialize)]
struct Answer {
    /// The translation.
    output: String,
    /// The helper header that it includes, if it does.
    header: Option<String>,
    findings: Vec<Shown>,
    summary: String,
    /// Why there is no translation.
    error: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    message: String,
    help: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    /// Whether the translation makes the change.
    applied: bool,
    page: String,
}

fn main() {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    let request = read
        .map_err(|error| error.to_string())
        .and_then(|_| serde_json::from_str::<Request>(&text).map_err(|error| error.to_string()));
    let answer = request.and_then(answer).unwrap_or_else(|error| Answer {
        error: Some(error),
        ..Answer::default()
    });
    // The page reads to the end; there is nobody to tell that it stopped.
    let _ = serde_json::to_writer(std::io::stdout().lock(), &answer);
}

fn answer(request: Request) -> Result<Answer, String> {
    translated(request).map_err(|error| error.to_string())
}

fn translated(request: Request) -> Result<Answer, cass_transpile::Error> {
    let settings = toml::Table::from_iter([("translate".to_owned(), request.options.into())]);
    let translator = Translator::with_settings(&settings.to_string())?;
    let done = translator.translate(&request.name, request.text)?;
    let Translation {
        output,
        header,
        findings,
        summary,
        ..
    } = done;
    Ok(Answer {
        output: String::from_utf8_lossy(&output).into_owned(),
        header,
        findings: findings.into_iter().map(Shown::from).collect(),
        summary,
        error: None,
    })
}

impl From<Finding> for Shown {
    fn from(finding: Finding) -> Self {
        Self {
            code: finding.code,
            name: finding.rule,
            severity: finding.severity,
            message: finding.message,
            help: finding.help,
            line: finding.start.line,
            // The page counts as its text areas do.
            column: finding.start.utf16_column,
            end_line: finding.end.line,
            end_column: finding.end.utf16_column,
            applied: finding.is_fixed,
            page: format!("../rules/{}.html", finding.code),
        }
    }
}
