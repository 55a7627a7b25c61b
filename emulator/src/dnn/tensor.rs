//! Descriptors of tensors, and their elements in memory.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Outcome, Status, find, functions, list, put};
use crate::device::float::{f16_bits, f16_value};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// `miopenHalf`, `miopenFloat`, `miopenDouble`
pub(super) const HALF: i32 = 0;
pub(super) const FLOAT: i32 = 1;
pub(super) const DOUBLE: i32 = 6;
/// Layouts with the channels last: `miopenTensorNHWC`, `miopenTensorNDHWC`; and the plain ones.
const CHANNELS_LAST: [i32; 2] = [1, 8];
const PLAIN: [i32; 2] = [0, 7];
/// No tensor of MIOpen's operations has more directions (tensorocl.cpp).
pub(super) const DIRECTIONS: usize = 5;

/// What a descriptor says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tensor {
    pub(super) kind: i32,
    pub(super) lens: Vec<usize>,
    pub(super) strides: Vec<usize>,
}

static TENSORS: Handles<Mutex<Tensor>> = Handles::new();

impl Tensor {
    fn new(kind: i32, lens: Vec<usize>, strides: Vec<usize>) -> Outcome<Tensor> {
        let sizes = lens.iter().chain(&strides);
        // tensor.cpp: "Lengths must be > 0", "Strides must be > 0"
        if lens.is_empty()
            || lens.len() != strides.len()
            || sizes.into_iter().any(|size| *size == 0)
        {
            return Err(Status::BAD_PARM);
        }
        Ok(Tensor {
            kind,
            lens,
            strides,
        })
    }

    /// Without gaps; the channels last where `order` says so.
    fn packed(kind: i32, lens: Vec<usize>, channels_last: bool) -> Outcome<Tensor> {
        let mut strides = vec![0; lens.len()];
        let mut stride = 1;
        let mut order: Vec<usize> = (0..lens.len()).rev().collect();
        if channels_last {
            order.retain(|at| *at != 1);
            order.insert(0, 1);
        }
        for at in order {
            strides[at] = stride;
            stride *= lens[at];
        }
        Tensor::new(kind, lens, strides)
    }

    pub(super) fn elements(&self) -> usize {
        self.lens.iter().product()
    }

    /// Bytes from the first element to the last.
    fn bytes(&self) -> Outcome<usize> {
        let last: usize = self
            .lens
            .iter()
            .zip(&self.strides)
            .map(|(len, stride)| (len - 1) * stride)
            .sum();
        Ok((last + 1) * size_of_kind(self.kind)?)
    }

    /// Nothing lies between its elements, and the last direction is the fastest.
    pub(super) fn is_packed(&self) -> bool {
        let plain = Tensor::packed(self.kind, self.lens.clone(), false);
        plain.is_ok_and(|plain| plain.strides == self.strides)
    }

    /// Nothing lies between its elements, whatever their order.
    pub(super) fn is_gapless(&self) -> bool {
        let sizes = self.lens.iter().zip(&self.strides);
        let last: usize = sizes.map(|(len, stride)| (len - 1) * stride).sum();
        last + 1 == self.elements()
    }

    /// As kernels read it that take the elements of the last direction as one after the other, and with `rows` those of all behind the
    /// second.
    pub(super) fn into_images(mut self, rows: bool) -> Tensor {
        let mut stride = 1;
        let behind = self.lens.len().saturating_sub(1);
        for at in (if rows { 2.min(behind) } else { behind }..self.lens.len()).rev() {
            self.strides[at] = stride;
            stride *= self.lens[at];
        }
        self
    }

    /// As kernels read it that take it as packed, with the last direction the fastest.
    pub(super) fn into_packed(self) -> Tensor {
        let plain = Tensor::packed(self.kind, self.lens.clone(), false);
        plain.unwrap_or(self)
    }

    fn offset(&self, index: &[usize]) -> usize {
        index
            .iter()
            .zip(&self.strides)
            .map(|(at, stride)| at * stride)
            .sum()
    }

    /// What tells it from others.
    pub(super) fn key(&self) -> impl Iterator<Item = usize> + '_ {
        let head = [self.kind as usize, self.lens.len()];
        head.into_iter()
            .chain(self.lens.iter().copied())
            .chain(self.strides.iter().copied())
    }

    /// Only float and half, which every layer takes.
    pub(super) fn of_layer(self) -> Outcome<Tensor> {
        match self.kind {
            FLOAT | HALF => Ok(self),
            _ => Err(Status::NOT_IMPLEMENTED),
        }
    }
}

