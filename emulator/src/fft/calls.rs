//! Plans, and hipFFT's functions.

use std::sync::{Arc, Mutex, PoisonError};

use super::layout::Layout;
use super::transform::{Number, backward_to_real, complex, forward_of_real, half};
use crate::host::functions;
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};
use crate::host::{stream, work::Work};

/// A result of hipFFT that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status(i32);

impl Status {
    const INVALID_PLAN: Status = Status(1);
    const INVALID_VALUE: Status = Status(4);
    const EXEC_FAILED: Status = Status(6);
    const INVALID_SIZE: Status = Status(8);
}

type Outcome<T = ()> = Result<T, Status>;

/// What a transform reads and writes; bit 6 of the number says double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    RealToComplex,
    ComplexToReal,
    Complex,
}

/// A transform's kind, and whether it is of double precision, by `hipfftType`.
fn kind_of(number: i32) -> Outcome<(Kind, bool)> {
    let is_double = number & 0x40 != 0;
    match number & !0x40 {
        0x2a => Ok((Kind::RealToComplex, is_double)),
        0x2c => Ok((Kind::ComplexToReal, is_double)),
        0x29 => Ok((Kind::Complex, is_double)),
        _ => Err(Status::INVALID_VALUE),
    }
}

/// What a plan computes.
#[derive(Clone, Debug)]
struct Shape {
    lens: Vec<usize>,
    kind: Kind,
    is_double: bool,
    batch: usize,
    /// The program's own layouts of both sides.
    layouts: Option<(Layout, Layout)>,
}

/// A plan as the program holds it.
struct Plan {
    shape: Option<Shape>,
    stream: usize,
    scale: f64,
}

static PLANS: Handles<Mutex<Plan>> = Handles::new();

fn of(plan: Ptr) -> Outcome<Arc<Mutex<Plan>>> {
    PLANS.get(plan).map_err(|_| Status::INVALID_PLAN)
}

fn put<T>(to: *mut T, value: T) -> Outcome {
    raw::put(to, value).map_err(|_| Status::INVALID_VALUE)
}

fn length(size: i64) -> Outcome<usize> {
    let length = usize::try_from(size).ok().filter(|size| *size > 0);
    length.ok_or(Status::INVALID_SIZE)
}

impl Shape {
    fn new(lens: &[i32], kind: i32, batch: i32) -> Outcome<Shape> {
        let lens = lens.iter().map(|len| length((*len).into()));
        let (kind, is_double) = kind_of(kind)?;
        Ok(Shape {
            lens: lens.collect::<Outcome<_>>()?,
            kind,
            is_double,
            batch: length(batch.into())?,
            layouts: None,
        })
    }

    /// The lengths of what is read and of what is written.
    fn sides(&self) -> (Vec<usize>, Vec<usize>) {
        let (whole, half) = (self.lens.clone(), half(&self.lens));
        match self.kind {
            Kind::RealToComplex => (whole, half),
            Kind::ComplexToReal => (half, whole),
            Kind::Complex => (whole.clone(), whole),
        }
    }

    /// Where both sides lie; real rows have room for complex ones where a transform is made in place.
    fn layouts(&self, is_in_place: bool) -> (Layout, Layout) {
        if let Some(layouts) = &self.layouts {
            return layouts.clone();
        }
        let (from, to) = self.sides();
        let real = |lens: &[usize]| match is_in_place {
            true => Layout::padded(lens),
            false => Layout::packed(lens),
        };
        match self.kind {
            Kind::RealToComplex => (real(&from), Layout::packed(&to)),
            Kind::ComplexToReal => (Layout::packed(&from), real(&to)),
            Kind::Complex => (Layout::packed(&from), Layout::packed(&to)),
        }
    }

    fn real(&self, address: usize, at: usize) -> f64 {
        match self.is_double {
            true => raw::load(address + 8 * at),
            false => raw::load::<f32>(address + 4 * at).into(),
        }
    }

    fn put_real(&self, address: usize, at: usize, value: f64) {
        match self.is_double {
            true => raw::store(address + 8 * at, value),
            false => raw::store(address + 4 * at, value as f32),
        }
    }

    fn read(&self, address: usize, places: &[usize]) -> Vec<Number> {
        let each = places.iter();
        each.map(|at| Number::new(self.real(address, 2 * at), self.real(address, 2 * at + 1)))
            .collect()
    }

