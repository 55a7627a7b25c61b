//! `try` with a compiler for AMD: what it says of a port that compiles, and of one that does not.

use crate::common::rocm::Compiler;
use crate::common::{Done, Tree, done};

const HEADER: &str = "#pragma once\n#include <cuda_runtime.h>\ntemplate <class T> __global__ void scale(T *x) { x[threadIdx.x] *= 2; }\n";
const GOOD: &str =
    "#include \"k.cuh\"\nvoid run(float *x, cudaStream_t s) { scale<<<1, 32, 0, s>>>(x); }\n";
/// A name that CUDA alone has, and one that nobody has.
const BAD: &str =
    "#include \"k.cuh\"\nvoid run(int t, int o) { cudaDeviceFlushGPUDirectRDMAWrites(t, o); }\n";
const OWN: &str = "#include \"k.cuh\"\nvoid run(float *x) { unknown_to_all(x); }\n";

/// Runs the program with a cache of what the compiler said that is the tree's own.
fn run(tree: &Tree, arguments: &[&str]) -> Done {
    let cache = tree.path("cache");
    done(tree.command().env("CASS_TRY_CACHE", cache).args(arguments))
}

/// How a run ended, and all that it said.
fn said(tree: &Tree, arguments: &[&str]) -> (i32, String) {
    let done = run(tree, arguments);
    (done.code, done.out + &done.err)
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn a_port_is_told_apart_by_what_the_compiler_says() {
    let compiler = Compiler::required();
    let tree = Tree::new(&[
        ("src/src/a.cu", GOOD),
        ("src/src/b.cu", BAD),
        ("src/src/c.cu", OWN),
        ("src/inc/k.cuh", HEADER),
    ]);
    run(&tree, &["src", "out"]);
    let rocm = compiler.rocm.display().to_string();
    let arguments = [
        "try",
        "out",
        "--rocm-path",
        &rocm,
        "--target",
        &compiler.arch,
        "--output-format",
        "json",
    ];
    let told = run(&tree, &arguments);
    let text = told.out;
    assert_eq!(told.code, 1, "{text}{}", told.err);
    let found: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(found["totals"]["compile"], 1, "{text}");
    assert_eq!(found["totals"]["silent"], 1, "{text}");
    let causes = found["causes"].as_array().expect("a list");
    let of = |name: &str| {
        let cause = causes.iter().find(|cause| cause["name"] == name);
        &cause.unwrap_or_else(|| panic!("{name} in {text}"))["places"][0]
    };
    assert_eq!(
        of("cudaDeviceFlushGPUDirectRDMAWrites")["findings"][0]["severity"],
        "error"
    );
    let own = of("unknown_to_all");
    assert_eq!(
        (&own["silent"], &own["file"], &own["source"][1]),
        (&true.into(), &"src/c.cu".into(), &2.into())
    );
    // The second time nothing is compiled, and the same is said.
    assert_eq!(run(&tree, &arguments).out, text);
}

/// What clang refuses and nvcc took, and a line by hand that it refuses as well.
const MENDED: &str = "\
#include \"own.h\"
struct R { void *base; auto ptr() const { return base; } };
void *at(R const &r, size_t n) {
  auto p = r.ptr() + n;
  return p;
}
float *cast(void *p) { return p; }
void go(float *x) { int v[1] = {count(x)}; (void)v; }
";
const OWN_HEADER: &str =
    "#pragma once\n#include <cuda_runtime.h>\ninline unsigned count(float *) { return 1; }\n";

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn what_the_compiler_proves_is_mended_and_kept() {
    let compiler = Compiler::required();
    let tree = Tree::new(&[("src/a.cu", MENDED), ("src/own.h", OWN_HEADER)]);
    let write = |name: &str, text: &str| tree.write(name, text.as_bytes());
    let read = |name: &str| tree.read(name);
    let run = |arguments: &[&str]| said(&tree, arguments);
    let rocm = compiler.rocm.display().to_string();
    let arguments = [
        "try",
        "out",
        "--rocm-path",
        &rocm,
        "--target",
        &compiler.arch,
        "--fix",
    ];
    run(&["src", "out"]);
    let before = read("out/a.cu");
    let (code, text) = run(&arguments);
    assert_eq!(code, 0, "{text}");
    let mended = read("out/a.cu");
    for line in [
        "float *cast(void *p) { return static_cast<float *>(p); }",
        "void go(float *x) { int v[1] = {static_cast<int>(count(x))}; (void)v; }",
    ] {
        assert!(
            mended.contains(line) && text.contains(line),
            "{mended}{text}"
        );
    }
    // Each line of the diff is one that changed, and the next run keeps it, whatever comes into the sources.
    write("src/a.cu", &format!("// moved\n{MENDED}"));
    run(&["src", "out"]);
    assert_eq!(read("out/a.cu"), format!("// moved\n{mended}"));
    assert_eq!(run(&arguments).0, 0);

    // A line by hand stays as it is, and so does a tree of which nobody knows which lines are.
    write("src/a.cu", MENDED);
    std::fs::remove_dir_all(tree.path("out")).expect("the folder is there");
    run(&["src", "out"]);
    let by_hand = before.replace("return p; }\nvoid go", "return p ; }\nvoid go");
    assert_ne!(by_hand, before);
    write("out/a.cu", &by_hand);
    let (code, text) = run(&arguments);
    assert_eq!(code, 1, "{text}");
    let left = read("out/a.cu");
    assert!(
        left.contains("{ return p ; }") && left.contains("static_cast<int>"),
        "{left}"
    );
    std::fs::remove_dir_all(tree.path("out/.cass")).expect("the records are there");
    let (code, text) = run(&arguments);
    assert!(code == 2 && text.contains("no records"), "{text}");
    assert_eq!(read("out/a.cu"), left);
}

/// A unit that a rule leaves broken, a header that it shares with one that compiles, and a command with three answers.
#[cfg(unix)]
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn an_answer_of_a_command_is_kept_when_the_compiler_takes_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let compiler = Compiler::required();
    let tree = Tree::new(&[
        ("src/k.cuh", HEADER),
        ("src/a.cu", GOOD),
        ("src/b.cu", BAD),
        ("ask", "#!/bin/sh\ncat > question\ncat answer\n"),
    ]);
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(tree.path("ask"), may_run).expect("it is ours");
    let rocm = compiler.rocm.display().to_string();
    run(&tree, &["src", "out"]);
    let mended = |edits: &[[&str; 3]]| {
        let edits = edits
            .iter()
            .map(|[path, old, new]| serde_json::json!({"path": path, "old": old, "new": new}));
        let answer = serde_json::json!({"edits": edits.collect::<Vec<_>>()});
        tree.write("answer", answer.to_string().as_bytes());
        said(
            &tree,
            &[
                "mend",
                "out",
                "--rocm-path",
                &rocm,
                "--target",
                &compiler.arch,
                "--with",
                "./ask",
            ],
        )
    };
    let call = "cudaDeviceFlushGPUDirectRDMAWrites(t, o);";
    let port = || ["out/k.cuh", "out/a.cu", "out/b.cu"].map(|name| tree.read(name));
    let before = port();
    // Still wrong; right here and wrong for the other unit.
    for (edits, expected) in [
        (
            vec![["b.cu", call, "cudaFlush(t, o);"]],
            "the unit still fails with it, for host",
        ),
        (
            vec![
                ["b.cu", call, "(void)t; (void)o;"],
                ["k.cuh", "void scale(T *x)", "void scale(T *x, int = 0)"],
                [
                    "k.cuh",
                    "template <class T>",
                    "template <class T, class = typename T::own>",
                ],
            ],
            "a.cu fails by it: ",
        ),
    ] {
        let (code, text) = mended(&edits);
        assert!(code == 1 && text.contains(expected), "{text}");
        assert!(port() == before, "{text}");
    }
    let question = tree.read("question");
    assert!(
        question.contains("CASS003")
            && question.contains("\"cuda\":\"cudaDeviceFlushGPUDirectRDMAWrites\""),
        "{question}"
    );
    let (code, text) = mended(&[
        ["b.cu", call, "__threadfence_system();"],
        ["k.cuh", "x[threadIdx.x] *= 2;", "x[threadIdx.x] *= T(2);"],
    ]);
    assert!(
        code == 1 && text.contains("for host"),
        "a host function may not call it: {text}"
    );
    let (code, text) = mended(&[
        ["b.cu", call, "(void)t; (void)o;"],
        ["k.cuh", "x[threadIdx.x] *= 2;", "x[threadIdx.x] *= T(2);"],
    ]);
    assert!(code == 0 && text.contains("2 of 2 units compile"), "{text}");
    assert!(text.contains("kept: b.cu: changes b.cu, k.cuh\n"), "{text}");
}
