//! A batch of sequences, packed: the rows of each step one after the other, the longest sequences first.

use super::network::Network;
use super::seq_tensor::{Layout, Sequences};
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
    /// The program's numbers of the sequences, the longest first.
    numbers: Vec<usize>,
    layout: Layout,
    /// Steps that memory with room for all has.
    longest: usize,
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
        let layout = match network.is_padded {
            true => Layout::StepMajor,
            false => Layout::Packed,
        };
        let numbers = (0..sizes.first().copied().unwrap_or(0)).collect();
        Batch::of(sizes, numbers, layout)
            .map(|batch| Batch { input, ..batch })
            .filter(|_| !network.skips || input == network.hidden)
            .ok_or(Status::BAD_PARM)
    }

    /// From the descriptors of x and of y. Sequences are sorted, the longest first (`GetSamplesDescendingOrder`, rnn_util.cpp); packed ones
    /// are so already (`GetBatchesPerSequence` of seq_tensor.cpp counts from the last and says nothing of others).
    pub(super) fn of_sequences(network: &Network, x: &Sequences, y: &Sequences) -> Outcome<Batch> {
        let is_alike = x.lengths == y.lengths
            && x.layout == y.layout
            && x.longest == y.longest
            && [x.kind, y.kind] == [network.kind; 2]
            && y.width == network.directions * network.hidden
            && (!network.skips || x.width == network.hidden);
        let mut numbers: Vec<usize> = (0..x.lengths.len()).collect();
        numbers.sort_by_key(|number| std::cmp::Reverse(x.lengths[*number]));
        let is_sorted = numbers.is_sorted();
        if !is_alike || (x.layout == Layout::Packed && !is_sorted) {
            return Err(Status::BAD_PARM);
        }
        let steps = 0..x.lengths.iter().copied().max().unwrap_or(0);
        let sizes = steps.map(|step| x.lengths.iter().filter(|length| **length > step).count());
        let batch = Batch::of(sizes.collect(), numbers, x.layout).ok_or(Status::BAD_PARM)?;
        Ok(Batch {
            input: x.width,
            longest: x.longest,
            ..batch
        })
    }

    fn of(sizes: Vec<usize>, numbers: Vec<usize>, layout: Layout) -> Option<Batch> {
        let descends = sizes.windows(2).all(|two| two[0] >= two[1]);
        let starts = sizes.iter().scan(0, |next, size| {
            let start = *next;
            *next += size;
            Some(start)
        });
        let starts = starts.collect();
        let rows = sizes.iter().sum();
        (descends && !sizes.is_empty()).then_some(Batch {
            longest: sizes.len(),
            sizes,
            starts,
            rows,
            input: 0,
            numbers,
            layout,
        })
    }

    /// Sequences that states have room for.
    pub(super) fn most(&self) -> usize {
        self.numbers.len()
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
            .map(|(time, at)| {
                let row = self.starts[time] + at;
                (row, self.numbers[at], before(time, at))
            })
            .collect()
    }

    /// Where each row lies in the program's memory.
    pub(super) fn places(&self) -> Vec<usize> {
        let steps = self.sizes.iter().enumerate();
        let all = steps.flat_map(|(time, size)| (0..*size).map(move |at| (time, at)));
        all.map(|(time, at)| match self.layout {
            Layout::Packed => self.starts[time] + at,
            Layout::StepMajor => time * self.most() + self.numbers[at],
            Layout::SequenceMajor => self.numbers[at] * self.longest + time,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_knows_what_came_before() {
        let of = |sizes, numbers, layout| Batch::of(sizes, numbers, layout);
        let batch = of(vec![2, 1], vec![0, 1], Layout::StepMajor).unwrap();
        let (start, row) = (Before::Start, Before::Row);
        assert_eq!(
            batch.order(0),
            [(0, 0, start), (1, 1, start), (2, 0, row(0))]
        );
        assert_eq!(
            batch.order(1),
            [(2, 0, start), (0, 0, row(2)), (1, 1, start)]
        );
        assert_eq!(batch.places(), [0, 1, 2]);
        assert!(of(vec![1, 2], vec![0, 1], Layout::Packed).is_none());
        // The second sequence of the program is the longer one.
        let swapped = of(vec![2, 1], vec![1, 0], Layout::SequenceMajor).unwrap();
        assert_eq!(swapped.places(), [2, 0, 3]);
        assert_eq!(
            swapped.order(0),
            [(0, 1, start), (1, 0, start), (2, 1, row(0))]
        );
    }
}
