//! Releases: the spelling follows `--rocm`, what a release lacks is a finding, and the report says the lowest release that suffices.

use assert_cmd::Command;
use cass_transpile::cli::parse_options;
use cass_transpile::mapping::ApiTable;
use cass_transpile::rules::{Session, translate};
use cass_transpile::text::SourceFile;

fn run(options: &[&str], line: &str) -> (String, Vec<String>) {
    let session = Session::new(
        parse_options(options).expect("valid options"),
        ApiTable::builtin(),
    );
    let text =
        format!("#include <cuda_runtime.h>\n#include <cublas_v2.h>\nvoid f() {{\n    {line}\n}}\n");
    let source = SourceFile::new("a.cu", text.into_bytes());
    let outcome = translate(&source, &session);
    let output = String::from_utf8(outcome.output.expect("the includes change")).expect("ASCII");
    let line = output
        .lines()
        .rev()
        .nth(1)
        .expect("the body")
        .trim()
        .to_owned();
    let codes = outcome
        .findings
        .iter()
        .filter(|finding| finding.severity > cass_transpile::diagnostic::Severity::Info)
        .map(|finding| format!("{} {}", finding.code, finding.message))
        .collect();
    (line, codes)
}

#[test]
fn spellings_follow_the_release() {
    for (rocm, expected) in [
        ("5.7", "hipblasDatatype_t t;"),
        ("6.0", "hipDataType t;"),
        ("6.4", "hipDataType t;"),
        ("7.0", "hipDataType t;"),
        ("10.0", "hipDataType t;"),
    ] {
        let (line, _) = run(&["--rocm", rocm], "cublasDataType_t t;");
        assert_eq!(line, expected, "ROCm {rocm}");
    }
}

/// The call exists from ROCm 7.1 on: before that it stays and is an error that names the release, after that it converts.
#[test]
fn what_a_release_lacks_is_named() {
    let call = "cudaMemPrefetchAsync_v2(p, n, where, 0, s);";
    for rocm in ["5.7", "6.4", "7.0"] {
        let (line, findings) = run(&["--rocm", rocm], call);
        assert_eq!(line, call, "ROCm {rocm}");
        assert!(
            findings
                .iter()
                .any(|text| text.starts_with("CASS004") && text.contains("needs ROCm 7.1")),
            "{findings:?}"
        );
    }
    for rocm in ["7.1", "7.2", "10.0"] {
        let (line, findings) = run(&["--rocm", rocm], call);
        assert!(
            line.starts_with("hipMemPrefetchAsync_v2("),
            "ROCm {rocm}: {line}"
        );
        assert!(
            !findings.iter().any(|text| text.starts_with("CASS004")),
            "{findings:?}"
        );
    }
}

/// A form of a call may belong to another release than the call itself.
#[test]
fn forms_have_releases_of_their_own() {
    let (line, _) = run(&["--rocm", "6.4"], "cudaMemPrefetchAsync(p, n, 0, s);");
    assert_eq!(line, "hipMemPrefetchAsync(p, n, 0, s);");
    let (line, findings) = run(
        &["--rocm", "6.4"],
        "cudaMemPrefetchAsync(p, n, where, 0, s);",
    );
    assert!(
        line.starts_with("cudaMemPrefetchAsync(") && !findings.is_empty(),
        "{line} {findings:?}"
    );
    let (line, _) = run(
        &["--rocm", "7.1"],
        "cudaMemPrefetchAsync(p, n, where, 0, s);",
    );
    assert!(line.starts_with("hipMemPrefetchAsync_v2("), "{line}");
}

/// The release of the library that is chosen counts, not that of the other.
#[test]
fn the_report_names_the_lowest_release_and_the_call_that_needs_it() {
    let need = |options: &[&str], body: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(
            folder.path().join("a.cu"),
            format!("#include <cublas_v2.h>\nvoid f() {{ {body} }}\n"),
        )
        .expect("writable");
        let output = Command::cargo_bin("cass-transpile")
            .expect("it is built")
            .current_dir(folder.path())
            .args([
                "check",
                "a.cu",
                "--output-format",
                "json",
                "--exit-zero",
                "--isolated",
            ])
            .args(options)
            .output()
            .expect("it runs");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (
            report["rocm"]["version"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            report["rocm"]["because"].to_string(),
        )
    };
    let (version, because) = need(&[], "cudaMalloc(&p, n); cudaMallocAsync(&q, n, s);");
    assert!(
        version == "5.2" && because.contains("hipMallocAsync"),
        "{version} {because}"
    );
    let (version, because) = need(&[], "cublasDataType_t t;");
    assert!(
        version == "6.0" && because.contains("hipDataType"),
        "{version} {because}"
    );
    let (version, _) = need(&["--rocm", "5.7"], "cublasDataType_t t;");
    assert_eq!(version, "1.8");
    let name = "cublasComputeType_t t;";
    let (hip, roc) = (need(&[], name).0, need(&["--blas", "roc"], name).0);
    assert_eq!((hip.as_str(), roc.as_str()), ("6.0", "5.7"));
}

#[test]
fn releases_are_read_and_refused() {
    for rocm in ["5.7", "6.4.1", "7", "10.0"] {
        parse_options(&["--rocm", rocm]).unwrap_or_else(|error| panic!("{rocm}: {error}"));
    }
    for rocm in ["six", "6.x", "6.4.1.2", ""] {
        assert!(
            parse_options(&["--rocm", rocm]).is_err(),
            "{rocm:?} is accepted"
        );
    }
}
