//! A batch of sequences, packed: the rows of each step one after the other, the longest sequences first.

use super::network::Network;
use crate::dnn::tensor::tensor;
use crate::dnn::{Outcome, Status};
use crate::host::raw::{self, Ptr};

/// How many sequences each step has.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    sizes: Vec<usize>,
    starts: Vec<usize>,
    pub(super) rows: usize,
    /// The width of a row of x.
    pub(super) input: usize,
}

/// The row before one of the same sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// None: the sequence starts.
    Start,
    Row(usize),
}

impl Batch {
    /// From the descriptors of the steps of x and of y (rnnocl.cpp: "Input batch length", "Batch size must not ascend!",
    /// "Output size doesn't match hidden state size!").
    pub(super) fn new(
        network: &Network,
        steps: i32,
        x: *const Ptr,
        y: *const Ptr,
    ) -> Outcome<Batch> {
        let steps = usize::try_from(steps).map_err(|_| Status::BAD_PARM)?;
        let read = |from| raw::list(from, steps).map_err(|_| Status::BAD_PARM);
        let mut sizes = Vec::with_capacity(steps);
        let mut input = 0;
        for (x, y) in read(x)?.into_iter().zip(read(y)?) {
            let (x, y) = (tensor(x)?, tensor(y)?);
            let is_alike =
                x.lens[0] == y.lens[0] && x.kind == network.kind && y.kind == network.kind;
            let width = y.lens.get(1).copied();
            if !is_alike || width != Some(network.directions * network.hidden) {
                return Err(Status::BAD_PARM);
            }
            input = x.lens[1];
            sizes.push(x.lens[0]);
        }
        Batch::of(sizes, input)
            .filter(|_| !network.skips || input == network.hidden)
            .ok_or(Status::BAD_PARM)
    }

    fn of(sizes: Vec<usize>, input: usize) -> Option<Batch> {
        let descends = sizes.windows(2).all(|two| two[0] >= two[1]);
        let starts = sizes.iter().scan(0, |next, size| {
            let start = *next;
            *next += size;
            Some(start)
        });
        let starts = starts.collect();
        let rows = sizes.iter().sum();
        (descends && !sizes.is_empty()).then_some(Batch {
            sizes,
            starts,
            rows,
            input,
        })
    }

    /// Sequences at most.
    pub(super) fn most(&self) -> usize {
        self.sizes[0]
    }

    /// Each row with its sequence and the row before it, in the order in which a direction reads them.
    pub(super) fn order(&self, direction: usize) -> Vec<(usize, usize, Before)> {
        let steps = self.sizes.len();
        let times: Vec<usize> = match direction {
            0 => (0..steps).collect(),
            _ => (0..steps).rev().collect(),
        };
        let before = |time: usize, at: usize| {
            let earlier = match direction {
                0 => time.checked_sub(1),
                _ => Some(time + 1).filter(|time| *time < steps && at < self.sizes[*time]),
            };
            earlier.map_or(Before::Start, |time| Before::Row(self.starts[time] + at))
        };
        times
            .into_iter()
            .flat_map(|time| (0..self.sizes[time]).map(move |at| (time, at)))
            .map(|(time, at)| (self.starts[time] + at, at, before(time, at)))
            .collect()
    }

    /// Where each row lies in memory that has room for as many sequences in each step.
    pub(super) fn places(&self, is_padded: bool) -> Vec<usize> {
        let padded = self.sizes.iter().enumerate();
        match is_padded {
            true => padded
                .flat_map(|(time, size)| (0..*size).map(move |at| time * self.most() + at))
                .collect(),
            false => (0..self.rows).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_knows_what_came_before() {
        let batch = Batch::of(vec![2, 1], 1).unwrap();
        let (start, row) = (Before::Start, Before::Row);
        assert_eq!(
            batch.order(0),
            [(0, 0, start), (1, 1, start), (2, 0, row(0))]
        );
        assert_eq!(
            batch.order(1),
            [(2, 0, start), (0, 0, row(2)), (1, 1, start)]
        );
        assert_eq!(batch.places(true), [0, 1, 2]);
        assert!(Batch::of(vec![1, 2], 1).is_none());
    }
}
