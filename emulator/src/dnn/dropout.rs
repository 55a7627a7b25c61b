//! Dropout by states of XORWOW (MIOpenDropoutHIP.cpp, dropoutocl.cpp).
//!
//! The states stay as they are: each call of one descriptor drops the same elements of tensors of one size, in MIOpen too, whose kernel
//! takes them as `const`.

use std::sync::{Arc, Mutex, PoisonError};

use super::tensor::{Data, tensor};
use super::{Outcome, Status, enqueue, find, functions, put};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};
use crate::rand::xorwow::{Xorwow, uniform};

/// What a descriptor says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dropout {
    pub(super) rate: f32,
    states: usize,
    bytes: usize,
    seed: u64,
    uses_mask: bool,
    evolves: bool,
}

static DROPOUTS: Handles<Mutex<Dropout>> = Handles::new();

/// Bytes of a state without the memory of normal numbers (miopen_rocrand.hpp: `ROCRAND_DETAIL_XORWOW_BM_NOT_IN_STATE`).
const STATE: usize = 24;
/// `MAX_PRNG_STATE` (dropout.hpp).
const STATES: usize = 256 * 64;

impl Dropout {
    pub(super) fn of(descriptor: Ptr) -> Outcome<Dropout> {
        let found = find(&DROPOUTS, descriptor)?;
        let dropout = *found.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(dropout)
    }

    /// What stays is made larger, so that the sum stays.
    pub(super) fn scale(&self) -> f64 {
        match self.rate {
            1.0 => 0.0,
            rate => f64::from(1.0 / (1.0 - rate)),
        }
    }

    /// Lanes that share the elements among them.
    fn lanes(count: usize) -> usize {
        count.div_ceil(256).min(STATES / 256) * 256
    }

    /// dropoutocl.cpp: "Invalid dropout rate", "Insufficient state size for parallel PRNG".
    pub(super) fn check(&self, count: usize) -> Outcome {
        let is_enough = self.bytes / STATE >= Self::lanes(count) || self.uses_mask;
        match (0.0..=1.0).contains(&self.rate) && is_enough {
            true => Ok(()),
            false => Err(Status::UNKNOWN),
        }
    }

    /// Which of so many elements stay.
    pub(super) fn mask(&self, count: usize) -> Vec<bool> {
        let lanes = Self::lanes(count);
        let mut mask = vec![false; count];
        for lane in 0..lanes.min(count) {
            let mut state = Xorwow::of_words(raw::load(self.states + lane * STATE));
            for at in (lane..count).step_by(lanes) {
                mask[at] = uniform(state.next()) > self.rate;
            }
        }
        mask
    }

    /// Each state at the start of a subsequence of its own (`InitKernelStateHIP`).
    fn start(&self) {
        let mut state = Xorwow::new(self.seed);
        for at in 0..(self.bytes / STATE).min(STATES) {
            raw::store(self.states + at * STATE, state.words());
            state.skip_sequences(1);
        }
    }
}

/// Reads or writes a byte for each element: whether it stays.
fn kept(space: usize, mask: Option<&[bool]>, count: usize) -> Vec<bool> {
    match mask {
        Some(mask) => {
            mask.iter()
                .enumerate()
                .for_each(|(at, stays)| raw::store(space + at, u8::from(*stays)));
            mask.to_vec()
        }
        None => (0..count)
            .map(|at| raw::load::<u8>(space + at) != 0)
            .collect(),
    }
}

/// Both directions: x and y of one shape, one type, no gaps (elsewhere MIOpen reads two elements at a time, which is not emulated).
fn run(
    handle: Ptr,
    dropout: Ptr,
    noise: Ptr,
    [x, y]: [(Ptr, Ptr); 2],
    (space, bytes): (Ptr, usize),
    is_backward: bool,
) -> Outcome {
    let dropout = Dropout::of(dropout)?;
    let noise = tensor(noise)?;
    let (x, y) = (Data::of_layer(x.0, x.1)?, Data::of_layer(y.0, y.1)?);
    let count = x.tensor.elements();
    // dropoutocl.cpp: "Only support 1D to 5D tensors", "Only support dropout with regular noise shape currently"
    let is_alike = x.tensor.lens == y.tensor.lens && x.tensor.kind == y.tensor.kind;
    let is_regular = noise.elements() == count && noise.lens.len() == x.tensor.lens.len();
    if !is_alike || !is_regular || x.tensor.lens.len() > super::tensor::DIRECTIONS {
        return Err(Status::UNKNOWN);
    }
    if !x.tensor.is_packed() || !y.tensor.is_packed() {
        return Err(Status::NOT_IMPLEMENTED);
    }
    // dropoutocl.cpp: "Insufficient reservespace size"
    let is_short = (!space.is_null() || dropout.uses_mask) && bytes < count;
    if is_short || dropout.uses_mask && space.is_null() {
        return Err(Status::UNKNOWN);
    }
    dropout.check(count)?;
    let space = space as usize;
    enqueue(handle, move || {
        let stays = match space {
            0 => dropout.mask(count),
            _ if is_backward || dropout.uses_mask => kept(space, None, count),
            _ => kept(space, Some(&dropout.mask(count)), count),
        };
        let mut stays = stays.into_iter();
        x.each(|at| {
            let value = if stays.next() == Some(true) {
                x.get(at) * dropout.scale()
            } else {
                0.0
            };
            y.set(at, value);
        });
    })
}

