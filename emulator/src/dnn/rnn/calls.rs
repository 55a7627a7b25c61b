//! The functions that compute, on sequences whose steps have descriptors of their own.

use super::backward::Given;
use super::forward::Pass;
use super::network::Network;
use super::sequence::Batch;
use crate::dnn::dropout::Dropout;
use crate::dnn::tensor::{Flat, tensor};
use crate::dnn::{Outcome, Status, enqueue, functions};
use crate::host::raw::{self, Ptr};

/// A network with the batch that it is run on, checked; each pass makes a [`Pass`] of it when its turn comes.
pub(super) struct Job {
    network: Network,
    batch: Batch,
    weights: Option<Flat>,
    hx: Option<Flat>,
    cx: Option<Flat>,
    dropout: Option<Dropout>,
}

/// Memory that a program may leave out.
fn maybe(network: &Network, memory: Ptr) -> Outcome<Option<Flat>> {
    match memory.is_null() {
        true => Ok(None),
        false => Flat::new(network.kind, memory).map(Some),
    }
}

/// Descriptors of states: all of one number of directions (rnnocl.cpp), those of the hidden ones with the network's sizes.
pub(super) fn states(job: &Job, hidden: Ptr, others: &[Ptr]) -> Outcome {
    let hidden = tensor(hidden)?;
    let network = &job.network;
    let wanted = [
        network.layers * network.directions,
        job.batch.most(),
        network.hidden,
    ];
    let is_alike =
        |other: &Ptr| tensor(*other).is_ok_and(|other| other.lens.len() == hidden.lens.len());
    match hidden.lens == wanted && others.iter().all(is_alike) {
        true => Ok(()),
        false => Err(Status::BAD_PARM),
    }
}

impl Job {
    fn new(
        descriptor: Ptr,
        (steps, x, y): (i32, *const Ptr, *const Ptr),
        [w, hx, cx]: [Ptr; 3],
    ) -> Outcome<Job> {
        let network = Network::of(descriptor)?;
        let batch = Batch::new(&network, steps, x, y)?;
        Job::of(network, batch, [w, hx, cx])
    }

    /// A network and a batch that fit.
    pub(super) fn of(network: Network, batch: Batch, [w, hx, cx]: [Ptr; 3]) -> Outcome<Job> {
        network.parameters(batch.input)?;
        Ok(Job {
            weights: maybe(&network, w)?,
            hx: maybe(&network, hx)?,
            cx: maybe(&network, cx)?,
            dropout: network.dropout()?,
            network,
            batch,
        })
    }

    /// Nothing is dropped.
    pub(super) fn whole(self) -> Job {
        Job {
            dropout: None,
            ..self
        }
    }

    /// "Workspace is required", "Reservespace is required".
    fn room(&self, workspace: usize, reserve: Option<usize>) -> Outcome {
        let has_workspace = workspace >= self.network.workspace(self.batch.rows);
        let wanted = self.network.reserve(self.batch.rows)?;
        match has_workspace && reserve.is_none_or(|reserve| reserve >= wanted) {
            true => Ok(()),
            false => Err(Status::UNKNOWN),
        }
    }

    fn layers(&self) -> usize {
        self.network.layers * self.network.directions
    }

    fn kept(&self) -> usize {
        self.layers() * self.batch.rows * self.network.cell.kept() * self.network.hidden
    }

    fn sums(&self) -> usize {
        self.layers() * self.batch.rows * self.network.cell.scale() * self.network.hidden
    }

    /// Where the mask lies in the reserve: behind what is kept.
    fn mask_at(&self, reserve: Ptr) -> usize {
        reserve as usize + self.kept() * self.network.size()
    }

    /// Elements between two layers.
    fn between(&self) -> usize {
        self.batch.rows * self.network.directions * self.network.hidden
    }

    fn keep_mask(&self, reserve: Ptr) -> Option<Vec<bool>> {
        let mask = self.dropout?.mask(self.between());
        let at = self.mask_at(reserve);
        let bytes = mask.iter().enumerate();
        bytes.for_each(|(number, stays)| raw::store(at + number, u8::from(*stays)));
        Some(mask)
    }

    fn kept_mask(&self, reserve: usize) -> Option<Vec<bool>> {
        self.dropout?;
        let at = self.mask_at(reserve as Ptr);
        Some(
            (0..self.between())
                .map(|number| raw::load::<u8>(at + number) != 0)
                .collect(),
        )
    }

