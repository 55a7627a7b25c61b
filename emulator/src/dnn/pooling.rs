//! Pooling of two and three directions.

use std::sync::{Arc, Mutex, PoisonError};

use super::tensor::{Data, each, tensor};
use super::{Outcome, Status, enqueue, find, functions, list, plain, put};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// What a descriptor says.
#[derive(Clone, Debug, Default)]
struct Pooling {
    mode: i32,
    lens: Vec<usize>,
    pads: Vec<usize>,
    strides: Vec<usize>,
    /// Bytes of an index.
    index: usize,
    /// Places are those of the image, not of the window.
    of_image: bool,
}

static POOLINGS: Handles<Mutex<Pooling>> = Handles::new();

/// `miopenPoolingMax`, `miopenPoolingAverageInclusive`
const MAX: i32 = 0;
const INCLUSIVE: i32 = 2;

impl Pooling {
    fn of(descriptor: Ptr) -> Outcome<Pooling> {
        let found = find(&POOLINGS, descriptor)?;
        let pooling = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match pooling.lens.is_empty() {
            true => Err(Status::BAD_PARM),
            false => Ok(pooling),
        }
    }

    fn output(&self, x: &[usize]) -> Outcome<Vec<usize>> {
        if x.len() != self.lens.len() + 2 {
            return Err(Status::BAD_PARM);
        }
        let spatial = (0..self.lens.len()).map(|at| {
            let room = (x[at + 2] + 2 * self.pads[at]).saturating_sub(self.lens[at]);
            room / self.strides[at] + 1
        });
        Ok(x[..2].iter().copied().chain(spatial).collect())
    }

    /// The first number that no index may have (pooling_ocl.cpp: "Index range not enough for max pooling bwd").
    fn ghost(&self) -> usize {
        match self.index {
            8 => usize::MAX,
            bytes => (1 << (8 * bytes)) - 1,
        }
    }

    /// Calls `visit` with each place of x in the window of a place of y, with its number in the window.
    fn window(&self, y: &[usize], x: &[usize], mut visit: impl FnMut(&[usize], usize)) {
        let mut place = y.to_vec();
        let mut number = 0;
        each(&self.lens, |within| {
            let mut is_inside = true;
            for at in 0..self.lens.len() {
                let with_pad = y[at + 2] * self.strides[at] + within[at];
                let found = with_pad
                    .checked_sub(self.pads[at])
                    .filter(|found| *found < x[at + 2]);
                is_inside &= found.is_some();
                place[at + 2] = found.unwrap_or(0);
            }
            if is_inside {
                visit(&place, number);
            }
            number += 1;
        });
    }

    fn index_of(&self, place: &[usize], number: usize, x: &[usize]) -> usize {
        match self.of_image {
            true => place[2..]
                .iter()
                .zip(&x[2..])
                .fold(0, |flat, (at, len)| flat * len + at),
            false => number,
        }
    }

    fn store(&self, space: usize, at: usize, index: usize) {
        let to = space + at * self.index;
        match self.index {
            1 => raw::store(to, index as u8),
            2 => raw::store(to, index as u16),
            4 => raw::store(to, index as u32),
            _ => raw::store(to, index as u64),
        }
    }

    fn load(&self, space: usize, at: usize) -> usize {
        let from = space + at * self.index;
        match self.index {
            1 => usize::from(raw::load::<u8>(from)),
            2 => usize::from(raw::load::<u16>(from)),
            4 => raw::load::<u32>(from) as usize,
            _ => raw::load::<u64>(from) as usize,
        }
    }

    /// By what a sum is divided.
    fn share(&self, inside: usize) -> f64 {
        match self.mode {
            INCLUSIVE => self.lens.iter().product::<usize>() as f64,
            _ => inside.max(1) as f64,
        }
    }
}

/// The place of y in the order in which indices are kept.
fn flat(at: &[usize], lens: &[usize]) -> usize {
    at.iter()
        .zip(lens)
        .fold(0, |flat, (at, len)| flat * len + at)
}

/// Float tensors whose shapes belong together.
fn pair(pooling: &Pooling, x: &Data, y: &Data) -> Outcome {
    match pooling.output(&x.tensor.lens)? == y.tensor.lens {
        true => Ok(()),
        false => Err(Status::BAD_PARM),
    }
}

fn set(descriptor: Ptr, pooling: Pooling) -> Outcome {
    let found = find(&POOLINGS, descriptor)?;
    if !(0..3).contains(&pooling.mode) || pooling.strides.contains(&0) || pooling.lens.contains(&0)
    {
        return Err(Status::BAD_PARM);
    }
    *found.lock().unwrap_or_else(PoisonError::into_inner) = pooling;
    Ok(())
}

