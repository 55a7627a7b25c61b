//! What a translated program costs, from its code object and its run to what `verify run --costs` tells.

use serde_json::Value;

use crate::emulator::CHIPS;
use crate::reproducers::built;

/// Each of 8 blocks has 32 threads; their elements lie 32 words apart in shared memory.
const COLUMNS: &str = r"#include <cuda_runtime.h>
__global__ void columns(float *p)
{
    __shared__ float tile[32 * 32];
    tile[threadIdx.x * 32] = p[threadIdx.x];
    __syncthreads();
    p[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x * 32] + 1;
}
int main()
{
    float *p;
    cudaMalloc(&p, 8 * 32 * sizeof(float));
    cudaMemset(p, 0, 8 * 32 * sizeof(float));
    columns<<<8, 32>>>(p);
    return cudaDeviceSynchronize();
}
";

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn costs_of_a_program_are_told_for_both_widths() {
    let (emulator, tree, program) = built(COLUMNS, &[]);
    let home = format!("--emulate={}", emulator.home.display());
    for (chip, wave) in CHIPS.into_iter().zip([64, 32]) {
        let command = [
            "verify",
            "run",
            &home,
            "--chip",
            chip,
            "-o",
            "run.jsonl",
            "--costs=costs.jsonl",
            "--",
        ];
        let program = program.to_string_lossy().into_owned();
        let done = tree.run(&[&command[..], &[&program]].concat());
        assert_eq!(done.code, 0, "{chip}: {}", done.err);
        let text = tree.read("costs.jsonl");
        tree.write(&format!("{wave}.jsonl"), text.as_bytes());
        let cost: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let number = |path: &str| cost.pointer(path).and_then(Value::as_u64);
        assert_eq!(cost["chip"], chip);
        assert_eq!(number("/wavefront"), Some(wave));
        assert_eq!(number("/waves"), Some(8), "{text}");
        assert_eq!(number("/lds/fixed"), Some(4096), "{text}");
        assert_eq!(number("/registers/vector_spills"), Some(0), "{text}");
        // A write and a read of each block, all of whose lanes want other words of one bank.
        assert_eq!(number("/executed/lds_groups"), Some(16), "{text}");
        assert_eq!(number("/executed/lds_passes"), Some(16 * 32), "{text}");
        let on = number("/executed/lanes_on").unwrap_or_default();
        assert_eq!(number("/executed/lanes"), Some(on * wave / 32), "{text}");
    }
    // Blocks of 32 threads fill narrow waves and half of the wide ones; each lane has a word of one bank.
    let done = tree.run(&["verify", "costs", "64.jsonl", "32.jsonl"]);
    for expected in [
        "main: columns(float*)\n",
        "note[empty-lanes]: a group of 32 threads leaves 32 of 64 lanes of its wave empty",
        "note[idle-half]: 50.0 % of the lanes are at work on waves of 64, 100.0 % on waves of 32, with 0 exchanges",
        "note[bank-conflicts]: LDS takes 32.0 passes where one would do",
    ] {
        assert!(
            done.out.contains(expected),
            "{expected}: {}{}",
            done.out,
            done.err
        );
    }
}
