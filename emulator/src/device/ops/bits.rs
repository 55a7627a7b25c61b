//! Vector operations on bits: logic, shifts, bit fields, permutations of bytes.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{I32, I64, Kind, U16, U32, U64};

/// The number of zeros above the first one, or -1.
#[inline(always)]
pub(crate) fn leading(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

/// The number of zeros below the first one, or -1.
#[inline(always)]
pub(crate) fn trailing(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.trailing_zeros() }
}

/// The number of copies of the sign above the first other bit, or -1.
#[inline(always)]
pub(crate) fn leading_signs(x: i32) -> u32 {
    leading((x ^ (x >> 31)) as u32)
}

/// `width` bits of `x` from `offset`.
#[inline(always)]
fn field(x: u32, offset: u32, width: u32) -> u32 {
    (x >> (offset & 31)) & ((1 << (width & 31)) - 1)
}

/// The same with the sign of its highest bit; a field of no bits is 0.
#[inline(always)]
fn field_signed(x: i32, offset: u32, width: u32) -> i32 {
    let unused = (32 - (width & 31)) & 31;
    if width & 31 == 0 {
        0
    } else {
        ((x >> (offset & 31)) << unused) >> unused
    }
}

/// One byte of `V_PERM_B32`: a byte of the eight in `bytes`, a copy of a sign, 0 or 255.
#[inline(always)]
fn perm_byte(bytes: u64, selector: u32) -> u32 {
    match selector {
        0..=7 => (bytes >> (8 * selector)) as u32 & 0xff,
        8..=11 => (bytes >> (16 * (selector - 8) + 15) & 1) as u32 * 0xff,
        12 => 0,
        _ => 0xff,
    }
}

#[inline(always)]
fn perm(a: u32, b: u32, selectors: u32) -> u32 {
    let bytes = u64::from(a) << 32 | u64::from(b);
    (0..4).fold(0, |r, k| {
        r | perm_byte(bytes, selectors >> (8 * k) & 0xff) << (8 * k)
    })
}

#[inline(always)]
fn align(a: u32, b: u32, shift: u32) -> u32 {
    ((u64::from(a) << 32 | u64::from(b)) >> shift) as u32
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    one_source(t);
    logic(t);
    shifts(t);
    fields(t);
}

fn one_source(t: &mut Table) {
    v1!(
        t,
        "v_mov_b32|v_accvgpr_read_b32|v_accvgpr_write_b32|v_accvgpr_mov_b32",
        U32 = U32,
        |a| a
    );
    v1!(t, "v_mov_b64", U64 = U64, |a| a);
    v1!(t, "v_mov_b16", U16 = U16, |a| a);
    v1!(t, "v_not_b32", U32 = U32, |a| !a);
    v1!(t, "v_not_b16", U16 = U16, |a| !a);
    v1!(t, "v_bfrev_b32", U32 = U32, |a| a.reverse_bits());
    v1!(t, "v_ffbh_u32|v_clz_i32_u32", U32 = U32, |a| leading(a));
    v1!(t, "v_ffbl_b32|v_ctz_i32_b32", U32 = U32, |a| trailing(a));
    v1!(t, "v_ffbh_i32|v_cls_i32", U32 = I32, |a| leading_signs(a));
}

fn logic(t: &mut Table) {
    v2!(t, "v_and_b32", U32 = U32, U32, |a, b| a & b);
    v2!(t, "v_or_b32", U32 = U32, U32, |a, b| a | b);
    v2!(t, "v_xor_b32", U32 = U32, U32, |a, b| a ^ b);
    v2!(t, "v_xnor_b32", U32 = U32, U32, |a, b| !(a ^ b));
    v2!(t, "v_and_b16", U16 = U16, U16, |a, b| a & b);
    v2!(t, "v_or_b16", U16 = U16, U16, |a, b| a | b);
    v2!(t, "v_xor_b16", U16 = U16, U16, |a, b| a ^ b);
    v3!(t, "v_and_or_b32", U32 = U32, U32, U32, |a, b, c| (a & b)
        | c);
    v3!(t, "v_or3_b32", U32 = U32, U32, U32, |a, b, c| a | b | c);
    v3!(t, "v_xor3_b32", U32 = U32, U32, U32, |a, b, c| a ^ b ^ c);
    v3!(t, "v_bfi_b32", U32 = U32, U32, U32, |a, b, c| (a & b)
        | (!a & c));
}

fn shifts(t: &mut Table) {
    v2!(t, "v_lshlrev_b32", U32 = U32, U32, |a, b| b << (a & 31));
    v2!(t, "v_lshrrev_b32", U32 = U32, U32, |a, b| b >> (a & 31));
    v2!(t, "v_ashrrev_i32", I32 = U32, I32, |a, b| b >> (a & 31));
    v2!(t, "v_lshlrev_b64", U64 = U32, U64, |a, b| b << (a & 63));
    v2!(t, "v_lshrrev_b64", U64 = U32, U64, |a, b| b >> (a & 63));
    v2!(t, "v_ashrrev_i64", I64 = U32, I64, |a, b| b >> (a & 63));
    v3!(t, "v_lshl_add_u32", U32 = U32, U32, U32, |a, b, c| (a
        << (b & 31))
        .wrapping_add(c));
    v3!(t, "v_add_lshl_u32", U32 = U32, U32, U32, |a, b, c| a
        .wrapping_add(b)
        << (c & 31));
    v3!(t, "v_lshl_or_b32", U32 = U32, U32, U32, |a, b, c| (a
        << (b & 31))
        | c);
    // gfx942 documents shifts of 0 to 4; more are masked.
    v3!(t, "v_lshl_add_u64", U64 = U64, U32, U64, |a, b, c| (a
        << (b & 7))
        .wrapping_add(c));
}

fn fields(t: &mut Table) {
    v3!(t, "v_bfe_u32", U32 = U32, U32, U32, |a, b, c| field(
        a, b, c
    ));
    v3!(t, "v_bfe_i32", I32 = I32, U32, U32, |a, b, c| field_signed(
        a, b, c
    ));
    v2!(t, "v_bfm_b32", U32 = U32, U32, |a, b| ((1u32 << (a & 31))
        - 1)
        << (b & 31));
    v2!(t, "v_bcnt_u32_b32", U32 = U32, U32, |a, b| a
        .count_ones()
        .wrapping_add(b));
    v3!(t, "v_perm_b32", U32 = U32, U32, U32, |a, b, c| perm(
        a, b, c
    ));
    v3!(t, "v_alignbit_b32", U32 = U32, U32, U32, |a, b, c| align(
        a,
        b,
        c & 31
    ));
    v3!(t, "v_alignbyte_b32", U32 = U32, U32, U32, |a, b, c| align(
        a,
        b,
        8 * (c & 3)
    ));
}
