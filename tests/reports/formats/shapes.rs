//! The shapes of the other formats of lines and JSON. Their descriptions are prose or buffers of another language, so what those say is
//! written down here as schemas that refuse every key they do not name.

use std::collections::BTreeSet;

use cass_transpile::options::Options;
use cass_transpile::report::{Builder, Format, render};
use serde_json::{Value, json};

use super::{json as parsed, one, report, session};

#[test]
fn the_json_report_follows_the_published_schema() {
    let schema = parsed(&cass_transpile::report::json::schema());
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let mut report = parsed(&render(&report(), Format::Json));
    let problems: Vec<String> = validator
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
    report["files"][0]["findings"][0]["severity"] = Value::from("fatal");
    assert!(!validator.is_valid(&report), "the schema takes anything");
}

/// What a validator of this schema says of a value.
fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema).expect("the schema is one");
    let errors = validator.iter_errors(value);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// An object with these keys, of which the first `needed` must be there, and no others.
fn object(needed: usize, keys: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = keys.iter().take(needed).map(|(name, _)| *name).collect();
    let keys: serde_json::Map<String, Value> = keys
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({"type": "object", "required": names, "properties": keys, "additionalProperties": false})
}

/// GitLab's documentation, "Code Quality report format", and the Code Climate issue that it is a part of.
#[test]
fn gitlab_reports_have_the_shape_of_the_documentation() {
    let number = json!({"type": "integer", "minimum": 1});
    let text = json!({"type": "string", "minLength": 1});
    let at = object(1, &[("line", number.clone()), ("column", number)]);
    let positions = object(2, &[("begin", at.clone()), ("end", at)]);
    // Relative to the repository; GitLab matches it with the paths of the merge request.
    let path = json!({"type": "string", "pattern": "^[^./].*$"});
    let severity = json!({"enum": ["info", "minor", "major", "critical", "blocker"]});
    let issue = object(
        5,
        &[
            ("description", text.clone()),
            ("check_name", text.clone()),
            ("fingerprint", text),
            ("severity", severity),
            (
                "location",
                object(2, &[("path", path), ("positions", positions)]),
            ),
            ("type", json!({"const": "issue"})),
            (
                "categories",
                json!({"type": "array", "items": {"enum": ["Compatibility"]}}),
            ),
            ("content", object(1, &[("body", json!({"type": "string"}))])),
        ],
    );
    let schema = json!({"type": "array", "minItems": 5, "items": issue});
    let mut list = parsed(&render(&report(), Format::Gitlab));
    assert_eq!(problems(&schema, &list), Vec::<String>::new());
    list[0]["severity"] = json!("error");
    assert_eq!(
        problems(&schema, &list).len(),
        1,
        "the schema takes anything"
    );
}

/// `DiagnosticResult` of reviewdog's `reviewdog.proto`, in the JSON form of protocol buffers.
#[test]
fn rdjson_has_the_shape_of_the_buffer() {
    let number = json!({"type": "integer", "minimum": 1});
    let text = json!({"type": "string", "minLength": 1});
    let at = object(1, &[("line", number.clone()), ("column", number)]);
    let range = object(1, &[("start", at.clone()), ("end", at)]);
    let severity = json!({"enum": ["ERROR", "WARNING", "INFO"]});
    let suggestion = object(
        2,
        &[
            ("range", range.clone()),
            ("text", json!({"type": "string"})),
        ],
    );
    let diagnostic = object(
        2,
        &[
            ("message", text.clone()),
            (
                "location",
                object(1, &[("path", text.clone()), ("range", range)]),
            ),
            ("severity", severity.clone()),
            (
                "code",
                object(1, &[("value", text.clone()), ("url", text.clone())]),
            ),
            ("suggestions", json!({"type": "array", "items": suggestion})),
        ],
    );
    let source = object(1, &[("name", text.clone()), ("url", text)]);
    let list = json!({"type": "array", "minItems": 5, "items": diagnostic});
    let keys = [
        ("diagnostics", list),
        ("source", source),
        ("severity", severity),
    ];
    let schema = object(1, &keys);
    let mut result = parsed(&render(&report(), Format::Rdjson));
    assert_eq!(problems(&schema, &result), Vec::<String>::new());
    result["diagnostics"][0]["location"]["range"]["start"] = json!({"column": 1});
    assert_eq!(
        problems(&schema, &result).len(),
        1,
        "the schema takes anything"
    );
}

