//! Files that are named one by one mean what they mean in their tree: a hook names the files of a commit.

use crate::common::{Tree, done};

/// A project that serves AMD by a header which its sources do not include themselves.
fn supported() -> Tree {
    let build = "enable_language(HIP)\nfind_package(hip REQUIRED)\n";
    let mapping = "#pragma once\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaMemcpy hipMemcpy\n";
    let common = "#pragma once\n#ifdef USE_HIP\n#include \"../vendors/hip.h\"\n#else\n#include <cuda_runtime.h>\n#endif\n";
    let source = "#include \"common.h\"\nint f(void *p) { return cudaFree(p); }\n";
    let tree = Tree::new(&[
        ("repo/CMakeLists.txt", build),
        ("repo/vendors/hip.h", mapping),
        ("repo/include/common.h", common),
        ("repo/src/a.cu", source),
        ("repo/src/b.cu", source),
    ]);
    tree.git(&["-C", "repo", "init", "-q"]);
    tree
}

/// What is told of a file, all of it, by the path that it has there.
fn told(tree: &Tree, words: &[&str], file: &str) -> Vec<String> {
    let more = ["--show", "info", "--output-format", "concise"];
    let done = tree.run(&[&["check"], words, &more].concat());
    let lines = done
        .out
        .lines()
        .filter(|line| line.starts_with(&format!("{file}:")));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_named_file_is_what_it_is_in_its_repository() {
    let tree = supported();
    assert_eq!(
        told(&tree, &["repo"], "repo/src/a.cu"),
        Vec::<String>::new()
    );
    for words in [
        &["repo/src/a.cu"][..],
        &["repo/src/a.cu", "repo/src/b.cu", "--force-exclude"],
        &["repo", "--include", "src/a.cu"],
    ] {
        let found = told(&tree, words, "repo/src/a.cu");
        assert_eq!(found, Vec::<String>::new(), "{words:?}");
    }
    let patch = tree.run(&["diff", "repo/src/a.cu"]);
    assert_eq!((patch.code, patch.out.as_str()), (0, ""));
    let before = tree.read("repo/src/a.cu");
    tree.run(&["check", "--fix", "repo/src/a.cu"]);
    assert_eq!(tree.read("repo/src/a.cu"), before);
}

#[test]
fn without_a_tree_a_named_file_stands_alone() {
    let tree = supported();
    std::fs::remove_dir_all(tree.path("repo/.git")).expect("it is there");
    let alone = || told(&tree, &["repo/src/a.cu"], "repo/src/a.cu").join("\n");
    assert!(alone().contains("CASS001"), "{}", alone());
    // The folder of a configuration is a tree as well.
    tree.write("repo/cass.toml", b"");
    assert_eq!(alone(), "");
}

#[test]
fn a_name_that_another_folder_defines_is_the_projects_own() {
    let own = "#pragma once\ninline int cudaDeviceFlushAll(int n) { return n; }\n";
    let use_ = "#include \"own.h\"\n#include <cuda_runtime.h>\nint f() { return cudaDeviceFlushAll(1); }\n";
    let tree = Tree::new(&[("lib/own.h", own), ("src/a.cu", use_)]);
    let is_told = || told(&tree, &["src/a.cu"], "src/a.cu").join("\n");
    assert!(is_told().contains("cudaDeviceFlushAll"), "{}", is_told());
    tree.git(&["init", "-q"]);
    assert!(!is_told().contains("cudaDeviceFlushAll"), "{}", is_told());
}

#[test]
fn files_that_the_tree_leaves_out_are_looked_at_where_they_are_named() {
    let gone =
        "#include <cuda_runtime.h>\nvoid f() { cudaDeviceFlushGPUDirectRDMAWrites(a, b); }\n";
    let tree = Tree::new(&[
        (".gitignore", "made/\n"),
        ("cass.toml", "[files]\nexclude = [\"old\"]\n"),
        ("made/a.cu", gone),
        ("old/b.cu", gone),
        ("src/c.cu", gone),
    ]);
    tree.git(&["init", "-q"]);
    let all = ["made/a.cu", "old/b.cu", "src/c.cu"];
    for file in all {
        assert!(!told(&tree, &all, file).is_empty(), "{file}");
    }
    let forced = [&all[..], &["--force-exclude"]].concat();
    assert!(told(&tree, &forced, "old/b.cu").is_empty());
    assert!(!told(&tree, &forced, "src/c.cu").is_empty());
}

/// The paths of findings are those that were named, from wherever the program runs.
#[test]
fn findings_have_the_paths_that_were_named() {
    let gone =
        "#include <cuda_runtime.h>\nvoid f() { cudaDeviceFlushGPUDirectRDMAWrites(a, b); }\n";
    let tree = Tree::new(&[("repo/src/a.cu", gone), ("repo/lib/b.cu", gone)]);
    tree.git(&["-C", "repo", "init", "-q"]);
    let dotted = ["./repo/src/a.cu", "repo/lib/../lib/b.cu"];
    for file in dotted {
        assert!(!told(&tree, &dotted, file).is_empty(), "{file}");
    }
    let absolute = tree.path("repo/src/a.cu").display().to_string();
    assert!(!told(&tree, &[&absolute], &absolute).is_empty());
}

/// A patch of one file is one for `git apply` in the current folder.
#[test]
fn a_patch_of_a_named_file_applies_where_it_was_made() {
    let source = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";
    let tree = Tree::new(&[("repo/src/a.cu", source), ("repo/src/b.cu", source)]);
    tree.git(&["-C", "repo", "init", "-q"]);
    let patch = tree.run(&["diff", "repo/src/a.cu"]).out;
    assert!(
        patch.starts_with("diff --git a/repo/src/a.cu b/repo/src/a.cu\n"),
        "{patch}"
    );
    assert!(!patch.contains("b.cu\n--- "), "{patch}");
    // From below the tree names are those that were given.
    let mut command = tree.command();
    let below = done(
        command
            .current_dir(tree.path("repo/src"))
            .args(["diff", "a.cu"]),
    );
    assert!(
        below.out.starts_with("diff --git a/a.cu b/a.cu\n"),
        "{}",
        below.out
    );
}

/// An editor hands over what it has of a file, saved or not.
#[test]
fn standard_input_stands_for_a_file_of_its_tree() {
    let tree = supported();
    let words = ["check", "-", "--stdin-filename"];
    let told = |name: &str| {
        let more = [name, "--show", "info", "--output-format", "concise"];
        let text =
            "#include \"common.h\"\nint f(void *p) { return cudaFree(p) + cudaMalloc(&p, 4); }\n";
        let mut command = tree.command();
        command.args([&words[..], &more].concat()).write_stdin(text);
        done(&mut command).out
    };
    assert!(
        !told("repo/src/a.cu").contains("CASS001"),
        "{}",
        told("repo/src/a.cu")
    );
    assert!(
        told("repo/src/new.cu").contains("repo/src/new.cu:2:"),
        "{}",
        told("repo/src/new.cu")
    );
}
