//! `diff`: patches that git applies.

use crate::common::{self, SAFE, Tree};

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
        tree.git(&["apply", "p.patch"]);
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
    let found = tree.run(&[
        "diff", "src", "out", "--fresh", "--patch", "p.patch", "--stat",
    ]);
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
            if path.ends_with(".cass") {
                // The memory of the output, which is no part of a patch.
            } else if path.is_dir() && !path.is_symlink() {
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

/// Where the person stands is where `git apply` is run.
#[test]
fn names_of_a_patch_are_from_the_current_folder() {
    let tree = Tree::new(&[("repo/gpu/src/a.cu", SAFE), ("repo/gpu/b.cu", SAFE)]);
    tree.git(&["init", "-q", "repo"]);
    let gpu = tree.path("repo/gpu");
    let printed = |words: &[&str]| {
        let mut command = tree.command();
        common::done(command.current_dir(&gpu).arg("diff").args(words)).out
    };
    let patch = printed(&["src/"]);
    assert!(
        patch.contains("--- a/src/a.cu\n+++ b/src/a.cu\n"),
        "{patch}"
    );
    assert!(printed(&["./src/a.cu"]) == patch && printed(&["../gpu/src"]) == patch);
    // What lies elsewhere cannot be applied here.
    let above = printed(&[".."]);
    assert!(above.contains("--- a/gpu/src/a.cu\n"), "{above}");
    tree.write("repo/gpu/p.patch", patch.as_bytes());
    tree.git(&["-C", "repo/gpu", "apply", "--check", "p.patch"]);
}
