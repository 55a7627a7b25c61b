//! Matrices.

use super::handle::Handle;
use super::level2::blend;
use super::number::{Complex, Half, Number};
use super::place::{Matrix, Scalar};
use super::{Op, Outcome, Status, enqueue};
use crate::host::raw::{self, Ptr};

type C = Complex<f32>;
type Z = Complex<f64>;

/// A pointer and a leading dimension.
type Given<T> = (*const T, i32);

fn later(_: &Handle) -> bool {
    false
}

/// One product: `C = alpha op(A) op(B) + beta C`.
#[derive(Clone, Copy)]
struct Product<T> {
    ops: [Op; 2],
    size: [usize; 3],
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
}

impl<T: Number> Product<T> {
    fn new(
        ops: [i32; 2],
        [m, n, k]: [i32; 3],
        a: Given<T>,
        b: Given<T>,
        c: Given<T>,
    ) -> Outcome<Product<T>> {
        let ops = [Op::of(ops[0])?, Op::of(ops[1])?];
        let turned = |op: Op, rows, columns| {
            if op == Op::None {
                (rows, columns)
            } else {
                (columns, rows)
            }
        };
        let ((am, an), (bm, bn)) = (turned(ops[0], m, k), turned(ops[1], k, n));
        let size = |n: i32| usize::try_from(n).map_err(|_| Status::INVALID_VALUE);
        Ok(Product {
            ops,
            size: [size(m)?, size(n)?, size(k)?],
            a: Matrix::new(a.0, am, an, a.1)?,
            b: Matrix::new(b.0, bm, bn, b.1)?,
            c: Matrix::new(c.0, m, n, c.1)?,
        })
    }

    fn run(&self, alpha: T::Sum, beta: T::Sum) {
        let [m, n, k] = self.size;
        let (a, b) = (self.a.all(self.ops[0]), self.b.all(self.ops[1]));
        self.c.check();
        let mut column = vec![T::Sum::default(); m];
        for j in 0..n {
            column.fill(T::Sum::default());
            for p in 0..k {
                let factor = b[j * k + p];
                for (sum, a) in column.iter_mut().zip(&a[p * m..][..m]) {
                    *sum = *sum + *a * factor;
                }
            }
            for (i, sum) in column.iter().enumerate() {
                let value = blend(alpha, *sum, beta, || self.c.get(i, j));
                self.c.set(i, j, value);
            }
        }
    }
}

/// The products of a batch whose matrices lie one after another.
#[allow(clippy::too_many_arguments, reason = "BLAS's arguments")]
fn strided<T: Number>(
    handle: Ptr,
    ops: [i32; 2],
    size: [i32; 3],
    [alpha, beta]: [*const T; 2],
    matrices: [Given<T>; 3],
    strides: [i64; 3],
    count: i32,
) -> i32 {
    enqueue(handle, later, |handle| {
        let [alpha, beta] = Scalar::pair(handle, [alpha, beta])?;
        let [a, b, c] = matrices;
        let first = Product::new(ops, size, a, b, c)?;
        Ok(move || {
            let (alpha, beta) = (alpha.get(), beta.get());
            for turn in 0..i64::from(count) {
                let [a, b, c] = strides.map(|stride| stride * turn);
                let next = Product {
                    a: first.a.moved(a),
                    b: first.b.moved(b),
                    c: first.c.moved(c),
                    ..first
                };
                next.run(alpha, beta);
            }
        })
    })
}

/// The products of a batch whose matrices an array on the device names.
fn batched<T: Number>(
    handle: Ptr,
    ops: [i32; 2],
    size: [i32; 3],
    [alpha, beta]: [*const T; 2],
    matrices: [(*const *const T, i32); 3],
    count: i32,
) -> i32 {
    enqueue(handle, later, |handle| {
        let [alpha, beta] = Scalar::pair(handle, [alpha, beta])?;
        let count = usize::try_from(count).map_err(|_| Status::INVALID_VALUE)?;
        let lists = matrices.map(|(list, leading)| (list as usize, leading));
        Ok(move || {
            let (alpha, beta) = (alpha.get(), beta.get());
            for turn in 0..count {
                let given = |(list, leading): (usize, i32)| {
                    (
                        raw::load::<usize>(list + turn * size_of::<usize>()) as *const T,
                        leading,
                    )
                };
                let [a, b, c] = lists.map(given);
                if let Ok(product) = Product::new(ops, size, a, b, c) {
                    product.run(alpha, beta);
                }
            }
        })
    })
}

macro_rules! gemms {
    ($($gemm:ident $strided:ident $batched:ident $ty:ty),+) => {$(
        /// `gemm`: C = alpha op(A) op(B) + beta C
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $gemm(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, k: i32, alpha: *const $ty, a: *const $ty, lda: i32,
            b: *const $ty, ldb: i32, beta: *const $ty, c: *mut $ty, ldc: i32,
        ) -> i32 {
            let matrices = [(a, lda), (b, ldb), (c.cast_const(), ldc)];
            strided(handle, [op_a, op_b], [m, n, k], [alpha, beta], matrices, [0; 3], 1)
        }
        /// `gemmStridedBatched`
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $strided(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, k: i32, alpha: *const $ty, a: *const $ty, lda: i32, stride_a: i64,
            b: *const $ty, ldb: i32, stride_b: i64, beta: *const $ty, c: *mut $ty, ldc: i32, stride_c: i64, count: i32,
        ) -> i32 {
            let matrices = [(a, lda), (b, ldb), (c.cast_const(), ldc)];
            let strides = [stride_a, stride_b, stride_c];
            strided(handle, [op_a, op_b], [m, n, k], [alpha, beta], matrices, strides, count)
        }
        /// `gemmBatched`
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $batched(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, k: i32, alpha: *const $ty, a: *const *const $ty, lda: i32,
            b: *const *const $ty, ldb: i32, beta: *const $ty, c: *const *mut $ty, ldc: i32, count: i32,
        ) -> i32 {
            let matrices = [(a, lda), (b, ldb), (c.cast(), ldc)];
            batched(handle, [op_a, op_b], [m, n, k], [alpha, beta], matrices, count)
        }
    )+};
}

