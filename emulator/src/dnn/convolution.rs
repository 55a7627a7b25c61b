//! Convolutions of two and three directions, with Find in front of them as MIOpen wants it.

use std::sync::{Arc, Mutex, PoisonError};

use super::tensor::{Data, Tensor, each, size_of_kind, tensor};
use super::{Outcome, Status, enqueue, find, functions, handle, list, plain, put, scaling};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// What a descriptor says.
#[derive(Clone, Debug, Default)]
struct Convolution {
    mode: i32,
    pads: Vec<usize>,
    strides: Vec<usize>,
    dilations: Vec<usize>,
    groups: usize,
}

static CONVOLUTIONS: Handles<Mutex<Convolution>> = Handles::new();

/// What a convolution computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Data,
    Weights,
}

/// `miopenConvAlgoPerf_t`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Perf {
    algorithm: i32,
    time: f32,
    memory: usize,
}

/// `miopenConvolutionFwdAlgoGEMM` and `…Direct`, and those of the other directions.
const GEMM: i32 = 0;
const DIRECT: i32 = 1;

impl Convolution {
    fn of(descriptor: Ptr) -> Outcome<Convolution> {
        let found = find(&CONVOLUTIONS, descriptor)?;
        let convolution = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match convolution.pads.is_empty() {
            true => Err(Status::BAD_PARM),
            false => Ok(convolution),
        }
    }

    /// The shape of y for shapes of x and w.
    fn output(&self, x: &[usize], w: &[usize]) -> Outcome<Vec<usize>> {
        let spatial = self.pads.len();
        // convolution.cpp: "Channels do not match for the filter", and the number of directions
        if x.len() != spatial + 2
            || w.len() != spatial + 2
            || x[1] != w[1] * self.groups
            || !w[0].is_multiple_of(self.groups)
        {
            return Err(Status::BAD_PARM);
        }
        let mut lens = vec![x[0], w[0]];
        for at in 0..spatial {
            let covered = self.dilations[at] * (w[at + 2] - 1) + 1;
            let room = (x[at + 2] + 2 * self.pads[at])
                .checked_sub(covered)
                .ok_or(Status::BAD_PARM)?;
            lens.push(room / self.strides[at] + 1);
        }
        Ok(lens)
    }

    /// What Find depends on.
    fn key(&self, direction: Direction, [x, w, y]: [&Tensor; 3]) -> Vec<usize> {
        let own = [&self.pads, &self.strides, &self.dilations]
            .into_iter()
            .flatten()
            .copied();
        let tensors = x.key().chain(w.key()).chain(y.key());
        tensors
            .chain(own)
            .chain([self.groups, direction as usize])
            .collect()
    }
}

/// One convolution: its three tensors and what is to become of them.
struct Job {
    convolution: Convolution,
    direction: Direction,
    x: Data,
    w: Data,
    y: Data,
}

/// The operands in the order of MIOpen's functions: two that are read, one that is written.
type Operands = [(Ptr, Ptr); 3];

impl Job {
    fn new(direction: Direction, convolution: Ptr, [a, b, c]: Operands) -> Outcome<Job> {
        let [x, w, y] = match direction {
            Direction::Forward => [a, b, c],
            Direction::Data => [c, b, a],
            Direction::Weights => [b, c, a],
        };
        let convolution = Convolution::of(convolution)?;
        let [x, w, y] = [
            Data::of_layer(x.0, x.1)?,
            Data::of_layer(w.0, w.1)?,
            Data::of_layer(y.0, y.1)?,
        ];
        match convolution.output(&x.tensor.lens, &w.tensor.lens)? == y.tensor.lens {
            true => Ok(Job {
                convolution,
                direction,
                x,
                w,
                y,
            }),
            false => Err(Status::BAD_PARM),
        }
    }

    fn key(&self) -> Vec<usize> {
        self.convolution.key(
            self.direction,
            [&self.x.tensor, &self.w.tensor, &self.y.tensor],
        )
    }

    /// What the algorithms take of memory: the product of matrices has an image of the input in columns.
    fn perfs(&self) -> [Perf; 2] {
        let columns = columns(&self.w.tensor, &self.y.tensor);
        [
            Perf {
                algorithm: GEMM,
                time: 0.5,
                memory: columns,
            },
            Perf {
                algorithm: DIRECT,
                time: 1.0,
                memory: 0,
            },
        ]
    }

