//! SARIF: the official schema, and what GitHub's documentation of code scanning asks for.

use std::collections::BTreeSet;
use std::process::Command;

use cass_transpile::report::{BaselineState, Builder, Format, Report, render};
use serde_json::Value;

use super::{WIDE, json, one, report, session};

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

/// Applies the replacements of each result as a viewer does, by bytes from the start of the file.
#[test]
fn sarif_fixes_are_replacements_that_make_the_translation() {
    let source =
        "#include <cuda_runtime.h>\nvoid f(void *p) { /* 漢 */ cudaFree(p); k << <1, 2>> >(p); }\n";
    let session = session(&["CASS001", "CASS008", "CASS100"]);
    let mut builder = Builder::new(session.options.clone(), Vec::new());
    builder.add(one(&session, "a.cu", source.as_bytes()));
    let log = json(&render(&builder.finish(), Format::Sarif));
    let results = log["runs"][0]["results"].as_array().expect("results");
    let changes = results
        .iter()
        .filter_map(|result| result["fixes"].as_array());
    let changes = changes
        .flatten()
        .flat_map(|fix| fix["artifactChanges"].as_array());
    let mut replacements: Vec<(usize, usize, &str)> = changes
        .flatten()
        .flat_map(|change| change["replacements"].as_array())
        .flatten()
        .map(|replacement| {
            let region = &replacement["deletedRegion"];
            let place = |line: &str, column: &str| {
                let number = |key: &str| region[key].as_u64().map(|number| number as usize);
                let line = number(line).or(number("startLine")).expect("a line");
                offset(source, line, number(column).expect("a column"))
            };
            let text = replacement["insertedContent"]["text"].as_str();
            let start = place("startLine", "startColumn");
            (
                start,
                place("endLine", "endColumn"),
                text.unwrap_or_default(),
            )
        })
        .collect();
    replacements.sort();
    let mut fixed = source.to_owned();
    for (start, end, text) in replacements.into_iter().rev() {
        fixed.replace_range(start..end, text);
    }
    assert_eq!(
        fixed,
        "#include <hip/hip_runtime.h>\nvoid f(void *p) { /* 漢 */ hipFree(p); k <<<1, 2>>>(p); }\n"
    );
}

/// The byte of a line and a column in UTF-16 units.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let mut units = 1;
    let before = text[start..].char_indices().find(|(_, letter)| {
        let is_there = units >= column;
        units += letter.len_utf16();
        is_there
    });
    start + before.expect("the column is in the line").0
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

fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("the program is there");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}
