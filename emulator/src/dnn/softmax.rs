//! Softmax over the channels of each place, or over all of each image.

use super::tensor::{Data, each};
use super::{Outcome, Status, enqueue, functions, scaling};
use crate::host::raw::Ptr;

/// `MIOPEN_SOFTMAX_LOG`, `MIOPEN_SOFTMAX_MODE_INSTANCE`
const LOG: i32 = 2;
const INSTANCE: i32 = 0;

/// The groups of places that are normalised together.
fn groups(lens: &[usize], mode: i32) -> Vec<Vec<Vec<usize>>> {
    let mut groups = std::collections::BTreeMap::<Vec<usize>, Vec<Vec<usize>>>::new();
    each(lens, |at| {
        let mut key = at.to_vec();
        if mode == INSTANCE {
            key.truncate(1);
        } else {
            key[1] = 0;
        }
        groups.entry(key).or_default().push(at.to_vec());
    });
    groups.into_values().collect()
}

/// A tensor as the kernels read it: packed ones as NCHW, of others the last direction as without gaps (MIOpenSoftmax.cl).
fn read(mut data: Data) -> Data {
    let tensor = data.tensor.clone();
    data.tensor = if tensor.is_gapless() {
        tensor.into_packed()
    } else {
        tensor.into_images(false)
    };
    data
}

/// Tensors of four directions of one shape.
fn check(one: &Data, other: &Data, algorithm: i32, mode: i32) -> Outcome {
    let is_known = (0..3).contains(&algorithm) && (0..2).contains(&mode);
    match is_known && one.tensor.lens.len() == 4 && one.tensor.lens == other.tensor.lens {
        true => Ok(()),
        false => Err(Status::BAD_PARM),
    }
}

functions! {
    /// `miopenSoftmaxForward_V2`
    fn miopenSoftmaxForward_V2(
        handle: Ptr, alpha: *const f32, xDesc: Ptr, x: Ptr, beta: *const f32, yDesc: Ptr, y: Ptr, algorithm: i32, mode: i32,
    ) {
        let (alpha, beta) = (scaling(alpha)?, scaling(beta)?);
        let (x, y) = (read(Data::of_layer(xDesc, x)?), read(Data::of_layer(yDesc, y)?));
        check(&x, &y, algorithm, mode)?;
        enqueue(handle, move || {
            for group in groups(&x.tensor.lens, mode) {
                let most = group.iter().map(|at| x.get(at)).fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = group.iter().map(|at| (x.get(at) - most).exp()).sum();
                for at in &group {
                    let shifted = x.get(at) - most;
                    let value = if algorithm == LOG { shifted - sum.ln() } else { shifted.exp() / sum };
                    y.blend(at, alpha, value, beta);
                }
            }
        })
    }
    /// `miopenSoftmaxBackward_V2`
    fn miopenSoftmaxBackward_V2(
        handle: Ptr, alpha: *const f32, yDesc: Ptr, y: Ptr, dyDesc: Ptr, dy: Ptr, beta: *const f32, dxDesc: Ptr, dx: Ptr,
        algorithm: i32, mode: i32,
    ) {
        let (alpha, beta) = (scaling(alpha)?, scaling(beta)?);
        let [y, dy, dx] = [Data::of_layer(yDesc, y)?, Data::of_layer(dyDesc, dy)?, Data::of_layer(dxDesc, dx)?];
        check(&y, &dy, algorithm, mode)?;
        check(&y, &dx, algorithm, mode)?;
        enqueue(handle, move || {
            for group in groups(&y.tensor.lens, mode) {
                let weighs = |at: &Vec<usize>| if algorithm == LOG { dy.get(at) } else { dy.get(at) * y.get(at) };
                let sum: f64 = group.iter().map(weighs).sum();
                for at in &group {
                    let value = match algorithm {
                        LOG => dy.get(at) - sum * y.get(at).exp(),
                        _ => y.get(at) * (dy.get(at) - sum),
                    };
                    dx.blend(at, alpha, value, beta);
                }
            }
        })
    }
}
