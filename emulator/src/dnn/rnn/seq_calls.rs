//! The functions that compute, on batches of sequences with one descriptor (rnn.cpp).

use super::calls::{Backward, Forward, Job, backward, forward, states, weights};
use super::network::Network;
use super::seq_tensor::{Sequences, room};
use super::sequence::Batch;
use crate::dnn::tensor::Flat;
use crate::dnn::{Outcome, Status, enqueue, functions};
use crate::host::raw::Ptr;

/// `miopenRNNTraining`
const TRAINING: i32 = 0;

/// Sizes that the program gives: of the parameters, the workspace, the reserve.
struct Given {
    weights: usize,
    workspace: usize,
    reserve: usize,
}

/// "Reservespace is required" (for inference too), "Workspace is required", "WeightSpace is too small".
fn job(
    descriptor: Ptr,
    (x, y): (&Sequences, &Sequences),
    memory: [Ptr; 3],
    is_training: bool,
    given: &Given,
) -> Outcome<Job> {
    let network = Network::of(descriptor)?;
    let needed = room(&network, x, is_training)?;
    let batch = Batch::of_sequences(&network, x, y)?;
    let parameters = network.size() * network.parameters(batch.input)?;
    let is_short = given.reserve < needed.reserve
        || given.workspace < needed.workspace
        || given.weights < parameters;
    match is_short {
        true => Err(Status::UNKNOWN),
        false => Job::of(network, batch, memory),
    }
}

/// Clears what a result has room for beside its sequences.
fn clear(handle: Ptr, of: Sequences, to: Ptr) -> Outcome {
    let to = Flat::new(of.kind, to)?;
    enqueue(handle, move || of.clear(to))
}

functions! {
    /// `miopenRNNForward`
    fn miopenRNNForward(
        handle: Ptr, descriptor: Ptr, mode: i32, xDesc: Ptr, x: Ptr, hDesc: Ptr, hx: Ptr, hy: Ptr, cDesc: Ptr, cx: Ptr, cy: Ptr,
        yDesc: Ptr, y: Ptr, w: Ptr, weights: usize, _space: Ptr, workspace: usize, reserved: Ptr, reserve: usize,
    ) {
        let of = (Sequences::of(xDesc)?, Sequences::of(yDesc)?);
        let is_training = mode == TRAINING;
        let job = job(descriptor, (&of.0, &of.1), [w, hx, cx], is_training, &Given { weights, workspace, reserve })?;
        states(&job, hDesc, &[cDesc])?;
        clear(handle, of.1, y)?;
        let to = Forward { x, y, hy, cy };
        match is_training {
            true => forward(handle, job, &to, Some(reserved)),
            false => forward(handle, job.whole(), &to, None),
        }
    }
    /// `miopenRNNBackwardSeqData`
    fn miopenRNNBackwardSeqData(
        handle: Ptr, descriptor: Ptr, yDesc: Ptr, _y: Ptr, dy: Ptr, hDesc: Ptr, hx: Ptr, dhy: Ptr, dhx: Ptr, cDesc: Ptr, cx: Ptr,
        dcy: Ptr, dcx: Ptr, xDesc: Ptr, dx: Ptr, w: Ptr, weights: usize, space: Ptr, workspace: usize, reserved: Ptr, reserve: usize,
    ) {
        let of = (Sequences::of(xDesc)?, Sequences::of(yDesc)?);
        let job = job(descriptor, (&of.0, &of.1), [w, hx, cx], true, &Given { weights, workspace, reserve })?;
        states(&job, hDesc, &[cDesc])?;
        clear(handle, of.0, dx)?;
        backward(handle, job, &Backward { dy, dhy, dcy, dx, dhx, dcx }, space, reserved)
    }
    /// `miopenRNNBackwardWeightsSeqTensor`: overwrites dw.
    fn miopenRNNBackwardWeightsSeqTensor(
        handle: Ptr, descriptor: Ptr, xDesc: Ptr, x: Ptr, hDesc: Ptr, hx: Ptr, yDesc: Ptr, _y: Ptr, dw: Ptr, size: usize, space: Ptr,
        workspace: usize, reserved: Ptr, reserve: usize,
    ) {
        let of = (Sequences::of(xDesc)?, Sequences::of(yDesc)?);
        let none = std::ptr::null_mut();
        let given = Given { weights: size, workspace, reserve };
        let job = job(descriptor, (&of.0, &of.1), [none, hx, none], true, &given)?;
        states(&job, hDesc, &[])?;
        weights(handle, job, x, dw, [space, reserved])
    }
}
