//! Outputs that are no files to replace: a pipe, a device, the standard output by its name. A program that renames over them takes
//! `/dev/null` from the whole machine when root runs it.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::process::Command;

use crate::common::{GONE, SAFE, Tree, done};

/// Runs a line of shell in which `$CASS` is the program.
fn shell(tree: &Tree, line: &str) -> crate::common::Done {
    let mut command = assert_cmd::Command::new("sh");
    command
        .current_dir(tree.folder.path())
        .env("CASS", assert_cmd::cargo::cargo_bin("cass-transpile"))
        .args(["-c", line]);
    done(&mut command)
}

fn tree_with_pipe() -> Tree {
    let tree = Tree::new(&[("a.cu", SAFE), ("plain.c", "int x;\n"), ("b.cu", GONE)]);
    let made = Command::new("mkfifo").arg(tree.path("pipe")).status();
    assert!(made.expect("there is a mkfifo").success());
    tree
}

fn is_pipe(tree: &Tree) -> bool {
    fs::symlink_metadata(tree.path("pipe")).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[test]
fn a_pipe_is_written_into() {
    let tree = tree_with_pipe();
    // A reader that waits longer than the program runs would hang the test: `timeout` ends it.
    for (arguments, word) in [
        ("a.cu -o pipe --quiet", "hipFree"),
        ("plain.c -o pipe --quiet", "int x;"),
        ("check b.cu --report json=pipe", "CASS003"),
    ] {
        shell(
            &tree,
            &format!("timeout 20 cat pipe > got & $CASS {arguments}; wait"),
        );
        assert!(is_pipe(&tree), "{arguments}: the pipe is a file now");
        let got = tree.read("got");
        assert!(got.contains(word), "{arguments}: {got}");
    }
}

#[test]
fn a_device_and_a_link_to_it_stay() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    symlink("/dev/null", tree.path("nothing")).expect("a link");
    let done = tree.run(&["a.cu", "-o", "nothing", "--quiet"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let link = fs::read_link(tree.path("nothing")).expect("it is a link still");
    assert_eq!(link.to_str(), Some("/dev/null"));
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_has_a_name() {
    let tree = Tree::new(&[("a.cu", SAFE)]);
    symlink("/proc/self/fd/1", tree.path("out")).expect("a link");
    let done = shell(&tree, "echo before > got; $CASS a.cu -o out --quiet >> got");
    assert_eq!(done.code, 0, "{}", done.err);
    let got = tree.read("got");
    assert!(
        got.starts_with("before\n") && got.contains("hipFree"),
        "{got}"
    );
}
