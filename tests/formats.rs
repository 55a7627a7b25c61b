//! Every format of the report on one small run: a snapshot that was read by eye, and whatever judge of the format there is.
//!
//! The files of the run are written here, not in `fixtures/`, because their names and bytes are what is tested: blanks, marks of
//! XML and of URIs, wide text before a finding, bytes that are not UTF-8, an escape sequence, the end of a script element.

use std::collections::BTreeSet;
use std::process::Command;

use cass_transpile::diagnostic::Severity;
use cass_transpile::mapping::ApiTable;
use cass_transpile::report::{
    Action, BaselineState, Builder, FileReport, Format, Report, file_report, render, statistics,
    statistics_table, text,
};
use cass_transpile::rules::{self, Options, RuleChoice, Session, translate};
use cass_transpile::text::SourceFile;
use serde_json::Value;

const WIDE: &[u8] = "#include <cuda_runtime.h>\n\nvoid limit() {\n\tputs(\"漢字 😀\"); cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 4); // </script><b>|`\n\tcudaMemset(p, 0, 4);\n\tcudaCtxResetPersistingL2Cache();\n    cudaCtxResetPersistingL2Cache();\n}\n".as_bytes();
const BYTES: &[u8] = b"/* \xfc \x1b[31m */ k << <1, 2>> >(cudaCtxResetPersistingL2Cache(), 1);\r\n";

/// Rules that take part: new rules must not change these snapshots.
const RULES: &[&str] = &["CASS001", "CASS003", "CASS008", "CASS100"];

/// A session in which only these rules run.
fn session(on: &[&str]) -> Session {
    let mut session = Session::new(Options::default(), ApiTable::builtin());
    let codes = rules::all().iter().map(|(rule, _)| rule.code.to_owned());
    let choice = RuleChoice {
        off: codes.filter(|code| !on.contains(&code.as_str())).collect(),
        ..RuleChoice::default()
    };
    session.rules.add(None, choice).expect("codes of rules");
    session
}

fn report() -> Report {
    let session = session(RULES);
    let problems = vec!["old/: cannot be read: permission denied".to_owned()];
    let mut builder = Builder::new(session.options.clone(), problems);
    builder.add(one(&session, "src/a&b <1>%.cu", WIDE));
    builder.add(one(&session, "src/bytes.cuh", BYTES));
    builder.add(one(&session, "src/clean.cu", b"__global__ void k() {}\n"));
    builder.add(FileReport {
        path: "gone.cu".to_owned(),
        action: Action::Failed,
        problem: Some("gone.cu: no such file <or> folder".to_owned()),
        ..FileReport::default()
    });
    let mut report = builder.finish();
    report.tool.version = "0.0.0";
    report
}

