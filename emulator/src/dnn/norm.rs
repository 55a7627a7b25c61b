//! Normalisation: over neighbouring channels, and over a batch.

use std::sync::{Arc, Mutex, PoisonError};

use super::tensor::{Data, FLOAT, describe, tensor};
use super::{Outcome, Status, enqueue, find, functions, plain, put};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// What a descriptor of a normalisation over neighbours says.
#[derive(Clone, Copy, Default)]
struct Lrn {
    mode: i32,
    n: usize,
    alpha: f64,
    beta: f64,
    k: f64,
}

static LRNS: Handles<Mutex<Lrn>> = Handles::new();

/// `miopenLRNCrossChannel`
const CROSS_CHANNEL: i32 = 1;
/// `miopenBNSpatial`
const SPATIAL: i32 = 1;

impl Lrn {
    /// Only over channels.
    fn of(descriptor: Ptr) -> Outcome<Lrn> {
        let found = find(&LRNS, descriptor)?;
        let lrn = *found.lock().unwrap_or_else(PoisonError::into_inner);
        match lrn.mode {
            CROSS_CHANNEL if lrn.n > 0 => Ok(lrn),
            _ => Err(Status::NOT_IMPLEMENTED),
        }
    }

    /// The channels around one.
    fn around(&self, channel: usize, channels: usize) -> std::ops::Range<usize> {
        channel.saturating_sub((self.n - 1) / 2)..(channel + self.n / 2 + 1).min(channels)
    }

    fn share(&self) -> f64 {
        self.alpha / self.n as f64
    }

    fn scale(&self, x: &Data, at: &[usize]) -> f64 {
        let mut place = at.to_vec();
        let squares = self.around(at[1], x.tensor.lens[1]).map(|channel| {
            place[1] = channel;
            x.get(&place).powi(2)
        });
        self.k + self.share() * squares.sum::<f64>()
    }
}

/// Tensors of four directions and one shape.
fn alike(all: &[&Data]) -> Outcome {
    match all
        .iter()
        .all(|it| it.tensor.lens.len() == 4 && it.tensor.lens == all[0].tensor.lens)
    {
        true => Ok(()),
        false => Err(Status::BAD_PARM),
    }
}

