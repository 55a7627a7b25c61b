//! Fixtures of fixes whose kernels compute something: what the tool makes of them gives CUDA's numbers, at both widths of waves and in
//! several orders. References are scalar and stand in `fixtures.hip` and the folder `fixtures/`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::common::Tree;
use crate::common::rocm::root;
use crate::emulator::{Emulator, SCHEDULES};

/// Rule, and the fixture in its folder without `invalid-` and `.cu`.
const FIXTURES: &[(&str, &str)] = &[
    ("atomic-block-scope", "all"),
    ("atomic-redefinition", "loops"),
    ("atomic-redefinition", "newer-cuda"),
    ("atomic-type", "short"),
    ("cg-collective", "all"),
    ("cg-collective", "using"),
    ("cg-member", "all"),
    ("cg-shuffle", "values"),
    ("half-cast", "template"),
    ("half-operand", "mixed"),
    ("helper-function", "cache-hints"),
    ("helper-function", "named-min-max"),
    ("helper-function", "own-overload"),
    ("helper-function", "rounding"),
    ("helper-function", "simd"),
    ("inline-ptx-translated", "floats"),
    ("inline-ptx-translated", "integers"),
    ("inline-ptx-translated", "layout"),
    ("inline-ptx-translated", "memory"),
    ("inline-ptx-translated", "polling-load"),
    ("inline-ptx-translated", "registers"),
    ("inline-ptx-translated", "warp"),
    ("missing-overload", "long"),
    ("missing-overload", "results"),
    ("system-scope", "counter"),
    ("texture-reference", "fetches"),
    ("vector-initializer", "lists"),
    ("vector-operator", "complex"),
    ("vector-operator", "complex-type"),
    ("vector-operator", "halves"),
    ("warp-barrier", "forms"),
    ("warp-shuffle", "bfloat16"),
    ("warp-shuffle", "forms"),
    ("warp-size", "exchange"),
    ("warp-size", "stride"),
    ("warp-vote", "forms"),
];

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn fixtures_compute_what_cuda_defines() {
    let emulator = Emulator::required();
    let sources: Vec<(String, String)> = FIXTURES.iter().map(source).collect();
    let files: Vec<(&str, &str)> = sources
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let tree = Tree::new(&files);
    let done = tree.run(&["in", "out"]);
    assert!(done.code < 2, "{}", done.err);
    let folder = tree.path("out");
    let translated: Vec<(String, String)> = FIXTURES
        .iter()
        .map(|fixture| {
            let name = name(fixture);
            let text = std::fs::read_to_string(folder.join(format!("{name}.cu")));
            (name, text.expect("every file arrives"))
        })
        .collect();
    std::fs::write(folder.join("fixtures.hpp"), together(&translated)).expect("writable");
    let main = root().join("tests/emulated/fixtures.hip");
    let include = format!("-I{}", root().join("tests/emulated").display());
    let program = emulator.build(&folder, &["-I.", &include], &[&main.display().to_string()]);
    let failures = emulator.failures(&program, &[], &SCHEDULES);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A name for files and namespaces.
fn name((rule, fixture): &(&str, &str)) -> String {
    format!("{rule}-{fixture}").replace('-', "_")
}

/// The path in the tree that is translated, and the text.
fn source(fixture: &(&str, &str)) -> (String, String) {
    let (rule, file) = fixture;
    let path = root().join(format!("fixtures/rules/{rule}/invalid-{file}.cu"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (format!("in/{}.cu", name(fixture)), text)
}

/// All fixtures in one file: first the headers that any of them includes, then each in a namespace, where these are empty.
fn together(translated: &[(String, String)]) -> String {
    let headers: BTreeSet<&str> = translated
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter(|line| line.starts_with("#include"))
        .collect();
    let mut all = headers
        .into_iter()
        .fold(String::new(), |all, line| all + line + "\n");
    for (name, _) in translated {
        writeln!(all, "namespace {name} {{\n#include \"{name}.cu\"\n}}").expect("a string grows");
    }
    all
}
