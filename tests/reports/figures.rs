//! Figures of a report mean the same in every format, and mean what `src/report/figures.rs` says.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn tree(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("cass-transpile").expect("the program is built");
    let output = command.current_dir(folder.path()).args(arguments);
    let output = output.output().expect("it runs");
    let all = [output.stdout, output.stderr].concat();
    String::from_utf8(all).expect("UTF-8")
}

fn report(folder: &TempDir, arguments: &[&str]) -> Value {
    let mut command = Command::cargo_bin("cass-transpile").expect("the program is built");
    let command = command.current_dir(folder.path()).args(arguments);
    let output = command.args(["--output-format", "json"]).output();
    serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON")
}

const MIXED: &str = "#include <cuda_runtime.h>\nvoid f(void **p) {\n    cudaMalloc(p, 4);\n    cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner);\n}\n";
const CLEAN: &str = "#include <cuda_runtime.h>\nvoid g(void *p) { cudaFree(p); }\n";

#[test]
fn an_argument_that_conversion_drops_is_converted() {
    let text = "#include <cudnn.h>\nvoid f(cudnnTensorDescriptor_t d) { cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 3, 4); }\n";
    let folder = tree(&[("a.cu", text)]);
    let totals = &report(&folder, &["check", "a.cu"])["totals"];
    assert_eq!(totals["counts"]["manual"], 0, "{totals}");
    assert_eq!(totals["portability"], 100.0);
}

