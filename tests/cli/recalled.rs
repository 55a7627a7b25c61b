//! `check` of a port: an error of the translation stays until somebody changed its line, whatever the tool wrote.

use crate::common::Tree;

/// Both names are renamed and look like HIP afterwards: CUB's has no counterpart, and the member is no member on AMD.
const RENAMED: &str = "#include <cub/cub.cuh>\nint device() {\n    int d = 0;\n    cub::CurrentDevice();\n    cudaMemPoolProps p{};\n    p.usage = 1;\n    cudaFree(0);\n    return d;\n}\n";

/// A word that the translation writes into it looks like somebody's port.
const SETUP: &str = "import torch\nfrom setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n\
    setup(name=\"x\", ext_modules=[CUDAExtension(\"x\", [\"k.cu\"], extra_compile_args={\"nvcc\": [\"-gencode=arch=compute_80,code=sm_80\"]})],\n      cmdclass={\"build_ext\": BuildExtension})\n";
const KERNEL: &str = "#include <torch/extension.h>\n__global__ void k(unsigned *p, unsigned a) {\n    unsigned b = 0;\n#if __CUDA_ARCH__ >= 750\n\
    asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(b) : \"r\"(a));\n#endif\n    p[a] = b;\n}\n";

/// Errors of a check, by what its last line of findings says.
fn errors(tree: &Tree, path: &str, more: &[&str]) -> usize {
    let done = tree.run(
        &[
            &[
                "check",
                path,
                "--output-format",
                "concise",
                "--show",
                "error",
                "--fail-on",
                "error",
            ],
            more,
        ]
        .concat(),
    );
    let count = done
        .out
        .lines()
        .filter(|line| line.contains(": error["))
        .count();
    assert_eq!(done.code == 1, count > 0, "{}{}", done.out, done.err);
    count
}

#[test]
fn errors_stay_until_their_line_changes() {
    let tree = Tree::new(&[("src/a.cu", RENAMED), ("src/sub/b.cu", RENAMED)]);
    let found = errors(&tree, "src", &[]);
    assert!(found >= 4, "{found}");
    tree.run(&["src", "out"]);
    assert_eq!(errors(&tree, "out", &[]), found);
    assert_eq!(errors(&tree, "out/sub", &[]), found / 2);
    assert_eq!(errors(&tree, "out/a.cu", &[]), found / 2);
    assert_eq!(
        errors(&tree, "out", &["--ignore", "CASS"]),
        errors(&tree, "src", &["--ignore", "CASS"])
    );
    // A line that somebody changed is solved, one that moved is not, and one with a comment for the tool was seen.
    let text = tree.read("out/a.cu");
    let line = text
        .lines()
        .find(|line| line.contains("CurrentDevice"))
        .expect("it is there")
        .to_owned();
    tree.write(
        "out/a.cu",
        format!("// by hand\n{}", text.replace(&line, "    solved();")).as_bytes(),
    );
    assert_eq!(errors(&tree, "out/a.cu", &[]), found / 2 - 1);
    let usage = "    p.usage = 1;";
    let text = tree.read("out/a.cu").replace(
        usage,
        &format!("    // cass: ignore-next-line by hand\n{usage}"),
    );
    tree.write("out/a.cu", text.as_bytes());
    assert_eq!(errors(&tree, "out/a.cu", &[]), found / 2 - 2);
}

#[test]
fn what_the_tool_wrote_itself_is_no_proof_of_support() {
    let tree = Tree::new(&[("src/setup.py", SETUP), ("src/k.cu", KERNEL)]);
    assert_eq!(errors(&tree, "src", &[]), 1);
    tree.run(&["src", "out"]);
    assert_eq!(errors(&tree, "out", &[]), 1);
    let said = tree.run(&["--in-place", "src"]).out;
    assert!(
        said.ends_with("left for a person: `cass-transpile check src`; src/.cass keeps it until the lines change\n"),
        "{said}"
    );
    assert_eq!(errors(&tree, "src", &[]), 1);
    // A second run finds nothing new, and forgets nothing.
    tree.run(&["--in-place", "src"]);
    assert_eq!(errors(&tree, "src", &[]), 1);
    assert!(tree.path("src/.cass/findings.json").exists());
}

#[test]
fn a_run_in_place_without_errors_leaves_no_records() {
    let tree = Tree::new(&[("src/a.cu", crate::common::SAFE)]);
    let said = tree.run(&["--in-place", "src"]).out;
    assert!(!tree.path("src/.cass").exists());
    assert!(!said.contains("left for a person"), "{said}");
}

#[test]
fn an_error_in_a_header_says_how_many_sources_it_stops() {
    let user = "#include \"h.cuh\"\nint f(void *p) { return cudaFree(p); }\n";
    let header = format!(
        "#pragma once\n#include <cuda_runtime.h>\n{}",
        crate::common::GONE
    );
    let tree = Tree::new(&[
        ("src/h.cuh", &header),
        ("src/a.cu", user),
        ("src/b.cu", user),
        ("src/c.cu", crate::common::SAFE),
        ("src/word.cpp", "// nothing to do with cuda\nint x;\n"),
    ]);
    let done = tree.run(&["check", "src"]);
    let all = format!("{}{}", done.out, done.err);
    assert!(all.contains("= note: 2 sources include this file"), "{all}");
    assert!(
        all.contains("1 error; 2 sources include this file"),
        "{all}"
    );
    assert!(all.contains("5 files, 4 with CUDA"), "{all}");
    assert!(
        all.contains("ready without manual changes: 1 of 4"),
        "{all}"
    );
    let report = tree.run(&["check", "src", "--output-format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.out).expect("JSON");
    let header = report["files"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|file| file["path"] == "src/h.cuh");
    assert_eq!(header.expect("it is listed")["reached_by"], 2);
}
