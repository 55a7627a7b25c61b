//! Instructions across lanes, against what AMD's manuals say of each lane.

mod common;

use common::{CHIPS, Card, assemble, clang, compile};
use hip_emulator::device::Options;

/// What each of 64 threads gets from `body`, which computes `r` from `x`, where `x` is `100 + thread`.
fn lanes(chip: &str, body: &str) -> Vec<u32> {
    let clang = clang();
    let source = format!(
        "extern \"C\" __global__ void k(u32 *out) {{ u32 x = 100 + tid, r = 0;\n{body}\nout[tid] = r; }}"
    );
    let card = Card::new(chip, Options::default());
    let object = card.load(&compile(&clang, chip, &source, &[]));
    let out = card.buffer(&[0xdead_beefu32; 64]);
    card.run(&object, 1, 64, &[out.address()])
        .unwrap_or_else(|fault| panic!("{chip}: {fault}"));
    out.read()
}

/// Compares on all chips; the reference gets the lane and the number of lanes of a wave, and gives the lane that is read.
fn check(body: &str, reference: impl Fn(usize, usize) -> u32) {
    for chip in CHIPS {
        let wave = if chip.starts_with("gfx9") { 64 } else { 32 };
        for (thread, got) in lanes(chip, body).into_iter().enumerate() {
            let (base, lane) = (thread / wave * wave, thread % wave);
            let expected = reference(lane, wave);
            let expected = if expected >= 1000 {
                expected - 1000
            } else {
                100 + (base as u32) + expected
            };
            assert_eq!(got, expected, "{chip}: thread {thread} of {body}");
        }
    }
}

