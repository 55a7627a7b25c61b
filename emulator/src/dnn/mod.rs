//! MIOpen as far as programs train small networks with it, computed on the host in double and rounded once. What real MIOpen refuses is
//! refused here too, with the status that it gives; the source file of MIOpen 6.2 that says so stands beside each limit.
//!
//! Tensors hold float or half; sums, products, reductions and the like of tensors also double. Everything else is
//! `miopenStatusNotImplemented`. A function that is not here is not found by the linker, which names it.
//!
//! | file | what it holds |
//! |---|---|
//! | `handle` | handles, streams, versions, texts of errors |
//! | `tensor` | descriptors, elements in memory |
//! | `elementwise` | operations on elements of tensors, activations |
//! | `convolution`, `pooling`, `softmax`, `norm`, `dropout` | the layers |
//! | `reduce` | reductions of tensors |
//! | `rnn` | recurrent networks |

#![allow(non_snake_case, reason = "the names are MIOpen's")]

pub mod convolution;
pub mod dropout;
pub mod elementwise;
pub mod handle;
pub mod norm;
pub mod pooling;
pub mod reduce;
pub mod rnn;
pub mod softmax;
pub mod tensor;

use std::sync::Arc;

use crate::host::functions;
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};
use crate::host::{stream, work::Work};

/// A status of MIOpen that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status(i32);

impl Status {
    const BAD_PARM: Status = Status(3);
    const NOT_IMPLEMENTED: Status = Status(6);
    /// What `MIOPEN_THROW` without a status gives (errors.hpp).
    const UNKNOWN: Status = Status(7);
}

type Outcome<T = ()> = Result<T, Status>;

/// The object of a handle.
fn find<T>(all: &Handles<T>, handle: Ptr) -> Outcome<Arc<T>> {
    all.get(handle).map_err(|_| Status::BAD_PARM)
}

fn put<T>(to: *mut T, value: T) -> Outcome {
    raw::put(to, value).map_err(|_| Status::BAD_PARM)
}

/// A list that the program passes.
fn list(from: *const i32, count: i32) -> Outcome<Vec<usize>> {
    let count = usize::try_from(count).map_err(|_| Status::BAD_PARM)?;
    let all = raw::list(from, count).map_err(|_| Status::BAD_PARM)?;
    let sizes = all.into_iter().map(usize::try_from);
    sizes
        .collect::<Result<_, _>>()
        .map_err(|_| Status::BAD_PARM)
}

/// A scaling: MIOpen reads all of them as float (tensorocl.cpp).
fn scaling(from: *const f32) -> Outcome<f64> {
    raw::get(from).map(f64::from).map_err(|_| Status::BAD_PARM)
}

/// Refuses scalings that are not 1 and 0, with a status.
fn plain(alpha: *const f32, beta: *const f32, otherwise: Status) -> Outcome {
    match scaling(alpha)? == 1.0 && scaling(beta)? == 0.0 {
        true => Ok(()),
        false => Err(otherwise),
    }
}

/// Gives work to the stream of a handle.
fn enqueue(handle: Ptr, work: impl Fn() + Send + Sync + 'static) -> Outcome {
    let stream = handle::of(handle)?.stream();
    stream::give(stream as Ptr, Work::Call(Arc::new(work)), false).map_err(|_| Status::UNKNOWN)
}

#[cfg(test)]
mod tests;
