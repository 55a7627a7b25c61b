//! Counting, instruction by instruction.

use crate::device::model::costs::lds::passes;
use crate::device::model::costs::{Access, Class, Counts};
use crate::device::ops::address::addresses;
use crate::device::ops::{Aim, aim, on};
use crate::device::wave::inst::{Inst, Operand, Segment};
use crate::device::wave::{LANES, PRIVATE_HIGH, SHARED_HIGH, Wave};

/// What was true before an instruction ran.
pub(crate) struct Before {
    exec: u64,
}

/// Counts an instruction that is about to run: what it reads addresses from may be overwritten by it.
pub(crate) fn before(wave: &mut Wave<'_>, inst: &Inst) -> Before {
    let exec = wave.exec();
    if let Some(mut counts) = wave.counts.take() {
        count(&mut counts, wave, inst, exec);
        wave.counts = Some(counts);
    }
    Before { exec }
}

/// Counts what an instruction did to the lanes that are on.
pub(crate) fn after(wave: &mut Wave<'_>, before: &Before) {
    let now = wave.exec();
    let is_part = now != 0 && now != before.exec && now & !before.exec == 0;
    if let Some(counts) = &mut wave.counts {
        counts.divergences += u64::from(is_part);
    }
}

fn count(counts: &mut Counts, wave: &Wave<'_>, inst: &Inst, exec: u64) {
    let places = inst
        .access
        .filter(|_| exec != 0)
        .map(|_| Places::of(wave, inst, exec));
    let class = match (&places, inst.class) {
        (Some(places), Class::Global) => places.class(),
        (_, class) => class,
    };
    counts.classes[class as usize] += 1;
    counts.barriers += u64::from(inst.text.starts_with("s_barrier"));
    if class.is_of_lanes() {
        counts.lanes_on += u64::from(exec.count_ones());
        counts.lanes += wave.lanes() as u64;
    }
    if let (Some(places), Some(access)) = (places, inst.access) {
        count_global(counts, &places.global, access, wave.running.line);
        count_lds(counts, &places.lds, access);
        if access.pair.is_some() {
            count_lds(counts, &places.lds_second, access);
        }
    }
}

/// Where the lanes of an access go.
struct Places {
    global: Vec<u64>,
    lds: [Option<u32>; 2 * LANES],
    /// Second pieces of the same instruction.
    lds_second: [Option<u32>; 2 * LANES],
    is_lds: bool,
}

impl Places {
    fn of(wave: &Wave<'_>, inst: &Inst, exec: u64) -> Places {
        let mut places = Places {
            global: Vec::new(),
            lds: [None; 2 * LANES],
            lds_second: [None; 2 * LANES],
            is_lds: false,
        };
        match inst.class {
            Class::Lds => places.fill_lds(wave, inst, exec),
            _ if inst.text.starts_with("buffer_") => places.fill_buffer(wave, inst, exec),
            _ => places.fill_by_address(wave, inst, exec),
        }
        places
    }

    fn fill_lds(&mut self, wave: &Wave<'_>, inst: &Inst, exec: u64) {
        self.is_lds = true;
        let (bytes, pair) = inst
            .access
            .map_or((4, None), |access| (access.bytes, access.pair));
        let unit = pair.map_or(1, |unit| u32::from(unit) * u32::from(bytes));
        for lane in on(exec) {
            let base = wave.lane(inst.src[0], 0, lane);
            let place = |offset: i32| base.wrapping_add((offset as u32).wrapping_mul(unit));
            self.lds[lane] = Some(place(inst.offset));
            self.lds_second[lane] = Some(place(inst.offset1));
        }
    }

    fn fill_buffer(&mut self, wave: &Wave<'_>, inst: &Inst, exec: u64) {
        let bytes = inst.access.map_or(4, |access| u32::from(access.bytes));
        for lane in on(exec) {
            if let Some(Aim::Global(address)) = aim(wave, inst, lane, bytes) {
                self.global.push(address);
            }
        }
    }

    fn fill_by_address(&mut self, wave: &Wave<'_>, inst: &Inst, exec: u64) {
        if inst.segment == Segment::Scratch || inst.src[0] == Operand::None {
            return;
        }
        let all = addresses(wave, inst);
        for lane in on(exec) {
            match (inst.segment, (all[lane] >> 32) as u32) {
                (Segment::Flat, SHARED_HIGH) => {
                    self.is_lds = true;
                    self.lds[lane] = Some(all[lane] as u32);
                }
                (Segment::Flat, PRIVATE_HIGH) => {}
                _ => self.global.push(all[lane]),
            }
        }
    }

    /// Global where any lane goes there, else LDS, else scratch.
    fn class(&self) -> Class {
        if !self.global.is_empty() {
            Class::Global
        } else if self.is_lds {
            Class::Lds
        } else {
            Class::Scratch
        }
    }
}

fn count_global(counts: &mut Counts, addresses: &[u64], access: Access, line: u64) {
    if addresses.is_empty() {
        return;
    }
    let bytes = u64::from(access.bytes);
    let mut places = addresses.to_vec();
    places.sort_unstable();
    places.dedup();
    let mut lines: Vec<u64> = places
        .iter()
        .flat_map(|place| place / line..=(place + bytes - 1) / line)
        .collect();
    lines.dedup();
    counts.requests += 1;
    counts.lines += lines.len() as u64;
    counts.lines_packed += (places.len() as u64 * bytes).div_ceil(line);
    if access.is_atomic {
        counts.atomic_lanes += addresses.len() as u64;
        counts.atomics_met += (addresses.len() - places.len()) as u64;
    }
}

fn count_lds(counts: &mut Counts, offsets: &[Option<u32>], access: Access) {
    let taken = passes(offsets, access.bytes, access.is_atomic);
    counts.lds_groups += taken.groups;
    counts.lds_passes += taken.passes;
    if access.is_atomic {
        let mut places: Vec<u32> = offsets.iter().flatten().copied().collect();
        let lanes = places.len();
        places.sort_unstable();
        places.dedup();
        counts.atomic_lanes += lanes as u64;
        counts.atomics_met += (lanes - places.len()) as u64;
    }
}
