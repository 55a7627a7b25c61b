//! Programs in which a translation once computed other numbers on waves of 64 lanes than CUDA does, each in few lines: what is told
//! apart is the result, not the text.

use std::path::PathBuf;

use crate::common::Tree;
use crate::common::rocm::text_of;
use crate::emulator::{CHIPS, Emulator, SCHEDULES};

/// Translates a program, builds it and runs it at both widths; its exit code says whether the numbers are CUDA's.
fn computes(name: &str, source: &str, options: &[&str]) {
    computes_on(&CHIPS, name, source, options);
}

/// The same on some chips.
fn computes_on(chips: &[&str], name: &str, source: &str, options: &[&str]) {
    let failures = failures_on(chips, source, options);
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
}

/// What goes wrong on some chips with a program that the tool has translated.
fn failures_on(chips: &[&str], source: &str, options: &[&str]) -> Vec<String> {
    let (emulator, _tree, program) = built(source, options);
    emulator.failures_on(chips, &program, &[], &SCHEDULES)
}

/// A program that the tool has translated, in its folder.
pub(crate) fn built(source: &str, options: &[&str]) -> (Emulator, Tree, PathBuf) {
    built_with(&[], source, options)
}

/// The same with options of the tool.
fn built_with(chosen: &[&str], source: &str, options: &[&str]) -> (Emulator, Tree, PathBuf) {
    let emulator = Emulator::required();
    let tree = Tree::new(&[("in/program.cu", source)]);
    let done = tree.run(&[&["in", "out"], chosen].concat());
    assert!(done.code < 2, "{}", done.err);
    let program = emulator.build(&tree.path("out"), options, &["program.cu"]);
    (emulator, tree, program)
}

/// A wrapper of a shuffle, called with the built-in `warpSize`.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn width_through_a_wrapper() {
    computes("width_through_a_wrapper", include_str!("wrapper.cu"), &[]);
}

/// Rows of 32 threads that stride by `warpSize`.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn stride_by_warp_size() {
    computes("stride_by_warp_size", include_str!("stride.cu"), &[]);
}

/// A flag that another block sets, polled by a load that inline PTX makes.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn polling_load() {
    computes("polling_load", include_str!("poll.cu"), &[]);
}

/// Modules of PTX in strings, which the driver's functions load.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn modules_in_strings() {
    let source = include_str!("module_string.cu");
    computes("modules_in_strings", source, &["-lhiprtc"]);
}

/// Atomic sums of halves in PTX, and shuffles whose clamp is known as they run.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn sums_of_halves() {
    computes("sums_of_halves", include_str!("half_sums.cu"), &[]);
}

/// Tensor cores on fragments in registers, in every form that is computed without them.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn tensor_cores() {
    let forms = ["-DHAS_FP8", "-DHAS_STMATRIX"];
    computes("tensor_cores", include_str!("matrix.cu"), &forms);
}

/// Conversions of numbers of 8 bits to and from halves and floats.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn numbers_of_eight_bits() {
    computes("numbers_of_eight_bits", include_str!("float8.cu"), &[]);
}

/// The bits of halves in braces, which are numbers in HIP.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn bits_of_halves() {
    computes("half_bits", include_str!("half_bits.cu"), &[]);
}

/// Shared memory of classes with constructors.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn classes_in_shared_memory() {
    computes("shared_class", include_str!("shared_class.cu"), &[]);
}

/// Carries that go on from one asm statement to the next, over macros, functions and loops.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn carries_between_statements() {
    computes("carries", include_str!("carries.cu"), &[]);
}

/// Classes derived from vector types: their operators are those of the number that they convert to.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn classes_derived_from_vectors() {
    computes("derived_vector", include_str!("derived_vector.cu"), &[]);
}

/// Batches of small matrices, which hipBLAS does not invert.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn small_matrices_are_inverted() {
    let source = include_str!("matrix_inverse.cu");
    computes("matrix_inverse", source, &["-lhipblas"]);
}

/// cuDNN's spatial transformers, which MIOpen has not, with their gradients.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn spatial_transformers() {
    let source = include_str!("spatial.cu");
    computes("spatial_transformers", source, &["-lMIOpen"]);
}

/// A vote in code that serves AMD already, with waves of 64 lanes.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn vote_for_amd() {
    let options = ["-DUSE_ROCM", "-DSERVES_AMD"];
    computes("vote_for_amd", include_str!("vote.cu"), &options);
}

/// A block of as many threads as the device's wave has, and a reduction over 32 lanes.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn block_of_a_wave() {
    computes("block_of_a_wave", include_str!("block.cu"), &[]);
}

/// Lanes, warps, votes and collectives as CUB counts them.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn lanes_of_cub() {
    computes("lanes_of_cub", include_str!("cub_lane.cu"), &[]);
}

/// Atomics of libcu++ in all their scopes, in what blocks wait for as well.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn names_of_libcu() {
    computes("names_of_libcu", include_str!("libcu.cu"), &[]);
}