/// Every line on its own is an object with a finding, or with the problem of a file.
#[test]
fn json_lines_are_objects() {
    let lines = render(&report(), Format::JsonLines);
    for line in lines.lines() {
        let line = parsed(line);
        let finding = ["path", "code", "severity", "message", "line", "column"];
        let is_finding = finding.iter().all(|key| !line[key].is_null());
        assert!(is_finding || line["problem"].is_string(), "{line}");
    }
    assert!(lines.lines().count() > 5);
}

/// The commands of GitHub's runner: `::LEVEL key=value,…::message`, with what would end a value or a line escaped.
#[test]
fn annotations_are_commands_of_the_runner() {
    let command = regex::Regex::new(
        r"^::(error|warning|notice) file=([^,:]+)((?:,(?:line|col|endLine|endColumn)=\d+)*)(?:,title=[^,:]+)?::(.+)$",
    );
    let command = command.expect("an expression");
    let report = report();
    let lines = render(&report, Format::Github);
    // The last is a line of the log, and no command.
    let (annotations, closing) = lines.trim_end().rsplit_once('\n').expect("several lines");
    assert_eq!(
        closing,
        "cass-transpile: 4 files checked, 2 with CUDA: 4 errors, 0 warnings"
    );
    for line in annotations.lines() {
        let found = command.captures(line).unwrap_or_else(|| panic!("{line}"));
        let escaped = |text: &str| {
            let marks = text.split('%').skip(1);
            marks.into_iter().all(|rest| {
                ["25", "0A", "0D", "3A", "2C"]
                    .iter()
                    .any(|code| rest.starts_with(code))
            })
        };
        assert!(escaped(&found[2]) && escaped(&found[4]), "{line}");
    }
    let failed = report.files.iter().filter(|file| file.problem.is_some());
    assert_eq!(
        annotations.lines().count(),
        report.findings().count() + failed.count()
    );
}

#[test]
fn gitlab_fingerprints_are_unique() {
    let list = parsed(&render(&report(), Format::Gitlab));
    let list = list.as_array().expect("a list");
    let prints: BTreeSet<_> = list
        .iter()
        .filter_map(|item| item["fingerprint"].as_str())
        .collect();
    assert_eq!(prints.len(), list.len());
}

/// Applies a suggestion as reviewdog does, by bytes of lines; a fix of two edits must come out whole.
#[test]
fn rdjson_suggestions_are_the_fixes() {
    let result = parsed(&render(&report(), Format::Rdjson));
    let launch = result["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|item| item["code"]["value"] == "CASS100")
        .expect("the launch is found");
    // The line holds a byte that is not UTF-8: the text between the two edits is not known for sure.
    assert!(launch["suggestions"].is_null());
    let session = session(&["CASS100"]);
    let mut builder = Builder::new(Options::default(), Vec::new());
    let line = "  k << <1, 2>> >(x);";
    builder.add(one(
        &session,
        "a.cu",
        format!("#include <cuda_runtime.h>\n{line}\n").as_bytes(),
    ));
    let result = parsed(&render(&builder.finish(), Format::Rdjson));
    let suggestion = &result["diagnostics"][0]["suggestions"][0];
    let column = |end: &str| {
        suggestion["range"][end]["column"]
            .as_u64()
            .expect("a column") as usize
            - 1
    };
    let text = suggestion["text"].as_str().expect("text");
    let fixed = format!(
        "{}{text}{}",
        &line[..column("start")],
        &line[column("end")..]
    );
    assert_eq!(fixed, "  k <<<1, 2>>>(x);");
}
