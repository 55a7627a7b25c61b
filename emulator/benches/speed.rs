//! How fast kernels are executed: `cargo bench -p hip-emulator`. A block reduction over a million elements, a loop of arithmetic, and one
//! of memory.

#![allow(clippy::print_stdout, reason = "a benchmark reports")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::{CHIPS, Card, clang, compile};
use hip_emulator::device::Options;

const REDUCTION: &str = r#"
    extern "C" __global__ void k(const float *in, float *out, u64 n) {
        __shared__ float part[256];
        u64 i = bid * 256ul + tid;
        part[tid] = i < n ? in[i] : 0;
        sync();
        for (u32 step = 128; step > 0; step /= 2) { if (tid < step) part[tid] += part[tid + step]; sync(); }
        if (tid == 0) out[bid] = part[0];
    }"#;

const ARITHMETIC: &str = r#"
    extern "C" __global__ void k(const float *in, float *out, u64 n) {
        float x = in[tid], y = 1;
        for (u32 i = 0; i < n; i++) { x = x * 0.5f + y; y = y * x - 0.25f; }
        out[bid * 256 + tid] = x + y;
    }"#;

const MEMORY: &str = r#"
    extern "C" __global__ void k(const float *in, float *out, u64 n) {
        for (u64 i = bid * 256ul + tid; i < n; i += 256ul * 4096) out[i] = in[i] + in[(i * 7) % n];
    }"#;

fn main() {
    let clang = clang();
    let elements = 1usize << 20;
    for (name, source, n) in [
        ("reduction", REDUCTION, elements),
        ("arithmetic", ARITHMETIC, 200),
        ("memory", MEMORY, elements),
    ] {
        for chip in CHIPS {
            let card = Card::new(chip, Options::default());
            let object = card.load(&compile(&clang, chip, source, &[]));
            let (input, output) = (
                card.buffer(&vec![1f32; elements]),
                card.buffer(&vec![0f32; elements]),
            );
            let arguments = [input.address(), output.address(), n as u64];
            for _ in 0..2 {
                let start = Instant::now();
                let report = card.run(&object, 4096, 256, &arguments).expect("it runs");
                let seconds = start.elapsed().as_secs_f64();
                let rate = report.instructions as f64 / seconds / 1e6;
                println!(
                    "{name:10} {chip:8} {seconds:6.3} s, {} wave instructions, {rate:.1} million a second",
                    report.instructions
                );
            }
        }
    }
}
