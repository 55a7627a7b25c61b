//! Every format of the report on one small run: a snapshot that was read by eye, and whatever judge of the format there is.
//!
//! The files of the run are written here, not in `fixtures/`, because their names and bytes are what is tested: blanks, marks of
//! XML and of URIs, wide text before a finding, bytes that are not UTF-8, an escape sequence, the end of a script element.

mod sarif;
mod shapes;
mod xml;

use cass_transpile::diagnostic::Severity;
use cass_transpile::engine::RuleChoice;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use cass_transpile::report::{
    Action, Builder, CountBy, FileReport, Format, Report, file_report, render, statistics,
    statistics_table, text,
};
use cass_transpile::rules;
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

#[test]
fn each_format_has_its_snapshot() {
    let report = report();
    let plain = |format| anstream::adapter::strip_str(&render(&report, format)).to_string();
    insta::assert_snapshot!("full", plain(Format::Full));
    insta::assert_snapshot!("concise", plain(Format::Concise));
    insta::assert_snapshot!("json_lines", plain(Format::JsonLines));
    insta::assert_snapshot!("sarif", without_docs(&plain(Format::Sarif)));
    insta::assert_snapshot!("github", plain(Format::Github));
    insta::assert_snapshot!("azure", plain(Format::Azure));
    insta::assert_snapshot!("gitlab", plain(Format::Gitlab));
    insta::assert_snapshot!("junit", plain(Format::Junit));
    insta::assert_snapshot!("checkstyle", plain(Format::Checkstyle));
    insta::assert_snapshot!("rdjson", plain(Format::Rdjson));
    insta::assert_snapshot!("markdown", plain(Format::Markdown));
    insta::assert_snapshot!("summary", text::summary(&report, "translated"));
    insta::assert_snapshot!(
        "statistics",
        statistics_table(&statistics(&report, CountBy::Rule))
    );
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
