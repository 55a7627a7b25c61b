//! What a descriptor says, and where the parameters of a network lie.

use std::sync::{Arc, Mutex, PoisonError};

use crate::dnn::dropout::Dropout;
use crate::dnn::tensor::{FLOAT, HALF, describe, size_of_kind, tensor};
use crate::dnn::{Outcome, Status, find, functions, put};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// The cells of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Relu,
    Tanh,
    Lstm,
    Gru,
}

impl Cell {
    fn of(number: i32) -> Outcome<Cell> {
        match number {
            0 => Ok(Cell::Relu),
            1 => Ok(Cell::Tanh),
            2 => Ok(Cell::Lstm),
            3 => Ok(Cell::Gru),
            _ => Err(Status::BAD_PARM),
        }
    }

    /// Matrices for the input, and as many for the hidden state.
    pub(super) fn gates(self) -> usize {
        match self {
            Cell::Relu | Cell::Tanh => 1,
            Cell::Lstm => 4,
            Cell::Gru => 3,
        }
    }

    /// Values of a cell that the forward pass keeps: an LSTM its gates, memory and result; a GRU its gates, what the reset gate weighs,
    /// and its result.
    pub(super) fn kept(self) -> usize {
        match self {
            Cell::Relu | Cell::Tanh => 1,
            Cell::Lstm => 6,
            Cell::Gru => 5,
        }
    }

    /// Values of a cell in the workspace: `workspaceScale` (rnn.cpp).
    pub(super) fn scale(self) -> usize {
        match self {
            Cell::Relu | Cell::Tanh => 1,
            Cell::Lstm => 6,
            Cell::Gru => 4,
        }
    }
}

/// What a descriptor says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Network {
    pub(super) cell: Cell,
    pub(super) hidden: usize,
    pub(super) layers: usize,
    /// 1, or 2 where sequences are read backwards too.
    pub(super) directions: usize,
    pub(super) has_bias: bool,
    /// The first layer has no matrix for its input.
    pub(super) skips: bool,
    pub(super) is_padded: bool,
    pub(super) kind: i32,
    algorithm: i32,
    dropout: usize,
}

static NETWORKS: Handles<Mutex<Option<Network>>> = Handles::new();

impl Network {
    pub(super) fn of(descriptor: Ptr) -> Outcome<Network> {
        let found = find(&NETWORKS, descriptor)?;
        let network = *found.lock().unwrap_or_else(PoisonError::into_inner);
        network.ok_or(Status::BAD_PARM)
    }

    /// What is dropped between layers, where something is.
    pub(super) fn dropout(&self) -> Outcome<Option<Dropout>> {
        if self.dropout == 0 {
            return Ok(None);
        }
        Dropout::of(self.dropout as Ptr).map(|found| Some(found).filter(|found| found.rate != 0.0))
    }

    /// The width of what a layer reads.
    pub(super) fn width(&self, depth: usize, input: usize) -> usize {
        match depth {
            0 if self.skips => 0,
            0 => input,
            _ => self.directions * self.hidden,
        }
    }

    /// Where the matrices of a layer begin.
    fn base(&self, depth: usize, input: usize) -> usize {
        let rows = self.directions * self.cell.gates() * self.hidden;
        (0..depth)
            .map(|depth| rows * (self.width(depth, input) + self.hidden))
            .sum()
    }

    /// Where the matrix of a gate begins and how wide it is: for the input, or for the hidden state from `gates` on. `layer` counts
    /// directions too.
    pub(super) fn matrix(&self, input: usize, layer: usize, gate: usize) -> (usize, usize) {
        let (depth, direction) = (layer / self.directions, layer % self.directions);
        let (gates, width) = (self.cell.gates(), self.width(depth, input));
        let base = self.base(depth, input);
        match gate.checked_sub(gates) {
            None => (
                base + (direction * gates + gate) * self.hidden * width,
                width,
            ),
            Some(gate) => {
                let first = base + self.directions * gates * self.hidden * width;
                let before = (direction * gates + gate) * self.hidden * self.hidden;
                (first + before, self.hidden)
            }
        }
    }

    /// Where the bias of a gate begins: behind all matrices.
    pub(super) fn bias(&self, input: usize, layer: usize, gate: usize) -> usize {
        let (depth, direction) = (layer / self.directions, layer % self.directions);
        let gates = self.cell.gates();
        let all = self.directions * gates * self.hidden;
        let of_hidden = if gate < gates { 0 } else { all };
        self.base(self.layers, input)
            + depth * 2 * all
            + of_hidden
            + (direction * gates + gate % gates) * self.hidden
    }

