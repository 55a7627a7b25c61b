//! What happens when the world does not play along: full disks, closed pipes, odd names, odd trees, several runs at once.
//!
//! Folders are made unwritable by putting a file where a folder must go, because permission bits do not bind root; the disk is full
//! at 512 bytes by `ulimit -f`, which gives the same error on write without a file system of its own.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod kills;
mod names;
mod nesting;
mod outputs;
mod places;
mod reruns;
mod runs;
mod trees;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::{Done, SAFE, Tree};

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin("cass-transpile")
}

/// Starts the program with its output in pipes.
fn start(tree: &Tree, arguments: &[&str]) -> Child {
    Command::new(program())
        .current_dir(tree.folder.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Runs a line of shell in which `$CASS` is the program.
fn shell(tree: &Tree, line: &str) -> Done {
    let mut command = assert_cmd::Command::new("sh");
    command
        .current_dir(tree.folder.path())
        .env("CASS", program())
        .args(["-c", line]);
    common::done(&mut command)
}

/// Every file and link below a folder with its bytes; the report and temporary files have to be asked for by name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(here) = folders.pop() {
        for item in fs::read_dir(here).expect("a folder") {
            let path = item.expect("an item").path();
            let name = path
                .strip_prefix(folder)
                .expect("it lies below")
                .to_path_buf();
            if path.is_symlink() {
                found.insert(
                    name,
                    fs::read_link(&path)
                        .expect("a link")
                        .as_os_str()
                        .as_bytes()
                        .to_vec(),
                );
            } else if name == Path::new(".cass") {
                // The memory of the output, which tests of their own look into.
            } else if path.is_dir() {
                folders.push(path);
            } else if name != Path::new("cass-report.json") {
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// A tree of small files. The second takes so long that a run that has begun to write is not at its end.
fn many(count: usize) -> Tree {
    let tree = Tree::new(&[]);
    tree.write("src/0/k00.cu", SAFE.repeat(3_000).as_bytes());
    for number in 0..count {
        tree.write(
            &format!("src/{}/k{number}.cu", number % 10),
            SAFE.repeat(20).as_bytes(),
        );
    }
    tree
}
