//! Where addresses of vector memory instructions lead.

use crate::device::lanes;
use crate::device::memory::shadow::Access;
use crate::device::model::findings::{FaultKind, FindingKind};
use crate::device::ops::global;
use crate::device::wave::inst::{Inst, Operand, Segment};
use crate::device::wave::races;
use crate::device::wave::{LANES, PRIVATE_HIGH, Range, SHARED_HIGH, Wave};

/// Addresses of all lanes.
pub(crate) type Addresses = [u64; 2 * LANES];

/// A place in one of the memories.
#[derive(Clone, Copy)]
pub(crate) enum Spot {
    /// Global memory: allocated.
    Global(u64),
    /// Offset in LDS.
    Lds(u32),
    /// Offset in the lane's scratch.
    Scratch(u32),
}

/// The address of each lane. Source 0 is the vector part, source 2 the scalar base.
#[inline(always)]
pub(crate) fn addresses(wave: &Wave<'_>, inst: &Inst) -> Addresses {
    let mut all = [0; 2 * LANES];
    let offset = i64::from(inst.offset) as u64;
    for half in 0..wave.halves {
        let low = lanes::words(wave, inst.src[0], 0, half);
        let out = &mut all[half * LANES..][..LANES];
        if inst.segment == Segment::Scratch {
            let base = wave.scalar(inst.src[2]).wrapping_add(inst.offset as u32);
            for l in 0..LANES {
                out[l] = low[l].wrapping_add(base).into();
            }
        } else if let Operand::S(_) = inst.src[2] {
            let base = wave.scalar64(inst.src[2]).wrapping_add(offset);
            for l in 0..LANES {
                out[l] = base.wrapping_add(low[l].into());
            }
        } else {
            let high = lanes::words(wave, inst.src[0], 1, half);
            for l in 0..LANES {
                out[l] = (u64::from(low[l]) | u64::from(high[l]) << 32).wrapping_add(offset);
            }
        }
    }
    all
}

/// Whether all lanes that are on touch one allocation, so that none needs to be looked at alone.
#[inline(always)]
pub(crate) fn one_allocation(
    wave: &mut Wave<'_>,
    inst: &Inst,
    addresses: &Addresses,
    bytes: u64,
) -> bool {
    let exec = wave.exec();
    if inst.segment == Segment::Scratch || exec == 0 {
        return false;
    }
    let (mut low, mut high) = (u64::MAX, 0);
    for half in 0..wave.halves {
        let on = (exec >> (32 * half)) as u32;
        for l in 0..LANES {
            let address = addresses[half * LANES + l];
            low = low.min(if on >> l & 1 != 0 { address } else { u64::MAX });
            high = high.max(if on >> l & 1 != 0 { address } else { 0 });
        }
    }
    let range = known_range(wave, low);
    low >= range.low && high < range.high && range.high - high >= bytes
}

/// The allocation around an address, looked up once for each instruction; empty where there is none.
#[inline(always)]
pub(crate) fn known_range(wave: &mut Wave<'_>, address: u64) -> Range {
    let memory = wave.running.memory;
    let epoch = memory.epoch();
    if wave.epoch != epoch {
        wave.ranges = [Range::default(); 16];
        wave.epoch = epoch;
    }
    let slot = (wave.at >> 1) as usize % wave.ranges.len();
    let range = wave.ranges[slot];
    if address >= range.low && address < range.high {
        return range;
    }
    let found = memory.find(address).map_or(Range::default(), |a| Range {
        low: a.base,
        high: a.end(),
    });
    wave.ranges[slot] = found;
    found
}

/// Where the address of one lane leads. Stops the wave where it leads nowhere.
pub(crate) fn locate(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    address: u64,
    bytes: u32,
) -> Option<Spot> {
    let high = (address >> 32) as u32;
    match inst.segment {
        Segment::Scratch => return Some(Spot::Scratch(address as u32)),
        Segment::Flat if high == SHARED_HIGH => return Some(Spot::Lds(address as u32)),
        Segment::Flat if high == PRIVATE_HIGH => return Some(Spot::Scratch(address as u32)),
        _ => {}
    }
    let range = known_range(wave, address);
    if address < range.high && range.high - address >= bytes.into() {
        return Some(Spot::Global(address));
    }
    out_of_bounds(wave, inst, lane, address, bytes);
    None
}

#[cold]
fn out_of_bounds(wave: &mut Wave<'_>, inst: &Inst, lane: usize, address: u64, bytes: u32) {
    let around = wave.running.memory.around(address);
    let message =
        format!("memory access fault: {bytes} bytes at {address:#x} are not allocated ({around})");
    wave.fault(inst, lane, FaultKind::Memory, message);
}

#[cold]
fn stack_overflow(wave: &mut Wave<'_>, inst: &Inst, lane: usize, offset: u32) {
    let bytes = wave.scratch.bytes;
    let message =
        format!("private memory access at offset {offset}, past the end of {bytes} bytes of stack");
    wave.fault(inst, lane, FaultKind::Memory, message);
}

