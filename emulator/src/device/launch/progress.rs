//! Whether the waves of a launch get on. A poll that waits for what never comes is told instead of running for ever: nothing in memory
//! changes, and each wave comes back to a state in which it has been before, with all of its registers.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::device::launch::group::Group;
use crate::device::wave::running::Progress;
use crate::device::wave::{State, Wave};

/// Instructions of a thread without a change in memory before its waves are looked at.
const QUIET: u64 = 100_000;

/// A state in which a wave was seen.
#[derive(Clone, Copy, Default)]
struct Mark {
    state: u64,
    executed: u64,
    /// Looks since then, and those after which the mark is set anew (Brent's cycle finding).
    looks: u32,
    most: u32,
    repeats: bool,
}

/// What one thread sees of its groups.
pub(crate) struct Watch<'a> {
    progress: &'a Progress,
    patience: Option<Duration>,
    changes: u64,
    quiet: u64,
    marks: Vec<Mark>,
    since: Option<Instant>,
}

impl<'a> Watch<'a> {
    /// The watch of a thread that begins to work.
    pub(crate) fn new(progress: &'a Progress, patience: Option<Duration>) -> Watch<'a> {
        progress.working.fetch_add(1, Ordering::AcqRel);
        Watch {
            progress,
            patience,
            changes: 0,
            quiet: 0,
            marks: Vec::new(),
            since: None,
        }
    }

    /// After a round of all groups, which took `count` instructions; `changed` if any wave changed memory or ended, `waiting` if no
    /// further group can begin. Whether the launch is stuck.
    pub(crate) fn round(
        &mut self,
        live: &[Group<'_>],
        count: u64,
        changed: bool,
        waiting: bool,
    ) -> bool {
        let Some(patience) = self.patience else {
            return false;
        };
        if changed {
            self.progress.changes.fetch_add(1, Ordering::AcqRel);
        }
        let changes = self.progress.changes.load(Ordering::Acquire);
        if changes != self.changes {
            self.changes = changes;
            self.quiet = 0;
            self.marks.clear();
            self.unstuck();
            return false;
        }
        self.quiet += count.max(1);
        if self.quiet < QUIET || !waiting || !self.all_repeat(live) {
            return false;
        }
        let since = *self.since.get_or_insert_with(|| {
            self.progress.stuck.fetch_add(1, Ordering::AcqRel);
            Instant::now()
        });
        since.elapsed() >= patience
            && self.progress.stuck.load(Ordering::Acquire)
                == self.progress.working.load(Ordering::Acquire)
    }

    fn unstuck(&mut self) {
        if self.since.take().is_some() {
            self.progress.stuck.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Looks at all waves; whether each was seen in a state in which it had been before.
    fn all_repeat(&mut self, live: &[Group<'_>]) -> bool {
        let waves = || live.iter().flat_map(|group| &group.waves);
        self.marks.resize(waves().count(), Mark::default());
        let mut all = true;
        for (mark, wave) in self.marks.iter_mut().zip(waves()) {
            if matches!(wave.state, State::Ready | State::Yield) {
                all &= mark.look(wave);
            }
        }
        all
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.unstuck();
        self.progress.working.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Mark {
    fn look(&mut self, wave: &Wave<'_>) -> bool {
        if self.repeats || wave.executed == self.executed {
            return self.repeats;
        }
        let state = wave.fingerprint();
        self.repeats = state == self.state;
        self.looks += 1;
        if self.looks > self.most {
            (self.state, self.looks, self.most) = (state, 0, 2 * self.most + 1);
        }
        self.executed = wave.executed;
        self.repeats
    }
}

/// A sentence on what the waves of a stuck launch do, and the first wave that polls.
pub(crate) fn told(live: &[Group<'_>], patience: Duration) -> (String, Option<(usize, usize)>) {
    let (mut polling, mut waiting, mut first) = (0, 0, None);
    let mut divergent = None;
    for (g, group) in live.iter().enumerate() {
        for (w, wave) in group.waves.iter().enumerate() {
            match wave.state {
                State::Ready | State::Yield => {
                    polling += 1;
                    first = first.or(Some((g, w)));
                    divergent = divergent.or((wave.exec() != wave.full).then_some(wave));
                }
                State::Barrier | State::GridBarrier(_) => waiting += 1,
                State::Done | State::Faulted => {}
            }
        }
    }
    let mut text = format!(
        "no wave gets on: for {} s nothing in memory has changed, {polling} waves repeat the same steps and {waiting} wait at a barrier",
        patience.as_secs()
    );
    if let Some(wave) = divergent {
        let (on, full) = (wave.exec(), wave.full);
        text += &format!(
            "; of wave {} the lanes {on:#x} poll while {:#x} wait for them to leave the loop, as lanes of one wave do",
            wave.id,
            full & !on
        );
    }
    (text, first)
}
