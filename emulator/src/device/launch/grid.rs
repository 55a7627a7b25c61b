//! A launch that runs: its groups over the threads of the host.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::device::launch::group::{Group, Round};
use crate::device::launch::progress::{self, Watch};
use crate::device::model::costs::Counts;
use crate::device::model::findings::{Fault, FaultKind};
use crate::device::model::schedule::Chooser;
use crate::device::wave::running::Running;

/// Instructions without the end of any group, after which a thread begins further groups: those that run may wait for them.
const PATIENCE: u64 = 2_000_000;
/// The most groups that a thread has begun at a time when none must be.
const RESIDENT: usize = 512;

/// Takes groups and executes them until none is left. Run by each thread.
pub(crate) fn work(running: &Running<'_>, thread: u64, threads: u64) {
    let mut worker = Worker::new(running, thread, threads);
    while worker.step() {
        if running.stop.load(Ordering::Acquire) {
            return;
        }
    }
    if let Some(costs) = &running.costs {
        worker.add_counts(&mut costs.lock().unwrap_or_else(PoisonError::into_inner));
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
