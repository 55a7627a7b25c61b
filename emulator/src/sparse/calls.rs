//! hipSPARSE's functions.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::operand::{Dense, Indices, Numbers, Places, Sparse};
use super::{Outcome, Status};
use crate::host::functions;
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};
use crate::host::{stream, work::Work};

/// What a handle stands for.
#[derive(Default)]
struct Handle {
    stream: AtomicUsize,
    pointer_mode: AtomicI32,
}

/// What the older functions are told of a matrix.
#[derive(Clone, Copy, Debug, Default)]
struct Described {
    kind: i32,
    base: i32,
    fill: i32,
    diagonal: i32,
}

static HANDLES: Handles<Handle> = Handles::new();
static DESCRIBED: Handles<Mutex<Described>> = Handles::new();
static SPARSE: Handles<Mutex<Sparse>> = Handles::new();
static DENSE: Handles<Mutex<Dense>> = Handles::new();

fn of(handle: Ptr) -> Outcome<Arc<Handle>> {
    HANDLES.get(handle).map_err(|_| Status::NOT_INITIALIZED)
}

/// What a descriptor says now.
fn said<T: Copy>(all: &Handles<Mutex<T>>, descriptor: Ptr) -> Outcome<T> {
    let found = all.get(descriptor).map_err(|_| Status::INVALID_VALUE)?;
    let said = *found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(said)
}

