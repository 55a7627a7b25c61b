//! Counts of kernels whose instructions, lanes and addresses are known by hand.

mod common;

use common::{CHIPS, Card, assemble, clang, compile};
use hip_emulator::device::{Class, Counts, Options};

/// What one group of 64 threads of an assembled kernel counts; it gets the address of a buffer of 64 KiB.
fn counted(chip: &str, body: &str) -> Counts {
    let image = assemble(&clang(), chip, body, true);
    run(chip, &image, 1, 64)
}

fn run(chip: &str, image: &[u8], groups: u32, threads: u32) -> Counts {
    let options = Options {
        costs: true,
        ..Options::default()
    };
    let card = Card::new(chip, options);
    let object = card.load(image);
    // Lines begin where the buffer does, whatever the allocator gives.
    let buffer = card.buffer(&[0u32; 16384]);
    let address = buffer.address().next_multiple_of(128);
    let report = card.run(&object, groups, threads, &[address]);
    report
        .unwrap_or_else(|fault| panic!("{chip}: {fault}"))
        .costs
        .expect("costs were asked for")
}

/// The thread's index times `stride` in v1, and the buffer's address in s[2:3].
fn offsets(stride: u32) -> String {
    format!(
        "s_load_dwordx2 s[2:3], s[0:1], 0x0\nv_and_b32 v0, 0x3ff, v0\nv_mul_u32_u24 v1, {stride}, v0\ns_waitcnt lgkmcnt(0)\n"
    )
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn each_instruction_counts_once_for_a_wave_in_its_class() {
    let counts = counted(
        "gfx90a",
        "s_mov_b32 s4, 3\nloop:\nv_add_u32 v1, v0, v0\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 loop\ns_barrier\n",
    );
    let of = |class| counts.of(class);
    assert_eq!(
        [Class::Vector, Class::Scalar, Class::Branch, Class::Wait].map(of),
        [3, 1 + 2 * 3, 3, 2]
    );
    assert_eq!(counts.instructions(), 15);
    assert_eq!(
        (counts.lanes_on, counts.lanes, counts.barriers),
        (192, 192, 1)
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn lanes_that_are_off_are_not_at_work() {
    let counts = counted(
        "gfx90a",
        "v_and_b32 v0, 0x3ff, v0\nv_cmp_gt_u32 vcc, 16, v0\ns_and_saveexec_b64 s[4:5], vcc\nv_mov_b32 v1, 0\ns_mov_b64 exec, s[4:5]\n",
    );
    assert_eq!((counts.lanes_on, counts.lanes), (64 + 64 + 16, 3 * 64));
    assert_eq!(counts.divergences, 1);
    // A group of 32 threads leaves half of a wave of 64 empty, and none of one of 32.
    let source = "extern \"C\" __global__ void k(u32 *out) { out[tid] = tid * 3; }";
    for (chip, part) in CHIPS.into_iter().zip([2, 2, 1, 1]) {
        let counts = run(chip, &compile(&clang(), chip, source, &[]), 1, 32);
        assert_eq!(counts.lanes_on * part, counts.lanes, "{chip}");
        assert_eq!(counts.divergences, 0, "{chip}");
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_request_touches_the_lines_of_its_lanes() {
    let load = |chip: &str, stride: u32, name: &str| {
        let body = offsets(stride) + &format!("{name} v[4:7], v1, s[2:3]\n");
        let counts = counted(chip, &body.replace("v[4:7]", registers(name)));
        (counts.requests, counts.lines, counts.lines_packed)
    };
    // 64 lanes of 4 bytes are 256 bytes: 4 lines of 64.
    assert_eq!(load("gfx90a", 4, "global_load_dword"), (1, 4, 4));
    assert_eq!(load("gfx942", 4, "global_load_dword"), (1, 2, 2));
    // Each lane in a line of its own.
    assert_eq!(load("gfx90a", 256, "global_load_dword"), (1, 64, 4));
    // All lanes at one address.
    assert_eq!(load("gfx90a", 0, "global_load_dword"), (1, 1, 1));
    assert_eq!(load("gfx90a", 16, "global_load_dwordx4"), (1, 16, 16));
    assert_eq!(load("gfx90a", 1, "global_load_ubyte"), (1, 1, 1));
}

fn registers(name: &str) -> &'static str {
    if name.ends_with("x4") { "v[4:7]" } else { "v4" }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn banks_of_lds_and_their_conflicts() {
    let lds = |stride: u32, line: &str| {
        let counts = counted(
            "gfx90a",
            &(offsets(stride) + "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\n" + line + "\n"),
        );
        assert_eq!(counts.of(Class::Lds), 1, "{line}");
        (counts.lds_groups, counts.lds_passes)
    };
    assert_eq!(lds(4, "ds_write_b32 v1, v2"), (2, 2));
    assert_eq!(lds(8, "ds_write_b32 v1, v2"), (2, 4));
    assert_eq!(lds(64, "ds_read_b32 v4, v1"), (2, 2 * 16));
    assert_eq!(lds(8, "ds_read_b64 v[4:5], v1"), (4, 4));
    // Two pieces, each of all lanes.
    assert_eq!(
        lds(4, "ds_read2st64_b32 v[4:5], v1 offset0:0 offset1:2"),
        (4, 4)
    );
    assert_eq!(lds(0, "ds_read_b32 v4, v1"), (2, 2));
    assert_eq!(lds(0, "ds_add_u32 v1, v2"), (2, 64));
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn atomics_that_meet_at_an_address() {
    let atomics = |stride: u32, line: &str| {
        let counts = counted(
            "gfx90a",
            &(offsets(stride) + "v_mov_b32 v2, 1\n" + line + "\n"),
        );
        (counts.atomic_lanes, counts.atomics_met)
    };
    assert_eq!(atomics(4, "global_atomic_add v1, v2, s[2:3]"), (64, 0));
    assert_eq!(atomics(0, "global_atomic_add v1, v2, s[2:3]"), (64, 63));
    assert_eq!(atomics(0, "ds_add_u32 v1, v2"), (64, 63));
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn counts_do_not_depend_on_threads_and_nothing_is_counted_unasked() {
    let source = "extern \"C\" __global__ void k(u32 *out) { __shared__ u32 s[256]; s[tid] = out[tid]; sync(); out[tid] = s[255 - tid] + bid; }";
    let image = compile(&clang(), "gfx1030", source, &[]);
    let first = run("gfx1030", &image, 16, 256);
    assert_eq!(first, run("gfx1030", &image, 16, 256));
    assert_eq!(first.barriers, 16 * 8);
    let card = Card::new("gfx1030", Options::default());
    let object = card.load(&image);
    let buffer = card.buffer(&[0u32; 256]);
    let report = card.run(&object, 1, 256, &[buffer.address()]);
    assert_eq!(report.expect("it runs").costs, None);
}
