//! hipRAND's functions of the host.

use std::sync::{Arc, Mutex, PoisonError};

use super::distribution;
use super::generator::{Generator, Kind};
use super::sobol;
use crate::host::functions;
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};
use crate::host::{stream, work::Work};

/// A status of hipRAND that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status(i32);

impl Status {
    const NOT_INITIALIZED: Status = Status(101);
    const TYPE_ERROR: Status = Status(103);
    const OUT_OF_RANGE: Status = Status(104);
    const LENGTH_NOT_MULTIPLE: Status = Status(105);
    const LAUNCH_FAILURE: Status = Status(201);
    const NOT_IMPLEMENTED: Status = Status(1000);
}

type Outcome<T = ()> = Result<T, Status>;

/// A generator as the program holds it.
struct Handle {
    state: Arc<Mutex<Generator>>,
    stream: Mutex<usize>,
    /// It writes to memory of the host.
    on_host: bool,
    /// The points of a quasi-random sequence, in place of the numbers of a generator.
    points: Option<Mutex<Points>>,
}

/// What calls left of a quasi-random sequence.
#[derive(Clone, Copy)]
struct Points {
    bits: usize,
    dimensions: u32,
    offset: u64,
}

static HANDLES: Handles<Handle> = Handles::new();

fn of(handle: Ptr) -> Outcome<Arc<Handle>> {
    HANDLES.get(handle).map_err(|_| Status::NOT_INITIALIZED)
}

/// `HIPRAND_RNG_PSEUDO_DEFAULT`, `…_XORWOW`, `…_MRG32K3A`, `…_PHILOX4_32_10`, `HIPRAND_RNG_QUASI_DEFAULT`, `…_SOBOL32`, `…_SOBOL64`; the
/// Mersenne twisters and scrambled sequences are not emulated.
fn create(to: *mut Ptr, kind: i32, on_host: bool) -> Outcome {
    let bits = match kind {
        500 | 501 => Some(32),
        503 => Some(64),
        _ => None,
    };
    let kind = match kind {
        400 | 401 => Kind::Xorwow,
        402 => Kind::Mrg,
        405 | 500 | 501 | 503 => Kind::Philox,
        403 | 404 | 502 | 504 => return Err(Status::NOT_IMPLEMENTED),
        _ => return Err(Status::TYPE_ERROR),
    };
    let points = bits.map(|bits| {
        Mutex::new(Points {
            bits,
            dimensions: 1,
            offset: 0,
        })
    });
    let handle = Handle {
        points,
        state: Arc::new(Mutex::new(Generator::new(kind))),
        stream: Mutex::new(0),
        on_host,
    };
    raw::put(to, HANDLES.insert(Arc::new(handle))).map_err(|_| Status::OUT_OF_RANGE)
}

/// Changes a generator behind the work that its stream has.
fn change(handle: Ptr, change: impl Fn(&mut Generator) + Send + Sync + 'static) -> Outcome {
    let handle = of(handle)?;
    let state = Arc::clone(&handle.state);
    let run = move || change(&mut state.lock().unwrap_or_else(PoisonError::into_inner));
    if handle.on_host {
        run();
        return Ok(());
    }
    let to = *handle.stream.lock().unwrap_or_else(PoisonError::into_inner) as Ptr;
    stream::give(to, Work::Call(Arc::new(run)), false).map_err(|_| Status::LAUNCH_FAILURE)
}