    fn write(&self, address: usize, places: &[usize], values: &[Number], scale: f64) {
        for (at, value) in places.iter().zip(values) {
            self.put_real(address, 2 * at, value.re * scale);
            self.put_real(address, 2 * at + 1, value.im * scale);
        }
    }

    fn run(&self, from: usize, to: usize, is_forward: bool, scale: f64) {
        let (sides, layouts) = (self.sides(), self.layouts(from == to));
        // All is read before anything is written: both sides may be one.
        let places = |layout: &Layout, lens: &[usize]| -> Vec<Vec<usize>> {
            (0..self.batch)
                .map(|member| layout.places(lens, member))
                .collect()
        };
        let (reads, writes) = (places(&layouts.0, &sides.0), places(&layouts.1, &sides.1));
        match self.kind {
            Kind::RealToComplex => {
                let read =
                    |places: &Vec<usize>| places.iter().map(|at| self.real(from, *at)).collect();
                let members: Vec<Vec<f64>> = reads.iter().map(read).collect();
                for (member, places) in members.iter().zip(&writes) {
                    self.write(to, places, &forward_of_real(member, &self.lens), scale);
                }
            }
            Kind::ComplexToReal => {
                let members: Vec<_> = reads.iter().map(|places| self.read(from, places)).collect();
                for (member, places) in members.into_iter().zip(&writes) {
                    let values = backward_to_real(member, &self.lens);
                    let each = places.iter().zip(values);
                    each.for_each(|(at, value)| self.put_real(to, *at, value * scale));
                }
            }
            Kind::Complex => {
                let members: Vec<_> = reads.iter().map(|places| self.read(from, places)).collect();
                for (member, places) in members.into_iter().zip(&writes) {
                    self.write(to, places, &complex(member, &self.lens, is_forward), scale);
                }
            }
        }
    }
}

fn create(to: *mut Ptr, shape: Option<Shape>) -> Outcome {
    let plan = Plan {
        shape,
        stream: 0,
        scale: 1.0,
    };
    put(to, PLANS.insert(Arc::new(Mutex::new(plan))))
}

/// Gives a plan its shape; it needs no memory beyond its operands.
fn make(plan: Ptr, shape: Shape, size: *mut usize) -> Outcome {
    let plan = of(plan)?;
    plan.lock().unwrap_or_else(PoisonError::into_inner).shape = Some(shape);
    raw::put_if(size, 0);
    Ok(())
}

/// The sides that the program lays out itself: `embed`, stride and distance, each; a null `embed` means packed ones.
type Side = (*const i32, i32, i32);

fn many(
    rank: i32,
    lens: *const i32,
    from: Side,
    to: Side,
    kind: i32,
    batch: i32,
) -> Outcome<Shape> {
    let rank = usize::try_from(rank)
        .ok()
        .filter(|rank| (1..=3).contains(rank))
        .ok_or(Status::INVALID_VALUE)?;
    let list = |from: *const i32| raw::list(from, rank).map_err(|_| Status::INVALID_VALUE);
    let mut shape = Shape::new(&list(lens)?, kind, batch)?;
    // As in cuFFT, one that is null makes both packed.
    if from.0.is_null() || to.0.is_null() {
        return Ok(shape);
    }
    let side = |(embed, stride, distance): Side| -> Outcome<Layout> {
        let embed = list(embed)?.into_iter().map(|size| length(size.into()));
        let distance = usize::try_from(distance).map_err(|_| Status::INVALID_VALUE)?;
        Ok(Layout::new(
            embed.collect::<Outcome<_>>()?,
            length(stride.into())?,
            distance,
        ))
    };
    shape.layouts = Some((side(from)?, side(to)?));
    Ok(shape)
}

fn run(plan: Ptr, wanted: (Kind, bool), from: Ptr, to: Ptr, is_forward: bool) -> Outcome {
    let plan = of(plan)?;
    let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
    let shape = plan.shape.clone().ok_or(Status::INVALID_PLAN)?;
    if (shape.kind, shape.is_double) != wanted {
        return Err(Status::INVALID_PLAN);
    }
    if from.is_null() || to.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    let (from, to, scale) = (from as usize, to as usize, plan.scale);
    let work = Work::Call(Arc::new(move || shape.run(from, to, is_forward, scale)));
    stream::give(plan.stream as Ptr, work, false).map_err(|_| Status::EXEC_FAILED)
}