#[cold]
fn lds_out_of_bounds(wave: &Wave<'_>, inst: &Inst, lane: usize, offset: u32) {
    let message = format!(
        "LDS access at offset {offset}, past the end of {} bytes",
        wave.lds.len()
    );
    wave.find(inst, lane, FindingKind::LdsOutOfBounds, message);
}

/// Reads one, two or four bytes of LDS for a lane; 0 past the end, as on the chip.
#[inline(always)]
pub(crate) fn read_lds(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    offset: u32,
    bytes: u32,
) -> u32 {
    if wave.lds.shadow.is_some() {
        races::check(wave, inst, lane, offset, bytes, Access::Read);
    }
    match wave.lds.read(offset, bytes) {
        Some(value) => value,
        None => {
            lds_out_of_bounds(wave, inst, lane, offset);
            0
        }
    }
}

/// Writes one, two or four bytes of LDS for a lane; dropped past the end, as on the chip.
#[inline(always)]
pub(crate) fn write_lds(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    offset: u32,
    bytes: u32,
    value: u32,
) {
    wave.changed = true;
    if wave.lds.shadow.is_some() {
        races::check(wave, inst, lane, offset, bytes, Access::Write);
    }
    if wave.lds.write(offset, bytes, value).is_none() {
        lds_out_of_bounds(wave, inst, lane, offset);
    }
}

/// Replaces four or eight bytes of LDS by a function of them; gives what was there.
pub(crate) fn update_lds(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    offset: u32,
    wide: bool,
    f: impl Fn(u64) -> u64,
) -> u64 {
    if wave.lds.shadow.is_some() {
        races::check(
            wave,
            inst,
            lane,
            offset,
            if wide { 8 } else { 4 },
            Access::Atomic,
        );
    }
    let low = wave.lds.read32(offset);
    let high = if wide {
        wave.lds.read32(offset.wrapping_add(4))
    } else {
        Some(0)
    };
    let (Some(low), Some(high)) = (low, high) else {
        lds_out_of_bounds(wave, inst, lane, offset);
        return 0;
    };
    let old = u64::from(low) | u64::from(high) << 32;
    let new = f(old);
    wave.changed |= new != old;
    // Both words are inside, as they were just read.
    let _ = wave.lds.write32(offset, new as u32);
    if wide {
        let _ = wave.lds.write32(offset + 4, (new >> 32) as u32);
    }
    old
}

/// Reads one, two or four bytes.
#[inline(always)]
pub(crate) fn read(wave: &mut Wave<'_>, inst: &Inst, lane: usize, spot: Spot, bytes: u32) -> u32 {
    match spot {
        // SAFETY: the range is in the table of memory.
        Spot::Global(address) => unsafe {
            match bytes {
                1 => global::read8(address).into(),
                2 => global::read16(address).into(),
                _ => global::read32(address),
            }
        },
        Spot::Lds(offset) => read_lds(wave, inst, lane, offset, bytes),
        Spot::Scratch(offset) => match wave.scratch.read(offset, bytes, lane) {
            Some(value) => value,
            None => {
                stack_overflow(wave, inst, lane, offset);
                0
            }
        },
    }
}

/// Writes one, two or four bytes.
#[inline(always)]
pub(crate) fn write(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    spot: Spot,
    bytes: u32,
    value: u32,
) {
    match spot {
        Spot::Global(address) => {
            wave.changed = true;
            // SAFETY: the range is in the table of memory.
            unsafe {
                match bytes {
                    1 => global::write8(address, value as u8),
                    2 => global::write16(address, value as u16),
                    _ => global::write32(address, value),
                }
            }
        }
        Spot::Lds(offset) => write_lds(wave, inst, lane, offset, bytes, value),
        Spot::Scratch(offset) => {
            if wave.scratch.write(offset, bytes, lane, value).is_none() {
                stack_overflow(wave, inst, lane, offset);
            }
        }
    }
}

/// Reads up to four words, those of global memory in as few parts as the chip does.
pub(crate) fn read_words<const N: usize>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    spot: Spot,
) -> [u32; N] {
    match spot {
        // SAFETY: the range is in the table of memory.
        Spot::Global(address) => unsafe { global::read_words(address) },
        _ => std::array::from_fn(|k| read(wave, inst, lane, further(spot, 4 * k as u32), 4)),
    }
}

/// Writes what [`read_words`] reads.
pub(crate) fn write_words<const N: usize>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    spot: Spot,
    words: [u32; N],
) {
    if let Spot::Global(address) = spot {
        wave.changed = true;
        // SAFETY: the range is in the table of memory.
        return unsafe { global::write_words(address, words) };
    }
    for (k, bits) in words.into_iter().enumerate() {
        write(wave, inst, lane, further(spot, 4 * k as u32), 4, bits);
    }
}

/// The place `by` bytes on.
#[inline(always)]
pub(crate) fn further(spot: Spot, by: u32) -> Spot {
    match spot {
        Spot::Global(address) => Spot::Global(address + u64::from(by)),
        Spot::Lds(offset) => Spot::Lds(offset.wrapping_add(by)),
        Spot::Scratch(offset) => Spot::Scratch(offset.wrapping_add(by)),
    }
}
