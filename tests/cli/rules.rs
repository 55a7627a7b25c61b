//! Rules as people meet them: listed, explained, and with the fixes that a level allows.

use serde_json::Value;

use crate::common::{GONE, SAFE, Tree};

/// A file whose translation has safe edits, and edits that a person should look at.
const BOTH: &str = "#include <cuda_runtime.h>\n#if CUDA_VERSION >= 11000\nint f(void *p) { return cudaFree(p); }\n#endif\n";

#[test]
fn every_rule_is_listed_and_explained_by_code_and_name() {
    let tree = Tree::new(&[]);
    let rules: Value =
        serde_json::from_str(&tree.run(&["rules", "--output-format", "json"]).out).expect("JSON");
    let rules = rules.as_array().expect("a list");
    let listed = tree.run(&["rules"]).out;
    assert_eq!(listed.lines().count(), rules.len());
    let folders = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
    let folders = std::fs::read_dir(folders).expect("the rules are readable");
    let groups: Vec<String> = folders
        .map(|item| item.expect("readable").file_name())
        .map(|name| name.to_string_lossy().replace('_', "-"))
        .collect();
    for rule in rules {
        let text = |key: &str| rule[key].as_str().expect("text").to_owned();
        assert!(groups.contains(&text("group")), "{rule}");
        assert!(listed.contains(&format!("{}  {}", text("code"), text("name"))));
        let by_code = tree.run(&["explain", &text("code")]);
        assert_eq!(by_code.code, 0);
        for part in [text("code"), text("name"), text("docs")] {
            assert!(by_code.out.contains(&part), "{part} is missing");
        }
        assert_eq!(tree.run(&["explain", &text("name")]).out, by_code.out);
    }
}

#[test]
fn a_rule_that_is_not_there_has_a_neighbour() {
    let tree = Tree::new(&[]);
    for (word, near) in [("CASS03", "CASS003"), ("unsuported-api", "unsupported-api")] {
        let wrong = tree.run(&["explain", word]);
        assert_eq!(wrong.code, 2);
        assert!(
            wrong.err.contains(&format!("did you mean `{near}`?")),
            "{}",
            wrong.err
        );
    }
    assert!(
        tree.run(&["explain", "zzzzzzzz"])
            .err
            .contains("`cass-transpile rules`")
    );
}

#[test]
fn the_level_decides_which_fixes_are_made_and_all_for_review_are_seen() {
    let tree = Tree::new(&[("src/a.cu", BOTH)]);
    let review = tree.run(&["src", "review", "--output-format", "json"]).out;
    let safe = tree
        .run(&[
            "src",
            "safe",
            "--fix-level",
            "safe",
            "--output-format",
            "json",
        ])
        .out;
    let of_review = |text: &str| {
        let report: Value = serde_json::from_str(text).expect("JSON");
        let findings = report["files"][0]["findings"].as_array().expect("findings");
        let fixes = findings.iter().filter(|finding| finding["fix"] == "review");
        fixes
            .map(|finding| (finding["line"].clone(), finding["applied"] == true))
            .collect::<Vec<_>>()
    };
    let (made, offered) = (of_review(&review), of_review(&safe));
    assert!(
        !made.is_empty() && made.iter().all(|(_, applied)| *applied),
        "{made:?}"
    );
    assert!(offered.iter().all(|(_, applied)| !applied), "{offered:?}");
    let lines = |list: &[(Value, bool)]| {
        list.iter()
            .map(|(line, _)| line.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lines(&made),
        lines(&offered),
        "what is not made is still told"
    );
    let (review, safe) = (tree.read("review/a.cu"), tree.read("safe/a.cu"));
    assert!(review.contains("hipFree") && safe.contains("hipFree"));
    assert_ne!(review, safe);
    // Where a configuration says so it holds as well, and the command line wins.
    tree.write("src/cass.toml", b"[translate]\nfix-level = \"safe\"\n");
    tree.run(&["src", "configured"]);
    assert_eq!(tree.read("configured/a.cu"), safe);
    tree.run(&["src", "won", "--fix-level", "review"]);
    assert_eq!(tree.read("won/a.cu"), review);
}

#[test]
fn safe_fixes_need_no_review() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    assert_eq!(tree.run(&["check", "src"]).out, "");
    let all = tree
        .run(&[
            "check",
            "src",
            "--show",
            "info",
            "--output-format",
            "concise",
        ])
        .out;
    assert_eq!(
        all.lines()
            .filter(|line| line.contains(": info[CASS"))
            .count(),
        2,
        "{all}"
    );
}

