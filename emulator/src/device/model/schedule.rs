//! Which wave runs next, and for how long.

use crate::device::model::options::Schedule;

/// Instructions of a turn when waves take turns.
const TURN: u32 = 192;
/// Instructions after which even a wave that runs ahead gives way, so that one that polls does not run forever.
const AHEAD: u32 = 1 << 20;
/// The most instructions of a random turn.
const RANDOM: u32 = 64;

/// Chooses by a schedule. Each thread that executes has its own.
pub(crate) struct Chooser {
    schedule: Schedule,
    state: u64,
}

impl Chooser {
    /// The chooser of a thread.
    pub(crate) fn new(schedule: Schedule, thread: u64) -> Chooser {
        let seed = match schedule {
            Schedule::RoundRobin => 0,
            Schedule::Ahead(seed) | Schedule::Random(seed) => seed,
        };
        Chooser {
            schedule,
            state: seed
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(thread.wrapping_mul(0xd134_2543_de82_ef95))
                | 1,
        }
    }

    /// The next random number (SplitMix64).
    pub(crate) fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The first of `count` waves to look at.
    pub(crate) fn first(&mut self, count: usize) -> usize {
        if self.schedule == Schedule::RoundRobin {
            0
        } else {
            (self.random() % count.max(1) as u64) as usize
        }
    }

    /// Instructions of a turn.
    pub(crate) fn turn(&mut self) -> u32 {
        match self.schedule {
            Schedule::RoundRobin => TURN,
            Schedule::Ahead(_) => AHEAD,
            Schedule::Random(_) => 1 + (self.random() % u64::from(RANDOM)) as u32,
        }
    }

    /// Whether a round ends after one wave, so that the next is chosen anew.
    pub(crate) fn one_a_round(&self) -> bool {
        matches!(self.schedule, Schedule::Random(_))
    }
}

/// The order in which groups begin: as they are numbered, or by a seed in steps that meet each once.
pub(crate) fn group_at(schedule: Schedule, position: u64, total: u64) -> u64 {
    let Schedule::Random(seed) = schedule else {
        return position;
    };
    let mut step = ((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % total) | 1;
    while gcd(step, total) != 1 {
        step += 2;
    }
    ((u128::from(position) * u128::from(step) + u128::from(seed)) % u128::from(total)) as u64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_begins_once() {
        for (seed, total) in [(1, 1), (7, 12), (99, 100), (12345, 1000)] {
            let mut seen: Vec<u64> = (0..total)
                .map(|k| group_at(Schedule::Random(seed), k, total))
                .collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..total).collect::<Vec<_>>());
        }
    }
}
