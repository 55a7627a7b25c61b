//! The program as people call it: arguments in, files, text and exit codes out.

mod common;

use common::{GONE, SAFE, Tree};

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
fn suppressions_are_added_where_the_findings_are() {
    let text = format!(
        "{}#define M(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n",
        GONE.replace('\n', "\r\n")
    );
    let tree = Tree::new(&[("a.cu", &text), ("safe.cu", SAFE)]);
    let added = tree.run(&["check", ".", "--add-suppressions", "known since 2024"]);
    assert_eq!(
        (added.code, added.out.lines().next()),
        (
            0,
            Some("suppressed 2 findings in 1 files; look at the changes before you commit them")
        )
    );
    let comment = "// cass: ignore-next-line[CASS003] known since 2024";
    assert_eq!(
        tree.read("a.cu"),
        format!(
            "{comment}\r\n{}{comment}\n#define M(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n",
            GONE.replace('\n', "\r\n")
        )
    );
    assert_eq!(tree.read("safe.cu"), SAFE);
    let clean = tree.run(&["check", "."]);
    assert_eq!(clean.code, 0, "{}", clean.out);
}

#[test]
fn the_nearest_configuration_holds_and_the_command_line_wins() {
    let tree = Tree::new(&[
        (
            "cass.toml",
            "[rules]\nignore = [\"CASS003\"]\n[files]\nexclude = [\"src/old\"]\n[translate]\nnaming = \"hip\"\n",
        ),
        ("src/gone.cu", GONE),
        ("src/old/gone.cu", GONE),
        ("other/cass.toml", ""),
        ("other/gone.cu", GONE),
    ]);
    assert_eq!(tree.run(&["check", "src"]).code, 0);
    assert_eq!(tree.run(&["check", "other"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--isolated"]).code, 1);
    assert_eq!(tree.run(&["check", "src", "--error", "CASS003"]).code, 1);
    assert_eq!(
        tree.run(&["check", "other", "--config", "cass.toml"]).code,
        0
    );
    tree.run(&["src", "out"]);
    assert!(tree.path("out/gone.hip").is_file() && !tree.path("out/old").exists());
}

#[test]
fn overrides_hold_for_their_paths_from_wherever_the_run_starts() {
    let tree = Tree::new(&[
        (
            "cass.toml",
            "[[overrides]]\npaths = [\"lib/vendor/**\"]\nignore = [\"api\"]\n",
        ),
        ("lib/vendor/gone.cu", GONE),
        ("lib/own.cu", GONE),
    ]);
    for root in [".", "lib"] {
        let out = tree.run(&["check", root]).out;
        assert!(out.contains("own.cu:1") && !out.contains("vendor"), "{out}");
    }
    assert_eq!(tree.run(&["check", "lib/vendor"]).code, 0);
    assert_eq!(tree.run(&["check", "lib/vendor/gone.cu"]).code, 0);
}

#[test]
fn mistakes_in_the_configuration_are_explained() {
    let tree = Tree::new(&[("cass.toml", "[rules]\nignor = []\n"), ("a.cu", SAFE)]);
    let wrong = tree.run(&["check", "a.cu"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .err
            .contains("cass.toml:2:1: unknown key `ignor`; did you mean `ignore`?"),
        "{}",
        wrong.err
    );
}

#[test]
fn the_settings_can_be_seen_and_are_a_configuration_themselves() {
    let tree = Tree::new(&[
        ("cass.toml", "[translate]\nwarp = \"native\"\n"),
        ("a.cu", SAFE),
    ]);
    let shown = tree.run(&[
        "check",
        "a.cu",
        "--show-config",
        "--rocm",
        "7.0",
        "--error",
        "warp",
    ]);
    assert_eq!(shown.code, 0);
    for line in [
        "warp = \"native\"",
        "rocm = \"7.0\"",
        "launch = \"keep\"",
        "fail-on = \"warning\"",
        "error = [\"warp\"]",
    ] {
        assert!(shown.out.contains(line), "{line} is not in {}", shown.out);
    }
    tree.write("again/cass.toml", shown.out.as_bytes());
    tree.write("again/a.cu", SAFE.as_bytes());
    assert_eq!(tree.run(&["check", "again"]).code, 0);
}

#[test]
fn schemas_are_json() {
    let tree = Tree::new(&[]);
    for of in ["config", "report"] {
        let schema = tree.run(&["schema", of]);
        let value: serde_json::Value = serde_json::from_str(&schema.out).expect("JSON");
        assert!(value["properties"].is_object(), "{of}");
    }
}

#[test]
fn only_changed_files_are_checked() {
    let tree = Tree::new(&[
        ("repo/old.cu", GONE),
        ("repo/edited.cu", SAFE),
        ("repo/sub/staged file.cu", SAFE),
        ("repo/gone.cu", GONE),
    ]);
    let git = |arguments: &[&str]| tree.git(&[&["-C", "repo"], arguments].concat());
    git(&["init", "-q"]);
    // Before the first commit every file is new.
    assert_eq!(
        tree.run(&["check", "repo", "--changed"])
            .out
            .matches("CASS003")
            .count(),
        2
    );
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    assert_eq!(tree.run(&["check", "repo", "--changed"]).code, 0);
    tree.write("repo/edited.cu", GONE.as_bytes());
    tree.write("repo/sub/staged file.cu", GONE.as_bytes());
    tree.write("repo/new.cu", GONE.as_bytes());
    std::fs::remove_file(tree.path("repo/gone.cu")).expect("it is there");
    git(&["add", "sub"]);
    let found = tree.run(&["check", "repo", "--changed", "--output-format", "concise"]);
    let files: Vec<&str> = found
        .out
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(
        files,
        ["repo/edited.cu", "repo/new.cu", "repo/sub/staged file.cu"]
    );
    assert_eq!(
        tree.run(&["check", "repo/sub", "--changed"])
            .out
            .matches("CASS003")
            .count(),
        1
    );
    git(&["checkout", "-qb", "topic"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "two"]);
    assert_eq!(tree.run(&["check", "repo", "--changed"]).code, 0);
    assert_eq!(
        tree.run(&["check", "repo", "--changed", "--since", "main"])
            .out
            .matches("CASS003")
            .count(),
        3
    );
}

#[test]
fn what_git_cannot_tell_is_said() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    let outside = tree.run(&["check", "a.cu", "--changed"]);
    assert_eq!(outside.code, 2);
    assert!(
        outside.err.contains("is in no repository"),
        "{}",
        outside.err
    );
    tree.git(&["init", "-q"]);
    let unknown = tree.run(&["check", ".", "--changed", "--since", "nowhere"]);
    assert!(
        unknown.code == 2 && unknown.err.contains("git knows no commit `nowhere`"),
        "{}",
        unknown.err
    );
    let without = common::done(
        tree.command()
            .env("PATH", "")
            .args(["check", ".", "--changed"]),
    );
    assert!(
        without.code == 2 && without.err.contains("git cannot be started"),
        "{}",
        without.err
    );
}

/// A tree with everything that makes patches go wrong.
fn odd_tree() -> Tree {
    let tree = Tree::new(&[
        ("src/plain.cu", SAFE),
        ("src/sub/with blank.cu", SAFE),
        ("src/crlf.cu", &SAFE.replace('\n', "\r\n")),
        ("src/no-end.cu", SAFE.trim_end()),
        (
            "src/lone-cr.cu",
            &SAFE.replace("return", "// a\rb\n return"),
        ),
        (
            "src/main.cpp",
            "#include \"plain.cu\"\nint main() { return f(nullptr); }\n",
        ),
        (
            "src/helper.cu",
            "__device__ int g(const int *p, unsigned m) { return __ldcg(p) + __reduce_add_sync(m, *p); }\n",
        ),
        ("src/notes.txt", "cudaFree stays here\n"),
    ]);
    tree.write("src/sub/quote\"\n\u{e9}.cu", SAFE.as_bytes());
    tree.write("src/latin1.cu", &[SAFE.as_bytes(), b"// \xe9\n"].concat());
    tree
}

/// All files below a folder with their content.
fn files(tree: &Tree, folder: &str) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (std::collections::BTreeMap::new(), vec![tree.path(folder)]);
    while let Some(folder_now) = folders.pop() {
        for item in std::fs::read_dir(folder_now).expect("a folder") {
            let path = item.expect("an item").path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(tree.path(folder))
                    .expect("it lies below")
                    .to_path_buf();
                found.insert(name, std::fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}

#[test]
fn the_patch_turns_the_source_into_the_output() {
    for naming in ["keep", "hip"] {
        let tree = odd_tree();
        assert_eq!(
            tree.run(&["diff", "src", "--naming", naming, "--patch", "p.patch"])
                .code,
            0
        );
        assert_eq!(
            tree.run(&["diff", "src", "--naming", naming, "--exit-code", "--stat"])
                .code,
            1
        );
        tree.run(&["src", "out", "--naming", naming]);
        tree.git(&["init", "-q"]);
        tree.git(&["apply", "--directory=src", "p.patch"]);
        let mut out = files(&tree, "out");
        out.remove(std::path::Path::new("cass-report.json"))
            .expect("it is written");
        assert_eq!(
            files(&tree, "src"),
            out,
            "{naming}: {}",
            tree.read("p.patch")
        );
    }
}

#[test]
fn differences_of_an_output_are_a_patch_that_mends_it() {
    let tree = odd_tree();
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 0);
    let before = files(&tree, "out");
    tree.write("out/plain.cu", b"edited by hand\n");
    for gone in [
        "out/main.cpp",
        "out/sub/with blank.cu",
        "out/cass_hip_compat.hpp",
    ] {
        std::fs::remove_file(tree.path(gone)).expect("it is there");
    }
    let found = tree.run(&["diff", "src", "out", "--patch", "p.patch", "--stat"]);
    assert_eq!(found.code, 1);
    assert!(found.out.contains(" 4 files changed, "), "{}", found.out);
    tree.git(&["init", "-q"]);
    tree.git(&["apply", "--directory=out", "p.patch"]);
    assert_eq!(files(&tree, "out"), before);
    assert_eq!(tree.run(&["diff", "src", "out"]).code, 0);
}

#[test]
fn patches_are_coloured_only_for_people() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    let plain = tree.run(&["diff", "."]).out;
    assert!(
        plain.starts_with("diff --git a/a.cu b/a.cu\n--- a/a.cu\n+++ b/a.cu\n@@ ")
            && !plain.contains('\u{1b}')
    );
    let coloured = common::done(
        tree.command()
            .env("CLICOLOR_FORCE", "1")
            .args(["diff", "."]),
    )
    .out;
    assert!(
        coloured.contains("\u{1b}[32m+#include <hip/hip_runtime.h>\u{1b}[0m\n"),
        "{coloured}"
    );
}

#[test]
fn annotations_come_once_and_go() {
    let text = format!(
        "#define A(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n  {GONE}int f(void *p) {{ return cudaFree(p); }}\n"
    );
    let tree = Tree::new(&[("src/a.cu", &text)]);
    tree.run(&["src", "plain"]);
    tree.run(&["src", "noted", "--annotate"]);
    let noted = tree.read("noted/a.cu");
    assert_eq!(
        noted
            .matches("// CASS003: `cudaDeviceFlushGPUDirectRDMAWrites` has no counterpart")
            .count(),
        2,
        "{noted}"
    );
    assert!(
        noted.starts_with("#include <hip/hip_runtime.h>\n// CASS003: ")
            || noted.starts_with("// CASS003: "),
        "{noted}"
    );
    assert!(
        noted.contains("\n  // CASS003: "),
        "indented as the line: {noted}"
    );
    tree.run(&["noted", "again", "--annotate"]);
    assert_eq!(tree.read("again/a.cu"), noted);
    tree.run(&["noted", "without", "--annotate=remove"]);
    assert_eq!(tree.read("without/a.cu"), tree.read("plain/a.cu"));
    tree.run(&["noted", "kept"]);
    assert_eq!(tree.read("kept/a.cu"), noted);
}

#[test]
fn a_baseline_lets_only_new_findings_fail() {
    let tree = Tree::new(&[("src/a.cu", GONE), ("src/b.cu", &GONE.repeat(2))]);
    let check =
        |more: &[&str]| tree.run(&[&["check", "src", "--baseline", "known.json"], more].concat());
    let missing = check(&[]);
    assert!(
        missing.code == 2 && missing.err.contains("--update-baseline"),
        "{}",
        missing.err
    );
    assert_eq!(check(&["--update-baseline"]).code, 0);
    let stored = tree.read("known.json");
    let clean = check(&[]);
    assert_eq!((clean.code, clean.out.as_str()), (0, ""));
    assert!(clean.err.contains("3 known findings"), "{}", clean.err);
    // Lines above, indentation and line ends do not make a finding new; a third of the same line does.
    tree.write(
        "src/a.cu",
        format!("// one\r\n\r\n  {}", GONE.replace('\n', "\r\n")).as_bytes(),
    );
    assert_eq!(check(&[]).code, 0);
    tree.write("src/b.cu", GONE.repeat(3).as_bytes());
    let new = check(&["--output-format", "concise"]);
    assert_eq!((new.code, new.out.lines().count()), (1, 1), "{}", new.out);
    assert!(new.out.starts_with("src/b.cu:3:"), "{}", new.out);
    let sarif = check(&["--output-format", "sarif"]).out;
    assert_eq!(
        (
            sarif.matches("\"unchanged\"").count(),
            sarif.matches("\"new\"").count()
        ),
        (3, 1)
    );
    tree.write("src/b.cu", b"int cuda;\n");
    let less = check(&[]);
    assert!(
        less.code == 0 && less.err.contains("2 findings are gone"),
        "{}",
        less.err
    );
    assert_eq!(tree.read("known.json"), stored, "a check does not write");
    check(&["--update-baseline"]);
    assert!(tree.read("known.json").len() < stored.len());
    tree.write("known.json", b"{\"version\": 2, \"findings\": []}");
    assert_eq!(check(&[]).code, 2);
}

#[test]
fn the_baseline_of_the_configuration_is_found_from_below() {
    let tree = Tree::new(&[
        ("cass.toml", "[check]\nbaseline = \"known.json\"\n"),
        ("src/a.cu", GONE),
        ("src/sub/b.cu", GONE),
    ]);
    tree.git(&["init", "-q"]);
    assert_eq!(tree.run(&["check", ".", "--update-baseline"]).code, 0);
    for path in [".", "src", "src/sub/b.cu"] {
        assert_eq!(tree.run(&["check", path]).code, 0, "{path}");
    }
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
