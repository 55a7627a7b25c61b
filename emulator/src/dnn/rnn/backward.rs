//! The gradients: of the data first, which leaves those of the sums of each cell, and of the parameters from these.

use super::forward::{Pass, Previous};
use super::network::Cell;

/// What comes from above and from later.
pub(super) struct Given<'a> {
    pub(super) dy: &'a [f64],
    pub(super) dhy: Option<&'a [f64]>,
    pub(super) dcy: Option<&'a [f64]>,
}

/// Gradients of the data, and of the sums.
pub(super) struct Gradients {
    pub(super) sums: Vec<f64>,
    pub(super) dx: Vec<f64>,
    pub(super) dhx: Vec<f64>,
    pub(super) dcx: Vec<f64>,
}

/// Gradients of one cell's sums for the input, of what the hidden state adds to them, of the hidden state itself and of the memory.
struct OfCell {
    input: Vec<f64>,
    hidden: Vec<f64>,
    direct: f64,
    memory: f64,
}

/// The gradients of a cell's place: `values` are its kept ones, `dh` and `dc` those of its result and memory.
fn of_cell(cell: Cell, values: &[f64], (hidden, memory): (f64, f64), dh: f64, dc: f64) -> OfCell {
    let of_sigmoid = |gate: f64| gate * (1.0 - gate);
    let same = |sums: Vec<f64>, direct, memory| OfCell {
        hidden: sums.clone(),
        input: sums,
        direct,
        memory,
    };
    match (cell, values) {
        (Cell::Lstm, &[i, f, o, g, c, _]) => {
            let dc = dc + dh * o * (1.0 - c.tanh().powi(2));
            let sums = vec![
                dc * g * of_sigmoid(i),
                dc * memory * of_sigmoid(f),
                dh * c.tanh() * of_sigmoid(o),
                dc * i * (1.0 - g * g),
            ];
            same(sums, 0.0, dc * f)
        }
        (Cell::Gru, &[z, r, n, weighed, _]) => {
            let dn = dh * (1.0 - z) * (1.0 - n * n);
            let dz = dh * (hidden - n) * of_sigmoid(z);
            let dr = dn * weighed * of_sigmoid(r);
            OfCell {
                input: vec![dz, dr, dn],
                hidden: vec![dz, dr, dn * r],
                direct: dh * z,
                memory: 0.0,
            }
        }
        (Cell::Relu, &[h]) => same(vec![if h > 0.0 { dh } else { 0.0 }], 0.0, 0.0),
        (_, _) => same(vec![dh * (1.0 - values[0] * values[0])], 0.0, 0.0),
    }
}