gemms! {
    hipblasHgemm hipblasHgemmStridedBatched hipblasHgemmBatched Half,
    hipblasSgemm hipblasSgemmStridedBatched hipblasSgemmBatched f32,
    hipblasDgemm hipblasDgemmStridedBatched hipblasDgemmBatched f64,
    hipblasCgemm hipblasCgemmStridedBatched hipblasCgemmBatched C,
    hipblasZgemm hipblasZgemmStridedBatched hipblasZgemmBatched Z,
    hipblasCgemm_v2 hipblasCgemmStridedBatched_v2 hipblasCgemmBatched_v2 C,
    hipblasZgemm_v2 hipblasZgemmStridedBatched_v2 hipblasZgemmBatched_v2 Z
}

macro_rules! geams {
    ($($name:ident $ty:ty),+) => {$(
        /// `geam`: C = alpha op(A) + beta op(B)
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $name(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, alpha: *const $ty, a: *const $ty, lda: i32, beta: *const $ty,
            b: *const $ty, ldb: i32, c: *mut $ty, ldc: i32,
        ) -> i32 {
            enqueue(handle, later, |handle| {
                let [alpha, beta] = Scalar::pair(handle, [alpha, beta])?;
                let ops = [Op::of(op_a)?, Op::of(op_b)?];
                let shape = |op: Op| if op == Op::None { (m, n) } else { (n, m) };
                let ((am, an), (bm, bn)) = (shape(ops[0]), shape(ops[1]));
                let (a, b) = (Matrix::new(a, am, an, lda), Matrix::new(b, bm, bn, ldb));
                let c = Matrix::new(c.cast_const(), m, n, ldc)?;
                let (rows, columns) = (m as usize, n as usize);
                Ok(move || {
                    let none = || vec![<$ty as Number>::Sum::default(); rows * columns];
                    let term = |scale: <$ty as Number>::Sum, given: &Outcome<Matrix<$ty>>, op: Op| match given {
                        Ok(matrix) if scale != <$ty as Number>::Sum::default() => matrix.all(op).into_iter().map(|x| scale * x).collect(),
                        _ => none(),
                    };
                    let (x, y) = (term(alpha.get(), &a, ops[0]), term(beta.get(), &b, ops[1]));
                    c.check();
                    for at in 0..rows * columns {
                        c.set(at % rows, at / rows, x[at] + y[at]);
                    }
                })
            })
        }
    )+};
}

geams! { hipblasSgeam f32, hipblasDgeam f64 }

/// Solves `A x = column` for a triangular A of columns of `m` elements; its diagonal counts as 1 where `unit`.
fn solve(a: &[f64], upper: bool, unit: bool, column: &mut [f64]) {
    let m = column.len();
    for step in 0..m {
        let i = if upper { m - 1 - step } else { step };
        let known = if upper { i + 1..m } else { 0..i };
        let rest = column[i] - known.map(|p| a[p * m + i] * column[p]).sum::<f64>();
        column[i] = if unit { rest } else { rest / a[i * m + i] };
    }
}

macro_rules! trsms {
    ($($name:ident $ty:ty),+) => {$(
        /// `trsm`: B = alpha op(A)⁻¹ B, or B op(A)⁻¹, for a triangular A.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $name(
            handle: Ptr, side: i32, fill: i32, op: i32, diagonal: i32, m: i32, n: i32, alpha: *const $ty, a: *const $ty, lda: i32,
            b: *mut $ty, ldb: i32,
        ) -> i32 {
            enqueue(handle, later, |handle| {
                let alpha = Scalar::new(alpha, handle.on_device())?;
                let (op, left) = (Op::of(op)?, side == 141);
                let order = if left { m } else { n };
                let (a, b) = (Matrix::new(a, order, order, lda)?, Matrix::new(b.cast_const(), m, n, ldb)?);
                // From the right it is the transposed problem from the left.
                let turned = if left { op } else if op == Op::None { Op::Transposed } else { Op::None };
                let upper = (fill == 121) == (turned == Op::None);
                let (order, others) = (order as usize, if left { n } else { m } as usize);
                Ok(move || {
                    let (alpha, a) = (alpha.get(), a.all(turned));
                    b.check();
                    for k in 0..others {
                        let at = |i: usize| if left { (i, k) } else { (k, i) };
                        let mut column: Vec<f64> = (0..order).map(|i| alpha * b.get(at(i).0, at(i).1)).collect();
                        solve(&a, upper, diagonal == 132, &mut column);
                        for (i, value) in column.into_iter().enumerate() {
                            b.set(at(i).0, at(i).1, value);
                        }
                    }
                })
            })
        }
    )+};
}

trsms! { hipblasStrsm f32, hipblasDtrsm f64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_solved_from_their_point() {
        // Columns of [2 0; 3 4] and of [2 3; 0 4].
        let mut x = [2.0, 11.0];
        solve(&[2.0, 3.0, 0.0, 4.0], false, false, &mut x);
        assert_eq!(x, [1.0, 2.0]);
        let mut x = [8.0, 8.0];
        solve(&[2.0, 0.0, 3.0, 4.0], true, false, &mut x);
        assert_eq!(x, [1.0, 2.0]);
        let mut x = [7.0, 2.0];
        solve(&[9.0, 0.0, 3.0, 9.0], true, true, &mut x);
        assert_eq!(x, [1.0, 2.0]);
    }
}
