//! A launch that runs: its groups over the threads of the host.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::chip::Family;
use super::code_object::CodeObject;
use super::costs::Counts;
use super::descriptor::Descriptor;
use super::dispatch::{Dispatch, thread_index};
use super::findings::{Fault, FaultKind, Finding, FindingKind, Place};
use super::group::{Group, Round};
use super::hostcall::Hostcall;
use super::inst::Inst;
use super::memory::Memory;
use super::options::{Host, Schedule};
use super::program::Program;
use super::progress::{self, Progress, Watch};
use super::races::Touch;
use super::schedule::{Chooser, group_at};
use super::source;
use super::wave::Wave;

/// Instructions without the end of any group, after which a thread begins further groups: those that run may wait for them.
const PATIENCE: u64 = 2_000_000;
/// The most groups that a thread has begun at a time when none must be.
const RESIDENT: usize = 512;

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

    fn total(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    fn index(&self, position: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        let flat = group_at(self.schedule, position, self.total());
        [
            (flat % x) as u32,
            (flat / x % y) as u32,
            (flat / x / y) as u32,
        ]
    }

    fn place_of(&self, wave: &Wave<'_>, at: u32, id: u32, lane: u32) -> Place {
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

    fn stop_with(&self, fault: Option<Box<Fault>>) {
        let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none() {
            *first = fault;
        }
        self.stop.store(true, Ordering::Release);
    }

    /// Takes groups and executes them until none is left. Run by each thread.
    pub(crate) fn work(&self, thread: u64, threads: u64) {
        let mut worker = Worker::new(self, thread, threads);
        while worker.step() {
            if self.stop.load(Ordering::Acquire) {
                return;
            }
        }
        if let Some(costs) = &self.costs {
            worker.add_counts(&mut costs.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// One thread's share of a launch.
struct Worker<'a> {
    running: &'a Running<'a>,
    live: Vec<Group<'a>>,
    free: Vec<Group<'a>>,
    chooser: Chooser,
    /// Groups that may have begun at a time.
    resident: usize,
    /// Instructions since a group ended.
    since: u64,
    watch: Watch<'a>,
}

impl<'a> Worker<'a> {
    fn new(running: &'a Running<'a>, thread: u64, threads: u64) -> Worker<'a> {
        let resident = if running.cooperative {
            running.total().div_ceil(threads) as usize
        } else {
            1
        };
        Worker {
            running,
            live: Vec::new(),
            free: Vec::new(),
            chooser: Chooser::new(running.schedule, thread),
            resident,
            since: 0,
            watch: Watch::new(&running.progress, running.patience),
        }
    }

    /// Adds what the waves of its groups did to `counts`.
    fn add_counts(&self, counts: &mut Counts) {
        for group in self.live.iter().chain(&self.free) {
            group.add_counts(counts);
        }
    }

    /// Begins groups up to the number that may run.
    fn begin(&mut self) {
        while self.live.len() < self.resident {
            let position = self.running.next.fetch_add(1, Ordering::Relaxed);
            if position >= self.running.total() {
                return;
            }
            let mut group = self.free.pop().unwrap_or_else(|| Group::new(self.running));
            group.begin(self.running.index(position));
            self.live.push(group);
        }
    }

    fn groups_left(&self) -> bool {
        self.running.next.load(Ordering::Relaxed) < self.running.total()
    }

    /// One round of all groups; false when there is nothing left to do.
    fn step(&mut self) -> bool {
        self.begin();
        if self.live.is_empty() {
            return false;
        }
        let (mut count, mut moved, mut changed, mut k) = (0, false, false, 0);
        while k < self.live.len() {
            let round = self.live[k].round(&mut self.chooser, &mut count);
            changed |= self.live[k].take_changed();
            match round {
                Round::Done => {
                    self.free.push(self.live.swap_remove(k));
                    (moved, changed, self.since) = (true, true, 0);
                    continue;
                }
                Round::Moved => moved = true,
                Round::Stuck => {}
                Round::Faulted => return self.faulted(k),
            }
            k += 1;
        }
        self.since += count;
        self.account(count);
        let waiting = !self.groups_left() || self.resident >= RESIDENT;
        if self.watch.round(&self.live, count, changed, waiting) {
            return self.stuck();
        }
        if !moved || self.since > PATIENCE {
            self.more_groups(moved);
        }
        true
    }

    /// A wave of a group stopped.
    fn faulted(&mut self, group: usize) -> bool {
        let stopped = self.live[group]
            .waves
            .iter_mut()
            .find_map(|wave| wave.stopped.take());
        self.running.stop_with(stopped);
        false
    }

    /// No wave of the launch gets on.
    fn stuck(&self) -> bool {
        let patience = self.running.patience.unwrap_or_default();
        let (message, first) = progress::told(&self.live, patience);
        let place = first.map(|(group, wave)| {
            let wave = &self.live[group].waves[wave];
            let lane = wave.exec().trailing_zeros().min(63);
            Box::new(self.running.place_of(wave, wave.at, wave.id, lane))
        });
        self.running.stop_with(Some(Box::new(Fault {
            kind: FaultKind::Deadlock,
            message,
            place,
            findings: Vec::new(),
        })));
        false
    }

    fn account(&self, count: u64) {
        let all = self
            .running
            .instructions
            .fetch_add(count, Ordering::Relaxed)
            + count;
        if self.running.limit.is_some_and(|limit| all > limit) {
            let message = format!(
                "the kernel {} executed {all} instructions of waves and has not ended",
                self.running.kernel
            );
            self.running.stop_with(Some(Box::new(Fault {
                kind: FaultKind::Endless,
                message,
                place: None,
                findings: Vec::new(),
            })));
        }
    }

    /// Groups that run may wait for ones that have not begun, or for those of other threads.
    fn more_groups(&mut self, moved: bool) {
        self.since = 0;
        if self.groups_left() && self.resident < RESIDENT {
            self.resident *= 2;
        } else if !moved {
            std::thread::yield_now();
        }
    }
}
