//! The programs of `fixtures/corpus` from CUDA to numbers: translated, built, run, each with the check that it makes itself.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::Tree;
use crate::common::rocm::{entries, root};
use crate::emulator::{CHIPS, Emulator, SCHEDULES};

/// Programs that cannot run here, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("allreduce", "RCCL has no emulation"),
    ("c-api", "several files: its Makefile builds it"),
    ("host-stub", "several files: its Makefile builds it"),
    ("half-ported", "its Makefile says which branch is built"),
    ("nbody", "several files: its Makefile builds it"),
    ("own-names", "several files: its Makefile builds it"),
    ("dense-solve", "hipSOLVER has no emulation"),
    (
        "driver-vecadd",
        "asks for a code object built by its Makefile",
    ),
    ("fft-convolve", "hipFFT has no emulation"),
    ("lt-matmul", "hipBLASLt has no emulation"),
    (
        "nvrtc-saxpy",
        "asks for an NVIDIA architecture at run time, as its report says",
    ),
    ("nvtx-pipeline", "roctx is a library of its own"),
    ("peer-copy", "shares memory between processes"),
    ("rand-normal", "hipRAND's host library has no emulation"),
    ("sparse-cg", "hipSPARSE has no emulation"),
    (
        "stream-overlap",
        "half a minute of work that only measures time",
    ),
    ("surface-life", "surfaces are not emulated"),
    ("texture-blur", "textures are not emulated"),
    ("tiny-cnn", "MIOpen has no emulation"),
];

/// Libraries that the emulator has.
const LINKED: &[(&str, &str)] = &[("blas-power", "-lhipblas"), ("paste-macros", "-lhipblas")];
/// Less work for programs that take a size.
const ARGUMENTS: &[(&str, &[&str])] = &[("heat-stencil", &["200", "100"])];

#[test]
fn programs_compute_the_same() {
    let Some(emulator) = Emulator::from_environment("emulated::corpus") else {
        return;
    };
    let tree = Tree::new(&[]);
    let corpus = root().join("fixtures/corpus");
    let done = tree.run(&[&corpus.display().to_string(), "out"]);
    assert!(done.code < 2, "{}", done.err);
    let mut failures = Vec::new();
    for folder in entries(&corpus) {
        let name = folder
            .file_name()
            .expect("named")
            .to_string_lossy()
            .into_owned();
        if NOT_RUN.iter().all(|(other, _)| *other != name) {
            failures.extend(runs(&emulator, &tree.path("out").join(&name), &name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Builds a program and runs it; what is wrong with it.
fn runs(emulator: &Emulator, folder: &Path, name: &str) -> Vec<String> {
    let words = sources(folder);
    let linked = LINKED.iter().filter(|(other, _)| *other == name);
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .chain(linked.map(|(_, library)| *library))
        .collect();
    let program = emulator.build(folder, &[], &words);
    let arguments = ARGUMENTS.iter().find(|(other, _)| *other == name);
    let arguments = arguments.map_or(&[][..], |(_, arguments)| arguments);
    let failures = emulator.failures(&program, arguments, &SCHEDULES[..1]);
    failures
        .into_iter()
        .map(|failure| format!("{name}: {failure}"))
        .collect()
}

/// All sources of a folder and of the folders in it, from its root.
fn sources(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for path in entries(&next) {
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "cu" || end == "cpp")
            {
                let path = path.strip_prefix(folder).expect("below the folder");
                found.push(path.display().to_string());
            }
        }
    }
    found
}

/// A reason for a program that runs by now, or that is gone, would be a lie.
#[test]
fn programs_that_do_not_run_are_there() {
    let folders = entries(&root().join("fixtures/corpus"));
    let names: BTreeSet<_> = folders
        .iter()
        .filter_map(|path| path.file_name()?.to_str())
        .collect();
    for (name, reason) in NOT_RUN {
        assert!(names.contains(name), "{name} ({reason}) is gone");
    }
    assert!(names.len() > NOT_RUN.len() + CHIPS.len());
}