#[test]
fn not_converted_is_what_has_an_error() {
    let folder = tree(&[("a.cu", MIXED), ("b.cu", CLEAN)]);
    let report = report(&folder, &["check", "."]);
    let counts = &report["totals"]["counts"];
    // One call with two enumerators: three names that do not convert, one problem.
    assert_eq!(counts["manual"], 3, "{counts}");
    assert_eq!(counts["errors"], 1, "{counts}");
    assert_eq!(report["totals"]["ready_files"], 1);
    assert_eq!(report["totals"]["cuda_files"], 2);
    let finding = &report["files"][0]["findings"][0];
    assert_eq!(finding["labels"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_finished_port_is_all_in_hip() {
    let folder = tree(&[("src/b.cu", &format!("{CLEAN}__global__ void k() {{}}\n"))]);
    run(&folder, &["src", "out"]);
    let totals = &report(&folder, &["check", "out"])["totals"];
    assert_eq!(totals["portability"], 100.0, "{totals}");
    assert_eq!(totals["counts"]["already"], 2);
    let folder = tree(&[("src/a.cu", &format!("{MIXED}__global__ void k() {{}}\n"))]);
    let before = report(&folder, &["check", "src"])["totals"]["portability"].clone();
    run(&folder, &["src", "out"]);
    let after = report(&folder, &["check", "out"])["totals"]["portability"].clone();
    assert_eq!(before, after);
    // Without a single name of CUDA as well.
    let hip = "#include <hip/hip_runtime.h>\nint main() { return hipFree(0); }\n";
    let folder = tree(&[("a.hip", hip), ("b.cpp", "int b;\n")]);
    let totals = &report(&folder, &["check", "."])["totals"];
    assert_eq!(totals["portability"], 100.0, "{totals}");
    assert_eq!(totals["counts"]["already"], 2);
}

#[test]
fn a_baseline_that_has_everything_leaves_nothing_new() {
    let folder = tree(&[("a.cu", MIXED)]);
    run(
        &folder,
        &[
            "check",
            ".",
            "--baseline",
            "known.json",
            "--update-baseline",
        ],
    );
    let text = run(
        &folder,
        &[
            "check",
            ".",
            "--baseline",
            "known.json",
            "--report",
            "html=r.html",
            "--report",
            "markdown=r.md",
        ],
    );
    assert!(
        text.contains("findings: nothing new, 1 is in the baseline (1 error in all)"),
        "{text}"
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    assert!(read("r.md").contains("## CUDA to HIP: nothing new left to do"));
    assert!(read("r.html").contains("Nothing is new: the baseline has all findings."));
    std::fs::write(folder.path().join("b.cu"), MIXED).expect("a file");
    let text = run(&folder, &["check", ".", "--baseline", "known.json"]);
    assert!(text.contains("findings: 1 error new"), "{text}");
}

#[test]
fn every_format_shows_the_same_figures() {
    let both = "#ifdef MINE_HIP\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\nvoid f(void *p) { cudaFree(p); }\n";
    let host = "#include <cuda_runtime.h>\nvoid h() { cudaDeviceSynchronize(); }\n";
    let folder = tree(&[
        ("a.cu", MIXED),
        ("b.cu", CLEAN),
        ("c.cu", both),
        ("d.cpp", host),
    ]);
    let text = run(
        &folder,
        &[
            "check",
            ".",
            "--report",
            "html=r.html",
            "--report",
            "markdown=r.md",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let (html, markdown) = (read("r.html"), read("r.md"));
    assert!(
        text.contains("ready without manual changes: 3 of 4"),
        "{text}"
    );
    assert!(
        markdown.contains("| Ready without manual changes | 3 of 4 | have no error"),
        "{markdown}"
    );
    assert!(html.contains("<dd class=\"value\">3</dd><dd>of 4 files with CUDA have no error"));
    for report in [&text, &html, &markdown] {
        assert!(
            report.contains("-DMINE_HIP") && report.contains("-D__HIP_PLATFORM_AMD__"),
            "{report}"
        );
    }
    // Nothing was written, and nobody says so.
    assert!(html.contains("Checked, nothing written") && html.contains("data-fixes=\"would be \""));
}

#[test]
fn what_the_result_needs_counts_the_spelling_that_can_be_chosen() {
    let text = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaHostAlloc(p, 4, cudaHostAllocDefault); }\n";
    let folder = tree(&[("a.cu", text)]);
    let need = report(&folder, &["check", "a.cu"])["rocm"]["version"].clone();
    assert_eq!(need, "1.6");
    let older = report(&folder, &["check", "a.cu", "--rocm", "5.7"]);
    assert_eq!(older["rocm"]["version"], "1.6");
}

#[test]
fn sarif_calls_a_fix_applied_only_where_it_was_written() {
    let folder = tree(&[("src/a.cu", "#include <cudnn.h>\n__global__ void k() {}\n")]);
    let applied = |arguments: &[&str]| {
        run(&folder, arguments);
        let text = std::fs::read_to_string(folder.path().join("r.sarif")).expect("written");
        let log: Value = serde_json::from_str(&text).expect("JSON");
        log["runs"][0]["results"][0]["properties"]["applied"].clone()
    };
    assert_eq!(
        applied(&["check", "src", "--report", "sarif=r.sarif"]),
        false
    );
    assert_eq!(applied(&["src", "out", "--report", "sarif=r.sarif"]), true);
}

/// A file without an error may still mean something else on AMD: the line says where a person reads first.
#[test]
fn files_that_are_ready_with_warnings_are_told_apart() {
    let warned = "#include <cuda_runtime.h>\n#define CALL(name) check(cuda##name)\n";
    let folder = tree(&[("a.cu", MIXED), ("b.cu", CLEAN), ("c.cu", warned)]);
    let to_files = ["html=r.html", "--report", "markdown=r.md"];
    let arguments = [&["check", ".", "--report"][..], &to_files].concat();
    let text = run(&folder, &arguments);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    const WORDS: &str = ", 1 of them with warnings to read";
    for (report, before) in [
        (text, "ready without manual changes: 2 of 3"),
        (read("r.md"), "no manual change is needed"),
        (read("r.html"), "no manual change is needed"),
    ] {
        assert!(report.contains(&format!("{before}{WORDS}")), "{report}");
    }
}
