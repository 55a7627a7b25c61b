//! Releases: the spelling follows `--rocm`, what a release lacks is a finding, and the report says the lowest release that suffices.

use std::collections::BTreeSet;

use assert_cmd::Command;
use cass_transpile::cli::parse_options;
use cass_transpile::engine::Session;
use cass_transpile::engine::translate;
use cass_transpile::mapping::chip::rocm_release;
use cass_transpile::mapping::{ApiTable, Version};
use cass_transpile::text::SourceFile;

fn run(options: &[&str], line: &str) -> (String, Vec<String>) {
    let session = Session::new(
        parse_options(options).expect("valid options"),
        ApiTable::builtin(),
    );
    let space = if line.starts_with("__shared__") {
        "__global__ "
    } else {
        ""
    };
    let text = format!(
        "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n{space}void f() {{\n    {line}\n}}\n"
    );
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
        .map(|finding| {
            format!(
                "{:?} {} {}",
                finding.severity, finding.code, finding.message
            )
        })
        .collect();
    (line, codes)
}

/// A source, and from each release on what becomes of it, with a piece of the finding there must be (empty: no error, no newer ROCm).
struct Change {
    source: &'static str,
    options: &'static [&'static str],
    steps: &'static [(&'static str, &'static str, &'static str)],
}

const fn plain(
    source: &'static str,
    steps: &'static [(&'static str, &'static str, &'static str)],
) -> Change {
    Change {
        source,
        options: &[],
        steps,
    }
}

const NATIVE: &[&str] = &["--warp", "native"];

/// What changed between 5.7 and 10.0, one small source each.
const CHANGES: &[Change] = &[
    plain(
        "cublasDataType_t t;",
        &[
            ("5.7", "hipblasDatatype_t t;", ""),
            ("6.0", "hipDataType t;", ""),
        ],
    ),
    plain(
        "cublasComputeType_t t = CUBLAS_COMPUTE_32F;",
        &[
            ("5.7", "hipblasDatatype_t t = HIPBLAS_R_32F;", ""),
            ("6.0", "hipblasComputeType_t t = HIPBLAS_COMPUTE_32F;", ""),
        ],
    ),
    plain(
        "cudaHostAlloc(&p, n, 0);",
        &[
            ("5.7", "hipHostMalloc(&p, n, 0);", ""),
            ("6.4", "hipHostAlloc(&p, n, 0);", ""),
        ],
    ),
    plain(
        "CUDA_MEMSET_NODE_PARAMS p;",
        &[
            ("5.7", "hipMemsetParams p;", ""),
            ("6.1", "HIP_MEMSET_NODE_PARAMS p;", ""),
            ("7.0", "hipMemsetParams p;", ""),
        ],
    ),
    plain(
        "cudaDeviceProp p; int n = p.persistingL2CacheMaxSize;",
        &[
            (
                "5.7",
                "hipDeviceProp_t p; int n = p.persistingL2CacheMaxSize;",
                "in HIP, which needs ROCm 6.0; the target is ROCm 5.7",
            ),
            (
                "6.0",
                "hipDeviceProp_t p; int n = p.persistingL2CacheMaxSize;",
                "",
            ),
        ],
    ),
    plain(
        "cudaPointerAttributes p; bool b = p.memoryType == 2;",
        &[
            (
                "5.4",
                "hipPointerAttribute_t p; bool b = p.memoryType == 2;",
                "",
            ),
            (
                "5.5",
                "hipPointerAttribute_t p; bool b = p.type == 2;",
                "CASS007",
            ),
        ],
    ),
    plain(
        "cublasDgeam_64(h, o, o, m, n, a, A, l, b, B, l, C, l);",
        &[
            (
                "5.7",
                "cublasDgeam_64(h, o, o, m, n, a, A, l, b, B, l, C, l);",
                "which needs ROCm 6.3",
            ),
            (
                "6.3",
                "hipblasDgeam_64(h, o, o, m, n, a, A, l, b, B, l, C, l);",
                "",
            ),
        ],
    ),
    plain(
        "cuStreamBatchMemOp(s, 1, p, 0);",
        &[
            (
                "5.7",
                "cuStreamBatchMemOp(s, 1, p, 0);",
                "which needs ROCm 6.4",
            ),
            ("6.4", "hipStreamBatchMemOp(s, 1, p, 0);", ""),
        ],
    ),
    plain(
        "cudaStreamCopyAttributes(a, b);",
        &[
            (
                "5.7",
                "cudaStreamCopyAttributes(a, b);",
                "which needs ROCm 7.2",
            ),
            ("7.2", "hipStreamCopyAttributes(a, b);", ""),
        ],
    ),
    plain(
        "cuGreenCtxDestroy(c);",
        &[
            ("5.7", "cuGreenCtxDestroy(c);", "which needs ROCm 7.14"),
            ("7.14", "hipExecutionCtxDestroy(c);", "CASS002"),
        ],
    ),
    plain(
        "cudaMemGetDefaultMemPool(&pool, &place, type);",
        &[
            (
                "5.7",
                "cudaMemGetDefaultMemPool(&pool, &place, type);",
                "which needs ROCm 10.0",
            ),
            ("10.0", "hipMemGetDefaultMemPool(&pool, &place, type);", ""),
        ],
    ),
    // Lane masks: helpers of 32 lanes are right on every release, HIP's own calls take 64 bits from 7.0 on.
    plain(
        "unsigned long long m; int v = __any_sync(m, 1);",
        &[(
            "5.7",
            "unsigned long long m; int v = cass_any_sync(m, 1);",
            "",
        )],
    ),
    Change {
        source: "unsigned long long m; int v = __any_sync(m, 1);",
        options: NATIVE,
        steps: &[
            (
                "5.7",
                "unsigned long long m; int v = __any_sync(m, 1);",
                "with a 64-bit mask needs ROCm 7.0",
            ),
            (
                "7.0",
                "unsigned long long m; int v = __any_sync(m, 1);",
                "now covers the whole wavefront",
            ),
        ],
    },
    Change {
        source: "__shared__ int s[warpSize];",
        options: NATIVE,
        steps: &[
            ("5.7", "__shared__ int s[warpSize];", "Warning CASS204"),
            ("7.0", "__shared__ int s[warpSize];", "Error CASS204"),
        ],
    },
    plain(
        "__shared__ int s[warpSize];",
        &[("5.7", "__shared__ int s[32];", "")],
    ),
];