fn change<T>(all: &Handles<Mutex<T>>, descriptor: Ptr, change: impl FnOnce(&mut T)) -> Outcome {
    let found = all.get(descriptor).map_err(|_| Status::INVALID_VALUE)?;
    change(&mut found.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(())
}

fn remove<T>(all: &Handles<T>, descriptor: Ptr) -> Outcome {
    all.remove(descriptor)
        .map(drop)
        .map_err(|_| Status::INVALID_VALUE)
}

fn put<T>(to: *mut T, value: T) -> Outcome {
    raw::put(to, value).map_err(|_| Status::INVALID_VALUE)
}

fn size(size: i64) -> Outcome<usize> {
    usize::try_from(size).map_err(|_| Status::INVALID_VALUE)
}

fn enqueue(handle: &Handle, work: impl Fn() + Send + Sync + 'static) -> Outcome {
    let to = handle.stream.load(Relaxed) as Ptr;
    stream::give(to, Work::Call(Arc::new(work)), false).map_err(|_| Status::EXECUTION_FAILED)
}

/// `HIPSPARSE_OPERATION_NON_TRANSPOSE`, `…_TRANSPOSE`, `…_CONJUGATE_TRANSPOSE`: of real numbers the last two are one.
fn is_transposed(operation: i32) -> Outcome<bool> {
    match operation {
        0 => Ok(false),
        1 | 2 => Ok(true),
        _ => Err(Status::INVALID_VALUE),
    }
}

/// A scalar: read at once from the host, or from the device when the work is done.
#[derive(Clone, Copy)]
enum Scalar {
    Value(f64),
    At(Numbers),
}

impl Scalar {
    fn new(handle: &Handle, from: Ptr, kind: i32) -> Outcome<Scalar> {
        if from.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        let number = Numbers::new(from, kind)?;
        Ok(match handle.pointer_mode.load(Relaxed) {
            0 => Scalar::Value(number.get(0)),
            _ => Scalar::At(number),
        })
    }

    fn get(self) -> f64 {
        match self {
            Scalar::Value(value) => value,
            Scalar::At(number) => number.get(0),
        }
    }
}

/// c = alpha * op(a) * op(b) + beta * c
fn product(
    handle: Ptr,
    (a, of_a): (Sparse, bool),
    (b, of_b): (Dense, bool),
    c: Dense,
    (alpha, beta, kind): (Ptr, Ptr, i32),
) -> Outcome {
    let handle = of(handle)?;
    let (rows, inner) = a.shape(of_a);
    let (of_inner, columns) = b.shape(of_b);
    if inner != of_inner || (c.rows, c.columns) != (rows, columns) {
        return Err(Status::INVALID_VALUE);
    }
    let (alpha, beta) = (
        Scalar::new(&handle, alpha, kind)?,
        Scalar::new(&handle, beta, kind)?,
    );
    enqueue(&handle, move || {
        let mut sums = vec![0.0; rows * columns];
        a.each(|row, column, value| {
            let (to, from) = if of_a { (column, row) } else { (row, column) };
            for k in 0..columns {
                let place = if of_b { b.at(k, from) } else { b.at(from, k) };
                sums[to * columns + k] += value * b.values.get(place);
            }
        });
        for (at, sum) in sums.iter().enumerate() {
            let place = c.at(at / columns, at % columns);
            c.values.blend(place, alpha.get(), *sum, beta.get());
        }
    })
}

fn vector(memory: Ptr, size: usize, kind: i32) -> Outcome<Dense> {
    Ok(Dense {
        rows: size,
        columns: 1,
        leading: size,
        by_rows: false,
        values: Numbers::new(memory, kind)?,
    })
}

/// What the functions of old take for a matrix in rows.
struct Rows {
    sizes: [i32; 3],
    described: Ptr,
    values: Ptr,
    starts: Ptr,
    columns: Ptr,
}

/// y = alpha * op(a) * x + beta * y
fn csrmv(
    handle: Ptr,
    operation: i32,
    a: &Rows,
    (alpha, x, beta, y): (Ptr, Ptr, Ptr, Ptr),
    kind: i32,
) -> Outcome {
    let described = said(&DESCRIBED, a.described)?;
    // Symmetric and triangular matrices are not emulated.
    if described.kind != 0 {
        return Err(Status::NOT_SUPPORTED);
    }
    let [rows, columns, count] = a.sizes;
    let sparse = Sparse {
        rows: size(rows.into())?,
        columns: size(columns.into())?,
        count: size(count.into())?,
        places: Places::Rows(
            Indices::new(a.starts, 2, described.base)?,
            Indices::new(a.columns, 2, described.base)?,
        ),
        values: Numbers::new(a.values, kind)?,
    };
    let is_transposed = is_transposed(operation)?;
    let (to, from) = sparse.shape(is_transposed);
    product(
        handle,
        (sparse, is_transposed),
        (vector(x, from, kind)?, false),
        vector(y, to, kind)?,
        (alpha, beta, kind),
    )
}

functions! {
    /// `hipsparseCreate`
    fn hipsparseCreate(to: *mut Ptr) { put(to, HANDLES.insert(Arc::default())) }
    /// `hipsparseDestroy`: after the work of its stream.
    fn hipsparseDestroy(handle: Ptr) {
        let gone = HANDLES.remove(handle).map_err(|_| Status::NOT_INITIALIZED)?;
        if let Ok(stream) = stream::find(gone.stream.load(Relaxed) as Ptr) {
            stream.synchronize();
        }
        Ok(())
    }
    /// `hipsparseSetStream`
    fn hipsparseSetStream(handle: Ptr, stream: Ptr) { of(handle).map(|handle| handle.stream.store(stream as usize, Relaxed)) }
    /// `hipsparseGetStream`
    fn hipsparseGetStream(handle: Ptr, to: *mut Ptr) { put(to, of(handle)?.stream.load(Relaxed) as Ptr) }
    /// `hipsparseSetPointerMode`
    fn hipsparseSetPointerMode(handle: Ptr, mode: i32) { of(handle).map(|handle| handle.pointer_mode.store(mode, Relaxed)) }
    /// `hipsparseGetPointerMode`
    fn hipsparseGetPointerMode(handle: Ptr, to: *mut i32) { put(to, of(handle)?.pointer_mode.load(Relaxed)) }
    /// `hipsparseCreateMatDescr`
    fn hipsparseCreateMatDescr(to: *mut Ptr) { put(to, DESCRIBED.insert(Arc::default())) }
    /// `hipsparseDestroyMatDescr`
    fn hipsparseDestroyMatDescr(described: Ptr) { remove(&DESCRIBED, described) }
    /// `hipsparseSetMatType`
    fn hipsparseSetMatType(described: Ptr, kind: i32) { change(&DESCRIBED, described, |it| it.kind = kind) }
    /// `hipsparseSetMatIndexBase`
    fn hipsparseSetMatIndexBase(described: Ptr, base: i32) { change(&DESCRIBED, described, |it| it.base = base) }
    /// `hipsparseSetMatFillMode`
    fn hipsparseSetMatFillMode(described: Ptr, fill: i32) { change(&DESCRIBED, described, |it| it.fill = fill) }
    /// `hipsparseSetMatDiagType`
    fn hipsparseSetMatDiagType(described: Ptr, diagonal: i32) { change(&DESCRIBED, described, |it| it.diagonal = diagonal) }
    /// `hipsparseCreateCsr`
    fn hipsparseCreateCsr(
        to: *mut Ptr, rows: i64, columns: i64, count: i64, starts: Ptr, places: Ptr, values: Ptr, of_starts: i32, of_places: i32, base: i32,
        kind: i32,
    ) {
        let places = Places::Rows(Indices::new(starts, of_starts, base)?, Indices::new(places, of_places, base)?);
        let (rows, columns, count) = (size(rows)?, size(columns)?, size(count)?);
        put(to, SPARSE.insert(Arc::new(Mutex::new(Sparse { rows, columns, count, places, values: Numbers::new(values, kind)? }))))
    }
    /// `hipsparseCreateCoo`
    fn hipsparseCreateCoo(
        to: *mut Ptr, rows: i64, columns: i64, count: i64, at_rows: Ptr, at_columns: Ptr, values: Ptr, indices: i32, base: i32, kind: i32,
    ) {
        let places = Places::Coordinates(Indices::new(at_rows, indices, base)?, Indices::new(at_columns, indices, base)?);
        let (rows, columns, count) = (size(rows)?, size(columns)?, size(count)?);
        put(to, SPARSE.insert(Arc::new(Mutex::new(Sparse { rows, columns, count, places, values: Numbers::new(values, kind)? }))))
    }
    /// `hipsparseDestroySpMat`
    fn hipsparseDestroySpMat(matrix: Ptr) { remove(&SPARSE, matrix) }
    /// `hipsparseSpMatGetSize`
    fn hipsparseSpMatGetSize(matrix: Ptr, rows: *mut i64, columns: *mut i64, count: *mut i64) {
        let found = said(&SPARSE, matrix)?;
        put(rows, found.rows as i64)?;
        put(columns, found.columns as i64)?;
        put(count, found.count as i64)
    }
    /// `hipsparseCreateDnVec`
    fn hipsparseCreateDnVec(to: *mut Ptr, length: i64, values: Ptr, kind: i32) {
        put(to, DENSE.insert(Arc::new(Mutex::new(vector(values, size(length)?, kind)?))))
    }
    /// `hipsparseDestroyDnVec`
    fn hipsparseDestroyDnVec(vector: Ptr) { remove(&DENSE, vector) }
    /// `hipsparseDnVecSetValues`
    fn hipsparseDnVecSetValues(vector: Ptr, values: Ptr) { change(&DENSE, vector, |it| it.values.address = values as usize) }
    /// `hipsparseCreateDnMat`: columns one after the other where the order is 1, rows where it is 2.
    fn hipsparseCreateDnMat(to: *mut Ptr, rows: i64, columns: i64, leading: i64, values: Ptr, kind: i32, order: i32) {
        let (rows, columns, leading) = (size(rows)?, size(columns)?, size(leading)?);
        let by_rows = order == ROW;
        if leading < if by_rows { columns } else { rows } {
            return Err(Status::INVALID_VALUE);
        }
        put(to, DENSE.insert(Arc::new(Mutex::new(Dense { rows, columns, leading, by_rows, values: Numbers::new(values, kind)? }))))
    }
    /// `hipsparseDestroyDnMat`
    fn hipsparseDestroyDnMat(matrix: Ptr) { remove(&DENSE, matrix) }
    /// `hipsparseSpMV_bufferSize`: products need none here; programs get a few bytes to allocate.
    fn hipsparseSpMV_bufferSize(
        handle: Ptr, _operation: i32, _alpha: Ptr, a: Ptr, _x: Ptr, _beta: Ptr, _y: Ptr, _kind: i32, _algorithm: i32, to: *mut usize,
    ) {
        of(handle)?;
        said(&SPARSE, a)?;
        put(to, BUFFER)
    }
    /// `hipsparseSpMV_preprocess`
    fn hipsparseSpMV_preprocess(
        handle: Ptr, _operation: i32, _alpha: Ptr, a: Ptr, _x: Ptr, _beta: Ptr, _y: Ptr, _kind: i32, _algorithm: i32, _buffer: Ptr,
    ) {
        of(handle)?;
        said(&SPARSE, a).map(drop)
    }
    /// `hipsparseSpMV`
    fn hipsparseSpMV(
        handle: Ptr, operation: i32, alpha: Ptr, a: Ptr, x: Ptr, beta: Ptr, y: Ptr, kind: i32, _algorithm: i32, _buffer: Ptr,
    ) {
        let a = (said(&SPARSE, a)?, is_transposed(operation)?);
        product(handle, a, (said(&DENSE, x)?, false), said(&DENSE, y)?, (alpha, beta, kind))
    }
    /// `hipsparseSpMM_bufferSize`
    fn hipsparseSpMM_bufferSize(
        handle: Ptr, _of_a: i32, _of_b: i32, _alpha: Ptr, a: Ptr, _b: Ptr, _beta: Ptr, _c: Ptr, _kind: i32, _algorithm: i32, to: *mut usize,
    ) {
        of(handle)?;
        said(&SPARSE, a)?;
        put(to, BUFFER)
    }
    /// `hipsparseSpMM_preprocess`
    fn hipsparseSpMM_preprocess(
        handle: Ptr, _of_a: i32, _of_b: i32, _alpha: Ptr, a: Ptr, _b: Ptr, _beta: Ptr, _c: Ptr, _kind: i32, _algorithm: i32, _buffer: Ptr,
    ) {
        of(handle)?;
        said(&SPARSE, a).map(drop)
    }
    /// `hipsparseSpMM`
    fn hipsparseSpMM(
        handle: Ptr, of_a: i32, of_b: i32, alpha: Ptr, a: Ptr, b: Ptr, beta: Ptr, c: Ptr, kind: i32, _algorithm: i32, _buffer: Ptr,
    ) {
        let (a, b) = ((said(&SPARSE, a)?, is_transposed(of_a)?), (said(&DENSE, b)?, is_transposed(of_b)?));
        product(handle, a, b, said(&DENSE, c)?, (alpha, beta, kind))
    }
    /// `hipsparseScsrmv`
    fn hipsparseScsrmv(
        handle: Ptr, operation: i32, m: i32, n: i32, count: i32, alpha: Ptr, described: Ptr, values: Ptr, starts: Ptr, columns: Ptr, x: Ptr,
        beta: Ptr, y: Ptr,
    ) {
        csrmv(handle, operation, &Rows { sizes: [m, n, count], described, values, starts, columns }, (alpha, x, beta, y), 0)
    }
    /// `hipsparseDcsrmv`
    fn hipsparseDcsrmv(
        handle: Ptr, operation: i32, m: i32, n: i32, count: i32, alpha: Ptr, described: Ptr, values: Ptr, starts: Ptr, columns: Ptr, x: Ptr,
        beta: Ptr, y: Ptr,
    ) {
        csrmv(handle, operation, &Rows { sizes: [m, n, count], described, values, starts, columns }, (alpha, x, beta, y), 1)
    }
    /// `hipsparseXcoo2csr`: rows stand in order.
    fn hipsparseXcoo2csr(handle: Ptr, rows: Ptr, count: i32, m: i32, starts: Ptr, base: i32) {
        let handle = of(handle)?;
        let (rows, starts) = (Indices::new(rows, 2, base)?, Indices::new(starts, 2, base)?);
        let (count, m) = (size(count.into())?, size(m.into())?);
        enqueue(&handle, move || {
            let mut next = 0;
            for row in 0..=m {
                while next < count && rows.get(next) < row {
                    next += 1;
                }
                starts.set(row, next);
            }
        })
    }
    /// `hipsparseXcsr2coo`
    fn hipsparseXcsr2coo(handle: Ptr, starts: Ptr, _count: i32, m: i32, rows: Ptr, base: i32) {
        let handle = of(handle)?;
        let (rows, starts) = (Indices::new(rows, 2, base)?, Indices::new(starts, 2, base)?);
        let m = size(m.into())?;
        enqueue(&handle, move || {
            (0..m).for_each(|row| (starts.get(row)..starts.get(row + 1)).for_each(|at| rows.set(at, row)));
        })
    }
}

/// `HIPSPARSE_ORDER_ROW`
const ROW: i32 = 2;
/// What products are said to need.
const BUFFER: usize = 4;

/// `hipsparseGetErrorString`, in words of the emulator's own
#[unsafe(no_mangle)]
pub extern "C" fn hipsparseGetErrorString(status: i32) -> *const c_char {
    const NAMES: [&CStr; 4] = [
        c"success",
        c"not initialized",
        c"resource allocation failed",
        c"an invalid value",
    ];
    let name = usize::try_from(status).ok().and_then(|at| NAMES.get(at));
    name.copied().unwrap_or(c"not supported").as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 0 2
    /// 0 3 0
    fn matrix(coordinates: bool) -> Sparse {
        let leak = |of: Vec<i32>| Vec::leak(of).as_mut_ptr().cast();
        let values = Vec::leak(vec![1.0_f64, 2.0, 3.0]).as_mut_ptr().cast();
        let indices = |of: Vec<i32>| Indices::new(leak(of), 2, 1).unwrap();
        let columns = indices(vec![1, 3, 2]);
        let places = match coordinates {
            true => Places::Coordinates(indices(vec![1, 1, 2]), columns),
            false => Places::Rows(indices(vec![1, 3, 4]), columns),
        };
        Sparse {
            rows: 2,
            columns: 3,
            count: 3,
            places,
            values: Numbers::new(values, 1).unwrap(),
        }
    }

    #[test]
    fn both_formats_have_the_same_places() {
        let all = |of: Sparse| {
            let mut all = Vec::new();
            of.each(|row, column, value| all.push((row, column, value as i32)));
            all
        };
        let wanted = vec![(0, 0, 1), (0, 2, 2), (1, 1, 3)];
        assert_eq!(all(matrix(false)), wanted);
        assert_eq!(all(matrix(true)), wanted);
    }

    #[test]
    fn shapes_that_do_not_meet_are_refused() {
        let mut handle = std::ptr::null_mut();
        assert_eq!(hipsparseCreate(&raw mut handle), 0);
        let mut numbers = [0.0_f64; 6];
        let memory: Ptr = numbers.as_mut_ptr().cast();
        let (two, three) = (vector(memory, 2, 1).unwrap(), vector(memory, 3, 1).unwrap());
        let scalars = (memory, memory, 1);
        let refused = Err(Status::INVALID_VALUE);
        assert_eq!(
            product(handle, (matrix(false), false), (two, false), two, scalars),
            refused
        );
        assert_eq!(
            product(
                handle,
                (matrix(false), true),
                (three, false),
                three,
                scalars
            ),
            refused
        );
        assert_eq!(hipsparseDestroy(handle), 0);
    }
}
