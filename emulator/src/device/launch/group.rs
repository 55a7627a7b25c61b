//! A group: its waves and LDS, executed by one thread.

use crate::device::launch::count;
use crate::device::memory::lds::Lds;
use crate::device::model::costs::Counts;
use crate::device::model::schedule::Chooser;
use crate::device::ops::with_index;
use crate::device::wave::dispatch;
use crate::device::wave::inst::Inst;
use crate::device::wave::running::Running;
use crate::device::wave::{State, Wave};

/// A group that runs, or one that has run and whose memory serves the next.
pub(crate) struct Group<'a> {
    pub(crate) waves: Vec<Wave<'a>>,
    lds: Lds,
}

/// What became of a group in a round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// All waves ended.
    Done,
    /// Something happened.
    Moved,
    /// All wait for other groups.
    Stuck,
    /// A wave was stopped by a fault.
    Faulted,
}

impl<'a> Group<'a> {
    /// A group with memory for its waves, not yet begun.
    pub(crate) fn new(running: &'a Running<'a>) -> Group<'a> {
        let waves = (0..running.waves)
            .map(|_| Wave::new(running, running.rows, running.halves))
            .collect();
        Group {
            waves,
            lds: Lds::default(),
        }
    }

    /// Sets up the group of an index.
    pub(crate) fn begin(&mut self, index: [u32; 3]) {
        let running = self.waves[0].running;
        let poison = running.poison.unwrap_or(0);
        self.lds.reset(running.lds as usize, poison, running.check);
        for (id, wave) in self.waves.iter_mut().enumerate() {
            reset(wave, id as u32, index, poison);
        }
    }

    /// Gives each wave a turn, and opens the barrier when all have reached it. Adds the instructions to `count`.
    pub(crate) fn round(&mut self, chooser: &mut Chooser, count: &mut u64) -> Round {
        let waves = self.waves.len();
        let first = chooser.first(waves);
        let mut moved = false;
        for k in 0..waves {
            let wave = &mut self.waves[(first + k) % waves];
            if !ready(wave) {
                continue;
            }
            moved = true;
            std::mem::swap(&mut wave.lds, &mut self.lds);
            let executed = if wave.counts.is_some() {
                run::<true>(wave, chooser.turn())
            } else {
                run::<false>(wave, chooser.turn())
            };
            wave.executed += executed;
            *count += executed;
            std::mem::swap(&mut wave.lds, &mut self.lds);
            if wave.state == State::Faulted {
                return Round::Faulted;
            }
            if chooser.one_a_round() {
                break;
            }
        }
        self.end_of_round(moved)
    }

    /// Adds what its waves did to `counts`.
    pub(crate) fn add_counts(&self, counts: &mut Counts) {
        for of_wave in self.waves.iter().filter_map(|wave| wave.counts.as_deref()) {
            *counts += of_wave;
        }
    }

    /// Whether a wave changed memory since this was asked before.
    pub(crate) fn take_changed(&mut self) -> bool {
        let take = |any, wave: &mut Wave<'_>| std::mem::take(&mut wave.changed) | any;
        self.waves.iter_mut().fold(false, take)
    }

    fn end_of_round(&mut self, moved: bool) -> Round {
        let all = |state: fn(State) -> bool| self.waves.iter().all(|wave| state(wave.state));
        if all(|state| state == State::Done) {
            return Round::Done;
        }
        // Waves that ended count as having reached the barrier, as on the chip.
        if all(|state| matches!(state, State::Barrier | State::Done)) {
            for wave in &mut self.waves {
                if wave.state == State::Barrier {
                    wave.state = State::Ready;
                }
            }
            return Round::Moved;
        }
        if moved { Round::Moved } else { Round::Stuck }
    }
}

/// Whether a wave can go on now.
fn ready(wave: &mut Wave<'_>) -> bool {
    if let State::GridBarrier(number) = wave.state
        && wave.running.grid_barrier.passed(number)
    {
        wave.state = State::Ready;
    }
    matches!(wave.state, State::Ready | State::Yield)
}

fn reset(wave: &mut Wave<'_>, id: u32, group: [u32; 3], poison: u8) {
    let running = wave.running;
    let fill = u32::from_le_bytes([poison; 4]);
    wave.v.iter_mut().for_each(|row| row.fill(fill));
    wave.s.fill(fill);
    (wave.id, wave.group, wave.barriers, wave.indexed) = (id, group, 0, 0);
    (wave.scc, wave.state, wave.stopped) = (false, State::Ready, None);
    wave.scratch.reset(running.scratch, wave.lanes(), poison);
    let kd = &running.descriptor;
    wave.set_mode(kd.rsrc1 >> 12 & 0xff);
    wave.pc = dispatch::scalars(wave, &running.dispatch, kd, running.entry, running.scratch);
    if wave.halves == 1 {
        wave.s[crate::device::wave::EXEC + 1] = 0;
    }
    dispatch::vectors(wave, kd, running.block, running.family);
}

/// Executes up to `budget` instructions of a wave, until it waits, ends or stops; gives their number.
fn run<const COUNTED: bool>(wave: &mut Wave<'_>, budget: u32) -> u64 {
    let program = wave.running.program;
    wave.state = State::Ready;
    for count in 0..budget {
        let Some(inst) = program.at(wave.pc) else {
            wave.left_program();
            return count.into();
        };
        wave.at = wave.pc;
        wave.pc += inst.words;
        let before = COUNTED.then(|| count::before(wave, inst));
        execute(wave, inst);
        if let Some(before) = before {
            count::after(wave, &before);
        }
        if wave.state != State::Ready {
            return u64::from(count) + 1;
        }
    }
    budget.into()
}

#[inline(always)]
fn execute(wave: &mut Wave<'_>, inst: &Inst) {
    if wave.indexed != 0 && inst.text.starts_with("v_") {
        let moved = with_index(wave, inst);
        // SAFETY: the table chose a form that this host can run.
        unsafe { (moved.run)(wave, &moved) };
    } else {
        // SAFETY: the table chose a form that this host can run.
        unsafe { (inst.run)(wave, inst) };
    }
}
