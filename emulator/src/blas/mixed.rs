//! Products of matrices whose element types are arguments: `hipblasGemmEx` and its batches, with the types of `hipDataType` and the compute
//! types of `HIPBLAS_V2`.

use super::handle::Handle;
use super::level2::blend;
use super::{Op, Outcome, Status, enqueue};
use crate::device::float::{bf16_bits, bf16_value, f16_bits, f16_value};
use crate::host::raw::{self, Ptr};

/// A type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    F16,
    Bf16,
    F32,
    F64,
    I8,
    I32,
}

impl Type {
    /// Of a `hipDataType`, or of the `hipblasDatatype_t` of old.
    pub(super) fn of(number: i32) -> Outcome<Type> {
        match number {
            0 | 151 => Ok(Type::F32),
            1 | 152 => Ok(Type::F64),
            2 | 150 => Ok(Type::F16),
            3 | 160 => Ok(Type::I8),
            10 | 162 => Ok(Type::I32),
            14 | 168 => Ok(Type::Bf16),
            _ => Err(Status::NOT_SUPPORTED),
        }
    }

    /// The type of scalars of a `hipblasComputeType_t`.
    fn of_compute(number: i32) -> Outcome<Type> {
        match number {
            0 | 1 => Ok(Type::F16),
            2..=6 => Ok(Type::F32),
            7 | 8 => Ok(Type::F64),
            9 | 10 => Ok(Type::I32),
            _ => Err(Status::NOT_SUPPORTED),
        }
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Type::I8 => 1,
            Type::F16 | Type::Bf16 => 2,
            Type::F32 | Type::I32 => 4,
            Type::F64 => 8,
        }
    }

    pub(super) fn load(self, address: usize) -> f64 {
        match self {
            Type::F16 => f16_value(raw::load::<u16>(address).into()).into(),
            Type::Bf16 => bf16_value(raw::load::<u16>(address).into()).into(),
            Type::F32 => raw::load::<f32>(address).into(),
            Type::F64 => raw::load(address),
            Type::I8 => raw::load::<i8>(address).into(),
            Type::I32 => raw::load::<i32>(address).into(),
        }
    }

    pub(super) fn store(self, address: usize, value: f64) {
        match self {
            Type::F16 => raw::store(address, f16_bits(value as f32) as u16),
            Type::Bf16 => raw::store(address, bf16_bits(value as f32) as u16),
            Type::F32 => raw::store(address, value as f32),
            Type::F64 => raw::store(address, value),
            Type::I8 => raw::store(address, value as i8),
            Type::I32 => raw::store(address, value as i32),
        }
    }
}

/// A matrix of some type.
#[derive(Clone, Copy)]
struct Given {
    address: usize,
    element: Type,
    leading: usize,
    stride: i64,
}

impl Given {
    fn new(address: usize, element: i32, leading: i32, stride: i64) -> Outcome<Given> {
        Ok(Given {
            address,
            element: Type::of(element)?,
            leading: usize::try_from(leading).map_err(|_| Status::INVALID_VALUE)?,
            stride,
        })
    }

    /// The matrix of a turn of a batch.
    fn turn(self, turn: i64) -> Given {
        let by = (self.stride * turn) as isize * self.element.bytes() as isize;
        Given {
            address: self.address.wrapping_add_signed(by),
            ..self
        }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.address + (column * self.leading + row) * self.element.bytes()
    }

    fn check(&self, rows: usize, columns: usize) {
        if rows > 0 && columns > 0 {
            let elements = (columns - 1) * self.leading + rows;
            super::place::check("a matrix", self.address, elements * self.element.bytes());
        }
    }

    /// Columns of `rows` elements after an operation.
    fn all(&self, op: Op, rows: usize, columns: usize) -> Vec<f64> {
        let plain = op == Op::None;
        let (stored_rows, stored_columns) = if plain {
            (rows, columns)
        } else {
            (columns, rows)
        };
        self.check(stored_rows, stored_columns);
        let at = |k: usize| {
            let (row, column) = (k % rows, k / rows);
            if plain {
                self.at(row, column)
            } else {
                self.at(column, row)
            }
        };
        (0..rows * columns)
            .map(|k| self.element.load(at(k)))
            .collect()
    }
}

fn product(ops: [Op; 2], [m, n, k]: [usize; 3], [a, b, c]: [Given; 3], alpha: f64, beta: f64) {
    let (left, right) = (a.all(ops[0], m, k), b.all(ops[1], k, n));
    c.check(m, n);
    for j in 0..n {
        for i in 0..m {
            let sum = (0..k).map(|p| left[p * m + i] * right[j * k + p]).sum();
            let at = c.at(i, j);
            c.element
                .store(at, blend(alpha, sum, beta, || c.element.load(at)));
        }
    }
}

fn later(_: &Handle) -> bool {
    false
}