#[test]
fn a_header_of_the_tree_that_brings_the_runtime_spares_its_includers_another() {
    let kernel = |header: &str| {
        format!("#include \"{header}\"\n__global__ void k(int *p) {{ p[threadIdx.x] = 0; }}\n")
    };
    let tree = Tree::new(&[
        ("src/sure.h", "#pragma once\n#include <cuda_runtime.h>\n"),
        ("src/sure.cu", &kernel("sure.h")),
        (
            "src/maybe.h",
            "#pragma once\n#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#endif\n",
        ),
        ("src/maybe.cu", &kernel("maybe.h")),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let inserted = |file: &str| {
        tree.read(file)
            .starts_with("#include <hip/hip_runtime.h>\n")
    };
    assert!(!inserted("out/sure.cu"));
    assert!(inserted("out/maybe.cu"));
}

#[test]
fn options_that_pytorch_calls_nvcc_stay_and_a_command_of_that_name_is_reported() {
    let torch = "from torch.utils.cpp_extension import CUDAExtension\nargs = {'cxx': [], \"nvcc\": ['-O3']}\nif 'nvcc' in args:\n    args['nvcc'].append('-g')\n";
    let other = "import subprocess\nsubprocess.run(['nvcc', '-c', 'a.cu'])\n";
    let tree = Tree::new(&[("torch/setup.py", torch), ("other/setup.py", other)]);
    let findings = tree.run(&["check", ".", "--output-format", "concise"]).out;
    assert!(!findings.contains("torch/setup.py"), "{findings}");
    assert!(findings.contains("other/setup.py:2"), "{findings}");
}

#[test]
fn rules_are_explained_by_group_prefix_and_all_at_once() {
    let tree = Tree::new(&[]);
    let pages = |words: &[&str]| {
        let done = tree.run(&[&["explain"], words].concat());
        assert_eq!(done.code, 0, "{words:?}: {}", done.err);
        done.out
            .lines()
            .filter(|line| line.starts_with("# CASS"))
            .count()
    };
    let all = tree.run(&["rules"]).out.lines().count();
    assert_eq!(pages(&["--all"]), all);
    assert_eq!(pages(&["CASS003", "warp-size"]), 2);
    assert!((5..all).contains(&pages(&["warp"])) && (5..all).contains(&pages(&["cass4"])));
    let near = tree.run(&["explain", "wrap"]);
    assert!(
        near.code == 2 && near.err.contains("did you mean `warp`"),
        "{}",
        near.err
    );
    assert_eq!(tree.run(&["explain"]).code, 2);
}

#[test]
fn messages_of_compilers_are_explained() {
    let tree = Tree::new(&[]);
    for (message, says) in [
        (
            "use of undeclared identifier '__shfl_down_sync'",
            "# sync intrinsic undeclared",
        ),
        ("The mask must be a 64-bit integer", "# mask 64 bit"),
        ("undefined reference to `hipblasCreate'", "link with"),
        ("__HIP_PLATFORM_AMD__", "-D__HIP_PLATFORM_AMD__"),
    ] {
        let done = tree.run(&["explain", message]);
        assert!(
            done.code == 0 && done.out.contains(says),
            "{message}: {}{}",
            done.out,
            done.err
        );
    }
    let log: &[u8] = b"a.cu:1: error: \xff\nk.hip:3:1: fatal error: 'cuda.h' file not found\nx: error: cannot find -lcudart\n";
    let done = crate::common::done(tree.command().args(["explain", "-"]).write_stdin(log));
    assert_eq!(done.out.matches("## What to do").count(), 2, "{}", done.out);
    assert!(
        done.out
            .contains("k.hip:3:1: 'cuda.h' file not found: `cuda.h` becomes `hip/hip_runtime.h`; see \"cuda header not found\" below\n"),
        "{}",
        done.out
    );
    assert!(
        done.out.ends_with("1 message is not known\n"),
        "{}",
        done.out
    );
    assert_eq!(tree.run(&["explain", "all is well here"]).code, 2);
    let json: Value = serde_json::from_str(
        &tree
            .run(&["explain", "--errors", "--output-format", "json"])
            .out,
    )
    .expect("JSON");
    for error in json["errors"].as_array().expect("a list") {
        for rule in error["rules"].as_array().expect("a list") {
            let name = rule.as_str().expect("a name");
            assert_eq!(tree.run(&["explain", name]).code, 0, "{name}");
        }
    }
}

/// A build that succeeded is no mistake of the person who asks about it.
#[test]
fn a_log_without_errors_is_told_so() {
    let tree = Tree::new(&[]);
    let told = |log: &str| {
        let done = crate::common::done(tree.command().args(["explain", "-"]).write_stdin(log));
        assert_eq!(done.code, 0, "{log}: {}", done.err);
        done.out
    };
    assert_eq!(told(""), "no message of a compiler in 0 lines\n");
    let quiet = "[ 50%] Building HIP object a.hip.o\n1 warning generated.\n";
    assert_eq!(told(quiet), "no message of a compiler in 2 lines\n");
    assert_eq!(
        told("a.cu:1:2: warning: unused variable 'a'\n1 warning generated.\n"),
        "no error in 2 lines, and 1 warning of which nothing is known\n"
    );
    // Linkers and drivers name no place.
    let placeless =
        "ld.lld: error: unable to find library -lcublas\nclang++: error: nobody knows this\n";
    let said = told(placeless);
    assert!(
        said.starts_with("unable to find library -lcublas: "),
        "{said}"
    );
    assert!(said.contains("\nnobody knows this: not known\n"), "{said}");
    assert_eq!(tree.run(&["explain", "CASS999"]).code, 2);
}

#[test]
fn a_log_is_told_by_message_with_the_findings_of_the_port() {
    let tree = Tree::new(&[("src/a.cu", &format!("#include <cuda_runtime.h>\n{GONE}"))]);
    tree.run(&["src", "out"]);
    let log = "out/a.cu:2:24: error: use of undeclared identifier 'cudaDeviceFlushGPUDirectRDMAWrites'\n\
        out/a.cu:2:24: error: use of undeclared identifier 'cudaDeviceFlushGPUDirectRDMAWrites'\n\
        x.cu:1:1: error: use of undeclared identifier 'cudaMalloc'\n\
        x.cu:2:1: fatal error: 'rocwmma/rocwmma.hpp' file not found\nx.cu:3:1: fatal error: 'cass_hip_compat.hpp' file not found\n\
        x.cu:4:1: error: something nobody knows\nx.cu:5:1: warning: unused variable\n    4 | nvcuda::wmma\n\
        Memory access fault by GPU node-1\nmake: nothing to be done\n";
    let done = crate::common::done(tree.command().args(["explain", "-"]).write_stdin(log));
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done
        .out
        .lines()
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(lines.len(), 6, "{}", done.out);
    for (line, expected) in lines.iter().zip([
        "(2 times): CASS003: `cudaDeviceFlushGPUDirectRDMAWrites` has no counterpart on AMD: ",
        "`cudaMalloc` becomes `hipMalloc`; see \"cuda name undeclared\" below",
        "see \"header of another package\" below",
        "see \"helper header not found\" below",
        "x.cu:4:1: something nobody knows: not known",
        "Memory access fault by GPU node-1: see \"memory fault\" below",
    ]) {
        assert!(line.contains(expected), "no {expected:?} in {line}");
    }
    assert!(
        done.out.ends_with("1 message is not known\n"),
        "{}",
        done.out
    );
}

#[test]
fn a_header_that_the_build_makes_from_a_file_of_the_tree_is_its_own() {
    let text = "#include <cuda_runtime.h>\n#include <nvbench/config.cuh>\nvoid f(void *p) { cudaFree(p); }\n";
    let own = Tree::new(&[
        ("nvbench/config.cuh.in", "#define A @A@\n"),
        ("nvbench/a.cuh", text),
    ]);
    let done = own.run(&["check", "."]);
    assert_eq!(done.code, 0, "{}", done.out);
    let foreign = Tree::new(&[("src/config.h.in", "#define A @A@\n"), ("src/a.cuh", text)]);
    let done = foreign.run(&["check", ".", "--output-format", "concise"]);
    assert!(
        done.out.contains("`nvbench/config.cuh` has no counterpart"),
        "{}",
        done.out
    );
}
