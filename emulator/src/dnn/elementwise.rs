//! Operations on the elements of tensors, and activations.

use std::sync::{Arc, Mutex, PoisonError};

use super::tensor::{DIRECTIONS, Data};
use super::{Outcome, Status, enqueue, find, functions, plain, put, scaling};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// An activation with its three numbers.
#[derive(Clone, Copy, Default)]
struct Activation {
    mode: i32,
    alpha: f64,
    beta: f64,
    gamma: f64,
}

static ACTIVATIONS: Handles<Mutex<Activation>> = Handles::new();

/// miopen.h, `miopenActivationMode_t`
const MODES: std::ops::Range<i32> = 0..10;

impl Activation {
    fn of(descriptor: Ptr) -> Outcome<Activation> {
        let found = find(&ACTIVATIONS, descriptor)?;
        let activation = *found.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(activation)
    }

    /// The formulas of miopen.h.
    fn forward(&self, x: f64) -> f64 {
        let Activation {
            alpha, beta, gamma, ..
        } = *self;
        match self.mode {
            1 => 1.0 / (1.0 + (-x).exp()),
            2 => beta * (alpha * x).tanh(),
            3 => x.max(0.0),
            4 => x.exp().ln_1p(),
            5 => x.abs(),
            6 => (alpha + beta * x).powf(gamma),
            7 => x.max(0.0).min(alpha),
            8 => {
                if x > 0.0 {
                    x
                } else {
                    alpha * x
                }
            }
            9 => {
                if x > 0.0 {
                    x
                } else {
                    alpha * x.exp_m1()
                }
            }
            _ => x,
        }
    }

    /// The derivative, of the argument and the value.
    fn slope(&self, x: f64, y: f64) -> f64 {
        let Activation {
            alpha, beta, gamma, ..
        } = *self;
        let step = |holds: bool| f64::from(u8::from(holds));
        match self.mode {
            1 => y * (1.0 - y),
            2 => alpha * (beta - y * y / beta),
            3 => step(x > 0.0),
            4 => 1.0 / (1.0 + (-x).exp()),
            5 => x.signum(),
            6 => gamma * beta * (alpha + beta * x).powf(gamma - 1.0),
            7 => step(x > 0.0 && x <= alpha),
            8 => {
                if x > 0.0 {
                    1.0
                } else {
                    alpha
                }
            }
            9 => {
                if x > 0.0 {
                    1.0
                } else {
                    y + alpha
                }
            }
            _ => 1.0,
        }
    }
}

/// Tensors of one shape, which need not lie the same way.
fn alike(all: &[&Data]) -> Outcome {
    match all
        .windows(2)
        .all(|two| two[0].tensor.lens == two[1].tensor.lens)
    {
        true => Ok(()),
        false => Err(Status::BAD_PARM),
    }
}

/// As the kernels of activations read tensors without gaps: one element after the other, whatever their order (fwd_0.cpp, bwd_0.cpp).
fn as_rows(all: &mut [Data]) {
    if all.iter().all(|it| it.tensor.is_gapless()) {
        all.iter_mut()
            .for_each(|it| it.tensor = it.tensor.clone().into_packed());
    }
}