#[allow(clippy::too_many_arguments, reason = "BLAS's arguments")]
fn run(
    handle: Ptr,
    ops: [i32; 2],
    size: [i32; 3],
    [alpha, beta]: [Ptr; 2],
    matrices: Outcome<[Given; 3]>,
    compute: i32,
    count: i32,
    by_list: bool,
) -> i32 {
    enqueue(handle, later, |handle| {
        let (matrices, scalars) = (matrices?, Type::of_compute(compute)?);
        let ops = [Op::of(ops[0])?, Op::of(ops[1])?];
        if alpha.is_null() || beta.is_null() || size.iter().any(|n| *n < 0) {
            return Err(Status::INVALID_VALUE);
        }
        let size = size.map(|n| n as usize);
        let read = move |[alpha, beta]: [usize; 2]| (scalars.load(alpha), scalars.load(beta));
        let places = [alpha as usize, beta as usize];
        let known = (!handle.on_device()).then(|| read(places));
        Ok(move || {
            let (alpha, beta) = known.unwrap_or_else(|| read(places));
            for turn in 0..i64::from(count) {
                let next = matrices.map(|given| {
                    if by_list {
                        let address = raw::load(given.address + turn as usize * size_of::<usize>());
                        Given { address, ..given }
                    } else {
                        given.turn(turn)
                    }
                });
                product(ops, size, next, alpha, beta);
            }
        })
    })
}

macro_rules! gemms {
    ($($single:ident $strided:ident $batched:ident),+) => {$(
        /// `gemmEx`
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $single(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, k: i32, alpha: Ptr, a: usize, a_type: i32, lda: i32, b: usize,
            b_type: i32, ldb: i32, beta: Ptr, c: usize, c_type: i32, ldc: i32, compute: i32, _algorithm: i32,
        ) -> i32 {
            let all = || Ok([Given::new(a, a_type, lda, 0)?, Given::new(b, b_type, ldb, 0)?, Given::new(c, c_type, ldc, 0)?]);
            run(handle, [op_a, op_b], [m, n, k], [alpha, beta], all(), compute, 1, false)
        }
        /// `gemmStridedBatchedEx`
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $strided(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, k: i32, alpha: Ptr, a: usize, a_type: i32, lda: i32, stride_a: i64,
            b: usize, b_type: i32, ldb: i32, stride_b: i64, beta: Ptr, c: usize, c_type: i32, ldc: i32, stride_c: i64, count: i32,
            compute: i32, _algorithm: i32,
        ) -> i32 {
            let all = || {
                let (a, b) = (Given::new(a, a_type, lda, stride_a)?, Given::new(b, b_type, ldb, stride_b)?);
                Ok([a, b, Given::new(c, c_type, ldc, stride_c)?])
            };
            run(handle, [op_a, op_b], [m, n, k], [alpha, beta], all(), compute, count, false)
        }
        /// `gemmBatchedEx`: arrays of pointers.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
        pub extern "C" fn $batched(
            handle: Ptr, op_a: i32, op_b: i32, m: i32, n: i32, k: i32, alpha: Ptr, a: usize, a_type: i32, lda: i32, b: usize,
            b_type: i32, ldb: i32, beta: Ptr, c: usize, c_type: i32, ldc: i32, count: i32, compute: i32, _algorithm: i32,
        ) -> i32 {
            let all = || Ok([Given::new(a, a_type, lda, 0)?, Given::new(b, b_type, ldb, 0)?, Given::new(c, c_type, ldc, 0)?]);
            run(handle, [op_a, op_b], [m, n, k], [alpha, beta], all(), compute, count, true)
        }
    )+};
}

gemms! {
    hipblasGemmEx_v2 hipblasGemmStridedBatchedEx_v2 hipblasGemmBatchedEx_v2
}

/// `hipblasDotEx`: the sum of products of elements.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "hipBLAS's interface")]
pub extern "C" fn hipblasDotEx_v2(
    handle: Ptr,
    n: i32,
    x: usize,
    x_type: i32,
    incx: i32,
    y: usize,
    y_type: i32,
    incy: i32,
    result: usize,
    result_type: i32,
    _execution: i32,
) -> i32 {
    let for_host = |handle: &Handle| !handle.on_device();
    enqueue(handle, for_host, |_| {
        let count = usize::try_from(n).unwrap_or(0);
        let stride = |inc: i32| usize::try_from(inc).map_err(|_| Status::NOT_SUPPORTED);
        let (x, y) = (Given::new(x, x_type, 1, 0)?, Given::new(y, y_type, 1, 0)?);
        let (incx, incy, to) = (stride(incx)?, stride(incy)?, Type::of(result_type)?);
        Ok(move || {
            let last = |inc: usize| count.saturating_sub(1) * inc + usize::from(count > 0);
            x.check(1, last(incx));
            y.check(1, last(incy));
            let element = |of: &Given, inc: usize, k: usize| of.element.load(of.at(0, k * inc));
            let sum = (0..count)
                .map(|k| element(&x, incx, k) * element(&y, incy, k))
                .sum();
            to.store(result, sum);
        })
    })
}