    /// Elements of all parameters. "In miopenRNNskip mode input_vector size and hidden_size shoud be same."
    pub(super) fn parameters(&self, input: usize) -> Outcome<usize> {
        if self.skips && input != self.hidden {
            return Err(Status::BAD_PARM);
        }
        let all = self.directions * self.cell.gates() * self.hidden;
        let biases = if self.has_bias {
            2 * self.layers * all
        } else {
            0
        };
        Ok(self.base(self.layers, input) + biases)
    }

    pub(super) fn is_lstm(&self) -> bool {
        self.cell == Cell::Lstm
    }

    pub(super) fn size(&self) -> usize {
        size_of_kind(self.kind).unwrap_or(4)
    }

    /// `GetMainSolWorkspaceSize`, for so many rows.
    pub(super) fn workspace(&self, rows: usize) -> usize {
        self.cell.scale() * self.layers * rows * self.hidden * self.size() * self.directions
    }

    /// `GetReserveSize`, for so many rows.
    pub(super) fn reserve(&self, rows: usize) -> Outcome<usize> {
        let one = self.layers * rows * self.hidden * self.size();
        let is_default_lstm = self.algorithm == 0 && self.cell == Cell::Lstm;
        let mut bytes = match is_default_lstm {
            true => self.cell.scale() * one + one,
            false => 2 * self.cell.scale() * one,
        };
        if self.dropout()?.is_some() {
            bytes += (self.layers - 1) * rows * self.hidden * (self.size() + 1);
        }
        Ok(self.directions * bytes)
    }
}

/// The arguments of the functions that set a network.
struct Wanted {
    hidden: i32,
    layers: i32,
    input: i32,
    direction: i32,
    cell: i32,
    bias: i32,
    algorithm: i32,
    kind: i32,
    dropout: Ptr,
}

/// "RNNDescriptor: Bad parameter(s)" (rnn.cpp).
fn set(descriptor: Ptr, wanted: &Wanted) -> Outcome {
    let found = find(&NETWORKS, descriptor)?;
    let count = |count: i32| usize::try_from(count).map_err(|_| Status::BAD_PARM);
    let flag = |number: i32| match number {
        0 | 1 => Ok(number == 1),
        _ => Err(Status::BAD_PARM),
    };
    if ![FLOAT, HALF].contains(&wanted.kind) {
        return Err(Status::BAD_PARM);
    }
    let network = Network {
        cell: Cell::of(wanted.cell)?,
        hidden: count(wanted.hidden)?,
        layers: count(wanted.layers)?,
        directions: if flag(wanted.direction)? { 2 } else { 1 },
        has_bias: flag(wanted.bias)?,
        skips: wanted.input == 1,
        is_padded: false,
        kind: wanted.kind,
        algorithm: wanted.algorithm,
        dropout: wanted.dropout as usize,
    };
    *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(network);
    Ok(())
}

/// The width of an input: x is a batch of vectors.
fn width(x: Ptr) -> Outcome<usize> {
    tensor(x)?.lens.get(1).copied().ok_or(Status::BAD_PARM)
}

/// "Parameter of input layer is null in input skip mode"; else the place of a matrix, and its descriptor.
fn param(descriptor: Ptr, layer: i32, x: Ptr, gate: i32, described: Ptr) -> Outcome<usize> {
    let network = Network::of(descriptor)?;
    let number = |number: i32| usize::try_from(number).map_err(|_| Status::BAD_PARM);
    let (layer, gate, input) = (number(layer)?, number(gate)?, width(x)?);
    if network.skips && layer < network.directions && gate < network.cell.gates() {
        return Err(Status::BAD_PARM);
    }
    let (offset, width) = network.matrix(input, layer, gate);
    describe(described, network.kind, vec![network.hidden, width])?;
    Ok(offset)
}

/// The place of a bias and its descriptor; `None` in a network that has none.
fn bias(descriptor: Ptr, layer: i32, x: Ptr, gate: i32, described: Ptr) -> Outcome<Option<usize>> {
    let network = Network::of(descriptor)?;
    let number = |number: i32| usize::try_from(number).map_err(|_| Status::BAD_PARM);
    let (layer, gate, input) = (number(layer)?, number(gate)?, width(x)?);
    if !network.has_bias {
        return Ok(None);
    }
    describe(described, network.kind, vec![network.hidden])?;
    Ok(Some(network.bias(input, layer, gate)))
}

