//! `src/mapping/members.txt` is what clang says of AMD's headers.

use std::process::Command;

use crate::common::rocm::{Compiler, root, text_of};

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn the_members_are_those_of_the_headers() {
    let compiler = Compiler::required();
    let output = Command::new("python3")
        .arg(root().join("tests/rocm/members.py"))
        .arg(&compiler.rocm)
        .output()
        .expect("python3 runs");
    let listed = include_str!("../../src/mapping/members.txt");
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(found, listed, "{}", text_of(&output));
}