functions! {
    /// `miopenCreateLRNDescriptor`
    fn miopenCreateLRNDescriptor(to: *mut Ptr) { put(to, LRNS.insert(Arc::default())) }
    /// `miopenDestroyLRNDescriptor`
    fn miopenDestroyLRNDescriptor(descriptor: Ptr) { LRNS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM) }
    /// `miopenSetLRNDescriptor`
    fn miopenSetLRNDescriptor(descriptor: Ptr, mode: i32, n: u32, alpha: f64, beta: f64, k: f64) {
        let found = find(&LRNS, descriptor)?;
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Lrn { mode, n: n as usize, alpha, beta, k };
        Ok(())
    }
    /// `miopenLRNGetWorkSpaceSize`
    fn miopenLRNGetWorkSpaceSize(y: Ptr, to: *mut usize) { put(to, 4 * tensor(y)?.elements()) }
    /// `miopenLRNForward`: the scalings are not read (lrn_ocl.cpp); the workspace gets the scales.
    fn miopenLRNForward(
        handle: Ptr, descriptor: Ptr, _alpha: *const f32, xDesc: Ptr, x: Ptr, _beta: *const f32, yDesc: Ptr, y: Ptr, keeps: bool,
        space: Ptr,
    ) {
        let lrn = Lrn::of(descriptor)?;
        let (x, y) = (Data::of_layer(xDesc, x)?, Data::of_layer(yDesc, y)?);
        alike(&[&x, &y])?;
        if keeps && space.is_null() {
            return Err(Status::BAD_PARM);
        }
        let space = space as usize;
        enqueue(handle, move || {
            let mut number = 0;
            let mut values = Vec::with_capacity(y.tensor.elements());
            y.each(|at| {
                let scale = lrn.scale(&x, at);
                if keeps {
                    raw::store(space + 4 * number, scale as f32);
                    number += 1;
                }
                values.push(x.get(at) * scale.powf(-lrn.beta));
            });
            let mut values = values.into_iter();
            y.each(|at| y.set(at, values.next().unwrap_or_default()));
        })
    }
    /// `miopenLRNBackward`: the scalings are not read; the workspace has the scales (lrn_ocl.cpp).
    fn miopenLRNBackward(
        handle: Ptr, descriptor: Ptr, _alpha: *const f32, yDesc: Ptr, y: Ptr, dyDesc: Ptr, dy: Ptr, xDesc: Ptr, x: Ptr,
        _beta: *const f32, dxDesc: Ptr, dx: Ptr, space: Ptr,
    ) {
        let lrn = Lrn::of(descriptor)?;
        let [y, dy] = [Data::of_layer(yDesc, y)?, Data::of_layer(dyDesc, dy)?];
        let [x, dx] = [Data::of_layer(xDesc, x)?, Data::of_layer(dxDesc, dx)?];
        alike(&[&y, &dy, &x, &dx])?;
        if space.is_null() {
            return Err(Status::BAD_PARM);
        }
        let space = space as usize;
        enqueue(handle, move || {
            let lens = &y.tensor.lens;
            let scale = |at: &[usize]| {
                let number = at.iter().zip(lens).fold(0, |flat, (at, len)| flat * len + at);
                f64::from(raw::load::<f32>(space + 4 * number))
            };
            let mut values = Vec::with_capacity(dx.tensor.elements());
            dx.each(|at| {
                let mut place = at.to_vec();
                let terms = lrn.around(at[1], lens[1]).map(|channel| {
                    place[1] = channel;
                    dy.get(&place) * y.get(&place) / scale(&place)
                });
                let sum: f64 = terms.sum();
                values.push(dy.get(at) * scale(at).powf(-lrn.beta) - 2.0 * lrn.share() * lrn.beta * x.get(at) * sum);
            });
            let mut values = values.into_iter();
            dx.each(|at| dx.set(at, values.next().unwrap_or_default()));
        })
    }
    /// `miopenDeriveBNTensorDescriptor`: parameters are float for every type of images (batch_norm.cpp).
    fn miopenDeriveBNTensorDescriptor(to: Ptr, xDesc: Ptr, mode: i32) {
        let x = tensor(xDesc)?;
        let lens = (0..x.lens.len()).map(|at| if at == 1 || at > 1 && mode != SPATIAL { x.lens[at] } else { 1 }).collect();
        describe(to, FLOAT, lens)
    }
    /// `miopenBatchNormalizationForwardTraining`: no scalings but 1 and 0 (batchnormocl.cpp).
    fn miopenBatchNormalizationForwardTraining(
        handle: Ptr, mode: i32, alpha: *const f32, beta: *const f32, xDesc: Ptr, x: Ptr, yDesc: Ptr, y: Ptr, paramDesc: Ptr,
        scale: Ptr, bias: Ptr, factor: f64, mean: Ptr, variance: Ptr, epsilon: f64, saved_mean: Ptr, saved_inverse: Ptr,
    ) {
        plain(alpha, beta, Status::UNKNOWN)?;
        let batch = Batch::new(mode, (xDesc, x), paramDesc)?;
        let y = batch.like(yDesc, y)?;
        let [scale, bias] = [Data::of_float(paramDesc, scale)?, Data::of_float(paramDesc, bias)?];
        let [mean, variance] = [Data::of_float(paramDesc, mean).ok(), Data::of_float(paramDesc, variance).ok()];
        let [saved_mean, saved_inverse] = [Data::of_float(paramDesc, saved_mean).ok(), Data::of_float(paramDesc, saved_inverse).ok()];
        enqueue(handle, move || {
            let (means, variances) = batch.moments();
            batch.normalise(&y, &scale, &bias, &means, &variances, epsilon);
            let count = batch.count();
            let unbiased = if count > 1.0 { count / (count - 1.0) } else { 1.0 };
            let each = |to: &Option<Data>, value: &dyn Fn(usize, f64) -> f64| {
                let Some(to) = to else { return };
                to.each(|at| to.set(at, value(batch.number(at), to.get(at))));
            };
            each(&mean, &|k, old| old + factor * (means[k] - old));
            each(&variance, &|k, old| old + factor * (variances[k] * unbiased - old));
            each(&saved_mean, &|k, _| means[k]);
            each(&saved_inverse, &|k, _| 1.0 / (variances[k] + epsilon).sqrt());
        })
    }
    /// `miopenBatchNormalizationForwardInference`: no scalings but 1 and 0 (batchnormocl.cpp).
    fn miopenBatchNormalizationForwardInference(
        handle: Ptr, mode: i32, alpha: *const f32, beta: *const f32, xDesc: Ptr, x: Ptr, yDesc: Ptr, y: Ptr, paramDesc: Ptr,
        scale: Ptr, bias: Ptr, mean: Ptr, variance: Ptr, epsilon: f64,
    ) {
        plain(alpha, beta, Status::BAD_PARM)?;
        let batch = Batch::new(mode, (xDesc, x), paramDesc)?;
        let y = batch.like(yDesc, y)?;
        let [scale, bias] = [Data::of_float(paramDesc, scale)?, Data::of_float(paramDesc, bias)?];
        let [mean, variance] = [Data::of_float(paramDesc, mean)?, Data::of_float(paramDesc, variance)?];
        enqueue(handle, move || {
            batch.normalise(&y, &scale, &bias, &batch.all(&mean), &batch.all(&variance), epsilon);
        })
    }
    /// `miopenBatchNormalizationBackward`: no scalings but 1 and 0 (batchnormocl.cpp).
    fn miopenBatchNormalizationBackward(
        handle: Ptr, mode: i32, alpha: *const f32, beta: *const f32, alpha_of_params: *const f32, beta_of_params: *const f32,
        xDesc: Ptr, x: Ptr, dyDesc: Ptr, dy: Ptr, dxDesc: Ptr, dx: Ptr, paramDesc: Ptr, scale: Ptr, scale_diff: Ptr, bias_diff: Ptr,
        epsilon: f64, saved_mean: Ptr, saved_inverse: Ptr,
    ) {
        plain(alpha, beta, Status::BAD_PARM)?;
        plain(alpha_of_params, beta_of_params, Status::BAD_PARM)?;
        let batch = Batch::new(mode, (xDesc, x), paramDesc)?;
        let [dy, dx] = [batch.like(dyDesc, dy)?, batch.like(dxDesc, dx)?];
        let [scale, scale_diff, bias_diff] =
            [Data::of_float(paramDesc, scale)?, Data::of_float(paramDesc, scale_diff)?, Data::of_float(paramDesc, bias_diff)?];
        let saved = [Data::of_float(paramDesc, saved_mean).ok(), Data::of_float(paramDesc, saved_inverse).ok()];
        enqueue(handle, move || {
            let (means, inverses) = match &saved {
                [Some(mean), Some(inverse)] => (batch.all(mean), batch.all(inverse)),
                _ => {
                    let (means, variances) = batch.moments();
                    (means, variances.iter().map(|variance| 1.0 / (variance + epsilon).sqrt()).collect())
                }
            };
            let (x, count, scales) = (&batch.x, batch.count(), batch.all(&scale));
            let normal = |at: &[usize]| (x.get(at) - means[batch.number(at)]) * inverses[batch.number(at)];
            let (mut to_scale, mut to_bias) = (vec![0.0; scales.len()], vec![0.0; scales.len()]);
            x.each(|at| {
                to_scale[batch.number(at)] += dy.get(at) * normal(at);
                to_bias[batch.number(at)] += dy.get(at);
            });
            dx.each(|at| {
                let k = batch.number(at);
                let centred = dy.get(at) - to_bias[k] / count - normal(at) * to_scale[k] / count;
                dx.set(at, scales[k] * inverses[k] * centred);
            });
            scale_diff.each(|at| scale_diff.set(at, to_scale[batch.number(at)]));
            bias_diff.each(|at| bias_diff.set(at, to_bias[batch.number(at)]));
        })
    }
}

