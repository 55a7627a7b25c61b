//! Programs in which a translation once computed other numbers on waves of 64 lanes than CUDA does, each in few lines: what is told
//! apart is the result, not the text.

use crate::common::Tree;
use crate::emulator::{Emulator, SCHEDULES};

/// Translates a program, builds it and runs it at both widths; its exit code says whether the numbers are CUDA's.
fn computes(name: &str, source: &str, options: &[&str]) {
    let Some(emulator) = Emulator::from_environment(&format!("emulated::reproducers::{name}"))
    else {
        return;
    };
    let tree = Tree::new(&[("in/program.cu", source)]);
    let done = tree.run(&["in", "out"]);
    assert!(done.code < 2, "{}", done.err);
    let program = emulator.build(&tree.path("out"), options, &["program.cu"]);
    let failures = emulator.failures(&program, &[], &SCHEDULES);
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
}

/// A wrapper of a shuffle, called with the built-in `warpSize`.
#[test]
fn width_through_a_wrapper() {
    computes("width_through_a_wrapper", include_str!("wrapper.cu"), &[]);
}

/// Rows of 32 threads that stride by `warpSize`.
#[test]
fn stride_by_warp_size() {
    computes("stride_by_warp_size", include_str!("stride.cu"), &[]);
}

/// A flag that another block sets, polled by a load that inline PTX makes.
#[test]
fn polling_load() {
    computes("polling_load", include_str!("poll.cu"), &[]);
}

/// A vote in code that serves AMD already, with waves of 64 lanes.
#[test]
fn vote_for_amd() {
    let options = ["-DUSE_ROCM", "-DSERVES_AMD"];
    computes("vote_for_amd", include_str!("vote.cu"), &options);
}

/// A block of as many threads as the device's wave has, and a reduction over 32 lanes.
#[test]
fn block_of_a_wave() {
    computes("block_of_a_wave", include_str!("block.cu"), &[]);
}