/// Rows of a batch of sequences: the sizes of its steps together.
fn rows(steps: i32, x: *const Ptr) -> Outcome<usize> {
    let steps = usize::try_from(steps).map_err(|_| Status::BAD_PARM)?;
    let all = raw::list(x, steps).map_err(|_| Status::BAD_PARM)?;
    all.into_iter().map(|x| Ok(tensor(x)?.lens[0])).sum()
}

functions! {
    /// `miopenCreateRNNDescriptor`
    fn miopenCreateRNNDescriptor(to: *mut Ptr) { put(to, NETWORKS.insert(Arc::default())) }
    /// `miopenDestroyRNNDescriptor`
    fn miopenDestroyRNNDescriptor(descriptor: Ptr) {
        NETWORKS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenSetRNNDescriptor`
    fn miopenSetRNNDescriptor(
        descriptor: Ptr, hidden: i32, layers: i32, input: i32, direction: i32, cell: i32, bias: i32, algorithm: i32, kind: i32,
    ) {
        set(descriptor, &Wanted { hidden, layers, input, direction, cell, bias, algorithm, kind, dropout: std::ptr::null_mut() })
    }
    /// `miopenSetRNNDescriptor_V2`
    fn miopenSetRNNDescriptor_V2(
        descriptor: Ptr, hidden: i32, layers: i32, dropout: Ptr, input: i32, direction: i32, cell: i32, bias: i32, algorithm: i32,
        kind: i32,
    ) {
        set(descriptor, &Wanted { hidden, layers, input, direction, cell, bias, algorithm, kind, dropout })
    }
    /// `miopenGetRNNDescriptor`
    fn miopenGetRNNDescriptor(
        descriptor: Ptr, cell: *mut i32, algorithm: *mut i32, input: *mut i32, direction: *mut i32, bias: *mut i32, hidden: *mut i32,
        layers: *mut i32,
    ) {
        let found = Network::of(descriptor)?;
        let all = [
            (cell, found.cell as i32), (algorithm, found.algorithm), (input, i32::from(found.skips)),
            (direction, i32::from(found.directions == 2)), (bias, i32::from(found.has_bias)), (hidden, found.hidden as i32),
            (layers, found.layers as i32),
        ];
        all.into_iter().for_each(|(to, value)| raw::put_if(to, value));
        Ok(())
    }
    /// `miopenGetRNNDescriptor_V2`
    fn miopenGetRNNDescriptor_V2(
        descriptor: Ptr, hidden: *mut i32, layers: *mut i32, dropout: *mut Ptr, input: *mut i32, direction: *mut i32, cell: *mut i32,
        bias: *mut i32, algorithm: *mut i32, kind: *mut i32,
    ) {
        let found = Network::of(descriptor)?;
        raw::put_if(dropout, found.dropout as Ptr);
        raw::put_if(kind, found.kind);
        match miopenGetRNNDescriptor(descriptor, cell, algorithm, input, direction, bias, hidden, layers) {
            0 => Ok(()),
            _ => Err(Status::BAD_PARM),
        }
    }
    /// `miopenSetRNNPaddingMode`
    fn miopenSetRNNPaddingMode(descriptor: Ptr, mode: i32) {
        let found = find(&NETWORKS, descriptor)?;
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        let network = found.as_mut().filter(|_| (0..2).contains(&mode)).ok_or(Status::BAD_PARM)?;
        network.is_padded = mode == 1;
        Ok(())
    }
    /// `miopenGetRNNPaddingMode`
    fn miopenGetRNNPaddingMode(descriptor: Ptr, to: *mut i32) { put(to, i32::from(Network::of(descriptor)?.is_padded)) }
    /// `miopenGetRNNWorkspaceSize`
    fn miopenGetRNNWorkspaceSize(_handle: Ptr, descriptor: Ptr, steps: i32, x: *const Ptr, to: *mut usize) {
        put(to, Network::of(descriptor)?.workspace(rows(steps, x)?))
    }
    /// `miopenGetRNNTrainingReserveSize`
    fn miopenGetRNNTrainingReserveSize(_handle: Ptr, descriptor: Ptr, steps: i32, x: *const Ptr, to: *mut usize) {
        put(to, Network::of(descriptor)?.reserve(rows(steps, x)?)?)
    }
    /// `miopenGetRNNParamsSize`: "Data type mismatch."
    fn miopenGetRNNParamsSize(_handle: Ptr, descriptor: Ptr, x: Ptr, to: *mut usize, kind: i32) {
        let network = Network::of(descriptor)?;
        match tensor(x)?.kind == network.kind && kind == network.kind {
            true => put(to, network.size() * network.parameters(width(x)?)?),
            false => Err(Status::BAD_PARM),
        }
    }
    /// `miopenGetRNNParamsDescriptor`
    fn miopenGetRNNParamsDescriptor(_handle: Ptr, descriptor: Ptr, x: Ptr, w: Ptr, kind: i32) {
        let network = Network::of(descriptor)?;
        if kind != network.kind {
            return Err(Status::BAD_PARM);
        }
        let columns = network.directions * network.hidden * network.cell.gates();
        describe(w, kind, vec![network.parameters(width(x)?)? / columns, columns])
    }
    /// `miopenGetRNNInputTensorSize`
    fn miopenGetRNNInputTensorSize(_handle: Ptr, descriptor: Ptr, steps: i32, x: *const Ptr, to: *mut usize) {
        let network = Network::of(descriptor)?;
        let first = raw::get(x).map_err(|_| Status::BAD_PARM)?;
        let rows = if network.is_padded { steps as usize * tensor(first)?.lens[0] } else { rows(steps, x)? };
        put(to, rows * width(first)? * network.size())
    }
    /// `miopenGetRNNHiddenTensorSize`
    fn miopenGetRNNHiddenTensorSize(_handle: Ptr, descriptor: Ptr, _steps: i32, x: *const Ptr, to: *mut usize) {
        let network = Network::of(descriptor)?;
        let first = raw::get(x).map_err(|_| Status::BAD_PARM)?;
        put(to, tensor(first)?.lens[0] * network.hidden * network.layers * network.directions * network.size())
    }
    /// `miopenGetRNNLayerParamOffset`: in elements.
    fn miopenGetRNNLayerParamOffset(descriptor: Ptr, layer: i32, x: Ptr, gate: i32, described: Ptr, to: *mut usize) {
        let offset = param(descriptor, layer, x, gate, described)?;
        raw::put_if(to, offset);
        Ok(())
    }
    /// `miopenGetRNNLayerBiasOffset`: in elements; nothing is written where there are no biases.
    fn miopenGetRNNLayerBiasOffset(descriptor: Ptr, layer: i32, x: Ptr, gate: i32, described: Ptr, to: *mut usize) {
        if let Some(offset) = bias(descriptor, layer, x, gate, described)? {
            raw::put_if(to, offset);
        }
        Ok(())
    }
    /// `miopenGetRNNLayerParamSize`
    fn miopenGetRNNLayerParamSize(_handle: Ptr, descriptor: Ptr, layer: i32, x: Ptr, gate: i32, to: *mut usize) {
        let network = Network::of(descriptor)?;
        let (_, width) = network.matrix(width(x)?, layer as usize, gate as usize);
        put(to, network.size() * network.hidden * width)
    }
    /// `miopenGetRNNLayerBiasSize`
    fn miopenGetRNNLayerBiasSize(_handle: Ptr, descriptor: Ptr, _layer: i32, _gate: i32, to: *mut usize) {
        let network = Network::of(descriptor)?;
        put(to, network.size() * network.hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(directions: usize, skips: bool) -> Network {
        Network {
            cell: Cell::Lstm,
            hidden: 3,
            layers: 2,
            directions,
            has_bias: true,
            skips,
            is_padded: false,
            kind: FLOAT,
            algorithm: 0,
            dropout: 0,
        }
    }

    /// Each place belongs to one matrix or one bias, and none is left.
    #[test]
    fn parameters_fill_their_room() {
        for (directions, skips, input) in [(1, false, 5), (2, false, 5), (1, true, 3), (2, true, 3)]
        {
            let network = network(directions, skips);
            let count = network.parameters(input).unwrap();
            let mut uses = vec![0; count];
            for layer in 0..2 * directions {
                for gate in 0..8 {
                    let (offset, width) = network.matrix(input, layer, gate);
                    uses[offset..offset + 3 * width]
                        .iter_mut()
                        .for_each(|uses| *uses += 1);
                    let offset = network.bias(input, layer, gate);
                    uses[offset..offset + 3]
                        .iter_mut()
                        .for_each(|uses| *uses += 1);
                }
            }
            assert!(uses.iter().all(|uses| *uses == 1), "{uses:?}");
        }
    }
}