    /// Runs a pass with what it reads.
    fn with<R>(&self, mask: Option<Vec<bool>>, run: impl FnOnce(&Pass) -> R) -> R {
        let count = self
            .network
            .parameters(self.batch.input)
            .unwrap_or_default();
        let states = self.layers() * self.batch.most() * self.network.hidden;
        let weights = self.weights.map(|w| w.read(count)).unwrap_or_default();
        let hx = self.hx.map(|hx| hx.read(states));
        let cx = self.cx.map(|cx| cx.read(states));
        let scale = self.dropout.map_or(1.0, |dropout| dropout.scale());
        run(&Pass {
            network: self.network,
            batch: &self.batch,
            weights: &weights,
            hx: hx.as_deref(),
            cx: cx.as_deref(),
            mask: mask.as_deref().map(|mask| (mask, scale)),
        })
    }

    fn rows(&self, from: Flat, width: usize) -> Vec<f64> {
        let places = self.batch.places();
        places
            .iter()
            .flat_map(|place| (0..width).map(move |at| from.get(place * width + at)))
            .collect()
    }

    fn put_rows(&self, to: Flat, width: usize, values: &[f64]) {
        for (place, row) in self.batch.places().iter().zip(values.chunks(width)) {
            row.iter()
                .enumerate()
                .for_each(|(at, value)| to.set(place * width + at, *value));
        }
    }

    fn wide(&self) -> usize {
        self.network.directions * self.network.hidden
    }
}

fn write(to: Option<Flat>, values: &[f64]) {
    if let Some(to) = to {
        to.write(values);
    }
}

/// Where a forward pass reads and writes.
pub(super) struct Forward {
    pub(super) x: Ptr,
    pub(super) y: Ptr,
    pub(super) hy: Ptr,
    pub(super) cy: Ptr,
}

/// A forward pass; with a reserve one for training.
pub(super) fn forward(handle: Ptr, job: Job, to: &Forward, reserve: Option<Ptr>) -> Outcome {
    let network = job.network;
    if job.weights.is_none() {
        return Err(Status::BAD_PARM);
    }
    let (x, y) = (
        Flat::new(network.kind, to.x)?,
        Flat::new(network.kind, to.y)?,
    );
    let (hy, cy) = (maybe(&network, to.hy)?, maybe(&network, to.cy)?);
    let kept = reserve
        .map(|reserve| Flat::new(network.kind, reserve))
        .transpose()?;
    if let Some(dropout) = job.dropout {
        dropout.check(job.between())?;
    }
    let reserve = reserve.map(|reserve| reserve as usize);
    enqueue(handle, move || {
        let mask = reserve.and_then(|reserve| job.keep_mask(reserve as Ptr));
        let found = job.with(mask, |pass| pass.forward(&job.rows(x, job.batch.input)));
        job.put_rows(y, job.wide(), &found.y);
        write(hy, &found.hy);
        write(cy, &found.cy);
        write(kept, &found.kept);
    })
}

/// Gradients that the backward pass of the data reads and writes.
pub(super) struct Backward {
    pub(super) dy: Ptr,
    pub(super) dhy: Ptr,
    pub(super) dcy: Ptr,
    pub(super) dx: Ptr,
    pub(super) dhx: Ptr,
    pub(super) dcx: Ptr,
}

pub(super) fn backward(
    handle: Ptr,
    job: Job,
    of: &Backward,
    workspace: Ptr,
    reserve: Ptr,
) -> Outcome {
    let network = job.network;
    if job.weights.is_none() {
        return Err(Status::BAD_PARM);
    }
    let (dy, dx) = (
        Flat::new(network.kind, of.dy)?,
        Flat::new(network.kind, of.dx)?,
    );
    let [dhy, dcy, dhx, dcx] =
        [of.dhy, of.dcy, of.dhx, of.dcx].map(|memory| maybe(&network, memory));
    let (dhy, dcy, dhx, dcx) = (dhy?, dcy?, dhx?, dcx?);
    let (sums, kept) = (
        Flat::new(network.kind, workspace)?,
        Flat::new(network.kind, reserve)?,
    );
    let reserve = reserve as usize;
    enqueue(handle, move || {
        let states = job.layers() * job.batch.most() * network.hidden;
        let [dhy, dcy] = [dhy, dcy].map(|from| from.map(|from| from.read(states)));
        let above = job.rows(dy, job.wide());
        let given = Given {
            dy: &above,
            dhy: dhy.as_deref(),
            dcy: dcy.as_deref(),
        };
        let found = job.with(job.kept_mask(reserve), |pass| {
            pass.backward(&kept.read(job.kept()), &given)
        });
        sums.write(&found.sums);
        job.put_rows(dx, job.batch.input, &found.dx);
        write(dhx, &found.dhx);
        write(dcx, &found.dcx);
    })
}

