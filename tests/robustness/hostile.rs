//! Trees that want harm: a stranger's repository is checked and translated like any other, and nothing outside the output changes.

use std::fs;
use std::os::unix::fs::symlink;

use crate::common::{GONE, SAFE, Tree};
use crate::shell;

#[test]
fn a_link_in_the_output_leads_nothing_out_of_it() {
    let tree = Tree::new(&[("victim/x.cu", "precious\n"), ("src/a.cu", SAFE)]);
    symlink("../victim", tree.path("src/sub")).expect("a link");
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    fs::remove_file(tree.path("src/sub")).expect("it is a link");
    tree.write("src/sub/x.cu", SAFE.as_bytes());
    tree.write("src/sub/deep/plain.txt", b"bytes\n");
    let again = tree.run(&["src", "out", "--quiet"]);
    assert_eq!(tree.read("victim/x.cu"), "precious\n");
    assert!(!tree.path("victim/deep").exists());
    // Either it says so, or the link is a folder by now.
    let arrived = tree.path("out/sub/x.cu").exists() && !tree.path("out/sub").is_symlink();
    let said = again.code == 2
        && again
            .err
            .contains("out/sub: is a link where a folder should go");
    assert!(arrived || said, "{}: {}", again.code, again.err);
    fs::remove_file(tree.path("out/sub")).ok();
    assert_eq!(tree.run(&["src", "out", "--quiet"]).code, 0);
    assert!(tree.read("out/sub/x.cu").contains("hipFree"));
}

#[test]
fn a_link_to_a_device_is_replaced_and_not_written_into() {
    let tree = Tree::new(&[
        ("src/a.cu", SAFE),
        ("src/b.txt", "plain\n"),
        ("out/cass-report.json", "{}"),
    ]);
    let made = shell(
        &tree,
        "mkfifo pipe && ln -s ../pipe out/a.cu && ln -s ../pipe out/b.txt",
    );
    assert_eq!(made.code, 0);
    // Opening the pipe would wait for a reader for ever.
    let done = shell(&tree, "timeout 20 $CASS src out --force --quiet");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(tree.read("out/a.cu").contains("hipFree"));
    assert_eq!(tree.read("out/b.txt"), "plain\n");
}

#[test]
fn names_that_differ_in_case_alone_do_not_become_one() {
    let tree = Tree::new(&[
        ("src/a.cu", "int a() { return cudaFree(0); }\n"),
        ("src/a.CU", "int b() { return cudaMalloc(0, 1); }\n"),
    ]);
    let done = tree.run(&["src", "out", "--naming", "hip"]);
    let all = crate::files(&tree.path("out"));
    let text: Vec<String> = all
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let text = text.concat();
    assert!(
        text.contains("hipFree") && text.contains("hipMalloc"),
        "{all:?}"
    );
    assert!(
        done.out.contains("a.cu keeps its name: a.hip is taken"),
        "{}",
        done.out
    );
}

#[test]
fn a_condition_that_nests_without_end_ends_no_run() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        format!("int f() {{ return cudaFree(0); }}\n#if {open}__CUDACC__{close}\n#endif\n")
    };
    let tree = Tree::new(&[
        ("src/closed.h", &deep("(", ")")),
        ("src/open.h", &deep("(", "")),
        ("src/not.h", &deep("!", "")),
        ("src/not-open.h", &deep("!(", ")")),
        ("src/sum.h", &deep("1+", "")),
        ("src/call.h", &deep("f(1 == ", ")")),
        ("src/other.cu", SAFE),
    ]);
    let done = tree.run(&["src", "out", "--quiet"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(tree.read("out/closed.h").contains("hipFree"));
    assert!(tree.read("out/other.cu").contains("hipFree"));
}

/// A script that would be run leaves a file; this is its name.
const RUN: &str = "was-run";

#[test]
fn no_program_that_a_repository_names_is_started() {
    let tree = Tree::new(&[("mine/sub/evil/k.cu", SAFE)]);
    let touch = format!("touch {}", tree.path(RUN).display());
    // A repository without a work tree that a clone brings along as plain files.
    tree.write("mine/sub/evil/HEAD", b"ref: refs/heads/main\n");
    tree.write("mine/sub/evil/objects/.keep", b"");
    tree.write("mine/sub/evil/refs/.keep", b"");
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"{touch}; false\"\n"
    );
    tree.write("mine/sub/evil/config", config.as_bytes());
    tree.git(&["-C", "mine", "init", "-q"]);
    tree.git(&["-C", "mine", "add", "-A"]);
    tree.git(&["-C", "mine", "commit", "-qm", "one"]);
    tree.git(&["clone", "-q", "mine", "cloned"]);
    for path in ["cloned/sub/evil", "cloned/sub/evil/k.cu", "cloned"] {
        tree.run(&["check", path, "--changed"]);
        assert!(!tree.path(RUN).exists(), "{path}");
    }
    // An unpacked archive brings its own `.git/config`.
    tree.write("cloned/.gitattributes", b"*.cu filter=a=b diff=d\n");
    let more = format!(
        "[core]\n\tfsmonitor = {touch}\n\thooksPath = ../hooks\n\tpager = {touch}\n\
         [filter \"a=b\"]\n\tclean = {touch}\n\tprocess = {touch}\n\trequired = true\n\
         [diff \"d\"]\n\tcommand = {touch}\n\ttextconv = {touch}\n[diff]\n\texternal = {touch}\n"
    );
    let hook = format!("#!/bin/sh\n{touch}\n");
    tree.write("hooks/post-index-change", hook.as_bytes());
    shell(&tree, "chmod +x hooks/*; cat mine/.git/config > /dev/null");
    let old = tree.read("cloned/.git/config");
    tree.write("cloned/.git/config", format!("{old}{more}").as_bytes());
    // Same length, other time: git has to look into it.
    tree.write("cloned/sub/evil/k.cu", GONE.as_bytes());
    let done = tree.run(&["check", "cloned", "--changed"]);
    assert!(!tree.path(RUN).exists(), "{}", done.err);
    assert_eq!(done.code, 1, "{}", done.err);
}
