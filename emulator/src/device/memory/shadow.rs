//! Who touched which byte of LDS since the last barrier: races between waves, and reads of what nothing wrote.

use crate::device::model::findings::FindingKind;

/// How LDS is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    /// Reads and writes in one step; two of them do not race.
    Atomic,
}

/// One access: instruction, wave and lane, and the number of barriers that the wave had passed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Touch {
    pub(crate) at: u32,
    pub(crate) wave: u16,
    pub(crate) lane: u16,
    /// Barriers passed, plus one; 0 for never.
    pub(crate) epoch: u32,
}

/// What is known of a byte.
#[derive(Clone, Copy, Default)]
struct Cell {
    written: Touch,
    read: Touch,
    /// More than one wave read it since the last barrier.
    many: bool,
    /// The last write was an atomic.
    atomic: bool,
}

/// The bytes of LDS.
pub(crate) struct Shadow(Vec<Cell>);

/// What an access brought to light.
pub(crate) struct Clash {
    pub(crate) kind: FindingKind,
    pub(crate) other: Option<Touch>,
}

impl Shadow {
    pub(crate) fn new(len: usize) -> Shadow {
        Shadow(vec![Cell::default(); len])
    }

    /// Notes an access to a byte; gives what it clashes with.
    pub(crate) fn touch(&mut self, offset: usize, access: Access, me: Touch) -> Option<Clash> {
        let cell = self.0.get_mut(offset)?;
        let written = cell.written;
        let beside = |other: Touch| other.epoch == me.epoch && other.wave != me.wave;
        let both_atomic = access == Access::Atomic && cell.atomic;
        let mut clash = None;
        if access != Access::Write && written.epoch == 0 {
            clash = Some(Clash {
                kind: FindingKind::LdsUninitialised,
                other: None,
            });
        } else if beside(written) && !both_atomic {
            clash = Some(Clash {
                kind: FindingKind::LdsRace,
                other: Some(written),
            });
        } else if access != Access::Read
            && cell.read.epoch == me.epoch
            && (cell.many || beside(cell.read))
        {
            clash = Some(Clash {
                kind: FindingKind::LdsRace,
                other: Some(cell.read),
            });
        }
        if access == Access::Read {
            cell.many = cell.read.epoch == me.epoch && (cell.many || cell.read.wave != me.wave);
            cell.read = me;
        } else {
            cell.written = me;
            cell.atomic = access == Access::Atomic;
        }
        clash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(wave: u16, epoch: u32) -> Touch {
        Touch {
            at: 0,
            wave,
            lane: 0,
            epoch,
        }
    }

    #[test]
    fn a_barrier_between_ends_a_race() {
        let mut shadow = Shadow::new(1);
        assert!(shadow.touch(0, Access::Write, touch(0, 1)).is_none());
        assert!(
            shadow.touch(0, Access::Read, touch(0, 1)).is_none(),
            "a wave may read what it wrote"
        );
        assert_eq!(
            shadow.touch(0, Access::Read, touch(1, 1)).map(|c| c.kind),
            Some(FindingKind::LdsRace)
        );
        assert!(
            shadow.touch(0, Access::Read, touch(1, 2)).is_none(),
            "after a barrier"
        );
        assert_eq!(
            shadow.touch(0, Access::Write, touch(0, 2)).map(|c| c.kind),
            Some(FindingKind::LdsRace)
        );
    }

    #[test]
    fn atomics_do_not_race_with_each_other() {
        let mut shadow = Shadow::new(1);
        shadow.touch(0, Access::Write, touch(0, 1));
        assert!(shadow.touch(0, Access::Atomic, touch(0, 2)).is_none());
        assert!(shadow.touch(0, Access::Atomic, touch(1, 2)).is_none());
        assert!(
            shadow.touch(0, Access::Read, touch(0, 2)).is_some(),
            "a plain read beside an atomic of another wave"
        );
    }
}
