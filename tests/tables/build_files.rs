//! What `mappings/build.toml` writes into build files is there: CMake's targets in the packages of ROCm, options in clang.
//!
//! Needs the headers of `tests/rocm/setup.sh`, as `tests/proofs/compile_proof.rs` does.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::rocm::Compiler;
use cass_transpile::mapping::BuildTable;

/// Targets of packages that no distribution of the headers has: hipfftw, hipSPARSELt and hipTensor (ROCm 6.4), and those of PyTorch for ROCm.
const NO_PACKAGE: &[&str] = &[
    "hip::hipfftw",
    "roc::hipsparselt",
    "hiptensor::hiptensor",
    "c10_hip",
    "torch_hip",
];
/// Of hipcc, not of clang; what the test's own commands have; what writes files.
const NOT_TRIED: &[&str] = &[
    "--genco",
    "-x hip",
    "--save-temps",
    "--emit-static-lib",
    "--version",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
];

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn the_targets_of_cmake_are_those_of_the_packages() {
    let compiler = Compiler::required();
    let mut known = BTreeSet::new();
    collect_targets(&compiler.rocm.join("usr/lib"), &mut known);
    assert!(known.contains("hip::host"), "{known:?}");
    let unknown: BTreeSet<&str> = BuildTable::builtin()
        .libraries()
        .map(|(_, library)| library.target.as_str())
        .filter(|target| !target.is_empty() && !known.contains(*target))
        .collect();
    assert_eq!(unknown, NO_PACKAGE.iter().copied().collect());
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn clang_takes_the_options() {
    let compiler = Compiler::required();
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("empty.hip");
    std::fs::write(&file, "__global__ void k() {}\n").expect("writable");
    // compile.sh takes a word without a dash for a file.
    let rows: BTreeSet<String> = BuildTable::builtin()
        .options()
        .filter_map(|(_, word)| word.becomes.as_deref())
        .filter(|becomes| !becomes.contains("{}") && !NOT_TRIED.contains(becomes))
        .map(|becomes| becomes.replace("-D ", "-D"))
        .collect();
    assert!(rows.len() > 10, "{rows:?}");
    let takes = |options: &mut dyn Iterator<Item = &str>| {
        let options: Vec<String> = options.map(str::to_owned).collect();
        compiler.compile(&options, std::slice::from_ref(&file)).ok
    };
    assert!(
        !takes(&mut std::iter::once("--use_fast_math")),
        "a refusal is noticed"
    );
    if !takes(&mut rows.iter().flat_map(|row| row.split_whitespace())) {
        let refused: Vec<&String> = rows
            .iter()
            .filter(|row| !takes(&mut row.split_whitespace()))
            .collect();
        panic!("{refused:?}");
    }
}

/// The names behind `add_library(` in the packages below a folder.
fn collect_targets(folder: &Path, found: &mut BTreeSet<String>) {
    for item in walkdir::WalkDir::new(folder).into_iter().flatten() {
        if item.path().extension().is_some_and(|it| it == "cmake") {
            let text = std::fs::read_to_string(item.path()).unwrap_or_default();
            let names = text.split("add_library(").skip(1);
            found.extend(names.filter_map(|rest| Some(rest.split_whitespace().next()?.to_owned())));
        }
    }
}