fn set(descriptor: Ptr, dropout: Dropout, kind: i32) -> Outcome {
    let found = find(&DROPOUTS, descriptor)?;
    // `MIOPEN_RNG_PSEUDO_XORWOW`, the only one that miopen.h has.
    if kind != 0 {
        return Err(Status::NOT_IMPLEMENTED);
    }
    *found.lock().unwrap_or_else(PoisonError::into_inner) = dropout;
    Ok(())
}

functions! {
    /// `miopenCreateDropoutDescriptor`
    fn miopenCreateDropoutDescriptor(to: *mut Ptr) { put(to, DROPOUTS.insert(Arc::default())) }
    /// `miopenDestroyDropoutDescriptor`
    fn miopenDestroyDropoutDescriptor(descriptor: Ptr) {
        DROPOUTS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenDropoutGetReserveSpaceSize`: a byte for each element.
    fn miopenDropoutGetReserveSpaceSize(x: Ptr, to: *mut usize) { put(to, tensor(x)?.elements()) }
    /// `miopenDropoutGetStatesSize`
    fn miopenDropoutGetStatesSize(_handle: Ptr, to: *mut usize) { put(to, STATES * STATE) }
    /// `miopenSetDropoutDescriptor`: starts the states.
    fn miopenSetDropoutDescriptor(
        descriptor: Ptr, handle: Ptr, rate: f32, states: Ptr, bytes: usize, seed: u64, uses_mask: bool, evolves: bool, kind: i32,
    ) {
        let dropout = Dropout { rate, states: states as usize, bytes, seed, uses_mask, evolves };
        set(descriptor, dropout, kind)?;
        if states.is_null() { Ok(()) } else { enqueue(handle, move || dropout.start()) }
    }
    /// `miopenRestoreDropoutDescriptor`: takes the states as they are.
    fn miopenRestoreDropoutDescriptor(
        descriptor: Ptr, _handle: Ptr, rate: f32, states: Ptr, bytes: usize, seed: u64, uses_mask: bool, evolves: bool, kind: i32,
    ) {
        set(descriptor, Dropout { rate, states: states as usize, bytes, seed, uses_mask, evolves }, kind)
    }
    /// `miopenGetDropoutDescriptor`
    fn miopenGetDropoutDescriptor(
        descriptor: Ptr, _handle: Ptr, rate: *mut f32, states: *mut Ptr, seed: *mut u64, uses_mask: *mut bool, evolves: *mut bool,
        kind: *mut i32,
    ) {
        let found = Dropout::of(descriptor)?;
        put(rate, found.rate)?;
        put(states, found.states as Ptr)?;
        put(seed, found.seed)?;
        put(uses_mask, found.uses_mask)?;
        put(evolves, found.evolves)?;
        put(kind, 0)
    }
    /// `miopenDropoutForward`
    fn miopenDropoutForward(
        handle: Ptr, dropout: Ptr, noise: Ptr, xDesc: Ptr, x: Ptr, yDesc: Ptr, y: Ptr, space: Ptr, bytes: usize,
    ) {
        run(handle, dropout, noise, [(xDesc, x), (yDesc, y)], (space, bytes), false)
    }
    /// `miopenDropoutBackward`: by the bytes that the forward pass kept, else by the states.
    fn miopenDropoutBackward(
        handle: Ptr, dropout: Ptr, noise: Ptr, dyDesc: Ptr, dy: Ptr, dxDesc: Ptr, dx: Ptr, space: Ptr, bytes: usize,
    ) {
        run(handle, dropout, noise, [(dyDesc, dy), (dxDesc, dx)], (space, bytes), true)
    }
}
