//! `check` of a port: an error of the translation stays until somebody changed its line, whatever the tool wrote.

use crate::common::Tree;

/// Both names are renamed and look like HIP afterwards: CUB's has no counterpart, and the member is no member on AMD.
const RENAMED: &str = "#include <cub/cub.cuh>\nint device() {\n    int d = 0;\n    cub::CurrentDevice();\n    cudaMemPoolProps p{};\n    p.usage = 1;\n    cudaFree(0);\n    return d;\n}\n";

/// A word that the translation writes into it looks like somebody's port.
const SETUP: &str = "import torch\nfrom setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n\
    setup(name=\"x\", ext_modules=[CUDAExtension(\"x\", [\"k.cu\"], extra_compile_args={\"nvcc\": [\"-gencode=arch=compute_80,code=sm_80\"]})],\n      cmdclass={\"build_ext\": BuildExtension})\n";
const KERNEL: &str = "#include <torch/extension.h>\n__global__ void k(unsigned *p, unsigned a) {\n    unsigned b = 0;\n#if __CUDA_ARCH__ >= 750\n\
    asm volatile(\"mapa.shared::cluster.u32 %0, %1, 0;\" : \"=r\"(b) : \"r\"(a));\n#endif\n    p[a] = b;\n}\n";

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

/// What a folder remembers that was translated where it is counts for each way to name its files.
#[test]
fn errors_of_a_folder_stay_whoever_names_its_files() {
    let tree = Tree::new(&[("repo/src/a.cu", RENAMED), ("repo/lib/b.cpp", "int b;\n")]);
    tree.git(&["-C", "repo", "init", "-q"]);
    let found = errors(&tree, "repo/src", &[]);
    assert!(found >= 2, "{found}");
    tree.run(&["--in-place", "repo/src"]);
    for path in ["repo", "repo/src", "repo/src/a.cu"] {
        assert_eq!(errors(&tree, path, &[]), found, "{path}");
    }
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

/// The edit makes the branch one that is taken, which is a warning and leaves nothing that looks like CUDA.
const BRANCH: &str = "#include <cuda_runtime.h>\n__global__ void k(unsigned *p)\n{\n#if __CUDA_ARCH__ >= 800\n    p[0] = 1;\n#endif\n}\n";

/// Findings of a check with the line that each stands at.
fn found(tree: &Tree, path: &str) -> Vec<String> {
    let done = tree.run(&["check", path, "--output-format", "concise"]);
    let found: Vec<String> = done.out.lines().map(str::to_owned).collect();
    assert_eq!(
        done.code == 1,
        !found.is_empty(),
        "{}{}",
        done.out,
        done.err
    );
    found
}

#[test]
fn warnings_of_a_run_in_place_stay_until_their_line_changes() {
    let tree = Tree::new(&[("k.cu", BRANCH)]);
    let before = found(&tree, ".");
    assert_eq!(before.len(), 1, "{before:?}");
    assert!(before[0].contains("warning[CASS601]"), "{before:?}");
    let said = tree.run(&["--in-place", "."]).out;
    assert!(
        said.ends_with(
            "left for a person: `cass-transpile check .`; .cass keeps it until the lines change\n"
        ),
        "{said}"
    );
    let after = found(&tree, ".");
    assert_eq!(after.len(), 1, "{after:?}");
    assert!(after[0].contains("warning[CASS601]"), "{after:?}");
    // A second run says it once as well.
    tree.run(&["--in-place", "."]);
    assert_eq!(found(&tree, "."), after);
    let text = tree.read("k.cu");
    let line = text.lines().find(|line| line.starts_with("#if"));
    let solved = text.replace(line.expect("it is there"), "#if 1");
    tree.write("k.cu", solved.as_bytes());
    assert_eq!(found(&tree, "."), [""; 0]);
}

#[test]
fn nothing_is_told_twice_of_a_port() {
    let both = format!("{BRANCH}{}", crate::common::GONE);
    let tree = Tree::new(&[("src/k.cu", &both), ("src/a.cu", RENAMED)]);
    tree.run(&["src", "out"]);
    let mut told = found(&tree, "out");
    let all = told.len();
    told.sort();
    told.dedup();
    assert_eq!(told.len(), all, "{told:?}");
    assert_eq!(all, found(&tree, "src").len(), "{told:?}");
}

#[test]
fn one_file_in_place_keeps_no_memory_and_claims_none() {
    let tree = Tree::new(&[("k.cu", BRANCH)]);
    let said = tree.run(&["--in-place", "k.cu"]).out;
    assert!(!tree.path(".cass").exists());
    assert!(
        said.ends_with("left for a person: `cass-transpile check k.cu`\n"),
        "{said}"
    );
}