/// Bytes of an element.
pub(super) fn size_of_kind(kind: i32) -> Outcome<usize> {
    match kind {
        HALF | 5 => Ok(2),
        FLOAT | 2 => Ok(4),
        3 => Ok(1),
        DOUBLE | 9 => Ok(8),
        _ => Err(Status::BAD_PARM),
    }
}

/// What a descriptor says now.
pub(super) fn tensor(descriptor: Ptr) -> Outcome<Tensor> {
    let found = find(&TENSORS, descriptor)?;
    let tensor = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match tensor.lens.is_empty() {
        true => Err(Status::BAD_PARM),
        false => Ok(tensor),
    }
}

/// Gives a descriptor the shape of a packed tensor.
pub(super) fn describe(descriptor: Ptr, kind: i32, lens: Vec<usize>) -> Outcome {
    set(descriptor, Tensor::packed(kind, lens, false))
}

fn set(descriptor: Ptr, tensor: Outcome<Tensor>) -> Outcome {
    let found = find(&TENSORS, descriptor)?;
    *found.lock().unwrap_or_else(PoisonError::into_inner) = tensor?;
    Ok(())
}

/// Elements of half, float or double, one after the other in memory.
#[derive(Clone, Copy)]
pub(super) struct Flat {
    address: usize,
    kind: i32,
}

impl Flat {
    pub(super) fn new(kind: i32, memory: Ptr) -> Outcome<Flat> {
        match kind {
            _ if memory.is_null() => Err(Status::BAD_PARM),
            HALF | FLOAT | DOUBLE => Ok(Flat {
                address: memory as usize,
                kind,
            }),
            _ => Err(Status::NOT_IMPLEMENTED),
        }
    }

    pub(super) fn get(&self, at: usize) -> f64 {
        match self.kind {
            HALF => f16_value(raw::load::<u16>(self.address + 2 * at).into()).into(),
            DOUBLE => raw::load(self.address + 8 * at),
            _ => f64::from(raw::load::<f32>(self.address + 4 * at)),
        }
    }

    pub(super) fn set(&self, at: usize, value: f64) {
        match self.kind {
            HALF => raw::store(self.address + 2 * at, f16_bits(value as f32) as u16),
            DOUBLE => raw::store(self.address + 8 * at, value),
            _ => raw::store(self.address + 4 * at, value as f32),
        }
    }

    pub(super) fn read(&self, count: usize) -> Vec<f64> {
        (0..count).map(|at| self.get(at)).collect()
    }

    pub(super) fn write(&self, values: &[f64]) {
        values
            .iter()
            .enumerate()
            .for_each(|(at, value)| self.set(at, *value));
    }
}

/// A tensor in memory.
#[derive(Clone)]
pub(super) struct Data {
    pub(super) tensor: Tensor,
    elements: Flat,
}

impl Data {
    /// A tensor of half, float or double that is somewhere.
    pub(super) fn new(descriptor: Ptr, memory: Ptr) -> Outcome<Data> {
        let tensor = tensor(descriptor)?;
        let elements = Flat::new(tensor.kind, memory)?;
        Ok(Data { tensor, elements })
    }

    /// Only float and half.
    pub(super) fn of_layer(descriptor: Ptr, memory: Ptr) -> Outcome<Data> {
        let data = Data::new(descriptor, memory)?;
        data.tensor.clone().of_layer().map(|_| data)
    }

    /// Only float: parameters of batch normalisation, whatever the images are.
    pub(super) fn of_float(descriptor: Ptr, memory: Ptr) -> Outcome<Data> {
        let data = Data::new(descriptor, memory)?;
        match data.tensor.kind {
            FLOAT => Ok(data),
            _ => Err(Status::NOT_IMPLEMENTED),
        }
    }

    pub(super) fn get(&self, index: &[usize]) -> f64 {
        self.elements.get(self.tensor.offset(index))
    }

    pub(super) fn set(&self, index: &[usize], value: f64) {
        self.elements.set(self.tensor.offset(index), value);
    }

    /// Calls `visit` with each index, the last direction fastest.
    pub(super) fn each(&self, visit: impl FnMut(&[usize])) {
        each(&self.tensor.lens, visit);
    }

    /// alpha * value + beta * what is there, which is not read where beta is 0.
    pub(super) fn blend(&self, index: &[usize], alpha: f64, value: f64, beta: f64) {
        let old = if beta == 0.0 {
            0.0
        } else {
            beta * self.get(index)
        };
        self.set(index, alpha * value + old);
    }
}