/// The gradients of the parameters, from what the other passes left in the workspace and in the reserve.
pub(super) fn weights(
    handle: Ptr,
    job: Job,
    x: Ptr,
    dw: Ptr,
    [space, reserve]: [Ptr; 2],
) -> Outcome {
    let kind = job.network.kind;
    let (x, dw) = (Flat::new(kind, x)?, Flat::new(kind, dw)?);
    let (sums, kept) = (Flat::new(kind, space)?, Flat::new(kind, reserve)?);
    let (count, reserve) = (job.network.parameters(job.batch.input)?, reserve as usize);
    enqueue(handle, move || {
        let x = job.rows(x, job.batch.input);
        let (kept, sums) = (kept.read(job.kept()), sums.read(job.sums()));
        let mask = job.kept_mask(reserve);
        dw.write(&job.with(mask, |pass| pass.weights(&x, &kept, &sums, count)));
    })
}

functions! {
    /// `miopenRNNForwardTraining`
    fn miopenRNNForwardTraining(
        handle: Ptr, descriptor: Ptr, steps: i32, xDesc: *const Ptr, x: Ptr, hxDesc: Ptr, hx: Ptr, cxDesc: Ptr, cx: Ptr, _wDesc: Ptr,
        w: Ptr, yDesc: *const Ptr, y: Ptr, hyDesc: Ptr, hy: Ptr, cyDesc: Ptr, cy: Ptr, _space: Ptr, bytes: usize, reserve: Ptr,
        reserved: usize,
    ) {
        let job = Job::new(descriptor, (steps, xDesc, yDesc), [w, hx, cx])?;
        states(&job, hyDesc, &[hxDesc, cxDesc, cyDesc])?;
        job.room(bytes, Some(reserved))?;
        forward(handle, job, &Forward { x, y, hy, cy }, Some(reserve))
    }
    /// `miopenRNNForwardInference`: nothing is dropped.
    fn miopenRNNForwardInference(
        handle: Ptr, descriptor: Ptr, steps: i32, xDesc: *const Ptr, x: Ptr, hxDesc: Ptr, hx: Ptr, cxDesc: Ptr, cx: Ptr, _wDesc: Ptr,
        w: Ptr, yDesc: *const Ptr, y: Ptr, hyDesc: Ptr, hy: Ptr, cyDesc: Ptr, cy: Ptr, _space: Ptr, bytes: usize,
    ) {
        let job = Job::new(descriptor, (steps, xDesc, yDesc), [w, hx, cx])?;
        states(&job, hyDesc, &[hxDesc, cxDesc, cyDesc])?;
        job.room(bytes, None)?;
        forward(handle, job.whole(), &Forward { x, y, hy, cy }, None)
    }
    /// `miopenRNNBackwardData`: leaves in the workspace what the gradients of the parameters are made of.
    fn miopenRNNBackwardData(
        handle: Ptr, descriptor: Ptr, steps: i32, yDesc: *const Ptr, _y: Ptr, _dyDesc: *const Ptr, dy: Ptr, _dhyDesc: Ptr, dhy: Ptr,
        _dcyDesc: Ptr, dcy: Ptr, _wDesc: Ptr, w: Ptr, _hxDesc: Ptr, hx: Ptr, _cxDesc: Ptr, cx: Ptr, dxDesc: *const Ptr, dx: Ptr,
        dhxDesc: Ptr, dhx: Ptr, dcxDesc: Ptr, dcx: Ptr, space: Ptr, bytes: usize, reserve: Ptr, reserved: usize,
    ) {
        let job = Job::new(descriptor, (steps, dxDesc, yDesc), [w, hx, cx])?;
        states(&job, dhxDesc, &[dcxDesc])?;
        job.room(bytes, Some(reserved))?;
        backward(handle, job, &Backward { dy, dhy, dcy, dx, dhx, dcx }, space, reserve)
    }
    /// `miopenRNNBackwardWeights`: overwrites dw.
    fn miopenRNNBackwardWeights(
        handle: Ptr, descriptor: Ptr, steps: i32, xDesc: *const Ptr, x: Ptr, hxDesc: Ptr, hx: Ptr, yDesc: *const Ptr, _y: Ptr,
        _dwDesc: Ptr, dw: Ptr, space: Ptr, bytes: usize, reserve: Ptr, reserved: usize,
    ) {
        let job = Job::new(descriptor, (steps, xDesc, yDesc), [std::ptr::null_mut(), hx, std::ptr::null_mut()])?;
        states(&job, hxDesc, &[])?;
        job.room(bytes, Some(reserved))?;
        weights(handle, job, x, dw, [space, reserve])
    }
}