/// A header that a release lacks stays, and is an error that names the release.
#[test]
fn headers_have_releases() {
    for (rocm, header) in [("6.4", "cuda_fp4.h"), ("7.0", "hip/hip_fp4.h")] {
        let options = parse_options(&["--rocm", rocm]).expect("valid options");
        let session = Session::new(options, ApiTable::builtin());
        let source = SourceFile::new(
            "a.cu",
            b"#include <cuda_fp4.h>\n#include <cuda_runtime.h>\n".to_vec(),
        );
        let outcome = translate(&source, &session);
        let output = String::from_utf8(outcome.output.expect("an include changes")).expect("ASCII");
        assert!(
            output.contains(&format!("#include <{header}>")),
            "ROCm {rocm}: {output}"
        );
        let needs = outcome.findings.iter().any(|finding| {
            finding
                .message
                .contains("needs ROCm 7.0; the target is ROCm 6.4")
        });
        assert_eq!(needs, rocm == "6.4", "ROCm {rocm}");
    }
}

#[test]
fn each_release_gets_what_it_has() {
    const RELEASES: [&str; 14] = [
        "5.4", "5.5", "5.7", "6.0", "6.1", "6.2", "6.3", "6.4", "7.0", "7.1", "7.2", "7.12",
        "7.14", "10.0",
    ];
    let version = |text: &str| text.parse::<Version>().expect("a version");
    for change in CHANGES {
        for rocm in RELEASES {
            let reached = |(since, ..): &&(&str, &str, &str)| version(since) <= version(rocm);
            let Some((_, expected, finding)) = change.steps.iter().rfind(reached) else {
                continue;
            };
            let options = [change.options, &["--rocm", rocm]].concat();
            let (line, findings) = run(&options, change.source);
            assert_eq!(&line, expected, "ROCm {rocm}");
            let said = findings.iter().any(|text| text.contains(finding));
            let is_wrong = |text: &String| text.starts_with("Error") || text.contains("needs ROCm");
            let wrong = finding.is_empty() && findings.iter().any(is_wrong);
            assert!(
                (said || finding.is_empty()) && !wrong,
                "ROCm {rocm}: {line}: {findings:?}"
            );
        }
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
                .any(|text| text.contains("CASS004") && text.contains("needs ROCm 7.1")),
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
            !findings.iter().any(|text| text.contains("CASS004")),
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
    // `--rocm` can choose the older spelling, `hipblasDatatype_t`.
    let (version, because) = need(&[], "cublasDataType_t t;");
    assert!(
        version == "1.8" && because.contains("hipDataType"),
        "{version} {because}"
    );
    let (version, _) = need(&["--rocm", "5.7"], "cublasDataType_t t;");
    assert_eq!(version, "1.8");
    let name = "cublasComputeType_t t;";
    let (hip, roc) = (need(&[], name).0, need(&["--blas", "roc"], name).0);
    assert_eq!((hip.as_str(), roc.as_str()), ("1.8", "5.7"));
}

#[test]
fn releases_are_read_and_refused() {
    for rocm in ["5.7", "6.4.1", "7", "10.0"] {
        parse_options(&["--rocm", rocm]).unwrap_or_else(|error| panic!("{rocm}: {error}"));
    }
    for rocm in ["six", "6.x", "6.4.1.2", "", "6.9", "64", "99.0"] {
        assert!(
            parse_options(&["--rocm", rocm]).is_err(),
            "{rocm:?} is accepted"
        );
    }
}

/// A release that a row names is one that a person can convert for.
#[test]
fn rows_name_releases_that_there_were() {
    let table = ApiTable::builtin();
    let mut unknown = BTreeSet::new();
    for hit in table.iter() {
        let entry = hit.entry;
        let spans = [entry.rocm]
            .into_iter()
            .chain(entry.roc.as_ref().map(|roc| roc.rocm));
        let spans = spans.chain(entry.forms.iter().filter_map(|form| form.rocm));
        let bounds = spans.flat_map(|span| [span.since, span.until]).flatten();
        let all = bounds.chain(entry.older.iter().map(|older| older.below));
        let is_unknown = |release: &Version| rocm_release(&release.to_string()).is_err();
        unknown.extend(all.filter(is_unknown).map(|release| release.to_string()));
    }
    assert_eq!(unknown, BTreeSet::new());
}