functions! {
    /// `miopenCreatePoolingDescriptor`
    fn miopenCreatePoolingDescriptor(to: *mut Ptr) { put(to, POOLINGS.insert(Arc::default())) }
    /// `miopenDestroyPoolingDescriptor`
    fn miopenDestroyPoolingDescriptor(descriptor: Ptr) {
        POOLINGS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenSet2dPoolingDescriptor`
    fn miopenSet2dPoolingDescriptor(descriptor: Ptr, mode: i32, h: i32, w: i32, ph: i32, pw: i32, sh: i32, sw: i32) {
        let two = |a: i32, b: i32| list([a, b].as_ptr(), 2);
        set(descriptor, Pooling { mode, lens: two(h, w)?, pads: two(ph, pw)?, strides: two(sh, sw)?, index: 1, of_image: false })
    }
    /// `miopenSetNdPoolingDescriptor`
    fn miopenSetNdPoolingDescriptor(
        descriptor: Ptr, mode: i32, count: i32, lens: *const i32, pads: *const i32, strides: *const i32,
    ) {
        if !(2..=3).contains(&count) {
            return Err(Status::BAD_PARM);
        }
        let [lens, pads, strides] = [list(lens, count)?, list(pads, count)?, list(strides, count)?];
        set(descriptor, Pooling { mode, lens, pads, strides, index: 1, of_image: count == 3 })
    }
    /// `miopenSetPoolingIndexType`
    fn miopenSetPoolingIndexType(descriptor: Ptr, kind: i32) {
        let found = find(&POOLINGS, descriptor)?;
        if !(0..4).contains(&kind) {
            return Err(Status::BAD_PARM);
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).index = 1 << kind;
        Ok(())
    }
    /// `miopenGetPoolingForwardOutputDim`
    fn miopenGetPoolingForwardOutputDim(descriptor: Ptr, x: Ptr, n: *mut i32, c: *mut i32, h: *mut i32, w: *mut i32) {
        let lens = Pooling::of(descriptor)?.output(&tensor(x)?.lens)?;
        match lens.len() == 4 {
            true => [n, c, h, w].into_iter().zip(lens).try_for_each(|(to, size)| put(to, size as i32)),
            false => Err(Status::BAD_PARM),
        }
    }
    /// `miopenGetPoolingNdForwardOutputDim`
    fn miopenGetPoolingNdForwardOutputDim(descriptor: Ptr, x: Ptr, count: i32, to: *mut i32) {
        let lens = Pooling::of(descriptor)?.output(&tensor(x)?.lens)?;
        match usize::try_from(count) == Ok(lens.len()) {
            true => lens.into_iter().enumerate().try_for_each(|(at, size)| put(to.wrapping_add(at), size as i32)),
            false => Err(Status::BAD_PARM),
        }
    }
    /// `miopenPoolingGetWorkSpaceSizeV2`
    fn miopenPoolingGetWorkSpaceSizeV2(descriptor: Ptr, y: Ptr, to: *mut usize) {
        let pooling = Pooling::of(descriptor)?;
        let y = tensor(y)?;
        put(to, if pooling.mode == MAX { y.elements() * pooling.index } else { 0 })
    }
    /// `miopenPoolingForward`: no scalings but 1 and 0; for a backward pass indices that suffice, and room for them (pooling_ocl.cpp).
    fn miopenPoolingForward(
        handle: Ptr, descriptor: Ptr, alpha: *const f32, xDesc: Ptr, x: Ptr, beta: *const f32, yDesc: Ptr, y: Ptr, keeps: bool,
        space: Ptr, bytes: usize,
    ) {
        plain(alpha, beta, Status::UNKNOWN)?;
        let pooling = Pooling::of(descriptor)?;
        let (x, y) = (Data::of_layer(xDesc, x)?, Data::of_layer(yDesc, y)?);
        pair(&pooling, &x, &y)?;
        let keeps = keeps && pooling.mode == MAX;
        let places: usize = if pooling.of_image { x.tensor.lens[2..].iter().product() } else { pooling.lens.iter().product() };
        let needs = y.tensor.elements() * pooling.index;
        if keeps && (pooling.ghost() <= places || space.is_null() || bytes < needs) {
            return Err(Status::UNKNOWN);
        }
        let space = space as usize;
        enqueue(handle, move || {
            y.each(|at| {
                let (mut most, mut index) = (f64::NEG_INFINITY, pooling.ghost());
                let (mut sum, mut inside) = (0.0, 0);
                pooling.window(at, &x.tensor.lens, |place, number| {
                    let value = x.get(place);
                    sum += value;
                    inside += 1;
                    if value > most {
                        (most, index) = (value, pooling.index_of(place, number, &x.tensor.lens));
                    }
                });
                y.set(at, if pooling.mode == MAX { most } else { sum / pooling.share(inside) });
                if keeps {
                    pooling.store(space, flat(at, &y.tensor.lens), index);
                }
            });
        })
    }
    /// `miopenPoolingBackward`: no scalings but 1 and 0; the maxima are where the workspace says (pooling_ocl.cpp).
    fn miopenPoolingBackward(
        handle: Ptr, descriptor: Ptr, alpha: *const f32, _yDesc: Ptr, _y: Ptr, dyDesc: Ptr, dy: Ptr, _xDesc: Ptr, _x: Ptr,
        beta: *const f32, dxDesc: Ptr, dx: Ptr, space: Ptr,
    ) {
        plain(alpha, beta, Status::UNKNOWN)?;
        let pooling = Pooling::of(descriptor)?;
        let (dy, dx) = (Data::of_layer(dyDesc, dy)?, Data::of_layer(dxDesc, dx)?);
        pair(&pooling, &dx, &dy)?;
        if pooling.mode == MAX && space.is_null() {
            return Err(Status::UNKNOWN);
        }
        let space = space as usize;
        enqueue(handle, move || {
            let lens = &dx.tensor.lens;
            let mut sums = vec![0.0; dx.tensor.elements()];
            dy.each(|at| {
                let mut inside = 0;
                pooling.window(at, lens, |_, _| inside += 1);
                let value = dy.get(at);
                let kept = if pooling.mode == MAX { pooling.load(space, flat(at, &dy.tensor.lens)) } else { 0 };
                pooling.window(at, lens, |place, number| {
                    if pooling.mode != MAX {
                        sums[flat(place, lens)] += value / pooling.share(inside);
                    } else if pooling.index_of(place, number, lens) == kept {
                        sums[flat(place, lens)] += value;
                    }
                });
            });
            dx.each(|at| dx.set(at, sums[flat(at, lens)]));
        })
    }
}
