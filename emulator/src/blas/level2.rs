//! A matrix and vectors.

use super::handle::Handle;
use super::number::{Complex, Number, Sum};
use super::place::{Matrix, Scalar, Vector};
use super::{Op, Outcome, Status, enqueue};
use crate::host::raw::Ptr;

type C = Complex<f32>;
type Z = Complex<f64>;

fn later(_: &Handle) -> bool {
    false
}

/// The sum of products of a row of a matrix, element by element of a vector.
fn product<S: Sum>(row: impl Iterator<Item = S>, x: &[S]) -> S {
    row.zip(x).fold(S::default(), |sum, (a, x)| sum + a * *x)
}

/// `alpha A x + beta y` for one element: y is not read where beta is 0.
pub(super) fn blend<S: Sum>(alpha: S, sum: S, beta: S, before: impl FnOnce() -> S) -> S {
    if beta == S::default() {
        alpha * sum
    } else {
        alpha * sum + beta * before()
    }
}

#[allow(clippy::too_many_arguments, reason = "BLAS's arguments")]
fn gemv<T: Number>(
    handle: Ptr,
    op: i32,
    [m, n]: [i32; 2],
    alpha: *const T,
    (a, lda): (*const T, i32),
    (x, incx): (*const T, i32),
    beta: *const T,
    (y, incy): (*mut T, i32),
) -> i32 {
    enqueue(handle, later, |handle| {
        let [alpha, beta] = Scalar::pair(handle, [alpha, beta])?;
        let (op, a) = (Op::of(op)?, Matrix::new(a, m, n, lda)?);
        let (inner, outer) = if op == Op::None { (n, m) } else { (m, n) };
        let (x, y) = vectors(x, inner, incx, y, outer, incy)?;
        Ok(move || {
            let (alpha, beta, x) = (alpha.get(), beta.get(), x.all());
            a.check();
            y.check();
            for k in 0..y.len {
                let sum = match op {
                    Op::None => product((0..x.len()).map(|c| a.get(k, c)), &x),
                    Op::Transposed => product((0..x.len()).map(|r| a.get(r, k)), &x),
                    Op::Conjugated => product((0..x.len()).map(|r| a.get(r, k).conjugate()), &x),
                };
                y.set(k, blend(alpha, sum, beta, || y.get(k)));
            }
        })
    })
}

/// Vectors of a product; a stride of 0 is an error.
fn vectors<T: Number>(
    x: *const T,
    inner: i32,
    incx: i32,
    y: *mut T,
    outer: i32,
    incy: i32,
) -> Outcome<(Vector<T>, Vector<T>)> {
    if incx == 0 || incy == 0 {
        return Err(Status::INVALID_VALUE);
    }
    let y = Vector::new(y.cast_const(), outer, incy)?;
    Ok((Vector::new(x, inner, incx)?, y))
}

macro_rules! gemvs {
    ($($name:ident $ty:ty),+) => {$(
        /// `gemv`: y = alpha op(A) x + beta y
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $name(
            handle: Ptr, op: i32, m: i32, n: i32, alpha: *const $ty, a: *const $ty, lda: i32, x: *const $ty, incx: i32,
            beta: *const $ty, y: *mut $ty, incy: i32,
        ) -> i32 {
            gemv(handle, op, [m, n], alpha, (a, lda), (x, incx), beta, (y, incy))
        }
    )+};
}

gemvs! {
    hipblasSgemv f32, hipblasDgemv f64, hipblasCgemv C, hipblasZgemv Z, hipblasCgemv_v2 C, hipblasZgemv_v2 Z
}

macro_rules! gers {
    ($($name:ident $ty:ty),+) => {$(
        /// `ger`: A += alpha x yᵀ
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $name(
            handle: Ptr, m: i32, n: i32, alpha: *const $ty, x: *const $ty, incx: i32, y: *const $ty, incy: i32, a: *mut $ty, lda: i32,
        ) -> i32 {
            enqueue(handle, later, |handle| {
                let alpha = Scalar::new(alpha, handle.on_device())?;
                let (x, y) = (Vector::new(x, m, incx)?, Vector::new(y, n, incy)?);
                let a = Matrix::new(a.cast_const(), m, n, lda)?;
                Ok(move || {
                    let (alpha, x, y) = (alpha.get(), x.all(), y.all());
                    a.check();
                    for (column, y) in y.iter().enumerate() {
                        for (row, x) in x.iter().enumerate() {
                            a.set(row, column, a.get(row, column) + alpha * *x * *y);
                        }
                    }
                })
            })
        }
    )+};
}

gers! { hipblasSger f32, hipblasDger f64 }
