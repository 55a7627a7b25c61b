//! Handles, and what is set for them; copies of vectors and matrices.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};

use super::{Outcome, Status};
use crate::host::copy_api::{hipMemcpy2D, hipMemcpy2DAsync};
use crate::host::functions;
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// `hipMemcpyHostToDevice`, `hipMemcpyDeviceToHost`
const TO_DEVICE: u32 = 1;
const TO_HOST: u32 = 2;

/// What a handle stands for.
#[derive(Default)]
pub(super) struct Handle {
    stream: AtomicUsize,
    pointer_mode: AtomicI32,
    math_mode: AtomicI32,
    atomics_mode: AtomicI32,
}

static HANDLES: Handles<Handle> = Handles::new();

impl Handle {
    pub(super) fn stream(&self) -> usize {
        self.stream.load(Relaxed)
    }

    /// Scalars and results are in memory of the device.
    pub(super) fn on_device(&self) -> bool {
        self.pointer_mode.load(Relaxed) != 0
    }
}

/// The handle of a pointer.
pub(super) fn of(handle: Ptr) -> Outcome<Arc<Handle>> {
    HANDLES.get(handle).map_err(|_| Status::NOT_INITIALIZED)
}

fn put<T>(to: *mut T, value: T) -> Outcome {
    raw::put(to, value).map_err(|_| Status::INVALID_VALUE)
}

functions! {
    /// `hipblasCreate`
    fn hipblasCreate(to: *mut Ptr) { put(to, HANDLES.insert(Arc::default())) }
    /// `hipblasDestroy`: after the work of its stream.
    fn hipblasDestroy(handle: Ptr) {
        let gone = HANDLES.remove(handle).map_err(|_| Status::NOT_INITIALIZED)?;
        if let Ok(stream) = crate::host::stream::find(gone.stream() as Ptr) {
            stream.synchronize();
        }
        Ok(())
    }
    /// `hipblasSetStream`
    fn hipblasSetStream(handle: Ptr, stream: Ptr) { of(handle).map(|h| h.stream.store(stream as usize, Relaxed)) }
    /// `hipblasGetStream`
    fn hipblasGetStream(handle: Ptr, to: *mut Ptr) { put(to, of(handle)?.stream() as Ptr) }
    /// `hipblasSetPointerMode`
    fn hipblasSetPointerMode(handle: Ptr, mode: i32) { of(handle).map(|h| h.pointer_mode.store(mode, Relaxed)) }
    /// `hipblasGetPointerMode`
    fn hipblasGetPointerMode(handle: Ptr, to: *mut i32) { put(to, of(handle)?.pointer_mode.load(Relaxed)) }
    /// `hipblasSetMathMode`: all modes compute alike here.
    fn hipblasSetMathMode(handle: Ptr, mode: i32) { of(handle).map(|h| h.math_mode.store(mode, Relaxed)) }
    /// `hipblasGetMathMode`
    fn hipblasGetMathMode(handle: Ptr, to: *mut i32) { put(to, of(handle)?.math_mode.load(Relaxed)) }
    /// `hipblasSetAtomicsMode`
    fn hipblasSetAtomicsMode(handle: Ptr, mode: i32) { of(handle).map(|h| h.atomics_mode.store(mode, Relaxed)) }
    /// `hipblasGetAtomicsMode`
    fn hipblasGetAtomicsMode(handle: Ptr, to: *mut i32) { put(to, of(handle)?.atomics_mode.load(Relaxed)) }
    /// `hipblasSetVector`
    fn hipblasSetVector(n: i32, size: i32, x: Ptr, incx: i32, y: Ptr, incy: i32) { vector(n, size, (x, incx), (y, incy), TO_DEVICE) }
    /// `hipblasGetVector`
    fn hipblasGetVector(n: i32, size: i32, x: Ptr, incx: i32, y: Ptr, incy: i32) { vector(n, size, (x, incx), (y, incy), TO_HOST) }
    /// `hipblasSetMatrix`
    fn hipblasSetMatrix(rows: i32, columns: i32, size: i32, a: Ptr, lda: i32, b: Ptr, ldb: i32) {
        block([rows, columns, size], (a, lda), (b, ldb), TO_DEVICE, None)
    }
    /// `hipblasGetMatrix`
    fn hipblasGetMatrix(rows: i32, columns: i32, size: i32, a: Ptr, lda: i32, b: Ptr, ldb: i32) {
        block([rows, columns, size], (a, lda), (b, ldb), TO_HOST, None)
    }
    /// `hipblasSetMatrixAsync`
    fn hipblasSetMatrixAsync(rows: i32, columns: i32, size: i32, a: Ptr, lda: i32, b: Ptr, ldb: i32, stream: Ptr) {
        block([rows, columns, size], (a, lda), (b, ldb), TO_DEVICE, Some(stream))
    }
    /// `hipblasGetMatrixAsync`
    fn hipblasGetMatrixAsync(rows: i32, columns: i32, size: i32, a: Ptr, lda: i32, b: Ptr, ldb: i32, stream: Ptr) {
        block([rows, columns, size], (a, lda), (b, ldb), TO_HOST, Some(stream))
    }
}

/// A vector is a matrix of one row.
fn vector(n: i32, size: i32, x: (Ptr, i32), y: (Ptr, i32), kind: u32) -> Outcome {
    block([1, n, size], x, y, kind, None)
}

/// Copies rows, columns and bytes of an element from one matrix to another, each with its leading dimension.
fn block(
    [rows, columns, size]: [i32; 3],
    (a, lda): (Ptr, i32),
    (b, ldb): (Ptr, i32),
    kind: u32,
    stream: Option<Ptr>,
) -> Outcome {
    if [rows, columns, size, lda, ldb].iter().any(|n| *n < 0) || lda < rows || ldb < rows {
        return Err(Status::INVALID_VALUE);
    }
    let bytes = |n: i32| n as usize * size as usize;
    let (to, from) = (bytes(ldb), bytes(lda));
    let (width, height) = (bytes(rows), columns as usize);
    let code = match stream {
        None => hipMemcpy2D(b as usize, to, a as usize, from, width, height, kind),
        Some(stream) => hipMemcpy2DAsync(
            b as usize, to, a as usize, from, width, height, kind, stream,
        ),
    };
    if code == 0 {
        Ok(())
    } else {
        Err(Status::INVALID_VALUE)
    }
}

/// `hipblasStatusToString`
#[unsafe(no_mangle)]
pub extern "C" fn hipblasStatusToString(status: i32) -> *const std::ffi::c_char {
    let names = [
        c"HIPBLAS_STATUS_SUCCESS",
        c"HIPBLAS_STATUS_NOT_INITIALIZED",
        c"HIPBLAS_STATUS_ALLOC_FAILED",
        c"HIPBLAS_STATUS_INVALID_VALUE",
        c"HIPBLAS_STATUS_MAPPING_ERROR",
        c"HIPBLAS_STATUS_EXECUTION_FAILED",
        c"HIPBLAS_STATUS_INTERNAL_ERROR",
        c"HIPBLAS_STATUS_NOT_SUPPORTED",
        c"HIPBLAS_STATUS_ARCH_MISMATCH",
        c"HIPBLAS_STATUS_HANDLE_IS_NULLPTR",
        c"HIPBLAS_STATUS_INVALID_ENUM",
    ];
    let name = usize::try_from(status).ok().and_then(|k| names.get(k));
    name.copied().unwrap_or(c"HIPBLAS_STATUS_UNKNOWN").as_ptr()
}