/// The points of a generator whose sequence is quasi-random, as calls left them; `None` for other generators.
fn points_of(handle: Ptr) -> Outcome<Option<Points>> {
    let handle = of(handle)?;
    let points = handle.points.as_ref();
    Ok(points.map(|points| *points.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Changes the points of a generator; another generator has none (`HIPRAND_STATUS_TYPE_ERROR`).
fn set_points(handle: Ptr, change: impl FnOnce(&mut Points)) -> Outcome {
    let handle = of(handle)?;
    let points = handle.points.as_ref().ok_or(Status::TYPE_ERROR)?;
    change(&mut points.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(())
}

/// Fills places with points, dimension after dimension, and goes on behind them (sobol.hpp of rocRAND).
fn fill_points<T: Copy + 'static>(
    handle: Ptr,
    to: *mut T,
    count: usize,
    make: impl Fn(u64) -> T + Send + Sync + 'static,
) -> Outcome {
    let points = points_of(handle)?.ok_or(Status::TYPE_ERROR)?;
    let dimensions = points.dimensions as usize;
    match count % dimensions {
        0 if to.is_null() && count > 0 => return Err(Status::OUT_OF_RANGE),
        0 => {}
        _ => return Err(Status::LENGTH_NOT_MULTIPLE),
    }
    let (address, each) = (to as usize, count / dimensions);
    set_points(handle, |points| points.offset += each as u64)?;
    change(handle, move |_| {
        for dimension in 0..dimensions {
            let found = sobol::points(dimension, points.bits, points.offset, each);
            for (at, point) in found.into_iter().enumerate() {
                let place = dimension * each + at;
                raw::store(address + place * size_of::<T>(), make(point));
            }
        }
    })
}

/// How many places stand in front of the first whole vector: vectors lie where their size divides addresses. Philox draws these first,
/// and in an order of its own where a vector's results and numbers differ, which is not emulated.
fn head<T>(kind: Kind, address: usize, results: usize, drawn: usize) -> Outcome<usize> {
    let ahead = |vector: usize| (vector - address / size_of::<T>() % vector) % vector;
    if kind != Kind::Philox {
        return Ok(ahead(results));
    }
    let ahead = ahead(4 / drawn * results);
    match ahead == 0 || results == drawn && ahead.is_multiple_of(results) {
        true => Ok(0),
        false => Err(Status::NOT_IMPLEMENTED),
    }
}

/// Fills `count` places with vectors of N results, each of `drawn` numbers. What stands in front of the first whole vector or behind the
/// last is drawn last; of both at once the order is not emulated.
fn fill<T: Copy + 'static, const N: usize>(
    handle: Ptr,
    to: *mut T,
    count: usize,
    drawn: usize,
    make: impl Fn(Kind, [u32; 4]) -> [T; N] + Send + Sync + 'static,
) -> Outcome {
    if to.is_null() && count > 0 {
        return Err(Status::OUT_OF_RANGE);
    }
    let address = to as usize;
    let kind = of(handle)?
        .state
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .kind;
    let head = head::<T>(kind, address, N, drawn)?.min(count);
    let (whole, tail) = ((count - head) / N, (count - head) % N);
    if head > 0 && tail > 0 {
        return Err(Status::NOT_IMPLEMENTED);
    }
    change(handle, move |generator| {
        let put = |at: usize, values: &[T]| {
            let each = values.iter().enumerate();
            each.for_each(|(k, value)| raw::store(address + (at + k) * size_of::<T>(), *value));
        };
        let rest = usize::from(head > 0) + usize::from(tail > 0);
        let vectors = generator.draw(whole + rest, drawn);
        let (body, rest) = vectors.split_at(whole);
        let each = body.iter().enumerate();
        each.for_each(|(vector, values)| put(head + vector * N, &make(kind, *values)));
        let mut rest = rest.iter().map(|values| make(kind, *values));
        for (at, size) in [(0, head), (count - tail, tail)] {
            if size > 0
                && let Some(values) = rest.next()
            {
                put(at, &values[..size]);
            }
        }
    })
}

functions! {
    /// `hiprandCreateGenerator`
    fn hiprandCreateGenerator(to: *mut Ptr, kind: i32) { create(to, kind, false) }
    /// `hiprandCreateGeneratorHost`
    fn hiprandCreateGeneratorHost(to: *mut Ptr, kind: i32) { create(to, kind, true) }
    /// `hiprandDestroyGenerator`: after the work of its stream.
    fn hiprandDestroyGenerator(handle: Ptr) {
        let gone = HANDLES.remove(handle).map_err(|_| Status::NOT_INITIALIZED)?;
        let to = *gone.stream.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(stream) = stream::find(to as Ptr) {
            stream.synchronize();
        }
        Ok(())
    }
    /// `hiprandSetStream`
    fn hiprandSetStream(handle: Ptr, stream: Ptr) {
        *of(handle)?.stream.lock().unwrap_or_else(PoisonError::into_inner) = stream as usize;
        Ok(())
    }
    /// `hiprandSetPseudoRandomGeneratorSeed`
    fn hiprandSetPseudoRandomGeneratorSeed(handle: Ptr, seed: u64) {
        match points_of(handle)? {
            Some(_) => Err(Status::TYPE_ERROR),
            None => change(handle, move |generator| generator.set_seed(seed)),
        }
    }
    /// `hiprandSetGeneratorOffset`
    fn hiprandSetGeneratorOffset(handle: Ptr, offset: u64) {
        match points_of(handle)? {
            Some(_) => set_points(handle, |points| points.offset = offset),
            None => change(handle, move |generator| generator.set_offset(offset)),
        }
    }
    /// `hiprandSetGeneratorOrdering`: best, default, seeded and legacy, which are one order here and in rocRAND, whose dynamic order alone
    /// asks for the chip (config_types.hpp). It begins anew.
    fn hiprandSetGeneratorOrdering(handle: Ptr, order: i32) {
        match order {
            100..=103 => change(handle, Generator::reset),
            104 => Err(Status::NOT_IMPLEMENTED),
            _ => Err(Status::OUT_OF_RANGE),
        }
    }
    /// `hiprandSetQuasiRandomGeneratorDimensions`: 1 to 20,000, of which the first 16 are here.
    fn hiprandSetQuasiRandomGeneratorDimensions(handle: Ptr, dimensions: u32) {
        match dimensions {
            1..=20_000 if dimensions <= sobol::DIMENSIONS => {
                set_points(handle, |points| (points.dimensions, points.offset) = (dimensions, 0))
            }
            1..=20_000 => set_points(handle, |_| ()).and(Err(Status::NOT_IMPLEMENTED)),
            _ => Err(Status::OUT_OF_RANGE),
        }
    }
    /// `hiprandGenerateSeeds`: engines are made when they are needed.
    fn hiprandGenerateSeeds(handle: Ptr) { of(handle).map(drop) }
    /// `hiprandGetVersion`: hipRAND 2.12 of ROCm 6.4.
    fn hiprandGetVersion(to: *mut i32) { raw::put(to, 201_200).map_err(|_| Status::OUT_OF_RANGE) }
    /// `hiprandGenerate`
    fn hiprandGenerate(handle: Ptr, to: *mut u32, count: usize) {
        if let Some(points) = points_of(handle)? {
            let is_short = points.bits == 32;
            return if is_short { fill_points(handle, to, count, |point| point as u32) } else { Err(Status::TYPE_ERROR) };
        }
        fill(handle, to, count, 1, |kind, drawn| [distribution::whole(kind, drawn[0])])
    }
    /// `hiprandGenerateShort`
    fn hiprandGenerateShort(handle: Ptr, to: *mut u16, count: usize) {
        if points_of(handle)?.is_some() {
            return Err(Status::NOT_IMPLEMENTED);
        }
        fill(handle, to, count, 1, |kind, drawn| {
            let bits = distribution::whole(kind, drawn[0]);
            [bits as u16, (bits >> 16) as u16]
        })
    }
    /// `hiprandGenerateChar`
    fn hiprandGenerateChar(handle: Ptr, to: *mut u8, count: usize) {
        if points_of(handle)?.is_some() {
            return Err(Status::NOT_IMPLEMENTED);
        }
        fill(handle, to, count, 1, |kind, drawn| distribution::whole(kind, drawn[0]).to_le_bytes())
    }
    /// `hiprandGenerateLongLong`: Sobol's sequence of 64 bits alone makes them.
    fn hiprandGenerateLongLong(handle: Ptr, to: *mut u64, count: usize) {
        match points_of(handle)? {
            Some(Points { bits: 64, .. }) => fill_points(handle, to, count, |point| point),
            _ => Err(Status::TYPE_ERROR),
        }
    }
    /// `hiprandGenerateUniform`
    fn hiprandGenerateUniform(handle: Ptr, to: *mut f32, count: usize) {
        if let Some(points) = points_of(handle)? {
            return fill_points(handle, to, count, move |point| distribution::single_of(point, points.bits));
        }
        fill(handle, to, count, 1, |kind, drawn| [distribution::single(kind, drawn[0])])
    }
    /// `hiprandGenerateUniformDouble`
    fn hiprandGenerateUniformDouble(handle: Ptr, to: *mut f64, count: usize) {
        if let Some(points) = points_of(handle)? {
            return fill_points(handle, to, count, move |point| distribution::double_of(point, points.bits));
        }
        let kind = of(handle)?.state.lock().unwrap_or_else(PoisonError::into_inner).kind;
        fill(handle, to, count, distribution::width_of_double(kind), |kind, drawn| [distribution::double(kind, drawn)])
    }
    /// `hiprandGenerateNormal`
    fn hiprandGenerateNormal(handle: Ptr, to: *mut f32, count: usize, mean: f32, deviation: f32) {
        if let Some(points) = points_of(handle)? {
            let normal = move |point| mean + distribution::normal_of(point, points.bits) * deviation;
            return fill_points(handle, to, count, normal);
        }
        fill(handle, to, count, 2, move |kind, drawn| distribution::normal(kind, drawn).map(|value| mean + value * deviation))
    }
    /// `hiprandGenerateNormalDouble`
    fn hiprandGenerateNormalDouble(handle: Ptr, to: *mut f64, count: usize, mean: f64, deviation: f64) {
        if let Some(points) = points_of(handle)? {
            let normal = move |point| mean + distribution::normal_double_of(point, points.bits) * deviation;
            return fill_points(handle, to, count, normal);
        }
        let kind = of(handle)?.state.lock().unwrap_or_else(PoisonError::into_inner).kind;
        fill(handle, to, count, distribution::width_of_normal_double(kind), move |kind, drawn| {
            distribution::normal_double(kind, drawn).map(|value| mean + value * deviation)
        })
    }
    /// `hiprandGenerateLogNormal`
    fn hiprandGenerateLogNormal(handle: Ptr, to: *mut f32, count: usize, mean: f32, deviation: f32) {
        if let Some(points) = points_of(handle)? {
            let normal = move |point| (mean + distribution::normal_of(point, points.bits) * deviation).exp();
            return fill_points(handle, to, count, normal);
        }
        fill(handle, to, count, 2, move |kind, drawn| distribution::normal(kind, drawn).map(|value| (mean + value * deviation).exp()))
    }
    /// `hiprandGenerateLogNormalDouble`
    fn hiprandGenerateLogNormalDouble(handle: Ptr, to: *mut f64, count: usize, mean: f64, deviation: f64) {
        if let Some(points) = points_of(handle)? {
            let normal = move |point| (mean + distribution::normal_double_of(point, points.bits) * deviation).exp();
            return fill_points(handle, to, count, normal);
        }
        let kind = of(handle)?.state.lock().unwrap_or_else(PoisonError::into_inner).kind;
        fill(handle, to, count, distribution::width_of_normal_double(kind), move |kind, drawn| {
            distribution::normal_double(kind, drawn).map(|value| (mean + value * deviation).exp())
        })
    }
    /// `hiprandGeneratePoisson`: not emulated.
    fn hiprandGeneratePoisson(handle: Ptr, _to: *mut u32, _count: usize, _mean: f64) { of(handle).and(Err(Status::NOT_IMPLEMENTED)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(kind: i32, seed: u64) -> Ptr {
        let mut handle = std::ptr::null_mut();
        assert_eq!(hiprandCreateGeneratorHost(&raw mut handle, kind), 0);
        assert_eq!(hiprandSetPseudoRandomGeneratorSeed(handle, seed), 0);
        handle
    }

    #[test]
    fn numbers_have_the_moments_that_they_should() {
        for kind in [401, 402, 405] {
            let handle = host(kind, 99);
            let count = 20_000;
            let moments = |values: &[f32]| {
                let mean = values.iter().map(|x| f64::from(*x)).sum::<f64>() / count as f64;
                let square = values
                    .iter()
                    .map(|x| (f64::from(*x) - mean).powi(2))
                    .sum::<f64>();
                (mean, square / count as f64)
            };
            let mut values = vec![0.0; count];
            assert_eq!(
                hiprandGenerateUniform(handle, values.as_mut_ptr(), count),
                0
            );
            assert!(values.iter().all(|x| *x > 0.0 && *x <= 1.0));
            let (mean, square) = moments(&values);
            // Four standard deviations of the mean of 20,000: 0.289 / 141 * 4.
            assert!(
                (mean - 0.5).abs() < 0.0082 && (square - 1.0 / 12.0).abs() < 0.0022,
                "{kind}"
            );
            assert_eq!(
                hiprandGenerateNormal(handle, values.as_mut_ptr(), count, 3.0, 2.0),
                0
            );
            let (mean, square) = moments(&values);
            assert!(
                (mean - 3.0).abs() < 0.057 && (square - 4.0).abs() < 0.16,
                "{kind}"
            );
            assert_eq!(hiprandDestroyGenerator(handle), 0);
        }
    }

    #[test]
    fn what_is_no_whole_vector_is_drawn_last() {
        let (one, other) = (host(401, 7), host(401, 7));
        let mut aligned = [0u32; 8];
        let mut shifted = [0u32; 8];
        let bytes = |of: &mut [u32; 8]| of.as_mut_ptr().cast::<u8>();
        assert_eq!(hiprandGenerateChar(one, bytes(&mut aligned), 32), 0);
        assert_eq!(
            hiprandGenerateChar(other, bytes(&mut shifted).wrapping_add(1), 11),
            0
        );
        // Three bytes in front of two words: the third number is theirs.
        assert_eq!(shifted[1..3], aligned[..2]);
        assert_eq!(shifted[0] >> 8, aligned[2] & 0x00ff_ffff);
    }

    #[test]
    fn points_come_dimension_after_dimension_and_go_on() {
        let mut handle = std::ptr::null_mut();
        assert_eq!(hiprandCreateGeneratorHost(&raw mut handle, 501), 0);
        assert_eq!(hiprandSetQuasiRandomGeneratorDimensions(handle, 2), 0);
        let mut whole = [0u32; 16];
        assert_eq!(hiprandGenerate(handle, whole.as_mut_ptr(), 16), 0);
        assert_eq!(hiprandSetGeneratorOffset(handle, 4), 0);
        let mut later = [0u32; 8];
        assert_eq!(hiprandGenerate(handle, later.as_mut_ptr(), 8), 0);
        assert_eq!((&later[..4], &later[4..]), (&whole[4..8], &whole[12..16]));
        let mut odd = [0u32; 3];
        assert_eq!(hiprandGenerate(handle, odd.as_mut_ptr(), 3), 105);
        assert_eq!(hiprandSetQuasiRandomGeneratorDimensions(handle, 17), 1000);
        let mut wide = [0u64; 1];
        assert_eq!(hiprandGenerateLongLong(handle, wide.as_mut_ptr(), 1), 103);
        // Uniform: 2^-32 for the first point, a half and that for the second.
        assert_eq!(hiprandSetQuasiRandomGeneratorDimensions(handle, 1), 0);
        let mut uniform = [0f64; 2];
        assert_eq!(
            hiprandGenerateUniformDouble(handle, uniform.as_mut_ptr(), 2),
            0
        );
        assert_eq!(
            uniform,
            [1.0 / 4_294_967_296.0, 0.5 + 1.0 / 4_294_967_296.0]
        );
        assert_eq!(hiprandDestroyGenerator(handle), 0);
    }

    #[test]
    fn what_is_not_emulated_says_so() {
        let mut handle = std::ptr::null_mut();
        assert_eq!(hiprandCreateGenerator(&raw mut handle, 404), 1000);
        assert_eq!(hiprandCreateGenerator(&raw mut handle, 7), 103);
        let handle = host(405, 0);
        let mut one = 0;
        assert_eq!(hiprandGeneratePoisson(handle, &raw mut one, 1, 2.0), 1000);
        assert_eq!(hiprandGenerate(std::ptr::null_mut(), &raw mut one, 1), 101);
    }
}
