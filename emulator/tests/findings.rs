//! What is found at run time, and where it is said to be.

mod common;

use common::{CHIPS, Card, clang, compile};
use hip_emulator::device::{Fault, FaultKind, FindingKind, Options, Report, Schedule};

fn run(chip: &str, source: &str, options: Options) -> Result<Report, Fault> {
    let clang = clang();
    let card = Card::new(chip, options);
    let object = card.load(&compile(&clang, chip, source, &[]));
    let out = card.buffer(&[0u32; 256]);
    card.run(&object, 2, 256, &[out.address()])
}

fn checked() -> Options {
    Options {
        check: true,
        ..Options::default()
    }
}

/// Kinds and source lines of what was found.
fn found(report: &Report) -> Vec<(FindingKind, u32)> {
    let line = |source: &Option<String>| {
        source
            .as_deref()
            .and_then(|s| s.rsplit(':').next()?.parse().ok())
            .unwrap_or(0)
    };
    report
        .findings
        .iter()
        .map(|finding| (finding.kind, line(&finding.place.source)))
        .collect()
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_missing_barrier_is_a_race_with_both_lines() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\n__shared__ u32 s[256];\ns[tid] = tid;\n__builtin_amdgcn_wave_barrier();\nout[tid] = s[255 - tid];\n}";
    for chip in CHIPS {
        let result = run(chip, source, checked());
        let report = result.expect("it runs");
        let races: Vec<_> = report
            .findings
            .iter()
            .filter(|f| f.kind == FindingKind::LdsRace)
            .collect();
        assert_eq!(races.len(), 1, "{chip}: {:?}", report.findings);
        let text = races[0].to_string();
        assert!(
            text.contains("kernel.hip:5") && text.contains("kernel.hip:3"),
            "{chip}: {text}"
        );
        assert!(races[0].count > 1, "{chip}: {text}");
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_barrier_keeps_the_same_kernel_clean() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\n__shared__ u32 s[256];\ns[tid] = tid;\nsync();\nout[tid] = s[255 - tid];\n}";
    for chip in CHIPS {
        let result = run(chip, source, checked());
        assert_eq!(result.expect("it runs").findings, [], "{chip}");
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn uninitialised_lds_and_its_end() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\n__shared__ u32 s[256];\nif (tid < 100) s[tid] = tid;\nsync();\n\
                  out[tid] = ((volatile u32 *)s)[tid];\nif (out[0] == 77) s[tid + out[1]] = 1;\n((volatile u32 *)s)[tid + 256 * (out[0] == 0)] = 1;\n}";
    for chip in CHIPS {
        let result = run(chip, source, checked());
        let kinds = found(&result.expect("it runs"));
        assert!(
            kinds.contains(&(FindingKind::LdsUninitialised, 5)),
            "{chip}: {kinds:?}"
        );
        assert!(
            kinds.contains(&(FindingKind::LdsOutOfBounds, 7)),
            "{chip}: {kinds:?}"
        );
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_barrier_in_divergent_code() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\nif (tid % 2) {\n__builtin_amdgcn_s_barrier();\nout[tid] = 1;\n}\n}";
    for chip in CHIPS {
        let result = run(chip, source, checked());
        let kinds = found(&result.expect("it runs"));
        assert_eq!(kinds, [(FindingKind::DivergentBarrier, 3)], "{chip}");
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn an_address_past_the_end_names_allocation_thread_and_line() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\nout[tid + bid * 256] = 1;\n}";
    for chip in CHIPS {
        let result = run(
            chip,
            source,
            Options {
                threads: 1,
                ..Options::default()
            },
        );
        let fault = result.expect_err("the second block writes past the end");
        assert_eq!(fault.kind, FaultKind::Memory, "{chip}");
        let text = fault.to_string();
        assert!(
            text.contains("0 bytes after the end of 1024 bytes")
                && text.contains("block (1,0,0), thread (0,0,0)"),
            "{chip}: {text}"
        );
        assert!(text.contains("kernel.hip:2"), "{chip}: {text}");
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_trap_and_an_endless_loop_end_the_launch() {
    let trap =
        "extern \"C\" __global__ void k(u32 *out) { if (bid == 1 && tid == 70) __builtin_trap(); }";
    let endless = "extern \"C\" __global__ void k(u32 *out) { while (!*(volatile u32 *)out) __builtin_amdgcn_s_sleep(1); }";
    for chip in CHIPS {
        let result = run(chip, trap, Options::default());
        assert_eq!(
            result.expect_err("it traps").kind,
            FaultKind::Trap,
            "{chip}"
        );
        let result = run(
            chip,
            endless,
            Options {
                limit: Some(100_000),
                ..Options::default()
            },
        );
        assert_eq!(
            result.expect_err("it polls").kind,
            FaultKind::Endless,
            "{chip}"
        );
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn groups_that_wait_for_later_ones_make_progress() {
    // The first block polls for what the last one writes: on the chip both are resident.
    let source = "extern \"C\" __global__ void k(u32 *out) {\nif (bid == 1) __hip_atomic_store(out, 5, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);\n\
                  else while (__hip_atomic_load(out, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 5) __builtin_amdgcn_s_sleep(1);\n}";
    for chip in CHIPS {
        for schedule in [
            Schedule::RoundRobin,
            Schedule::Ahead(3),
            Schedule::Random(3),
        ] {
            let result = run(
                chip,
                source,
                Options {
                    schedule,
                    threads: 1,
                    limit: Some(100_000_000),
                    ..Options::default()
                },
            );
            result.unwrap_or_else(|fault| panic!("{chip} {schedule:?}: {fault}"));
        }
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn an_unknown_instruction_is_named() {
    let source = "extern \"C\" __global__ void k(u32 *out) { asm volatile(\"v_cubema_f32 v0, v1, v2, v3\" ::: \"v0\", \"v1\", \"v2\", \"v3\"); out[0] = 1; }";
    let result = run("gfx90a", source, Options::default());
    let fault = result.expect_err("it is not emulated");
    assert_eq!(fault.kind, FaultKind::Unsupported);
    assert!(
        fault.message.contains("v_cubema_f32 v0, v1, v2, v3"),
        "{fault}"
    );
}

/// Stops after a second in which nothing happens.
fn impatient(schedule: Schedule) -> Options {
    Options {
        schedule,
        patience: Some(std::time::Duration::from_secs(1)),
        ..Options::default()
    }
}

/// The second half of 64 threads waits for the first thread: lanes of one wave where it has 64.
#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn lanes_that_wait_for_each_other_are_told() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\n__shared__ volatile u32 flag;\nif (tid == 0) flag = 0;\nsync();\n\
                  if (tid / 32 == 1)\nwhile (flag == 0) ;\nif (tid == 0) flag = 1;\n}";
    for (chip, hangs) in [("gfx90a", true), ("gfx1030", false)] {
        for schedule in [
            Schedule::RoundRobin,
            Schedule::Ahead(3),
            Schedule::Random(5),
        ] {
            let result = run(chip, source, impatient(schedule));
            if !hangs {
                assert_eq!(result.expect("another wave sets it").findings, []);
                continue;
            }
            let fault = result.expect_err("it waits for ever");
            assert_eq!(fault.kind, FaultKind::Deadlock, "{schedule:?}: {fault}");
            let text = fault.to_string();
            let says = ["no wave gets on", "0xffffffff00000000", "kernel.hip:6"];
            assert!(says.iter().all(|words| text.contains(words)), "{text}");
        }
    }
}

/// A group that is alone waits for one that has left without a word; the atomic does not change what is there.
#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_lock_that_nobody_opens_is_told() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\nif (bid == 0 && tid == 0)\n\
                  while (__atomic_exchange_n(out, 1, __ATOMIC_RELAXED) != 0) ;\n}";
    let twice = source.replace("bid == 0 && tid == 0", "tid == 0");
    for chip in CHIPS {
        let result = run(chip, source, impatient(Schedule::RoundRobin));
        result.expect("the first one gets it");
        let fault = run(chip, &twice, impatient(Schedule::RoundRobin));
        let fault = fault.expect_err("nobody opens it");
        assert_eq!(fault.kind, FaultKind::Deadlock, "{chip}: {fault}");
    }
}

/// A wave that counts on for long gets on, though it writes nothing.
#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_long_computation_is_no_poll() {
    let source = "extern \"C\" __global__ void k(u32 *out) {\nif (bid | tid) return;\nu32 x = 1;\n\
                  for (u32 i = 0; i < 3000000; ++i) x = x * 1664525u + (out[1] ^ i);\nout[0] = x;\n}";
    let patience = Some(std::time::Duration::ZERO);
    let options = Options {
        patience,
        ..Options::default()
    };
    let result = run("gfx1030", source, options);
    result.expect("it comes to its end");
}