fn one(session: &Session, path: &str, bytes: &[u8]) -> FileReport {
    let source = SourceFile::new(path, bytes.to_vec());
    let outcome = translate(&source, session);
    let mut file = file_report(&source, &outcome, None, Severity::Info);
    file.repository_path = format!("gpu/{path}");
    file
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("the program is there");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text of the rules' documentation belongs to the rules.
fn without_docs(text: &str) -> String {
    let mut value = json(text);
    for rule in value["runs"][0]["tool"]["driver"]["rules"]
        .as_array_mut()
        .expect("rules")
    {
        for key in ["shortDescription", "fullDescription", "help"] {
            let texts = rule[key].as_object_mut().expect("texts");
            assert!(
                texts
                    .values()
                    .all(|text| text.as_str().is_some_and(|text| text.len() > 20))
            );
            rule[key] = Value::from("…");
        }
    }
    serde_json::to_string_pretty(&value).expect("JSON")
}

#[test]
fn each_format_has_its_snapshot() {
    let report = report();
    let plain = |format| anstream::adapter::strip_str(&render(&report, format)).to_string();
    insta::assert_snapshot!("full", plain(Format::Full));
    insta::assert_snapshot!("concise", plain(Format::Concise));
    insta::assert_snapshot!("json_lines", plain(Format::JsonLines));
    insta::assert_snapshot!("sarif", without_docs(&plain(Format::Sarif)));
    insta::assert_snapshot!("github", plain(Format::Github));
    insta::assert_snapshot!("gitlab", plain(Format::Gitlab));
    insta::assert_snapshot!("junit", plain(Format::Junit));
    insta::assert_snapshot!("checkstyle", plain(Format::Checkstyle));
    insta::assert_snapshot!("rdjson", plain(Format::Rdjson));
    insta::assert_snapshot!("markdown", plain(Format::Markdown));
    insta::assert_snapshot!("summary", text::summary(&report, "translated"));
    insta::assert_snapshot!("statistics", statistics_table(&statistics(&report)));
}

#[test]
fn the_json_report_follows_the_published_schema() {
    let schema = json(&cass_transpile::report::json::schema());
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let mut report = json(&render(&report(), Format::Json));
    let problems: Vec<String> = validator
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
    report["files"][0]["findings"][0]["severity"] = Value::from("fatal");
    assert!(!validator.is_valid(&report), "the schema takes anything");
}

/// The schema of OASIS comes with the crate `serde-sarif`, whose model is generated from it; cargo knows where the crate lies.
fn sarif_schema() -> Value {
    // Without a platform cargo asks for the crates of all of them, which need not be on this machine.
    let version = stdout(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = stdout(
        Command::new(cargo)
            .args([
                "metadata",
                "--format-version",
                "1",
                "--offline",
                "--filter-platform",
            ])
            .args([host.expect("rustc knows its host"), "--manifest-path"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
    );
    let metadata = json(&metadata);
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages
        .iter()
        .find(|package| package["name"] == "serde-sarif");
    let manifest = package.expect("a dependency")["manifest_path"]
        .as_str()
        .expect("a path");
    let path = std::path::Path::new(manifest)
        .with_file_name("src")
        .join("schema.json");
    let mut schema = json(&std::fs::read_to_string(path).expect("the crate holds the schema"));
    assert_eq!(
        schema["$id"],
        "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
    );
    // Its pattern for languages has a bracket too many, which Errata 01 mends; our logs name no language.
    for holder in ["run", "toolComponent"] {
        schema["definitions"][holder]["properties"]["language"]["pattern"] =
            Value::from("^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    }
    // Errata 01 also asks every region to say where it is.
    schema["definitions"]["region"]["required"] = serde_json::json!(["startLine"]);
    schema
}

/// What is checked: the log against the JSON schema of SARIF 2.1.0 by OASIS, formats of URIs included, with the two corrections of
/// Errata 01 that could concern us. What is not: that GitHub takes it, which only an upload shows; the rules of its documentation
/// that can be checked here are in the next test.
#[test]
fn sarif_follows_the_official_schema() {
    let validator = jsonschema::draft7::options()
        .should_validate_formats(true)
        .build(&sarif_schema())
        .expect("the schema is one");
    let mut report = report();
    report.files[0].findings[0].baseline = Some(BaselineState::New);
    report.files[0].findings[1].baseline = Some(BaselineState::Unchanged);
    let empty = Report::default();
    for report in [&report, &empty] {
        let log = json(&render(report, Format::Sarif));
        let problems: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{problems:#?}");
        serde_json::from_value::<serde_sarif::sarif::Sarif>(log).expect("the typed model reads it");
    }
    let mut log = json(&render(&report, Format::Sarif));
    log["runs"][0]["results"][0]["level"] = Value::from("fatal");
    assert!(!validator.is_valid(&log), "the schema takes anything");
}

#[test]
fn sarif_has_what_code_scanning_asks_for() {
    let log = json(&render(&report(), Format::Sarif));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let mut prints = BTreeSet::new();
    for result in run["results"].as_array().expect("results") {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
        assert!(
            uri.starts_with("gpu/src/") && !uri.contains([' ', '<', '&']),
            "{uri}"
        );
        let (region, print) = (&place["region"], &result["partialFingerprints"]);
        assert!(region["startColumn"].as_u64() <= region["endColumn"].as_u64());
        assert!(
            prints.insert((uri, print["primaryLocationLineHash"].as_str())),
            "{print}"
        );
    }
    for rule in rules {
        assert!(
            rule["properties"]["tags"]
                .as_array()
                .is_some_and(|tags| tags.len() <= 20)
        );
        assert!(
            rule["fullDescription"]["text"]
                .as_str()
                .is_some_and(|text| text.len() <= 1024)
        );
        assert!(
            rule["shortDescription"]["text"]
                .as_str()
                .is_some_and(|text| text.len() <= 1024)
        );
    }
}

#[test]
fn sarif_columns_count_utf16_units() {
    let log = json(&render(&report(), Format::Sarif));
    let result = |name: &str| {
        let results = log["runs"][0]["results"].as_array().expect("results");
        results
            .iter()
            .find(|result| result["properties"]["api"] == name)
            .cloned()
            .expect("found")
    };
    let line = std::str::from_utf8(WIDE)
        .expect("UTF-8")
        .lines()
        .nth(3)
        .expect("a line");
    let before = line.split("cudaLimit").next().expect("text");
    let column = before.encode_utf16().count() as u64 + 1;
    let region =
        &result("cudaLimitPersistingL2CacheSize")["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"].as_u64(), Some(column));
}

#[test]
fn xml_is_well_formed_and_counts_itself() {
    let report = report();
    let junit = render(&report, Format::Junit);
    let document = roxmltree::Document::parse(&junit).expect("XML");
    let count = |name: &str| {
        document
            .descendants()
            .filter(|node| node.has_tag_name(name))
            .count()
    };
    let root = document.root_element();
    assert_eq!(
        root.attribute("tests"),
        Some(count("testcase").to_string().as_str())
    );
    assert_eq!(
        root.attribute("failures"),
        Some(count("failure").to_string().as_str())
    );
    assert_eq!(
        root.attribute("errors"),
        Some(count("error").to_string().as_str())
    );
    for suite in document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"))
    {
        let cases = suite
            .children()
            .filter(|node| node.has_tag_name("testcase"))
            .count();
        assert_eq!(suite.attribute("tests"), Some(cases.to_string().as_str()));
    }
    let checkstyle = render(&report, Format::Checkstyle);
    let document = roxmltree::Document::parse(&checkstyle).expect("XML");
    let names: Vec<_> = document
        .descendants()
        .filter_map(|node| node.attribute("name"))
        .collect();
    assert!(names.contains(&"gpu/src/a&b <1>%.cu"), "{names:?}");
}

#[test]
fn gitlab_fingerprints_are_unique() {
    let list = json(&render(&report(), Format::Gitlab));
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
    let result = json(&render(&report(), Format::Rdjson));
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
    let result = json(&render(&builder.finish(), Format::Rdjson));
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

#[test]
fn markdown_fits_a_comment_whatever_the_tree() {
    let mut report = report();
    let finding = report.files[0].findings[0].clone();
    report.files[0].findings = vec![finding; 20_000];
    let text = render(&report, Format::Markdown);
    assert!(text.len() < 65_000, "{} bytes", text.len());
    assert!(
        text.contains("findings, errors first"),
        "what was left out is not said"
    );
    assert_eq!(
        text.matches("<details").count(),
        text.matches("</details>").count()
    );
}

#[test]
fn every_format_is_the_same_every_time() {
    use clap::ValueEnum as _;
    for format in Format::value_variants() {
        assert_eq!(
            render(&report(), *format),
            render(&report(), *format),
            "{format:?}"
        );
        assert!(render(&report(), *format).ends_with('\n'), "{format:?}");
    }
}
