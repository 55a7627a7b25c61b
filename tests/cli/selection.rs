//! What is reported, how much it weighs, and what the exit code makes of it.

use crate::common::{GONE, SAFE, Tree};

#[test]
fn exit_codes_say_clean_findings_or_trouble() {
    let tree = Tree::new(&[("safe.cu", SAFE), ("gone.cu", GONE)]);
    assert_eq!(tree.run(&["check", "safe.cu"]).code, 0);
    let found = tree.run(&["check", "gone.cu"]);
    assert_eq!(found.code, 1);
    assert!(
        found.out.contains("gone.cu:1:24: error[CASS003]"),
        "{}",
        found.out
    );
    assert_eq!(tree.run(&["check", "--exit-zero", "gone.cu"]).code, 0);
    assert_eq!(tree.run(&["check", "missing.cu"]).code, 2);
    assert_eq!(tree.run(&["check", "--no-such-flag", "gone.cu"]).code, 2);
    assert_eq!(tree.run(&[".", "out"]).code, 0);
}

#[test]
fn rules_are_selected_ignored_and_weighed() {
    let tree = Tree::new(&[("gone.cu", GONE)]);
    assert_eq!(
        tree.run(&["check", "--select", "warp,launch", "gone.cu"])
            .code,
        0
    );
    assert_eq!(
        tree.run(&["check", "--select", "CASS003", "gone.cu"]).code,
        1
    );
    assert_eq!(
        tree.run(&["check", "--ignore", "unsupported-api", "gone.cu"])
            .code,
        0
    );
    assert_eq!(
        tree.run(&["check", "--warn", "api", "--fail-on", "error", "gone.cu"])
            .code,
        0
    );
    assert!(
        tree.run(&["check", "--warn", "api", "gone.cu"])
            .out
            .contains("warning[CASS003]")
    );
    let unknown = tree.run(&["check", "--select", "CASS03", "gone.cu"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean `CASS003`?"),
        "{}",
        unknown.err
    );
}

/// A selection says what is looked at, not what is ready.
#[test]
fn a_file_with_an_error_that_nobody_selected_is_not_ready() {
    let tree = Tree::new(&[
        ("src/safe.cu", SAFE),
        ("src/gone.cu", GONE),
        (
            "src/user.cu",
            "#include \"gone.cu\"\n__global__ void k() {}\n",
        ),
    ]);
    for selection in [&["--select", "warp"][..], &["--select", "CASS003"], &[]] {
        let found = tree.run(&[&["check", "src"], selection].concat());
        let ready = "ready without manual changes: 1 of 3";
        assert!(found.err.contains(ready), "{selection:?}: {}", found.err);
    }
}

#[test]
fn what_is_off_is_not_edited_and_what_is_ignored_is() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    tree.run(&["src", "ignored", "--ignore", "all"]);
    assert!(tree.read("ignored/a.cu").contains("hipFree"));
    tree.run(&["src", "off", "--off", "rename-api"]);
    assert!(tree.read("off/a.cu").contains("cudaFree"));
    // The name that stays is reported by the second reading, so nothing is left in silence.
    assert!(
        tree.run(&["check", "src", "--off", "rename-api"])
            .out
            .contains("CASS005")
    );
}