functions! {
    /// `miopenSetTensor`
    fn miopenSetTensor(handle: Ptr, descriptor: Ptr, memory: Ptr, value: *const f32) {
        let (data, value) = (Data::new(descriptor, memory)?, scaling(value)?);
        enqueue(handle, move || data.each(|at| data.set(at, value)))
    }
    /// `miopenScaleTensor`
    fn miopenScaleTensor(handle: Ptr, descriptor: Ptr, memory: Ptr, by: *const f32) {
        let (data, by) = (Data::new(descriptor, memory)?, scaling(by)?);
        enqueue(handle, move || data.each(|at| data.set(at, by * data.get(at))))
    }
    /// `miopenTransformTensor`
    fn miopenTransformTensor(handle: Ptr, alpha: *const f32, xDesc: Ptr, x: Ptr, beta: *const f32, yDesc: Ptr, y: Ptr) {
        let (alpha, beta) = (scaling(alpha)?, scaling(beta)?);
        let (x, y) = (Data::new(xDesc, x)?, Data::new(yDesc, y)?);
        alike(&[&x, &y])?;
        enqueue(handle, move || y.each(|at| y.blend(at, alpha, x.get(at), beta)))
    }
    /// `miopenOpTensor`: A has as many elements as C, and B their type; in each direction B has the size of C or 1 (tensorocl.cpp). The
    /// kernels of three to five directions take the last one as without gaps, and packed tensors as NCHW (MIOpenTensorKernels.cl).
    fn miopenOpTensor(
        handle: Ptr, op: i32, alpha1: *const f32, aDesc: Ptr, a: Ptr, alpha2: *const f32, bDesc: Ptr, b: Ptr,
        beta: *const f32, cDesc: Ptr, c: Ptr,
    ) {
        let [alpha1, alpha2, beta] = [scaling(alpha1)?, scaling(alpha2)?, scaling(beta)?];
        let [mut a, mut b, mut c] = [Data::new(aDesc, a)?, Data::new(bDesc, b)?, Data::new(cDesc, c)?];
        let (of_b, of_c) = (&b.tensor.lens, &c.tensor.lens);
        let fits = of_b.len() == of_c.len() && of_b.iter().zip(of_c).all(|(b, c)| *b == 1 || b == c);
        let is_alike = a.tensor.elements() == c.tensor.elements() && b.tensor.kind == c.tensor.kind;
        if !is_alike || !fits || of_c.len() > DIRECTIONS || a.tensor.lens != c.tensor.lens {
            return Err(Status::UNKNOWN);
        }
        let compute: fn(f64, f64) -> f64 = match op {
            0 => |a, b| a + b,
            1 => |a, b| a * b,
            2 => f64::min,
            3 => f64::max,
            _ => return Err(Status::BAD_PARM),
        };
        if (3..=DIRECTIONS).contains(&c.tensor.lens.len()) {
            let is_gapless = [&a, &b, &c].iter().all(|it| it.tensor.is_gapless());
            let is_alike = b.tensor.elements() == c.tensor.elements();
            for it in [&mut a, &mut b, &mut c] {
                let tensor = it.tensor.clone();
                it.tensor = if is_gapless && is_alike { tensor.into_packed() } else { tensor.into_images(is_gapless) };
            }
        }
        enqueue(handle, move || {
            c.each(|at| {
                let there: Vec<usize> = at.iter().zip(&b.tensor.lens).map(|(at, len)| at % len).collect();
                c.blend(at, 1.0, compute(alpha1 * a.get(at), alpha2 * b.get(&there)), beta);
            });
        })
    }
    /// `miopenCreateActivationDescriptor`
    fn miopenCreateActivationDescriptor(to: *mut Ptr) { put(to, ACTIVATIONS.insert(Arc::default())) }
    /// `miopenDestroyActivationDescriptor`
    fn miopenDestroyActivationDescriptor(descriptor: Ptr) {
        ACTIVATIONS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenSetActivationDescriptor`
    fn miopenSetActivationDescriptor(descriptor: Ptr, mode: i32, alpha: f64, beta: f64, gamma: f64) {
        let found = find(&ACTIVATIONS, descriptor)?;
        if !MODES.contains(&mode) {
            return Err(Status::BAD_PARM);
        }
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Activation { mode, alpha, beta, gamma };
        Ok(())
    }
    /// `miopenGetActivationDescriptor`
    fn miopenGetActivationDescriptor(descriptor: Ptr, mode: *mut i32, alpha: *mut f64, beta: *mut f64, gamma: *mut f64) {
        let found = Activation::of(descriptor)?;
        put(mode, found.mode)?;
        [(alpha, found.alpha), (beta, found.beta), (gamma, found.gamma)].into_iter().for_each(|(to, value)| raw::put_if(to, value));
        Ok(())
    }
    /// `miopenActivationForward`: no scalings but 1 and 0 (activ_ocl.cpp).
    fn miopenActivationForward(
        handle: Ptr, descriptor: Ptr, alpha: *const f32, xDesc: Ptr, x: Ptr, beta: *const f32, yDesc: Ptr, y: Ptr,
    ) {
        plain(alpha, beta, Status::UNKNOWN)?;
        let activation = Activation::of(descriptor)?;
        let mut all = [Data::of_layer(xDesc, x)?, Data::of_layer(yDesc, y)?];
        alike(&[&all[0], &all[1]])?;
        as_rows(&mut all);
        let [x, y] = all;
        enqueue(handle, move || y.each(|at| y.set(at, activation.forward(x.get(at)))))
    }
    /// `miopenActivationBackward`: no scalings but 1 and 0 (activ_ocl.cpp).
    fn miopenActivationBackward(
        handle: Ptr, descriptor: Ptr, alpha: *const f32, yDesc: Ptr, y: Ptr, dyDesc: Ptr, dy: Ptr, xDesc: Ptr, x: Ptr,
        beta: *const f32, dxDesc: Ptr, dx: Ptr,
    ) {
        plain(alpha, beta, Status::UNKNOWN)?;
        let activation = Activation::of(descriptor)?;
        let [y, dy] = [Data::of_layer(yDesc, y)?, Data::of_layer(dyDesc, dy)?];
        let [x, dx] = [Data::of_layer(xDesc, x)?, Data::of_layer(dxDesc, dx)?];
        alike(&[&y, &dy, &x, &dx])?;
        let mut all = [y, dy, x, dx];
        as_rows(&mut all);
        let [y, dy, x, dx] = all;
        enqueue(handle, move || dx.each(|at| dx.set(at, dy.get(at) * activation.slope(x.get(at), y.get(at)))))
    }
}