impl Pass<'_> {
    /// Blocks of a cell in the workspace: the sums' gradients, and a GRU's for what the reset gate weighs.
    fn block_of_sum(
        &self,
        layer: usize,
        row: usize,
        gate: usize,
        of_hidden: bool,
    ) -> std::ops::Range<usize> {
        let network = &self.network;
        let block = if network.cell == Cell::Gru && gate == 2 && of_hidden {
            3
        } else {
            gate
        };
        let first = self.block(layer, row, network.cell.scale()) + block * network.hidden;
        first..first + network.hidden
    }

    /// Adds to `to` what a gate's matrix makes of the gradients of its sums.
    fn back(&self, layer: usize, gate: usize, sums: &[f64], to: &mut [f64]) {
        let (offset, width) = self.network.matrix(self.batch.input, layer, gate);
        if width == 0 {
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum);
        }
        for (at, sum) in sums.iter().enumerate() {
            let row = &self.weights[offset + at * width..offset + (at + 1) * width];
            to.iter_mut().zip(row).for_each(|(to, w)| *to += w * sum);
        }
    }

    /// One row of a layer: writes the gradients of its sums, and takes those of the state on to the row before.
    fn row(
        &self,
        kept: &[f64],
        at: (usize, usize),
        previous: &Previous,
        dh: &[f64],
        dc: &mut [f64],
        sums: &mut [f64],
    ) -> Vec<f64> {
        let ((layer, row), network, hidden) = (at, &self.network, self.network.hidden);
        let count = network.cell.kept();
        let first = self.block(layer, row, count);
        let mut carry = vec![0.0; hidden];
        for at in 0..hidden {
            let values: Vec<f64> = (0..count)
                .map(|block| kept[first + block * hidden + at])
                .collect();
            let before = (previous.hidden[at], previous.memory[at]);
            let found = of_cell(network.cell, &values, before, dh[at], dc[at]);
            carry[at] = found.direct;
            dc[at] = found.memory;
            for gate in 0..network.cell.gates() {
                sums[self.block_of_sum(layer, row, gate, false)][at] = found.input[gate];
                sums[self.block_of_sum(layer, row, gate, true)][at] = found.hidden[gate];
            }
        }
        for gate in 0..network.cell.gates() {
            let of_hidden = sums[self.block_of_sum(layer, row, gate, true)].to_vec();
            self.back(layer, network.cell.gates() + gate, &of_hidden, &mut carry);
        }
        carry
    }

    /// The gradients that a layer gives to what it read.
    fn given_to_input(&self, depth: usize, row: usize, sums: &[f64]) -> Vec<f64> {
        let network = &self.network;
        let width = if depth == 0 {
            self.batch.input
        } else {
            network.directions * network.hidden
        };
        let mut to = vec![0.0; width];
        for layer in depth * network.directions..(depth + 1) * network.directions {
            for gate in 0..network.cell.gates() {
                self.back(
                    layer,
                    gate,
                    &sums[self.block_of_sum(layer, row, gate, false)],
                    &mut to,
                );
            }
        }
        if let Some((mask, scale)) = self.mask.filter(|_| depth > 0) {
            let stays = &mask[row * width..];
            to.iter_mut()
                .zip(stays)
                .for_each(|(to, stays)| *to *= if *stays { scale } else { 0.0 });
        }
        to
    }

    pub(super) fn backward(&self, kept: &[f64], given: &Given) -> Gradients {
        let (network, hidden) = (&self.network, self.network.hidden);
        let layers = network.layers * network.directions;
        let mut sums = vec![0.0; layers * self.batch.rows * network.cell.scale() * hidden];
        let states = layers * self.batch.most() * hidden;
        let state =
            |given: Option<&[f64]>| given.map_or_else(|| vec![0.0; states], <[f64]>::to_vec);
        let (mut dhx, mut dcx) = (state(given.dhy), state(given.dcy));
        let wide = network.directions * hidden;
        let mut above = given.dy.to_vec();
        for depth in (0..network.layers).rev() {
            for direction in 0..network.directions {
                let layer = depth * network.directions + direction;
                for (row, sequence, before) in self.batch.order(direction).into_iter().rev() {
                    let previous = self.previous(kept, layer, sequence, before);
                    let place = self.of_state(layer, sequence);
                    let from = &above[row * wide + direction * hidden..];
                    let dh: Vec<f64> = dhx[place.clone()]
                        .iter()
                        .zip(from)
                        .map(|(later, above)| later + above)
                        .collect();
                    let carry = self.row(
                        kept,
                        (layer, row),
                        &previous,
                        &dh,
                        &mut dcx[place.clone()],
                        &mut sums,
                    );
                    dhx[place].copy_from_slice(&carry);
                }
            }
            above = (0..self.batch.rows)
                .flat_map(|row| self.given_to_input(depth, row, &sums))
                .collect();
        }
        Gradients {
            sums,
            dx: above,
            dhx,
            dcx,
        }
    }

    /// Gradients of the parameters.
    pub(super) fn weights(&self, x: &[f64], kept: &[f64], sums: &[f64], count: usize) -> Vec<f64> {
        let mut to = vec![0.0; count];
        for layer in 0..self.network.layers * self.network.directions {
            for (row, sequence, before) in self.batch.order(layer % self.network.directions) {
                let previous = self.previous(kept, layer, sequence, before);
                let input = self.input(layer / self.network.directions, row, x, kept);
                for gate in 0..self.network.cell.gates() {
                    let of_input = &sums[self.block_of_sum(layer, row, gate, false)];
                    self.outer(layer, gate, of_input, &input, true, &mut to);
                    let of_hidden = &sums[self.block_of_sum(layer, row, gate, true)];
                    let gate = self.network.cell.gates() + gate;
                    self.outer(
                        layer,
                        gate,
                        of_hidden,
                        &previous.hidden,
                        !previous.is_none,
                        &mut to,
                    );
                }
            }
        }
        to
    }

    /// Adds the products of sums' gradients and values to a matrix, and the gradients to its bias.
    fn outer(
        &self,
        layer: usize,
        gate: usize,
        sums: &[f64],
        values: &[f64],
        with_bias: bool,
        to: &mut [f64],
    ) {
        let (offset, width) = self.network.matrix(self.batch.input, layer, gate);
        let bias = self.network.bias(self.batch.input, layer, gate);
        for (at, sum) in sums.iter().enumerate() {
            let row = &mut to[offset + at * width..offset + (at + 1) * width];
            row.iter_mut()
                .zip(values)
                .for_each(|(to, value)| *to += sum * value);
            if self.network.has_bias && with_bias {
                to[bias + at] += sum;
            }
        }
    }
}
