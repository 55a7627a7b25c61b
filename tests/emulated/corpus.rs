//! The programs of `fixtures/corpus` from CUDA to numbers: translated, built, run, each with the check that it makes itself.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::Tree;
use crate::common::rocm::{entries, root};
use crate::emulator::{CHIPS, Emulator, SCHEDULES};

/// Programs that cannot run here, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("allreduce", "RCCL has no emulation"),
    ("dense-solve", "hipSOLVER has no emulation"),
    ("lt-matmul", "hipBLASLt has no emulation"),
    (
        "nvrtc-saxpy",
        "asks for an NVIDIA architecture at run time, as its report says",
    ),
    ("nvtx-pipeline", "roctx is a library of its own"),
    ("peer-copy", "shares memory between processes"),
    ("rand-normal", "Poisson's distribution has no emulation"),
    (
        "stream-overlap",
        "half a minute of work that only measures time",
    ),
];

/// A program that its makefile builds.
struct Made {
    folder: &'static str,
    /// What make is told.
    words: &'static [&'static str],
    program: &'static str,
    arguments: &'static [&'static str],
    chips: &'static [&'static str],
}

/// Built without a word to make, and run without arguments.
const fn made(folder: &'static str, program: &'static str) -> Made {
    Made {
        folder,
        words: &[],
        program,
        arguments: &[],
        chips: &CHIPS,
    }
}

/// Programs of several files, and those that load a code object.
const MADE: &[Made] = &[
    made("c-api", "invert"),
    made("driver-vecadd", "vecadd"),
    made("own-names", "own"),
    // Its branch for AMD is written for wavefronts of 64 lanes.
    Made {
        words: &["ROCM=1"],
        chips: &["gfx90a"],
        ..made("half-ported", "layernorm")
    },
    Made {
        words: &["GPU=1"],
        ..made("host-stub", "sum")
    },
    Made {
        arguments: &["512", "10"],
        ..made("nbody", "nbody")
    },
];

/// Libraries that the emulator has.
const LINKED: &[(&str, &str)] = &[
    ("blas-power", "-lhipblas"),
    ("fft-convolve", "-lhipfft"),
    ("paste-macros", "-lhipblas"),
    ("sparse-cg", "-lhipsparse"),
    ("tiny-cnn", "-lMIOpen"),
];
/// Less work for programs that take a size.
const ARGUMENTS: &[(&str, &[&str])] = &[("heat-stencil", &["200", "100"])];

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn programs_compute_the_same() {
    let emulator = Emulator::required();
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
    if let Some(made) = MADE.iter().find(|made| made.folder == name) {
        emulator.make(folder, made.words);
        let program = folder.join(made.program);
        return emulator.failures_on(made.chips, &program, made.arguments, &SCHEDULES[..1]);
    }
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
