//! Kernels compiled by clang, run on all chips and compared with scalar references.

mod common;

use common::{CHIPS, Card, clang, compile};
use hip_emulator::device::{Options, Schedule};

/// Orders of waves that results must not depend on.
const SCHEDULES: [Schedule; 4] = [
    Schedule::RoundRobin,
    Schedule::Ahead(1),
    Schedule::Random(1),
    Schedule::Random(2),
];

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_block_reduction_gives_the_sum_on_all_chips_in_any_order() {
    let clang = clang();
    let source = r#"
        extern "C" __global__ void k(const u32 *in, u32 *out, u64 n) {
            __shared__ u32 part[256];
            u32 sum = 0;
            for (u64 i = bid * 256ul + tid; i < n; i += 256ul * 16) sum += in[i];
            part[tid] = sum;
            sync();
            for (u32 step = 128; step > 0; step /= 2) {
                if (tid < step) part[tid] += part[tid + step];
                sync();
            }
            if (tid == 0) __hip_atomic_fetch_add(out, part[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        }"#;
    for chip in CHIPS {
        let image = compile(&clang, chip, source, &[]);
        for schedule in SCHEDULES {
            let card = Card::new(
                chip,
                Options {
                    schedule,
                    check: true,
                    ..Options::default()
                },
            );
            let object = card.load(&image);
            let input: Vec<u32> = (0..100_000u32)
                .map(|i| i.wrapping_mul(2_654_435_761))
                .collect();
            let (a, b) = (card.buffer(&input), card.buffer(&[0u32]));
            let report = card
                .run(
                    &object,
                    16,
                    256,
                    &[a.address(), b.address(), input.len() as u64],
                )
                .expect("it runs");
            assert_eq!(
                b.read()[0],
                input.iter().fold(0u32, |s, x| s.wrapping_add(*x)),
                "{chip} {schedule:?}"
            );
            assert_eq!(report.findings, [], "{chip} {schedule:?}");
        }
    }
}