/// A value that is no lane.
fn value(x: u32) -> u32 {
    1000 + x
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn data_parallel_primitives_move_lanes() {
    // row_shr:1 (0x111): without bound_ctrl the first of a row keeps what it had.
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x111, 15, 15, false);",
        |l, _| if l % 16 == 0 { value(7) } else { l as u32 - 1 },
    );
    // With bound_ctrl it gets 0.
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x111, 15, 15, true);",
        |l, _| if l % 16 == 0 { value(0) } else { l as u32 - 1 },
    );
    // quad_perm:[3,2,1,0], row_mirror, row_half_mirror, row_ror:4.
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x1b, 15, 15, false);",
        |l, _| (l ^ 3) as u32,
    );
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x140, 15, 15, false);",
        |l, _| (l ^ 15) as u32,
    );
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x141, 15, 15, false);",
        |l, _| (l ^ 7) as u32,
    );
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x124, 15, 15, false);",
        |l, _| (l / 16 * 16 + (l + 12) % 16) as u32,
    );
    // Rows 0 and 2, banks 1 and 3 alone.
    check(
        "r = __builtin_amdgcn_update_dpp(7, x, 0x1b, 5, 10, false);",
        |l, _| {
            if l / 16 % 2 == 0 && l / 4 % 2 == 1 {
                (l ^ 3) as u32
            } else {
                value(7)
            }
        },
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn a_lane_that_is_off_is_no_source() {
    let body =
        "if (tid & 1) r = __builtin_amdgcn_update_dpp(7, x, 0xb1, 15, 15, false); else r = 3;";
    check(body, |l, _| value(if l % 2 == 1 { 7 } else { 3 }));
    let body =
        "if (tid % 64 != 5) r = __builtin_amdgcn_ds_bpermute(4 * ((tid + 1) % 64), x); else r = 3;";
    for chip in ["gfx90a", "gfx942"] {
        for (l, got) in lanes(chip, body).into_iter().enumerate() {
            let expected = if l == 5 {
                3
            } else if l == 4 {
                0
            } else {
                100 + (l as u32 + 1) % 64
            };
            assert_eq!(got, expected, "{chip}: lane {l}");
        }
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn permutations_through_lds_hardware() {
    check(
        "r = __builtin_amdgcn_ds_bpermute(4 * (tid * 5 + 3), x);",
        |l, wave| ((l * 5 + 3) % wave) as u32,
    );
    // Pushed to the lane twice as high: odd lanes get nothing; of two lanes with one target the higher one wins.
    check("r = __builtin_amdgcn_ds_permute(8 * tid, x);", |l, wave| {
        if l % 2 == 1 {
            value(0)
        } else {
            (l / 2 + wave / 2) as u32
        }
    });
    check("r = __builtin_amdgcn_ds_swizzle(x, 0x041f);", |l, _| {
        (l ^ 1) as u32
    });
    check(
        "r = __builtin_amdgcn_ds_swizzle(x, 0x8000 | 0x1b);",
        |l, _| (l ^ 3) as u32,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn counts_and_votes() {
    check(
        "r = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));",
        |l, _| value(l as u32),
    );
    check("r = __builtin_amdgcn_readlane(x, 9);", |_, _| 9);
    check("r = __builtin_amdgcn_readfirstlane(x);", |_, _| 0);
    check(
        "if (tid % 32 > 4) r = __builtin_amdgcn_readfirstlane(x); else r = 1;",
        |l, _| if l % 32 > 4 { 5 } else { value(1) },
    );
    check(
        "r = __builtin_popcountl(__builtin_amdgcn_uicmp(x % 2, 0, 32));",
        |_, wave| value(wave as u32 / 2),
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn rows_of_rdna_are_permuted() {
    for chip in ["gfx1030", "gfx1100"] {
        let reversed = lanes(
            chip,
            "r = __builtin_amdgcn_permlane16(7, x, 0x89abcdef, 0x01234567, false, false);",
        );
        assert!(
            reversed
                .iter()
                .enumerate()
                .all(|(t, got)| *got == 100 + (t as u32 ^ 15)),
            "{chip}: {reversed:?}"
        );
        let crossed = lanes(
            chip,
            "r = __builtin_amdgcn_permlanex16(7, x, 0x76543210, 0xfedcba98, false, false);",
        );
        assert!(
            crossed
                .iter()
                .enumerate()
                .all(|(t, got)| *got == 100 + (t as u32 ^ 16)),
            "{chip}: {crossed:?}"
        );
    }
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn with_no_lane_on_reads_go_to_lane_0_and_vector_writes_nowhere() {
    let clang = clang();
    for (chip, wave64) in [("gfx90a", true), ("gfx1030", false), ("gfx1030", true)] {
        let (exec, all) = if wave64 {
            ("s_mov_b64 exec, 0", "s_mov_b64 exec, -1")
        } else {
            ("s_mov_b32 exec_lo, 0", "s_mov_b32 exec_lo, -1")
        };
        let body = format!(
            "s_load_dwordx2 s[2:3], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32 v1, 2, v0\nv_add_u32_e32 v2, 100, v0\nv_mov_b32 v3, 5\n\
             {exec}\nv_readfirstlane_b32 s4, v2\nv_readlane_b32 s5, v2, 3\nv_mov_b32 v3, 9\nv_writelane_b32 v3, s5, 2\n{all}\n\
             v_add_u32_e32 v3, s4, v3\nglobal_store_dword v1, v3, s[2:3]"
        );
        let body = if chip.starts_with("gfx9") {
            body
        } else {
            body.replace("v_add_u32_e32", "v_add_nc_u32_e32")
        };
        let card = Card::new(chip, Options::default());
        let object = card.load(&assemble(&clang, chip, &body, wave64));
        let out = card.buffer(&[0u32; 64]);
        let lanes = if wave64 { 64 } else { 32 };
        card.run(&object, 1, lanes, &[out.address()])
            .unwrap_or_else(|fault| panic!("{chip}: {fault}"));
        let expected: Vec<u32> = (0..lanes)
            .map(|l| 100 + if l == 2 { 103 } else { 5 })
            .collect();
        assert_eq!(out.read()[..lanes as usize], expected[..], "{chip}");
    }
}