/// Queues of lanes, a vote that says when they are merged, a sort by shuffles.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn selection_by_a_warp() {
    computes("selection_by_a_warp", include_str!("select.cu"), &[]);
}

/// Two groups of 16 lanes in a warp, a shuffle wrapper with `warpSize` and a mask.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn substitution_by_half_warps() {
    computes("substitution_by_half_warps", include_str!("lu.cu"), &[]);
}

/// Ballots, counts of lanes below, atomics in shared memory that lanes of one warp contend for.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn set_by_a_warp() {
    computes("set_by_a_warp", include_str!("hash_set.cu"), &[]);
}

/// A volatile tail, parts that warps leave for the first, groups of 16 lanes.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn sums_of_rows() {
    computes("sums_of_rows", include_str!("sums.cu"), &[]);
}

/// Collectives of the default width over `dim3(32, 4)`.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn sums_by_warps() {
    computes("sums_by_warps", include_str!("bands.cu"), &[]);
}

/// The same in a project that counts by 64 lanes for AMD.
fn bands_for_both(reduce: &str) -> String {
    let plain = "#include <cub/cub.cuh>\n#define LANES 32\n";
    let for_amd = "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\nnamespace cub = hipcub;\n#define LANES 64\n";
    let both = format!("#ifdef USE_ROCM\n{for_amd}#else\n{plain}#endif\n");
    let source = include_str!("bands.cu").replace(plain, &both);
    assert!(source.contains(for_amd), "the program has this beginning");
    source.replace("cub::WarpReduce<float>", reduce)
}

/// On a wavefront of 64 lanes its own side stays as it is.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn sums_by_wavefronts() {
    let source = bands_for_both("cub::WarpReduce<float>");
    computes_on(&CHIPS[..1], "sums_by_wavefronts", &source, &["-DUSE_ROCM"]);
}

/// With the 32 lanes that the tool once wrote there, half of each sum is lost: these programs can fail here.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn sums_by_half_wavefronts_are_told_apart() {
    let source = bands_for_both("cub::WarpReduce<float, 32>");
    let failures = failures_on(&CHIPS[..1], &source, &["-DUSE_ROCM"]);
    let wrong = |failure: &String| failure.contains("of 11 wrong");
    assert!(failures.iter().all(wrong), "{failures:?}");
    assert_eq!(failures.len(), SCHEDULES.len(), "{failures:?}");
}

/// Threads of a warp that wait for each other get on in CUDA, and never do in lockstep: a finding before the run, a named end in it.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn lanes_that_wait_for_each_other() {
    let (emulator, tree, program) = built(include_str!("meet.cu"), &[]);
    let checked = tree.run(&["check", "in"]);
    assert!(checked.out.contains("CASS211"), "{}", checked.out);
    let run = |chip: &str| {
        let mut command = emulator.command(&program, &[], chip, SCHEDULES[0]);
        command.env("HIP_EMULATOR_PATIENCE", "1");
        let ran = command.output().expect("it was just built");
        (ran.status.success(), text_of(&ran))
    };
    let (passed, said) = run("gfx90a");
    assert!(!passed && said.contains("no wave gets on"), "{said}");
    assert!(said.contains("program.cu:13"), "{said}");
    let (passed, said) = run("gfx1030");
    assert!(passed, "another wave sets it: {said}");
}

/// Textures and surfaces: filters, modes, types of elements. What it expects is what an H100 gives.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn textures_and_surfaces() {
    computes("textures_and_surfaces", include_str!("images.cu"), &[]);
}

/// A table that 16 lanes hold, read by shuffles.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn table_in_lanes() {
    computes("table_in_lanes", include_str!("table_lookup.cu"), &[]);
}

/// What is no number, infinite or out of range, shifts by the width and more, fast functions: with `--strict-math` as a card has them, and
/// without it otherwise, or the program could not tell.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn edges_of_types() {
    let source = include_str!("strict.cu");
    let failures = |chosen: &[&str]| {
        let (emulator, _tree, program) = built_with(chosen, source, &[]);
        emulator.failures(&program, &[], &SCHEDULES[..1])
    };
    let strict = failures(&["--strict-math"]);
    assert!(strict.is_empty(), "{}", strict.join("\n"));
    assert_eq!(failures(&[]).len(), CHIPS.len(), "each width tells");
}

/// Functions whose results their manual says exactly: what no probe of `emulator/tools/surface.py` calls.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn definitions() {
    computes("definitions", include_str!("definitions.cu"), &[]);
}

/// What rows of the catalogue say stays right, or is changed with the same meaning.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn rows() {
    computes("rows", include_str!("rows.cu"), &[]);
}

/// `min`, `max` and logarithms of the host, which HIP's headers have for `int` and `double` alone.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn overloads_of_the_host() {
    computes(
        "overloads_of_the_host",
        include_str!("host_overloads.cu"),
        &[],
    );
}
