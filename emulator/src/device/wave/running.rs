//! What the waves of a launch share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::device::memory::Memory;
use crate::device::memory::hostcall::Hostcall;
use crate::device::memory::shadow::Touch;
use crate::device::model::chip::Family;
use crate::device::model::costs::Counts;
use crate::device::model::descriptor::Descriptor;
use crate::device::model::findings::{Fault, Finding, FindingKind, Place};
use crate::device::model::options::{Host, Schedule};
use crate::device::model::schedule::group_at;
use crate::device::model::source;
use crate::device::wave::Wave;
use crate::device::wave::code_object::CodeObject;
use crate::device::wave::dispatch::{Dispatch, thread_index};
use crate::device::wave::inst::Inst;
use crate::device::wave::program::Program;

/// What the threads of a launch know of each other.
#[derive(Default)]
pub(crate) struct Progress {
    /// Grows with changes of memory and with each wave that ends.
    pub(crate) changes: AtomicU64,
    /// Threads that have groups.
    pub(crate) working: AtomicU64,
    /// Threads of those whose waves all repeat themselves.
    pub(crate) stuck: AtomicU64,
}

/// The barrier of all groups (global wave sync).
#[derive(Default)]
pub(crate) struct GridBarrier {
    groups: u64,
    arrived: AtomicU64,
}

impl GridBarrier {
    pub(crate) fn new(groups: u64) -> GridBarrier {
        GridBarrier {
            groups,
            arrived: AtomicU64::new(0),
        }
    }

    /// A group arrives; gives the number of the barrier.
    pub(crate) fn arrive(&self) -> u64 {
        self.arrived.fetch_add(1, Ordering::AcqRel) / self.groups.max(1)
    }

    /// Whether all groups arrived at the barrier of a number.
    pub(crate) fn passed(&self, number: u64) -> bool {
        self.arrived.load(Ordering::Acquire) >= (number + 1) * self.groups
    }
}

/// Kind and instructions of a finding: of a race both, in the order of their addresses.
pub(crate) type FindingKey = (FindingKind, u32, u32);

/// What the waves of a launch share.
pub(crate) struct Running<'a> {
    pub(crate) object: &'a CodeObject,
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
    pub(crate) host: &'a dyn Host,
    pub(crate) hostcall: &'a Hostcall,
    pub(crate) dispatch: Dispatch,
    pub(crate) descriptor: Descriptor,
    pub(crate) kernel: &'a str,
    pub(crate) family: Family,
    /// Matrix units take 16-bit denormals for zero.
    pub(crate) flush_matrices: bool,
    /// Word of the first instruction.
    pub(crate) entry: u32,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Waves of a group.
    pub(crate) waves: u32,
    pub(crate) halves: usize,
    /// Vector registers of a wave.
    pub(crate) rows: usize,
    /// Bytes of LDS of a group.
    pub(crate) lds: u32,
    /// Bytes of scratch of a lane.
    pub(crate) scratch: u32,
    pub(crate) check: bool,
    pub(crate) poison: Option<u8>,
    pub(crate) limit: Option<u64>,
    pub(crate) schedule: Schedule,
    pub(crate) cooperative: bool,
    pub(crate) grid_barrier: GridBarrier,
    pub(crate) progress: Progress,
    pub(crate) patience: Option<Duration>,
    pub(crate) started: Instant,
    pub(crate) findings: Mutex<BTreeMap<FindingKey, Finding>>,
    /// The next group to begin.
    pub(crate) next: AtomicU64,
    pub(crate) instructions: AtomicU64,
    /// What its waves did, where that is counted.
    pub(crate) costs: Option<Mutex<Counts>>,
    /// Bytes of a cache line.
    pub(crate) line: u64,
    pub(crate) stop: AtomicBool,
    pub(crate) fault: Mutex<Option<Box<Fault>>>,
}

impl Running<'_> {
    /// The 100 MHz clock of the chip.
    pub(crate) fn clock(&self) -> u64 {
        (self.started.elapsed().as_nanos() / 10) as u64
    }

    /// How many groups there are.
    pub(crate) fn total(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// The index of the group that begins as one of so many.
    pub(crate) fn index(&self, position: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        let flat = group_at(self.schedule, position, self.total());
        [
            (flat % x) as u32,
            (flat / x % y) as u32,
            (flat / x / y) as u32,
        ]
    }

    /// Where a lane of a wave was.
    pub(crate) fn place_of(&self, wave: &Wave<'_>, at: u32, id: u32, lane: u32) -> Place {
        let (function, address) = self.object.function(at);
        let text = self
            .program
            .at(at)
            .map_or(String::new(), |inst| inst.text.to_string());
        Place {
            kernel: self.kernel.to_string(),
            function,
            source: source::line(&self.object.elf, address),
            instruction: text,
            group: wave.group,
            thread: thread_index(id * wave.lanes() as u32 + lane, self.block),
            wave: id,
            lane,
        }
    }

    /// Where a lane of a wave is.
    pub(crate) fn place(&self, wave: &Wave<'_>, _inst: &Inst, lane: usize) -> Place {
        self.place_of(wave, wave.at, wave.id, lane as u32)
    }

    /// Notes a finding, or counts it where it is known.
    pub(crate) fn find(
        &self,
        wave: &Wave<'_>,
        inst: &Inst,
        lane: usize,
        kind: FindingKind,
        message: String,
        other: Option<Touch>,
    ) {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        let partner = other.map_or(wave.at, |touch| touch.at);
        let key = (kind, wave.at.min(partner), wave.at.max(partner));
        let found = findings.entry(key).or_insert_with(|| Finding {
            kind,
            message,
            place: self.place(wave, inst, lane),
            other: other
                .map(|touch| self.place_of(wave, touch.at, touch.wave.into(), touch.lane.into())),
            count: 0,
        });
        found.count += 1;
    }

    /// Stops the launch; the first fault of it counts.
    pub(crate) fn stop_with(&self, fault: Option<Box<Fault>>) {
        let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none() {
            *first = fault;
        }
        self.stop.store(true, Ordering::Release);
    }
}
