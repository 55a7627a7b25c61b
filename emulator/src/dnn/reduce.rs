//! Reductions of tensors over some of their directions (reducetensor.cpp).

use std::sync::{Arc, Mutex, PoisonError};

use super::tensor::{DOUBLE, Data, FLOAT, HALF, Tensor, each, tensor};
use super::{Outcome, Status, enqueue, find, functions, put};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// What a descriptor says.
#[derive(Clone, Copy, Debug, Default)]
struct Reduction {
    op: i32,
    compute: i32,
    nan: i32,
    indices: i32,
    index_type: i32,
}

static REDUCTIONS: Handles<Mutex<Reduction>> = Handles::new();

/// `MIOPEN_REDUCE_TENSOR_ADD` … `MIOPEN_REDUCE_TENSOR_NORM2`
const OPS: std::ops::Range<i32> = 0..8;
const MUL: i32 = 1;
const MIN: i32 = 2;
const MAX: i32 = 3;
const AMAX: i32 = 4;
const AVG: i32 = 5;
const NORM2: i32 = 7;
/// Of a page for the descriptors, which every workspace has (reducetensor.cpp: `GetWorkspaceSize`).
const PAGE: usize = 4096;

impl Reduction {
    fn of(descriptor: Ptr) -> Outcome<Reduction> {
        let found = find(&REDUCTIONS, descriptor)?;
        let reduction = *found.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(reduction)
    }

    fn wants_indices(&self) -> bool {
        self.indices == 1 && (MIN..=AMAX).contains(&self.op)
    }

    /// Bytes of indices: 32 bits for each element of the result.
    fn index_bytes(&self, c: &Tensor) -> usize {
        if self.wants_indices() {
            4 * c.elements()
        } else {
            0
        }
    }

    /// Whether `new` takes the place of `old`; a number that is none does where the descriptor says so.
    fn wins(&self, new: f64, old: f64) -> bool {
        if new.is_nan() {
            return self.nan == 1 && !old.is_nan();
        }
        match self.op {
            MIN => new < old,
            MAX => new > old,
            _ => new.abs() > old,
        }
    }

    /// The result for some values, and the number of the one that it is.
    fn reduce(&self, values: &[f64]) -> (f64, usize) {
        let sum = |f: fn(f64) -> f64| values.iter().map(|value| f(*value)).sum::<f64>();
        match self.op {
            MUL => (values.iter().product(), 0),
            MIN | MAX | AMAX => self.extreme(values),
            AVG => (sum(|value| value) / values.len() as f64, 0),
            NORM2 => (sum(|value| value * value).sqrt(), 0),
            0 => (sum(|value| value), 0),
            _ => (sum(f64::abs), 0),
        }
    }

    fn extreme(&self, values: &[f64]) -> (f64, usize) {
        let start = match self.op {
            MIN => f64::INFINITY,
            MAX => f64::NEG_INFINITY,
            _ => -1.0,
        };
        let best = values
            .iter()
            .enumerate()
            .fold((start, 0), |best, (at, value)| {
                if self.wins(*value, best.0) {
                    (if self.op == AMAX { value.abs() } else { *value }, at)
                } else {
                    best
                }
            });
        if best.0 == -1.0 && self.op == AMAX {
            (0.0, 0)
        } else {
            best
        }
    }
}

/// In each direction the result has one element or as many as the operand, and in one of them it is reduced: "Invalid TensorDescriptor,
/// at least one dimension of the input tensor should be reduced".
fn fits(a: &Tensor, c: &Tensor) -> Outcome {
    let pairs = || a.lens.iter().zip(&c.lens);
    // "at most number of dimensions of 6 is supported"
    let is_small = a.lens.len() == c.lens.len() && a.lens.len() <= 6;
    match is_small && pairs().all(|(a, c)| *c == 1 || a == c) && c.lens.contains(&1) {
        true => Ok(()),
        false => Err(Status::UNKNOWN),
    }
}

/// A scaling, double for tensors of double and float for others; either is used as float.
fn scaling(a: &Tensor, from: Ptr) -> Outcome<f64> {
    let value = match a.kind {
        DOUBLE => raw::get(from.cast::<f64>()).map(|value| value as f32),
        _ => raw::get(from.cast::<f32>()),
    };
    value.map(f64::from).map_err(|_| Status::BAD_PARM)
}

