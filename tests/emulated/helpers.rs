//! The helpers of `src/compat` against what CUDA defines.

use std::path::Path;

use cass_transpile::compat::{HEADER_NAME, helpers, snippets};

use crate::common::rocm::root;
use crate::emulator::{Emulator, SCHEDULES};

/// Builds a program of this folder against all helpers and runs it; its first line may say what it needs.
fn passes(name: &str, schedules: &[&str]) {
    let emulator = Emulator::required();
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let all = helpers().map(|helper| helper.name).collect();
    std::fs::write(folder.path().join(HEADER_NAME), snippets(&all)).expect("writable");
    let source = root().join("tests/emulated").join(name);
    let include = |path: &str| format!("-I{}", root().join(path).display());
    let written = std::fs::read_to_string(&source).expect("a program of this folder");
    let links = written
        .lines()
        .find_map(|line| line.strip_prefix("// links: "));
    let source = text(&source);
    let words: Vec<&str> = std::iter::once(source.as_str()).chain(links).collect();
    let program = emulator.build(
        folder.path(),
        &["-I.", &include("tests/emulated"), &include("tests/compat")],
        &words,
    );
    let failures = emulator.failures(&program, &[], schedules);
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Functions of one thread: no order of waves can matter.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn scalar() {
    passes("scalar.hip", &SCHEDULES[..1]);
}

/// Votes, shuffles, matches and reductions over all masks that a warp can have.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn warp() {
    passes("warp.hip", &SCHEDULES);
}

/// Kernels that are compiled while the program runs, by name and by expression.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn run_time_compilation() {
    passes("rtc.hip", &SCHEDULES[..1]);
}

/// Cooperative groups.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn groups() {
    passes("groups.hip", &SCHEDULES);
}

/// Atomics under contention, loads that poll, barriers of parts of a block.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn memory() {
    passes("memory.hip", &SCHEDULES);
}
