//! Generators: which lane draws which number (rng/xorwow.hpp, mrg.hpp, philox4x32_10.hpp of rocRAND).

use super::mrg::Mrg;
use super::philox;
use super::xorwow::Xorwow;

/// Lanes of the default order, whatever the chip: 512 blocks of 256 (config_defaults.hpp).
const LANES: usize = 512 * 256;

/// An engine of a lane.
trait Engine: Copy {
    fn start(seed: u64) -> Self;
    fn next_sequence(&mut self);
    fn skip(&mut self, count: u64);
    fn draw(&mut self) -> u32;
}

macro_rules! engine {
    ($engine:ty) => {
        impl Engine for $engine {
            fn start(seed: u64) -> Self {
                <$engine>::new(seed)
            }
            fn next_sequence(&mut self) {
                self.skip_sequences(1);
            }
            fn skip(&mut self, count: u64) {
                <$engine>::skip(self, count);
            }
            fn draw(&mut self) -> u32 {
                self.next()
            }
        }
    };
}

engine!(Xorwow);
engine!(Mrg);

/// Engines of one seed, each lane with a subsequence of its own; made when they are needed.
struct Grid<E> {
    lanes: Vec<E>,
    /// The start of the subsequence of the lane that comes next.
    next: E,
    offset: u64,
    /// The lane that draws first.
    first: usize,
}

impl<E: Engine> Grid<E> {
    fn new(seed: u64, offset: u64) -> Grid<E> {
        Grid {
            lanes: Vec::new(),
            next: E::start(seed),
            offset,
            first: (offset % LANES as u64) as usize,
        }
    }

    fn lane(&mut self, number: usize) -> &mut E {
        let start = (self.offset % LANES as u64) as usize;
        while self.lanes.len() <= number {
            let mut engine = self.next;
            let has_drawn = u64::from(self.lanes.len() < start);
            match self.offset / LANES as u64 + has_drawn {
                0 => {}
                count => engine.skip(count),
            }
            self.lanes.push(engine);
            self.next.next_sequence();
        }
        &mut self.lanes[number]
    }
}

/// The engines of a generator.
enum Source {
    Xorwow(Grid<Xorwow>),
    Mrg(Grid<Mrg>),
    Philox { seed: u64, place: u64 },
}

/// A kind of generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Xorwow,
    Mrg,
    Philox,
}

/// A generator as calls left it.
pub(super) struct Generator {
    pub(super) kind: Kind,
    seed: u64,
    offset: u64,
    source: Source,
}

impl Generator {
    pub(super) fn new(kind: Kind) -> Generator {
        let mut made = Generator {
            kind,
            seed: 0,
            offset: 0,
            source: Source::Philox { seed: 0, place: 0 },
        };
        made.reset();
        made
    }

    /// Begins anew.
    pub(super) fn reset(&mut self) {
        self.source = match self.kind {
            Kind::Xorwow => Source::Xorwow(Grid::new(self.seed, self.offset)),
            Kind::Mrg => Source::Mrg(Grid::new(self.seed, self.offset)),
            Kind::Philox => Source::Philox {
                seed: self.seed,
                place: self.offset,
            },
        };
    }

    pub(super) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.reset();
    }

    pub(super) fn set_offset(&mut self, offset: u64) {
        self.offset = offset;
        self.reset();
    }

    /// `count` vectors of `width` numbers each, as the lanes draw them.
    pub(super) fn draw(&mut self, count: usize, width: usize) -> Vec<[u32; 4]> {
        match &mut self.source {
            Source::Xorwow(grid) => drawn(grid, count, width),
            Source::Mrg(grid) => drawn(grid, count, width),
            Source::Philox { seed, place } => {
                let from = *place;
                *place += (count * width) as u64;
                let number = |vector: usize, k: usize| {
                    let at = from + (vector * width + k) as u64;
                    if k < width { philox::at(*seed, at) } else { 0 }
                };
                (0..count)
                    .map(|vector| std::array::from_fn(|k| number(vector, k)))
                    .collect()
            }
        }
    }
}

fn drawn<E: Engine>(grid: &mut Grid<E>, count: usize, width: usize) -> Vec<[u32; 4]> {
    let first = grid.first;
    grid.first = (first + count) % LANES;
    let draw = |vector: usize| {
        let lane = grid.lane((vector + first) % LANES);
        std::array::from_fn(|k| if k < width { lane.draw() } else { 0 })
    };
    (0..count).map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn firsts(generator: &mut Generator, count: usize) -> Vec<u32> {
        generator
            .draw(count, 1)
            .into_iter()
            .map(|four| four[0])
            .collect()
    }

    #[test]
    fn lanes_go_on_from_call_to_call_and_from_an_offset() {
        for kind in [Kind::Xorwow, Kind::Mrg, Kind::Philox] {
            let mut whole = Generator::new(kind);
            whole.set_seed(5);
            let all = firsts(&mut whole, 40);
            let mut parts = Generator::new(kind);
            parts.set_seed(5);
            let mut found = firsts(&mut parts, 15);
            found.extend(firsts(&mut parts, 25));
            assert_eq!(found, all, "{kind:?}");
            parts.set_offset(10);
            assert_eq!(firsts(&mut parts, 30), all[10..], "{kind:?}");
        }
    }

    #[test]
    fn a_lane_of_xorwow_draws_once_in_each_round() {
        let mut generator = Generator::new(Kind::Xorwow);
        generator.set_seed(1234);
        let all = firsts(&mut generator, LANES + 2);
        let mut lane = Xorwow::new(1234);
        lane.skip_sequences(1);
        assert_eq!([all[1], all[LANES + 1]], [lane.next(), lane.next()]);
    }
}