    /// Calls `visit` with each place of y and of w, and the place of x that they meet.
    fn each(&self, mut visit: impl FnMut(&[usize], &[usize], &[usize])) {
        let (own, w) = (&self.convolution, &self.w.tensor.lens);
        let per_group = w[0] / own.groups;
        let mut in_x = vec![0; w.len()];
        each(&self.y.tensor.lens, |in_y| {
            each(&w[1..], |rest| {
                in_x[0] = in_y[0];
                in_x[1] = in_y[1] / per_group * w[1] + rest[0];
                for at in 0..own.pads.len() {
                    let with_pad =
                        in_y[at + 2] * own.strides[at] + rest[at + 1] * own.dilations[at];
                    match with_pad
                        .checked_sub(own.pads[at])
                        .filter(|place| *place < self.x.tensor.lens[at + 2])
                    {
                        Some(place) => in_x[at + 2] = place,
                        None => return,
                    }
                }
                let in_w: Vec<usize> = std::iter::once(in_y[1])
                    .chain(rest.iter().copied())
                    .collect();
                visit(&in_x, &in_w, in_y);
            });
        });
    }

    fn run(&self, alpha: f64, beta: f64) {
        let (to, of): (&Data, _) = match self.direction {
            Direction::Forward => (&self.y, 2),
            Direction::Data => (&self.x, 0),
            Direction::Weights => (&self.w, 1),
        };
        let lens = &to.tensor.lens;
        let flat = |at: &[usize]| {
            at.iter()
                .zip(lens)
                .fold(0, |flat, (at, len)| flat * len + at)
        };
        let mut sums = vec![0.0; to.tensor.elements()];
        self.each(|x, w, y| {
            let term = match self.direction {
                Direction::Forward => self.x.get(x) * self.w.get(w),
                Direction::Data => self.y.get(y) * self.w.get(w),
                Direction::Weights => self.y.get(y) * self.x.get(x),
            };
            sums[flat([x, w, y][of])] += term;
        });
        to.each(|at| to.blend(at, alpha, sums[flat(at)], beta));
    }
}

fn columns(w: &Tensor, y: &Tensor) -> usize {
    size_of_kind(w.kind).unwrap_or(4)
        * w.lens[1..].iter().product::<usize>()
        * y.lens[2..].iter().product::<usize>()
}

/// The most that an algorithm takes.
fn space(to: *mut usize, convolution: Ptr, [x, w, y]: [Ptr; 3]) -> Outcome {
    let [x, w, y] = [
        tensor(x)?.of_layer()?,
        tensor(w)?.of_layer()?,
        tensor(y)?.of_layer()?,
    ];
    match Convolution::of(convolution)?.output(&x.lens, &w.lens)? == y.lens {
        true => put(to, columns(&w, &y)),
        false => Err(Status::BAD_PARM),
    }
}

/// Find: what it measures is written to the result as well, as MIOpen does. Buffers, and room for an answer, must be there
/// (convolutionocl.cpp: "Buffers cannot be NULL", "requestAlgoCount cannot be < 1").
fn search(
    handle: Ptr,
    job: Job,
    wanted: i32,
    count: *mut i32,
    to: *mut Perf,
    (space, bytes): (Ptr, usize),
) -> Outcome {
    if wanted < 1 || count.is_null() || to.is_null() {
        return Err(Status::BAD_PARM);
    }
    let room = if space.is_null() { 0 } else { bytes };
    let fitting = job.perfs().into_iter().filter(|perf| perf.memory <= room);
    let all: Vec<Perf> = fitting.take(wanted as usize).collect();
    put(count, all.len() as i32)?;
    all.iter()
        .enumerate()
        .for_each(|(at, perf)| raw::put_if(to.wrapping_add(at), *perf));
    handle::of(handle)?.keep(job.key());
    enqueue(handle, move || job.run(1.0, 0.0))
}

/// Runs what Find was called for. In two directions no scalings but 1 and 0 (convolutionocl.cpp: `ValidateAlphaBeta`; "Was find executed?").
fn execute(
    handle: Ptr,
    job: Job,
    algorithm: i32,
    (alpha, beta): (*const f32, *const f32),
    (space, bytes): (Ptr, usize),
) -> Outcome {
    if job.convolution.pads.len() == 2 {
        plain(alpha, beta, Status::NOT_IMPLEMENTED)?;
    }
    let (alpha, beta) = (scaling(alpha)?, scaling(beta)?);
    let known = job
        .perfs()
        .into_iter()
        .find(|perf| perf.algorithm == algorithm);
    let perf = known
        .filter(|_| handle::of(handle).is_ok_and(|it| it.has_found(&job.key())))
        .ok_or(Status::UNKNOWN)?;
    if perf.memory > 0 && (space.is_null() || bytes < perf.memory) {
        return Err(Status::BAD_PARM);
    }
    enqueue(handle, move || job.run(alpha, beta))
}