functions! {
    /// `miopenCreateReduceTensorDescriptor`
    fn miopenCreateReduceTensorDescriptor(to: *mut Ptr) { put(to, REDUCTIONS.insert(Arc::default())) }
    /// `miopenDestroyReduceTensorDescriptor`
    fn miopenDestroyReduceTensorDescriptor(descriptor: Ptr) {
        REDUCTIONS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenSetReduceTensorDescriptor`: "Only int32 type is supported for ReduceTensor indices".
    fn miopenSetReduceTensorDescriptor(descriptor: Ptr, op: i32, compute: i32, nan: i32, indices: i32, index_type: i32) {
        let found = find(&REDUCTIONS, descriptor)?;
        if indices == 1 && index_type != 0 || !OPS.contains(&op) {
            return Err(Status::UNKNOWN);
        }
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Reduction { op, compute, nan, indices, index_type };
        Ok(())
    }
    /// `miopenGetReduceTensorDescriptor`
    fn miopenGetReduceTensorDescriptor(
        descriptor: Ptr, op: *mut i32, compute: *mut i32, nan: *mut i32, indices: *mut i32, index_type: *mut i32,
    ) {
        let found = Reduction::of(descriptor)?;
        let all = [found.op, found.compute, found.nan, found.indices, found.index_type];
        [op, compute, nan, indices, index_type].into_iter().zip(all).try_for_each(|(to, value)| put(to, value))
    }
    /// `miopenGetReductionIndicesSize`
    fn miopenGetReductionIndicesSize(_handle: Ptr, descriptor: Ptr, aDesc: Ptr, cDesc: Ptr, to: *mut usize) {
        let (a, c) = (tensor(aDesc)?, tensor(cDesc)?);
        fits(&a, &c)?;
        put(to, Reduction::of(descriptor)?.index_bytes(&c))
    }
    /// `miopenGetReductionWorkspaceSize`
    fn miopenGetReductionWorkspaceSize(_handle: Ptr, descriptor: Ptr, aDesc: Ptr, cDesc: Ptr, to: *mut usize) {
        let (a, c) = (tensor(aDesc)?, tensor(cDesc)?);
        fits(&a, &c)?;
        put(to, PAGE + Reduction::of(descriptor)?.index_bytes(&c))
    }
    /// `miopenReduceTensor`: "The workspace size allocated is not enough!", "The indices size allocated is not enough!"
    fn miopenReduceTensor(
        handle: Ptr, descriptor: Ptr, indices: Ptr, index_bytes: usize, _space: Ptr, bytes: usize, alpha: Ptr, aDesc: Ptr, a: Ptr,
        beta: Ptr, cDesc: Ptr, c: Ptr,
    ) {
        let reduction = Reduction::of(descriptor)?;
        let (a, c) = (Data::new(aDesc, a)?, Data::new(cDesc, c)?);
        fits(&a.tensor, &c.tensor)?;
        let needs = reduction.index_bytes(&c.tensor);
        if bytes < PAGE + needs || index_bytes < needs || ![HALF, FLOAT, DOUBLE].contains(&reduction.compute) {
            return Err(Status::UNKNOWN);
        }
        let (alpha, beta) = (scaling(&a.tensor, alpha)?, scaling(&a.tensor, beta)?);
        let indices = if needs > 0 { indices as usize } else { 0 };
        enqueue(handle, move || {
            let within: Vec<usize> = a.tensor.lens.iter().zip(&c.tensor.lens).map(|(a, c)| a / c).collect();
            let mut number = 0;
            c.each(|to| {
                let mut values = Vec::with_capacity(within.iter().product());
                each(&within, |from| {
                    let place: Vec<usize> = to.iter().zip(from).map(|(to, from)| to + from).collect();
                    values.push(a.get(&place));
                });
                let (value, index) = reduction.reduce(&values);
                c.blend(to, alpha, value, beta);
                if indices != 0 {
                    raw::store(indices + 4 * number, index as u32);
                }
                number += 1;
            });
        })
    }
}