/// Calls `visit` with each index below these lengths, the last direction fastest.
pub(super) fn each(lens: &[usize], mut visit: impl FnMut(&[usize])) {
    let mut index = vec![0; lens.len()];
    for _ in 0..lens.iter().product::<usize>() {
        visit(&index);
        for at in (0..lens.len()).rev() {
            index[at] += 1;
            if index[at] < lens[at] {
                break;
            }
            index[at] = 0;
        }
    }
}

/// Four sizes that the program passes one by one.
fn four(sizes: [i32; 4]) -> Outcome<Vec<usize>> {
    let sizes = sizes.into_iter().map(usize::try_from);
    sizes
        .collect::<Result<_, _>>()
        .map_err(|_| Status::BAD_PARM)
}

functions! {
    /// `miopenCreateTensorDescriptor`
    fn miopenCreateTensorDescriptor(to: *mut Ptr) { put(to, TENSORS.insert(Arc::default())) }
    /// `miopenDestroyTensorDescriptor`
    fn miopenDestroyTensorDescriptor(descriptor: Ptr) {
        TENSORS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenSet4dTensorDescriptor`
    fn miopenSet4dTensorDescriptor(descriptor: Ptr, kind: i32, n: i32, c: i32, h: i32, w: i32) {
        set(descriptor, Tensor::packed(kind, four([n, c, h, w])?, false))
    }
    /// `miopenSet4dTensorDescriptorEx`
    fn miopenSet4dTensorDescriptorEx(descriptor: Ptr, kind: i32, n: i32, c: i32, h: i32, w: i32, ns: i32, cs: i32, hs: i32, ws: i32) {
        set(descriptor, Tensor::new(kind, four([n, c, h, w])?, four([ns, cs, hs, ws])?))
    }
    /// `miopenSetNdTensorDescriptorWithLayout`: four directions or five (tensor.cpp: "Mismatch of layout").
    fn miopenSetNdTensorDescriptorWithLayout(descriptor: Ptr, kind: i32, layout: i32, lens: *const i32, count: i32) {
        let lens = list(lens, count)?;
        let at = lens.len().checked_sub(4).filter(|at| *at < 2).ok_or(Status::BAD_PARM)?;
        match layout {
            _ if layout == PLAIN[at] => set(descriptor, Tensor::packed(kind, lens, false)),
            _ if layout == CHANNELS_LAST[at] => set(descriptor, Tensor::packed(kind, lens, true)),
            _ => Err(Status::BAD_PARM),
        }
    }
    /// `miopenSetTensorDescriptor`
    fn miopenSetTensorDescriptor(descriptor: Ptr, kind: i32, count: i32, lens: *const i32, strides: *const i32) {
        let lens = list(lens, count)?;
        match strides.is_null() {
            true => set(descriptor, Tensor::packed(kind, lens, false)),
            false => set(descriptor, Tensor::new(kind, lens, list(strides, count)?)),
        }
    }
    /// `miopenGet4dTensorDescriptor`
    fn miopenGet4dTensorDescriptor(
        descriptor: Ptr, kind: *mut i32, n: *mut i32, c: *mut i32, h: *mut i32, w: *mut i32,
        ns: *mut i32, cs: *mut i32, hs: *mut i32, ws: *mut i32,
    ) {
        let tensor = tensor(descriptor)?;
        if tensor.lens.len() != 4 {
            return Err(Status::BAD_PARM);
        }
        put(kind, tensor.kind)?;
        let all = tensor.lens.iter().chain(&tensor.strides);
        all.zip([n, c, h, w, ns, cs, hs, ws]).for_each(|(size, to)| raw::put_if(to, *size as i32));
        Ok(())
    }
    /// `miopenGetTensorDescriptor`
    fn miopenGetTensorDescriptor(descriptor: Ptr, kind: *mut i32, lens: *mut i32, strides: *mut i32) {
        let tensor = tensor(descriptor)?;
        raw::put_if(kind, tensor.kind);
        for (to, all) in [(lens, &tensor.lens), (strides, &tensor.strides)] {
            if !to.is_null() {
                all.iter().enumerate().for_each(|(at, size)| raw::put_if(to.wrapping_add(at), *size as i32));
            }
        }
        Ok(())
    }
    /// `miopenGetTensorDescriptorSize`
    fn miopenGetTensorDescriptorSize(descriptor: Ptr, to: *mut i32) { put(to, tensor(descriptor)?.lens.len() as i32) }
    /// `miopenGetTensorNumBytes`
    fn miopenGetTensorNumBytes(descriptor: Ptr, to: *mut usize) { put(to, tensor(descriptor)?.bytes()?) }
}