fn init(descriptor: Ptr, convolution: Convolution) -> Outcome {
    let found = find(&CONVOLUTIONS, descriptor)?;
    // convolution.cpp: "Parameters to filter cannot be negative"; transposed convolutions are not emulated.
    if convolution.strides.contains(&0) || convolution.dilations.contains(&0) {
        return Err(Status::BAD_PARM);
    }
    if convolution.mode != 0 {
        return Err(Status::NOT_IMPLEMENTED);
    }
    *found.lock().unwrap_or_else(PoisonError::into_inner) = convolution;
    Ok(())
}

/// Find and execution of one direction, with the operands in MIOpen's order.
macro_rules! directions {
    ($($find:ident $run:ident $direction:ident;)+) => {
        functions! {$(
            /// Find.
            fn $find(
                handle: Ptr, aDesc: Ptr, a: Ptr, bDesc: Ptr, b: Ptr, convolution: Ptr, cDesc: Ptr, c: Ptr, wanted: i32,
                count: *mut i32, to: *mut Perf, space: Ptr, bytes: usize, _exhaustive: bool,
            ) {
                let job = Job::new(Direction::$direction, convolution, [(aDesc, a), (bDesc, b), (cDesc, c)])?;
                search(handle, job, wanted, count, to, (space, bytes))
            }
            /// Execution.
            fn $run(
                handle: Ptr, alpha: *const f32, aDesc: Ptr, a: Ptr, bDesc: Ptr, b: Ptr, convolution: Ptr, algorithm: i32,
                beta: *const f32, cDesc: Ptr, c: Ptr, space: Ptr, bytes: usize,
            ) {
                let job = Job::new(Direction::$direction, convolution, [(aDesc, a), (bDesc, b), (cDesc, c)])?;
                execute(handle, job, algorithm, (alpha, beta), (space, bytes))
            }
        )+}
    };
}

directions! {
    miopenFindConvolutionForwardAlgorithm miopenConvolutionForward Forward;
    miopenFindConvolutionBackwardDataAlgorithm miopenConvolutionBackwardData Data;
    miopenFindConvolutionBackwardWeightsAlgorithm miopenConvolutionBackwardWeights Weights;
}

