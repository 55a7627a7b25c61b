//! The translator for a browser. It is a program of WASI that reads one request from standard input and writes the answer to standard
//! output, both JSON: the page starts it anew for each text, so nothing of one run can reach the next.

use std::io::Read as _;

use cass_transpile::config::TranslateTable;
use cass_transpile::diagnostic::Severity;
use cass_transpile::engine::{Session, translate};
use cass_transpile::mapping::ApiTable;
use cass_transpile::report::{Builder, file_report, text};
use cass_transpile::text::SourceFile;
use cass_transpile::{compat, rules};
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
    options: TranslateTable,
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
    let options = request.options.options()?;
    let session = Session::new(options.clone(), ApiTable::builtin());
    let source = SourceFile::new(request.name, request.text.into_bytes());
    let outcome = translate(&source, &session);
    let report = file_report(&source, &outcome, None, Severity::Info);
    let shown = report.findings.iter().map(|finding| Shown {
        code: finding.code,
        name: finding.rule,
        severity: finding.severity,
        message: finding.message.clone(),
        help: finding.help.clone(),
        line: finding.line,
        // The page counts as its text areas do.
        column: finding.columns.utf16.0,
        end_line: finding.end_line,
        end_column: finding.columns.utf16.1,
        applied: finding.fixable,
        page: format!(
            "../rules/{}.html",
            rules::find(finding.code).map_or("index", |(rule, _)| rule.code)
        ),
    });
    let findings = shown.collect();
    let mut builder = Builder::new(options, Vec::new());
    builder.add(report);
    let helpers = outcome.helpers.iter().copied().collect();
    Ok(Answer {
        output: String::from_utf8_lossy(outcome.output.as_deref().unwrap_or(&source.bytes))
            .into_owned(),
        header: (!outcome.helpers.is_empty()).then(|| compat::header(&helpers)),
        findings,
        summary: text::summary(&builder.finish(), "translated"),
        error: None,
    })
}
