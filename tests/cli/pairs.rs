//! `pairs`: records of CUDA and HIP, no level higher than was reached.
use std::io::Write as _;
use std::process::Stdio;

use crate::common::Tree;
use crate::common::rocm::Compiler;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const KERNEL: &str = "#include <cuda_runtime.h>\n__global__ void twice(float *a) { a[threadIdx.x] *= 2; }\nvoid run(float *d) { twice<<<1, 64>>>(d); cudaDeviceSynchronize(); }\n";

fn project() -> Tree {
    Tree::new(&[
        ("src/a/k.cu", KERNEL),
        (
            "src/a/LICENSE",
            "MIT License\n\nPermission is hereby granted, free of charge, to any person\n",
        ),
        (
            "src/b/copy.cu",
            &format!("// SPDX-License-Identifier: BSD-3-Clause\n{KERNEL}"),
        ),
        (
            "src/b/main.cu",
            "#include \"../h.cuh\"\nint main() { cudaFree(0); }\n",
        ),
        ("src/h.cuh", "#include <cuda_runtime.h>\n"),
        ("src/plain.cpp", "int f() { return 1; }\n"),
    ])
}

fn records(text: &str) -> Vec<Value> {
    let line = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(line).collect()
}

/// A stand-in for clang, which fails where the source says so. Linking compiles for both sides first, as clang does.
fn with_compiler(tree: &Tree) {
    let script = "#!/bin/sh\nkind=link\nfor word; do case $word in --cuda-host-only) kind=host;; --cuda-device-only) kind=device;; -S) kind=asm;; *.cu) file=$word;; esac; last=$out; [ \"$prev\" = -o ] && out=$word; prev=$word; done\n[ \"$1\" = --version ] && exit 0\nfor part in $([ $kind = link ] && echo device host) $kind; do if grep -q \"fails:$part\" \"$file\"; then echo \"$file:3:1: error: no $part today\" >&2; exit 1; fi; done\n[ -n \"$out\" ] && echo \"; $kind\" > $out\nexit 0\n";
    tree.write("clang", script.as_bytes());
    tree.write("rocm/include/hip/hip_runtime.h", b"");
    let made = std::process::Command::new("chmod")
        .arg("+x")
        .arg(tree.path("clang"))
        .status();
    assert!(made.expect("chmod runs").success());
}

#[test]
fn a_record_has_what_a_translator_learns_from() {
    let tree = project();
    let done = tree.run(&[
        "pairs",
        "src",
        "-o",
        "p.jsonl",
        "--origin",
        "https://example.org/x",
        "--commit",
        "abc",
    ]);
    assert_eq!(done.code, 0, "{}", done.err);
    let all = records(&tree.read("p.jsonl"));
    let paths: Vec<&str> = all
        .iter()
        .filter_map(|pair| pair["path"].as_str())
        .collect();
    assert_eq!(
        paths,
        ["a/k.cu", "b/copy.cu", "b/main.cu"],
        "headers and plain files are no units"
    );
    let first = &all[0];
    assert!(
        first["source"]
            .as_str()
            .is_some_and(|text| text.contains("cudaDeviceSynchronize"))
    );
    assert!(
        first["result"]
            .as_str()
            .is_some_and(|text| text.contains("hipDeviceSynchronize"))
    );
    assert_eq!(first["proof"]["level"], "parsed");
    assert_eq!(first["license"]["spdx"], "MIT");
    assert_eq!(first["license"]["from"], "a/LICENSE");
    assert_eq!(all[1]["license"]["spdx"], "BSD-3-Clause");
    assert!(all[2]["license"].is_null(), "no licence is made up");
    assert_eq!(first["origin"]["commit"], "abc");
    assert!(
        first["rules"]
            .as_object()
            .is_some_and(|rules| !rules.is_empty())
    );
    // The edits are the way from the source to the result.
    let mut bytes = first["source"]
        .as_str()
        .unwrap_or_default()
        .as_bytes()
        .to_vec();
    for edit in first["edits"]
        .as_array()
        .expect("there are edits")
        .iter()
        .rev()
    {
        let at = |name: &str| edit[name].as_u64().expect("an offset") as usize;
        let text = edit["text"].as_str().expect("a text").bytes();
        bytes.splice(at("start")..at("end"), text);
    }
    assert_eq!(
        String::from_utf8(bytes).ok().as_deref(),
        first["result"].as_str()
    );
}

