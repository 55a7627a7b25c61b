//! Instructions that go through the LDS hardware to move values between lanes, without touching memory.

use super::memory::on;
use super::table::{Form, Table, def};
use crate::device::lanes::words;
use crate::device::wave::inst::Inst;
use crate::device::wave::{LANES, Wave};

/// A register of all lanes.
fn all_lanes(wave: &Wave<'_>, inst: &Inst, k: usize) -> [u32; 2 * LANES] {
    let mut all = [0; 2 * LANES];
    for half in 0..wave.halves {
        all[half * LANES..][..LANES].copy_from_slice(&words(wave, inst.src[k], 0, half));
    }
    all
}

/// The lane that an address of bytes means.
fn lane_of(wave: &Wave<'_>, inst: &Inst, address: u32) -> usize {
    (address.wrapping_add(inst.offset as u32) / 4) as usize % wave.lanes()
}

/// Each lane reads from a lane: 0 where that one is off.
fn pull(wave: &mut Wave<'_>, inst: &Inst) {
    let (exec, at, data) = (
        wave.exec(),
        all_lanes(wave, inst, 0),
        all_lanes(wave, inst, 1),
    );
    for lane in on(exec) {
        let from = lane_of(wave, inst, at[lane]);
        wave.set_lane(
            inst.dst,
            0,
            lane,
            if exec >> from & 1 != 0 { data[from] } else { 0 },
        );
    }
}

/// Each lane writes to a lane, the highest one wins; a lane that none writes to gets 0.
fn push(wave: &mut Wave<'_>, inst: &Inst) {
    let (exec, at, data) = (
        wave.exec(),
        all_lanes(wave, inst, 0),
        all_lanes(wave, inst, 1),
    );
    let mut result = [0; 2 * LANES];
    for lane in on(exec) {
        result[lane_of(wave, inst, at[lane])] = data[lane];
    }
    for lane in on(exec) {
        wave.set_lane(inst.dst, 0, lane, result[lane]);
    }
}

/// The lane that a pattern leads to from lane `k` of 32.
fn swizzled(pattern: u32, k: u32) -> u32 {
    if pattern & 0x8000 == 0 {
        return ((k & pattern) | pattern >> 5 & 31) & 31 ^ pattern >> 10 & 31;
    }
    if pattern >= 0xe000 {
        return fft(pattern & 31, k);
    }
    if pattern >= 0xc000 {
        let (by, mask) = (pattern >> 5 & 31, pattern & 31);
        let turned = if pattern >> 10 & 1 == 0 {
            k + by
        } else {
            k.wrapping_sub(by)
        };
        return k & mask | turned & !mask & 31;
    }
    k & !3 | pattern >> (2 * (k & 3)) & 3
}

/// The order of a fast Fourier transform: bits of the lane that the swizzle mask leaves are reversed.
fn fft(mask: u32, k: u32) -> u32 {
    let reversed = k.reverse_bits() >> 27;
    reversed & !mask & 31 | k & mask
}

fn swizzle(wave: &mut Wave<'_>, inst: &Inst) {
    let (exec, data, pattern) = (
        wave.exec(),
        all_lanes(wave, inst, 0),
        inst.raw as u32 & 0xffff,
    );
    for lane in on(exec) {
        let from = lane & 32 | swizzled(pattern, lane as u32 & 31) as usize;
        wave.set_lane(
            inst.dst,
            0,
            lane,
            if exec >> from & 1 != 0 { data[from] } else { 0 },
        );
    }
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    t.add("ds_bpermute_b32", def(same!(pull), Form::LdsResult, 1, &[]));
    t.add("ds_permute_b32", def(same!(push), Form::LdsResult, 1, &[]));
    t.add(
        "ds_swizzle_b32",
        def(same!(swizzle), Form::LdsResult, 1, &[]),
    );
}

#[cfg(test)]
mod tests {
    use super::swizzled;

    #[test]
    fn patterns_of_the_manual() {
        // BITMASK_PERM with and = 0x1f, xor = 1: neighbours change places.
        assert_eq!(swizzled(0x041f, 6), 7);
        // BITMASK_PERM with and = 0x10: broadcast of the first lane of each 16.
        assert_eq!(swizzled(0x0010, 21), 16);
        // QUAD_PERM 3,2,1,0.
        assert_eq!(swizzled(0x801b, 5), 6);
        // ROTATE by 1.
        assert_eq!(swizzled(0xc020, 31), 0);
    }
}