functions! {
    /// `miopenCreateConvolutionDescriptor`
    fn miopenCreateConvolutionDescriptor(to: *mut Ptr) { put(to, CONVOLUTIONS.insert(Arc::default())) }
    /// `miopenDestroyConvolutionDescriptor`
    fn miopenDestroyConvolutionDescriptor(descriptor: Ptr) {
        CONVOLUTIONS.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenInitConvolutionDescriptor`
    fn miopenInitConvolutionDescriptor(descriptor: Ptr, mode: i32, ph: i32, pw: i32, sh: i32, sw: i32, dh: i32, dw: i32) {
        let two = |a: i32, b: i32| list([a, b].as_ptr(), 2);
        init(descriptor, Convolution { mode, pads: two(ph, pw)?, strides: two(sh, sw)?, dilations: two(dh, dw)?, groups: 1 })
    }
    /// `miopenInitConvolutionNdDescriptor`
    fn miopenInitConvolutionNdDescriptor(
        descriptor: Ptr, spatial: i32, pads: *const i32, strides: *const i32, dilations: *const i32, mode: i32,
    ) {
        if !(2..=3).contains(&spatial) {
            return Err(Status::BAD_PARM);
        }
        let [pads, strides, dilations] = [list(pads, spatial)?, list(strides, spatial)?, list(dilations, spatial)?];
        init(descriptor, Convolution { mode, pads, strides, dilations, groups: 1 })
    }
    /// `miopenSetConvolutionGroupCount`
    fn miopenSetConvolutionGroupCount(descriptor: Ptr, count: i32) {
        let found = find(&CONVOLUTIONS, descriptor)?;
        let count = usize::try_from(count).ok().filter(|count| *count > 0).ok_or(Status::BAD_PARM)?;
        found.lock().unwrap_or_else(PoisonError::into_inner).groups = count;
        Ok(())
    }
    /// `miopenGetConvolutionGroupCount`
    fn miopenGetConvolutionGroupCount(descriptor: Ptr, to: *mut i32) { put(to, Convolution::of(descriptor)?.groups as i32) }
    /// `miopenGetConvolutionSpatialDim`
    fn miopenGetConvolutionSpatialDim(descriptor: Ptr, to: *mut i32) { put(to, Convolution::of(descriptor)?.pads.len() as i32) }
    /// `miopenGetConvolutionNdDescriptor`
    fn miopenGetConvolutionNdDescriptor(
        descriptor: Ptr, wanted: i32, spatial: *mut i32, pads: *mut i32, strides: *mut i32, dilations: *mut i32, mode: *mut i32,
    ) {
        let found = Convolution::of(descriptor)?;
        let wanted = usize::try_from(wanted).ok().filter(|wanted| *wanted <= found.pads.len()).ok_or(Status::UNKNOWN)?;
        raw::put_if(spatial, found.pads.len() as i32);
        for (to, all) in [(pads, &found.pads), (strides, &found.strides), (dilations, &found.dilations)] {
            all[..wanted].iter().enumerate().try_for_each(|(at, size)| put(to.wrapping_add(at), *size as i32))?;
        }
        raw::put_if(mode, found.mode);
        Ok(())
    }
    /// `miopenGetConvolutionForwardOutputDim`
    fn miopenGetConvolutionForwardOutputDim(
        descriptor: Ptr, xDesc: Ptr, wDesc: Ptr, n: *mut i32, c: *mut i32, h: *mut i32, w: *mut i32,
    ) {
        let lens = Convolution::of(descriptor)?.output(&tensor(xDesc)?.lens, &tensor(wDesc)?.lens)?;
        match lens.len() == 4 {
            true => [n, c, h, w].into_iter().zip(lens).try_for_each(|(to, size)| put(to, size as i32)),
            false => Err(Status::BAD_PARM),
        }
    }
    /// `miopenGetConvolutionNdForwardOutputDim`
    fn miopenGetConvolutionNdForwardOutputDim(descriptor: Ptr, xDesc: Ptr, wDesc: Ptr, count: *mut i32, to: *mut i32) {
        let lens = Convolution::of(descriptor)?.output(&tensor(xDesc)?.lens, &tensor(wDesc)?.lens)?;
        put(count, lens.len() as i32)?;
        lens.into_iter().enumerate().try_for_each(|(at, size)| put(to.wrapping_add(at), size as i32))
    }
    /// `miopenConvolutionForwardGetWorkSpaceSize`
    fn miopenConvolutionForwardGetWorkSpaceSize(_handle: Ptr, w: Ptr, x: Ptr, convolution: Ptr, y: Ptr, to: *mut usize) {
        space(to, convolution, [x, w, y])
    }
    /// `miopenConvolutionBackwardDataGetWorkSpaceSize`
    fn miopenConvolutionBackwardDataGetWorkSpaceSize(_handle: Ptr, dy: Ptr, w: Ptr, convolution: Ptr, dx: Ptr, to: *mut usize) {
        space(to, convolution, [dx, w, dy])
    }
    /// `miopenConvolutionBackwardWeightsGetWorkSpaceSize`
    fn miopenConvolutionBackwardWeightsGetWorkSpaceSize(_handle: Ptr, dy: Ptr, x: Ptr, convolution: Ptr, dw: Ptr, to: *mut usize) {
        space(to, convolution, [x, dw, dy])
    }
    /// `miopenConvolutionBackwardBias`: no scalings but 1 and 0 (convolutionocl.cpp); the places of a channel are taken as one after the
    /// other (MIOpenConvBwdBias.cl).
    fn miopenConvolutionBackwardBias(
        handle: Ptr, alpha: *const f32, dyDesc: Ptr, dy: Ptr, beta: *const f32, dbDesc: Ptr, db: Ptr,
    ) {
        plain(alpha, beta, Status::UNKNOWN)?;
        let (mut dy, db) = (Data::of_layer(dyDesc, dy)?, Data::of_layer(dbDesc, db)?);
        dy.tensor = dy.tensor.into_images(true);
        if db.tensor.elements() != dy.tensor.lens[1] || db.tensor.lens.len() != dy.tensor.lens.len() || db.tensor.lens[1] != dy.tensor.lens[1] {
            return Err(Status::BAD_PARM);
        }
        enqueue(handle, move || {
            let mut sums = vec![0.0; dy.tensor.lens[1]];
            dy.each(|at| sums[at[1]] += dy.get(at));
            db.each(|at| db.set(at, sums[at[1]]));
        })
    }
}