#[test]
fn the_same_code_is_one_key_and_projects_stay_whole() {
    let tree = project();
    tree.run(&["pairs", "src", "-o", "p.jsonl"]);
    let all = records(&tree.read("p.jsonl"));
    assert_eq!(all[0]["dedup"], all[1]["dedup"]);
    assert_eq!(all[1]["duplicate_of"], all[0]["id"]);
    assert!(all[0].get("duplicate_of").is_none());
    assert_eq!(all[1]["project"], "b");
    assert_eq!(all[1]["split"], all[2]["split"]);
    let card = tree.read("p.md");
    assert!(
        card.contains("3 records of 2 projects; 1 have the code"),
        "{card}"
    );
    assert!(card.contains("| parsed | 3 | 3 |"), "{card}");
}

#[test]
fn kernels_are_records_of_their_own() {
    let tree = project();
    tree.run(&["pairs", "src", "-o", "p.jsonl", "--kernels"]);
    let all = records(&tree.read("p.jsonl"));
    let kernel = all
        .iter()
        .find(|pair| pair["kernel"] == "twice")
        .expect("there is one");
    assert_eq!(
        kernel["source"],
        "__global__ void twice(float *a) { a[threadIdx.x] *= 2; }"
    );
    assert_eq!(kernel["result"], kernel["source"]);
    assert_eq!(all.len(), 5);
}

