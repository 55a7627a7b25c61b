//! Two streams of lines side by side, in bounded memory: after a difference, the next lines of the same shape within a window
//! bring the streams together again.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// Lines looked ahead for a place where both streams agree again.
const WINDOW: usize = 512;
/// Differences after which streams are only laid side by side: they have nothing in common.
const MOST_SEARCHES: usize = 10_000;

/// One step along both streams.
#[derive(Debug, PartialEq)]
pub(super) enum Step<A, B> {
    /// Lines of the same shape.
    Both(A, B),
    /// Lines between two places where the streams agree.
    Gap(Vec<A>, Vec<B>),
}

/// Something that has a shape: streams agree where shapes are equal.
pub(super) trait Shaped {
    fn shape(&self) -> u64;
}

pub(super) struct Align<A, B, I, J> {
    left: Ahead<A, I>,
    right: Ahead<B, J>,
    searches: usize,
}

struct Ahead<T, I> {
    waiting: VecDeque<T>,
    rest: I,
}

impl<T: Shaped, I: Iterator<Item = anyhow::Result<T>>> Ahead<T, I> {
    fn fill(&mut self, count: usize) -> anyhow::Result<()> {
        while self.waiting.len() < count {
            match self.rest.next() {
                Some(item) => self.waiting.push_back(item?),
                None => break,
            }
        }
        Ok(())
    }

    fn shape(&self, at: usize) -> Option<u64> {
        self.waiting.get(at).map(Shaped::shape)
    }
}

impl<A, B, I, J> Align<A, B, I, J>
where
    A: Shaped,
    B: Shaped,
    I: Iterator<Item = anyhow::Result<A>>,
    J: Iterator<Item = anyhow::Result<B>>,
{
    pub(super) fn new(left: I, right: J) -> Self {
        Self {
            left: Ahead {
                waiting: VecDeque::new(),
                rest: left,
            },
            right: Ahead {
                waiting: VecDeque::new(),
                rest: right,
            },
            searches: 0,
        }
    }

    /// The next step; `None` at the end of both.
    pub(super) fn step(&mut self) -> anyhow::Result<Option<Step<A, B>>> {
        self.left.fill(1)?;
        self.right.fill(1)?;
        let (left, right) = (self.left.shape(0), self.right.shape(0));
        if left.is_none() && right.is_none() {
            return Ok(None);
        }
        if left == right
            && let (Some(a), Some(b)) = (
                self.left.waiting.pop_front(),
                self.right.waiting.pop_front(),
            )
        {
            return Ok(Some(Step::Both(a, b)));
        }
        let (i, j) = self.meeting()?;
        let lefts = self.left.waiting.drain(..i).collect();
        let rights = self.right.waiting.drain(..j).collect();
        Ok(Some(Step::Gap(lefts, rights)))
    }

    /// How many lines of each stream lie before the place where they agree again.
    fn meeting(&mut self) -> anyhow::Result<(usize, usize)> {
        self.searches += 1;
        let window = if self.searches > MOST_SEARCHES {
            1
        } else {
            WINDOW
        };
        self.left.fill(window + 1)?;
        self.right.fill(window + 1)?;
        let mut first: FxHashMap<u64, usize> = FxHashMap::default();
        for (at, item) in self.right.waiting.iter().enumerate().take(window) {
            first.entry(item.shape()).or_insert(at);
        }
        let mut best: Option<(usize, usize)> = None;
        for (i, item) in self.left.waiting.iter().enumerate().take(window) {
            if best.is_some_and(|(a, b)| i >= a + b) {
                break;
            }
            let Some(&j) = first.get(&item.shape()) else {
                continue;
            };
            // One line that happens to look alike is no place to meet; two in a row, or the last of both, are.
            let meets = self.left.shape(i + 1) == self.right.shape(j + 1);
            if meets && best.is_none_or(|(a, b)| i + j < a + b) {
                best = Some((i, j));
            }
        }
        let ends = self.left.waiting.len() <= window && self.right.waiting.len() <= window;
        let rest = |length: usize| if ends { length } else { length.min(1) };
        Ok(best.unwrap_or((
            rest(self.left.waiting.len()),
            rest(self.right.waiting.len()),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Shaped for u64 {
        fn shape(&self) -> u64 {
            *self
        }
    }

    fn steps(left: &[u64], right: &[u64]) -> Vec<Step<u64, u64>> {
        let mut align = Align::new(
            left.iter().map(|item| Ok(*item)),
            right.iter().map(|item| Ok(*item)),
        );
        std::iter::from_fn(|| align.step().unwrap()).collect()
    }

    #[test]
    fn streams_meet_again_behind_a_gap() {
        assert_eq!(
            steps(&[1, 2, 3, 4], &[1, 9, 8, 3, 4]),
            [
                Step::Both(1, 1),
                Step::Gap(vec![2], vec![9, 8]),
                Step::Both(3, 3),
                Step::Both(4, 4)
            ]
        );
        assert_eq!(
            steps(&[1, 2], &[1, 2, 3]),
            [
                Step::Both(1, 1),
                Step::Both(2, 2),
                Step::Gap(vec![], vec![3])
            ]
        );
    }

    #[test]
    fn nothing_in_common_ends_all_the_same() {
        let left: Vec<u64> = (0..30_000).collect();
        let right: Vec<u64> = (100_000..130_000).collect();
        let lines: usize = steps(&left, &right)
            .iter()
            .map(|step| match step {
                Step::Both(..) => 0,
                Step::Gap(a, b) => a.len() + b.len(),
            })
            .sum();
        assert_eq!(lines, 60_000);
    }
}