/// What is normalised, and over what.
struct Batch {
    x: Data,
    is_spatial: bool,
}

impl Batch {
    /// The shape of the parameters belongs to the mode.
    fn new(mode: i32, (descriptor, memory): (Ptr, Ptr), params: Ptr) -> Outcome<Batch> {
        let x = Data::of_layer(descriptor, memory)?;
        let batch = Batch {
            x,
            is_spatial: mode == SPATIAL,
        };
        let wanted = batch.numbers();
        match tensor(params)?.elements() == wanted {
            true => Ok(batch),
            false => Err(Status::BAD_PARM),
        }
    }

    fn like(&self, descriptor: Ptr, memory: Ptr) -> Outcome<Data> {
        let data = Data::of_layer(descriptor, memory)?;
        match data.tensor.lens == self.x.tensor.lens {
            true => Ok(data),
            false => Err(Status::BAD_PARM),
        }
    }

    fn numbers(&self) -> usize {
        match self.is_spatial {
            true => self.x.tensor.lens[1],
            false => self.x.tensor.lens[1..].iter().product(),
        }
    }

    /// Of which parameter a place is.
    fn number(&self, at: &[usize]) -> usize {
        match self.is_spatial {
            true => at[1],
            false => at[1..]
                .iter()
                .zip(&self.x.tensor.lens[1..])
                .fold(0, |flat, (at, len)| flat * len + at),
        }
    }

    /// Elements that share a parameter.
    fn count(&self) -> f64 {
        (self.x.tensor.elements() / self.numbers()) as f64
    }

    fn all(&self, params: &Data) -> Vec<f64> {
        let mut all = vec![0.0; self.numbers()];
        params.each(|at| all[self.number(at)] = params.get(at));
        all
    }

    fn moments(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut means, mut variances) = (vec![0.0; self.numbers()], vec![0.0; self.numbers()]);
        self.x
            .each(|at| means[self.number(at)] += self.x.get(at) / self.count());
        self.x.each(|at| {
            variances[self.number(at)] +=
                (self.x.get(at) - means[self.number(at)]).powi(2) / self.count()
        });
        (means, variances)
    }

    fn normalise(
        &self,
        y: &Data,
        scale: &Data,
        bias: &Data,
        means: &[f64],
        variances: &[f64],
        epsilon: f64,
    ) {
        let (scales, biases) = (self.all(scale), self.all(bias));
        y.each(|at| {
            let k = self.number(at);
            let normal = (self.x.get(at) - means[k]) / (variances[k] + epsilon).sqrt();
            y.set(at, scales[k] * normal + biases[k]);
        });
    }
}