/// The first half of the SHA-256, as `bench` writes it.
fn hash(text: &[u8]) -> String {
    let digest = Sha256::digest(text);
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn no_level_is_higher_than_the_compiler_reached() {
    let main = "#include <cuda_runtime.h>\nint main() { cudaFree(0); }\n";
    let tree = Tree::new(&[
        ("src/0.cu", &format!("{main}// fails:host\n")),
        ("src/1.cu", &format!("{main}// fails:device\n")),
        ("src/2.cu", &format!("{main}// fails:link\n")),
        ("src/3.cu", main),
        ("src/4.cu", &format!("{KERNEL}//\n")),
        (
            "src/5.cu",
            "#include <cuda_runtime.h>\nint main( { cudaFree(0); // fails:host\n",
        ),
        ("lib.so", ""),
        (
            "same.json",
            "{\"cases\": [{\"name\": \"2.cu\", \"same\": true}, {\"name\": \"3.cu\", \"same\": true}, {\"name\": \"4.cu\", \"same\": true}]}",
        ),
    ]);
    with_compiler(&tree);
    let compile = [
        "pairs",
        "src",
        "-o",
        "p.jsonl",
        "--compile",
        "--rocm-path",
        "rocm",
        "--clang",
    ];
    let clang = tree.path("clang").display().to_string();
    let run = |options: &[&str]| {
        let words = [&compile, &[clang.as_str()] as &[&str], options].concat();
        let done = tree.run(&words);
        assert_eq!(done.code, 0, "{}", done.err);
        let all = records(&tree.read("p.jsonl"));
        let level = |pair: &Value| {
            pair["proof"]["level"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        (all.iter().map(level).collect::<Vec<_>>(), all)
    };
    let (levels, all) = run(&["--link", "lib.so", "--verified", "same.json"]);
    assert_eq!(
        levels,
        [
            "parsed",
            "compiled-host",
            "compiled-device",
            "ran-equal",
            "compiled-device",
            "translated"
        ]
    );
    assert_eq!(all[1]["proof"]["next"], "1.cu:3:1: error: no device today");
    // What `bench` found equal counts as well, but not what people ported by hand.
    tree.write("bench.json", br#"{"programs": [{"translator": "cass-transpile", "path": "3.cu", "reached": "equal", "compared_with": "twin"}, {"translator": "cass-transpile", "path": "2.cu", "reached": "ran"}]}"#);
    assert_eq!(all[3]["proof"]["equal_to"], "record");
    let (of_bench, all) = run(&["--link", "lib.so", "--verified", "bench.json"]);
    assert_eq!(
        (of_bench, &all[3]["proof"]["equal_to"]),
        (levels, &"twin".into())
    );
    let card = tree.read("p.md");
    assert!(
        card.contains("| Ran equal to | Records |\n|:--|--:|\n| twin | 1 |"),
        "{card}"
    );
    assert!(
        !card.contains("|  |"),
        "nothing stops what ran equal: {card}"
    );
    // Units of one program, which `bench` compiled, linked and ran itself; what else lies in its folder is no part of it.
    let bench_of = |text: &str| {
        let compiled = hash(text.as_bytes());
        json!({"programs": [{"translator": "cass-transpile", "path": "whole", "reached": "equal", "compared_with": "given",
            "sources": ["2.cu", "main.cpp"], "compiled": [compiled, compiled], "runs": [{"chip": "gfx90a"}]}]})
        .to_string()
    };
    let result = all[2]["result"].as_str().unwrap_or_default().to_owned();
    tree.write("bench.json", bench_of(&format!("{result} ")).as_bytes());
    let (of_others, all) = run(&["--link", "lib.so", "--verified", "bench.json"]);
    assert_eq!(of_others[2], "compiled-device");
    let next = all[2]["proof"]["next"].as_str().unwrap_or_default();
    assert!(next.starts_with("bench ran another text"), "{next}");
    tree.write("bench.json", bench_of(&result).as_bytes());
    let (of_parts, all) = run(&["--link", "lib.so", "--verified", "bench.json"]);
    assert_eq!(of_parts[1..4], ["compiled-host", "ran-equal", "linked"]);
    assert_eq!(all[2]["proof"]["program"], "whole");
    assert_eq!(all[2]["proof"]["compilers"][0], "bench gfx90a");
    // Assembly is made by a compiler all the same.
    let (of_parts, all) = run(&["--link", "lib.so", "--assembly", "--verified", "bench.json"]);
    assert_eq!(
        (of_parts[2].as_str(), &all[2]["proof"]["amdgcn"]),
        ("ran-equal", &"; asm\n".into())
    );
    tree.write(
        "bench.json",
        br#"{"programs": [{"translator": "by hand", "path": "3.cu", "reached": "equal", "compared_with": "given"}]}"#,
    );
    assert_eq!(
        run(&["--link", "lib.so", "--verified", "bench.json"]).0[3],
        "linked"
    );
    let (levels, all) = run(&["--assembly"]);
    assert_eq!(levels[3], "compiled-device");
    assert_eq!(all[3]["proof"]["amdgcn"], "; asm\n");
    assert!(
        all[3]["proof"].get("ptx").is_none(),
        "no header of CUDA was named"
    );
    let (levels, _) = run(&["--sample", "2"]);
    assert_eq!(
        levels,
        [
            "parsed",
            "parsed",
            "compiled-device",
            "parsed",
            "compiled-device",
            "translated"
        ]
    );
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let tree = project();
    tree.run(&["pairs", "src", "-o", "p.jsonl"]);
    let whole = tree.read("p.jsonl");
    let second = whole.find('\n').expect("there are lines") + 40;
    tree.write("q.jsonl.part", &whole.as_bytes()[..second]);
    let done = tree.run(&["pairs", "src", "-o", "q.jsonl"]);
    assert!(done.err.contains("1 records are there"), "{}", done.err);
    assert_eq!(tree.read("q.jsonl"), whole);
    assert!(!tree.path("q.jsonl.part").exists());
}

#[test]
fn lines_are_filtered_one_for_one() {
    let tree = Tree::new(&[]);
    let lines = [
        serde_json::json!({ "source": KERNEL, "path": "p/k.cu", "license": "MIT", "commit": "1" })
            .to_string(),
        "no json".to_owned(),
        serde_json::json!({ "text": "x" }).to_string(),
        serde_json::json!({ "source": "int f() { return 1; }" }).to_string(),
    ];
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("cass-transpile"))
        .current_dir(tree.folder.path())
        .args(["pairs", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin
        .write_all((lines.join("\n") + "\n").as_bytes())
        .expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let all = records(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(all.len(), 4, "a line out for each in");
    assert_eq!(all[0]["project"], "p");
    assert_eq!(all[0]["license"]["from"], "input");
    assert!(
        all[0]["result"]
            .as_str()
            .is_some_and(|text| text.contains("hip"))
    );
    assert_eq!(all[1]["line"], 2);
    assert!(
        all[2]["error"]
            .as_str()
            .is_some_and(|text| text.contains("source"))
    );
    assert_eq!(all[3]["result"], all[3]["source"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 lines are no sources"));
}

#[test]
fn what_is_missing_is_named() {
    let tree = project();
    let cases: &[(&[&str], &str)] = &[
        (&["pairs", "src"], "-o pairs.jsonl"),
        (&["pairs", "src", "-", "-o", "p"], "stands alone"),
        (&["pairs", "-", "--compile"], "--compile needs the files"),
        (
            &[
                "pairs",
                "src",
                "-o",
                "p",
                "--compile",
                "--rocm-path",
                "none",
            ],
            "hip_runtime.h",
        ),
        (&["pairs", "none", "-o", "p"], "none"),
    ];
    for (arguments, message) in cases {
        let done = tree.run(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        assert!(done.err.contains(message), "{arguments:?}: {}", done.err);
    }
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn real_compilers_take_a_unit_to_a_code_object() {
    let compiler = Compiler::required();
    let tree = project();
    let rocm = compiler.rocm.join("usr").display().to_string();
    let mut words = vec![
        "pairs",
        "src",
        "-o",
        "p.jsonl",
        "--compile",
        "--assembly",
        "--clang",
        "clang++-19",
        "--rocm-path",
    ];
    words.push(&rocm);
    let cuda = std::env::var("CASS_CUDA_INCLUDE").unwrap_or_default();
    if !cuda.is_empty() {
        words.extend(["--cuda-include", &cuda]);
    }
    let done = tree.run(&words);
    assert_eq!(done.code, 0, "{}", done.err);
    let all = records(&tree.read("p.jsonl"));
    assert_eq!(
        all[0]["proof"]["level"], "compiled-device",
        "{}",
        all[0]["proof"]
    );
    let assembly = |name: &str| {
        all[0]["proof"][name]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(assembly("amdgcn").contains("s_endpgm"));
    if !cuda.is_empty() {
        assert!(assembly("ptx").contains(".entry"));
    }
}

/// With a runtime that lies elsewhere than in ROCm's folder.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn real_compilers_link_a_program() {
    let compiler = Compiler::required();
    let names = [
        "__hipPushCallConfiguration",
        "__hipPopCallConfiguration",
        "__hipRegisterFatBinary",
        "__hipRegisterFunction",
        "__hipUnregisterFatBinary",
        "hipDeviceSynchronize",
        "hipLaunchKernel",
    ];
    let stubs = names.map(|name| format!("int {name}() {{ return 0; }}\n"));
    let main =
        "__global__ void work() {}\nint main() { work<<<1, 1>>>(); cudaDeviceSynchronize(); }\n";
    let tree = Tree::new(&[("src/main.cu", main), ("stubs.c", &stubs.concat())]);
    let library = tree.path("runtime.so");
    let made = std::process::Command::new("clang-19")
        .args(["-w", "-shared", "-fPIC", "-o"])
        .args([&library, &tree.path("stubs.c")])
        .status();
    assert!(made.expect("clang runs").success());
    let rocm = compiler.rocm.join("usr").display().to_string();
    let words = ["pairs", "src", "-o", "p.jsonl", "--compile"];
    let tools = ["--clang", "clang++-19", "--rocm-path", &rocm];
    let link = ["--link", "runtime.so"];
    let done = tree.run(&[&words[..], &tools, &link].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let all = records(&tree.read("p.jsonl"));
    let proof = &all[0]["proof"];
    assert_eq!(proof["level"], "linked", "{proof}");
}