#[test]
fn code_that_knows_both_vendors_is_left_alone() {
    let guarded = format!(
        "#if defined(USE_ROCM)\n#include <hip/hip_runtime.h>\n#define gpuFree hipFree\n#else\n#include <cuda_runtime.h>\n#define gpuFree cudaFree\n#endif\n\
         #ifndef __HIP_PLATFORM_AMD__\n{GONE}#endif\nvoid g(void *p) {{ gpuFree(p); }}\n"
    );
    let tree = Tree::new(&[("src/a.cu", &guarded)]);
    let done = tree.run(&["check", "src", "--show", "info"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    tree.run(&["src", "out"]);
    assert_eq!(tree.read("out/a.cu"), guarded);
}

/// A header without includes of its own sees what its includers included before it.
#[test]
fn the_tree_declares_names_for_headers_that_do_not_include_it() {
    let tree = Tree::new(&[
        (
            "ranges.h",
            "#define NVTX_RANGE_HERE() Range nvtx_range(__func__)\n",
        ),
        (
            "step.cuh",
            "inline void step() { NVTX_RANGE_HERE(); cudaDeviceSynchronize(); }\n",
        ),
        ("main.cu", "#include \"ranges.h\"\n#include \"step.cuh\"\n"),
    ]);
    let all = tree.run(&["check", "."]);
    assert_eq!(all.code, 0, "{}", all.out);
    let alone = tree.run(&["check", "step.cuh"]);
    assert!(alone.out.contains("`NVTX_RANGE_HERE`"), "{}", alone.out);
}

#[test]
fn a_lone_file_is_read_with_the_headers_beside_it() {
    let kernel = "#include \"inc/common.h\"\n#include <cuda.h>\n__global__ void k(T *p) { p[threadIdx.x % LANES] = 1; }\n";
    let tree = Tree::new(&[
        ("src/a.cu", kernel),
        ("src/inc/common.h", "#include \"../inc/more.h\"\n"),
        (
            "src/inc/more.h",
            "#define T float\n#include \"common.h\"\n#include \"gone.h\"\n#include \"../../up.h\"\n",
        ),
        ("up.h", "#error not read\n"),
    ]);
    let lone = tree.run(&["src/a.cu", "-o", "-"]);
    let whole = tree.run(&["src", "out"]);
    assert_eq!((lone.code, whole.code), (0, 0), "{}{}", lone.err, whole.err);
    assert_eq!(lone.out, tree.read("out/a.cu"));
    let hip = lone.out.find("hip/hip_runtime.h");
    assert!(hip < lone.out.find("common.h"), "{}", lone.out);
    let checked = tree.run(&["check", "src/a.cu", "--show", "info"]);
    assert!(
        checked.err.contains("1 file, 1 with CUDA"),
        "{}",
        checked.err
    );
}

/// Paths of a job are those of the repository, and a shell completes them so.
#[test]
fn globs_count_from_the_current_folder_as_well() {
    let tree = Tree::new(&[("src/a.cu", GONE), ("src/sub/b.cu", GONE)]);
    let found = |words: &[&str]| {
        let done = tree.run(&[&["check", "--output-format", "concise"], words].concat());
        let names = done.out.lines().filter_map(|line| line.split(':').next());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let both = ["src/a.cu", "src/sub/b.cu"];
    assert_eq!(found(&["src"]), both);
    for glob in ["src/a.cu", "a.cu", "./src/a.cu"] {
        assert_eq!(found(&["src", "--exclude", glob]), both[1..], "{glob}");
        assert_eq!(found(&["src", "--include", glob]), both[..1], "{glob}");
    }
    assert_eq!(found(&["src", "--exclude", "src/sub"]), both[..1]);
    assert_eq!(found(&["./src/sub", "--exclude", "src/sub/*.cu"]), [""; 0]);
    let named = ["src/a.cu", "--force-exclude", "--exclude", "src/a.cu"];
    assert_eq!(found(&named), [""; 0]);
    tree.run(&["src", "out", "--exclude", "src/a.cu"]);
    assert!(!tree.path("out/a.cu").exists() && tree.path("out/sub/b.cu").exists());
}

#[test]
fn a_glob_that_leaves_nothing_out_is_named() {
    let tree = Tree::new(&[("src/a.cu", SAFE), ("more/b.cu", SAFE)]);
    let said = |words: &[&str]| {
        let done = tree.run(words);
        done.out + &done.err
    };
    let note = "--exclude lib/latin.cu: no path matches";
    let idle = ["--exclude", "lib/latin.cu", "--exclude", "src/a.cu"];
    for words in [&["check", "src"][..], &["src", "out"], &["diff", "src"]] {
        let said = said(&[words, &idle].concat());
        assert!(said.contains(note), "{words:?}: {said}");
        assert!(!said.contains("--exclude src/a.cu:"), "{words:?}: {said}");
    }
    // Of several folders one is enough, and a hook names files.
    let several = said(&["check", "src", "more", "--exclude", "src/a.cu"]);
    assert!(!several.contains("no path matches"), "{several}");
    let named = said(&["check", "src/a.cu", "--exclude", "lib/latin.cu"]);
    assert!(!named.contains("no path matches"), "{named}");
}

/// An object under the name of a source.
#[test]
fn a_source_with_a_byte_of_zero_is_copied_and_named() {
    let bytes = b"x\0cudaMalloc cudaFree\n";
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    tree.write("src/b.cu", bytes);
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(
        std::fs::read(tree.path("out/b.cu")).expect("it is there"),
        bytes
    );
    let found = tree.run(&["check", "src"]).out;
    assert!(found.contains("src/b.cu:1:2: error[CASS130]"), "{found}");
}