/// `HIPFFT_FORWARD` is -1, `HIPFFT_BACKWARD` 1.
fn is_forward(direction: i32) -> Outcome<bool> {
    match direction {
        -1 => Ok(true),
        1 => Ok(false),
        _ => Err(Status::INVALID_VALUE),
    }
}

functions! {
    /// `hipfftCreate`
    fn hipfftCreate(to: *mut Ptr) { create(to, None) }
    /// `hipfftDestroy`: after the work of its stream.
    fn hipfftDestroy(plan: Ptr) {
        let gone = PLANS.remove(plan).map_err(|_| Status::INVALID_PLAN)?;
        let to = gone.lock().unwrap_or_else(PoisonError::into_inner).stream;
        if let Ok(stream) = stream::find(to as Ptr) {
            stream.synchronize();
        }
        Ok(())
    }
    /// `hipfftPlan1d`
    fn hipfftPlan1d(to: *mut Ptr, nx: i32, kind: i32, batch: i32) { create(to, Some(Shape::new(&[nx], kind, batch)?)) }
    /// `hipfftPlan2d`
    fn hipfftPlan2d(to: *mut Ptr, nx: i32, ny: i32, kind: i32) { create(to, Some(Shape::new(&[nx, ny], kind, 1)?)) }
    /// `hipfftPlan3d`
    fn hipfftPlan3d(to: *mut Ptr, nx: i32, ny: i32, nz: i32, kind: i32) { create(to, Some(Shape::new(&[nx, ny, nz], kind, 1)?)) }
    /// `hipfftPlanMany`
    fn hipfftPlanMany(
        to: *mut Ptr, rank: i32, lens: *const i32, inembed: *const i32, istride: i32, idist: i32, onembed: *const i32, ostride: i32,
        odist: i32, kind: i32, batch: i32,
    ) {
        create(to, Some(many(rank, lens, (inembed, istride, idist), (onembed, ostride, odist), kind, batch)?))
    }
    /// `hipfftMakePlan1d`
    fn hipfftMakePlan1d(plan: Ptr, nx: i32, kind: i32, batch: i32, size: *mut usize) { make(plan, Shape::new(&[nx], kind, batch)?, size) }
    /// `hipfftMakePlan2d`
    fn hipfftMakePlan2d(plan: Ptr, nx: i32, ny: i32, kind: i32, size: *mut usize) { make(plan, Shape::new(&[nx, ny], kind, 1)?, size) }
    /// `hipfftMakePlan3d`
    fn hipfftMakePlan3d(plan: Ptr, nx: i32, ny: i32, nz: i32, kind: i32, size: *mut usize) {
        make(plan, Shape::new(&[nx, ny, nz], kind, 1)?, size)
    }
    /// `hipfftMakePlanMany`
    fn hipfftMakePlanMany(
        plan: Ptr, rank: i32, lens: *const i32, inembed: *const i32, istride: i32, idist: i32, onembed: *const i32, ostride: i32,
        odist: i32, kind: i32, batch: i32, size: *mut usize,
    ) {
        make(plan, many(rank, lens, (inembed, istride, idist), (onembed, ostride, odist), kind, batch)?, size)
    }
    /// `hipfftGetSize`: nothing, as for all plans here.
    fn hipfftGetSize(plan: Ptr, size: *mut usize) { of(plan).and(put(size, 0)) }
    /// `hipfftEstimate1d`
    fn hipfftEstimate1d(nx: i32, kind: i32, batch: i32, size: *mut usize) { Shape::new(&[nx], kind, batch).and(put(size, 0)) }
    /// `hipfftEstimate2d`
    fn hipfftEstimate2d(nx: i32, ny: i32, kind: i32, size: *mut usize) { Shape::new(&[nx, ny], kind, 1).and(put(size, 0)) }
    /// `hipfftEstimate3d`
    fn hipfftEstimate3d(nx: i32, ny: i32, nz: i32, kind: i32, size: *mut usize) { Shape::new(&[nx, ny, nz], kind, 1).and(put(size, 0)) }
    /// `hipfftSetAutoAllocation`
    fn hipfftSetAutoAllocation(plan: Ptr, _allocates: i32) { of(plan).map(drop) }
    /// `hipfftSetWorkArea`
    fn hipfftSetWorkArea(plan: Ptr, _area: Ptr) { of(plan).map(drop) }
    /// `hipfftSetStream`
    fn hipfftSetStream(plan: Ptr, stream: Ptr) {
        of(plan)?.lock().unwrap_or_else(PoisonError::into_inner).stream = stream as usize;
        Ok(())
    }
    /// `hipfftExtPlanScaleFactor`
    fn hipfftExtPlanScaleFactor(plan: Ptr, scale: f64) {
        of(plan)?.lock().unwrap_or_else(PoisonError::into_inner).scale = scale;
        Ok(())
    }
    /// `hipfftGetVersion`: hipFFT 1.0.18 of ROCm 6.4.
    fn hipfftGetVersion(to: *mut i32) { put(to, 10_018) }
    /// `hipfftExecC2C`
    fn hipfftExecC2C(plan: Ptr, from: Ptr, to: Ptr, direction: i32) { run(plan, (Kind::Complex, false), from, to, is_forward(direction)?) }
    /// `hipfftExecZ2Z`
    fn hipfftExecZ2Z(plan: Ptr, from: Ptr, to: Ptr, direction: i32) { run(plan, (Kind::Complex, true), from, to, is_forward(direction)?) }
    /// `hipfftExecR2C`
    fn hipfftExecR2C(plan: Ptr, from: Ptr, to: Ptr) { run(plan, (Kind::RealToComplex, false), from, to, true) }
    /// `hipfftExecD2Z`
    fn hipfftExecD2Z(plan: Ptr, from: Ptr, to: Ptr) { run(plan, (Kind::RealToComplex, true), from, to, true) }
    /// `hipfftExecC2R`
    fn hipfftExecC2R(plan: Ptr, from: Ptr, to: Ptr) { run(plan, (Kind::ComplexToReal, false), from, to, false) }
    /// `hipfftExecZ2D`
    fn hipfftExecZ2D(plan: Ptr, from: Ptr, to: Ptr) { run(plan, (Kind::ComplexToReal, true), from, to, false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_rows_have_room_in_place_and_none_elsewhere() {
        let shape = Shape::new(&[2, 3], 0x2a, 1).unwrap();
        let mut packed: [f32; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        let mut padded: [f32; 8] = [1.0, 2.0, 4.0, 0.0, 8.0, 16.0, 32.0, 0.0];
        let mut apart = [0.0_f32; 8];
        shape.run(
            packed.as_mut_ptr() as usize,
            apart.as_mut_ptr() as usize,
            true,
            1.0,
        );
        let place = padded.as_mut_ptr() as usize;
        shape.run(place, place, true, 1.0);
        assert_eq!(apart, padded);
        assert_eq!(apart[0], 63.0);
        let back = Shape::new(&[2, 3], 0x2c, 1).unwrap();
        back.run(place, place, false, 1.0 / 6.0);
        assert!((padded[4] - 8.0).abs() < 1e-5 && (padded[6] - 32.0).abs() < 1e-5);
    }

    #[test]
    fn a_batch_with_a_layout_of_its_own_is_read_and_written_where_it_says() {
        // Two transforms of two elements, interleaved; results one behind the other.
        let two = [2];
        let side = |stride, distance| (two.as_ptr(), stride, distance);
        let shape = many(1, two.as_ptr(), side(2, 1), side(1, 2), 0x69, 2).unwrap();
        let mut from = [1.0, 0.0, 10.0, 0.0, 2.0, 0.0, 20.0, 0.0_f64];
        let mut to = [0.0_f64; 8];
        shape.run(
            from.as_mut_ptr() as usize,
            to.as_mut_ptr() as usize,
            true,
            1.0,
        );
        assert_eq!(to, [3.0, 0.0, -1.0, 0.0, 30.0, 0.0, -10.0, 0.0]);
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let mut plan = std::ptr::null_mut();
        assert_eq!(hipfftPlan1d(&raw mut plan, 0, 0x29, 1), 8);
        assert_eq!(hipfftPlan1d(&raw mut plan, 4, 0x11, 1), 4);
        assert_eq!(hipfftCreate(&raw mut plan), 0);
        let mut value = 0.0_f32;
        let memory: Ptr = (&raw mut value).cast();
        assert_eq!(hipfftExecC2C(plan, memory, memory, -1), 1);
        assert_eq!(hipfftMakePlan1d(plan, 1, 0x69, 1, std::ptr::null_mut()), 0);
        assert_eq!(hipfftExecC2C(plan, memory, memory, -1), 1);
        assert_eq!(hipfftDestroy(plan), 0);
        assert_eq!(hipfftDestroy(plan), 1);
    }
}
