//! The forward pass.

use super::network::{Cell, Network};
use super::sequence::{Batch, Before};

/// What both passes read.
pub(super) struct Pass<'a> {
    pub(super) network: Network,
    pub(super) batch: &'a Batch,
    /// All parameters.
    pub(super) weights: &'a [f64],
    /// The first hidden states and memories, layer after layer, where the program gives them.
    pub(super) hx: Option<&'a [f64]>,
    pub(super) cx: Option<&'a [f64]>,
    /// What stays between layers, by what factor, where something is dropped: one mask for all layers, since MIOpen starts each from the
    /// same states.
    pub(super) mask: Option<(&'a [bool], f64)>,
}

/// What a forward pass gives.
pub(super) struct Result {
    pub(super) kept: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) hy: Vec<f64>,
    pub(super) cy: Vec<f64>,
}

/// What stands in front of a row: the hidden state and the memory.
pub(super) struct Previous {
    pub(super) hidden: Vec<f64>,
    pub(super) memory: Vec<f64>,
    /// There is no hidden state, so the biases of the recurrence are left out.
    pub(super) is_none: bool,
}

pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Pass<'_> {
    /// Where the kept values of a row begin, in `count` blocks of the hidden size.
    pub(super) fn block(&self, layer: usize, row: usize, count: usize) -> usize {
        (layer * self.batch.rows + row) * count * self.network.hidden
    }

    /// The part of a state that belongs to a sequence of a layer.
    pub(super) fn of_state(&self, layer: usize, sequence: usize) -> std::ops::Range<usize> {
        let first = (layer * self.batch.most() + sequence) * self.network.hidden;
        first..first + self.network.hidden
    }

    /// The result of a cell among what is kept: its last block.
    pub(super) fn hidden(&self, layer: usize, row: usize) -> std::ops::Range<usize> {
        let count = self.network.cell.kept();
        let first = self.block(layer, row, count) + (count - 1) * self.network.hidden;
        first..first + self.network.hidden
    }

    pub(super) fn previous(
        &self,
        kept: &[f64],
        layer: usize,
        sequence: usize,
        before: Before,
    ) -> Previous {
        let none = || vec![0.0; self.network.hidden];
        let state = |state: Option<&[f64]>| {
            state.map_or_else(none, |all| all[self.of_state(layer, sequence)].to_vec())
        };
        match before {
            Before::Start => Previous {
                hidden: state(self.hx),
                memory: state(self.cx),
                is_none: self.hx.is_none(),
            },
            Before::Row(row) => {
                let hidden = self.hidden(layer, row);
                let memory = hidden.start.saturating_sub(self.network.hidden)..hidden.start;
                Previous {
                    memory: if self.network.cell == Cell::Lstm {
                        kept[memory].to_vec()
                    } else {
                        none()
                    },
                    hidden: kept[hidden].to_vec(),
                    is_none: false,
                }
            }
        }
    }

    /// What a layer reads: x, or the results of the layer below.
    pub(super) fn input(&self, depth: usize, row: usize, x: &[f64], kept: &[f64]) -> Vec<f64> {
        let (network, width) = (&self.network, self.batch.input);
        if depth == 0 {
            return x[row * width..(row + 1) * width].to_vec();
        }
        let below = (0..network.directions)
            .flat_map(|direction| self.hidden((depth - 1) * network.directions + direction, row));
        let values = below.map(|at| kept[at]);
        let Some((mask, scale)) = self.mask else {
            return values.collect();
        };
        let first = row * network.directions * network.hidden;
        let stays = mask[first..].iter();
        values
            .zip(stays)
            .map(|(value, stays)| if *stays { value * scale } else { 0.0 })
            .collect()
    }

    /// The sums of a gate for the input and for the hidden state.
    fn sums(
        &self,
        layer: usize,
        gate: usize,
        input: &[f64],
        previous: &Previous,
    ) -> (Vec<f64>, Vec<f64>) {
        let network = &self.network;
        let product = |gate: usize, with: &[f64], has_bias: bool| -> Vec<f64> {
            let (offset, width) = network.matrix(self.batch.input, layer, gate);
            let bias = network.bias(self.batch.input, layer, gate);
            (0..network.hidden)
                .map(|at| {
                    let row = &self.weights[offset + at * width..offset + (at + 1) * width];
                    let sum: f64 = row.iter().zip(with).map(|(w, value)| w * value).sum();
                    let as_it_is = if width == 0 { with[at] } else { 0.0 };
                    sum + as_it_is
                        + if has_bias {
                            self.weights[bias + at]
                        } else {
                            0.0
                        }
                })
                .collect()
        };
        let of_input = product(gate, input, network.has_bias);
        let has_bias = network.has_bias && !previous.is_none;
        let of_hidden = product(network.cell.gates() + gate, &previous.hidden, has_bias);
        (of_input, of_hidden)
    }

    /// The values of a cell that are kept.
    fn cell(&self, layer: usize, input: &[f64], previous: &Previous) -> Vec<f64> {
        let (network, hidden) = (&self.network, self.network.hidden);
        let sums: Vec<_> = (0..network.cell.gates())
            .map(|gate| self.sums(layer, gate, input, previous))
            .collect();
        let both = |gate: usize, at: usize| sums[gate].0[at] + sums[gate].1[at];
        let mut kept = vec![0.0; network.cell.kept() * hidden];
        for at in 0..hidden {
            let values: Vec<f64> = match network.cell {
                Cell::Relu => vec![both(0, at).max(0.0)],
                Cell::Tanh => vec![both(0, at).tanh()],
                Cell::Lstm => {
                    let [i, f, o] = [0, 1, 2].map(|gate| sigmoid(both(gate, at)));
                    let g = both(3, at).tanh();
                    let memory = f * previous.memory[at] + i * g;
                    vec![i, f, o, g, memory, o * memory.tanh()]
                }
                Cell::Gru => {
                    let [z, r] = [0, 1].map(|gate| sigmoid(both(gate, at)));
                    let weighed = sums[2].1[at];
                    let n = (sums[2].0[at] + r * weighed).tanh();
                    vec![z, r, n, weighed, (1.0 - z) * n + z * previous.hidden[at]]
                }
            };
            values
                .into_iter()
                .enumerate()
                .for_each(|(block, value)| kept[block * hidden + at] = value);
        }
        kept
    }

    pub(super) fn forward(&self, x: &[f64]) -> Result {
        let (network, hidden) = (&self.network, self.network.hidden);
        let layers = network.layers * network.directions;
        let count = network.cell.kept();
        let mut kept = vec![0.0; layers * self.batch.rows * count * hidden];
        let states = layers * self.batch.most() * hidden;
        let (mut hy, mut cy) = (vec![0.0; states], vec![0.0; states]);
        for layer in 0..layers {
            for (row, sequence, before) in self.batch.order(layer % network.directions) {
                let previous = self.previous(&kept, layer, sequence, before);
                let input = self.input(layer / network.directions, row, x, &kept);
                let values = self.cell(layer, &input, &previous);
                let first = self.block(layer, row, count);
                let state = self.of_state(layer, sequence);
                hy[state.clone()].copy_from_slice(&values[(count - 1) * hidden..]);
                if network.cell == Cell::Lstm {
                    cy[state].copy_from_slice(&values[4 * hidden..5 * hidden]);
                }
                kept[first..first + count * hidden].copy_from_slice(&values);
            }
        }
        let last = (network.layers - 1) * network.directions;
        let y = (0..self.batch.rows)
            .flat_map(|row| (last..layers).map(move |layer| (layer, row)))
            .flat_map(|(layer, row)| kept[self.hidden(layer, row)].to_vec())
            .collect();
        Result { kept, y, hy, cy }
    }
}
