//! Vectors, matrices and scalars where the program has them.

use std::marker::PhantomData;

use super::handle::Handle;
use super::number::Number;
use super::{Op, Outcome, Status};
use crate::host::raw;
use crate::host::runtime::{complain, runtime};

/// Ends the process as a memory fault of a kernel does, where a range is not of the device.
pub(super) fn check(what: &str, address: usize, bytes: usize) {
    let found = runtime().memory.find(address as u64);
    if found.is_some_and(|range| address as u64 + bytes as u64 <= range.end()) || bytes == 0 {
        return;
    }
    let around = runtime().memory.around(address as u64);
    crate::host::hostcall::flush();
    complain(&format!(
        "Memory fault: {what} of a hipBLAS function: {bytes} bytes at {address:#x} are not allocated ({around})"
    ));
    std::process::abort()
}

/// A vector with a stride, which may be negative.
#[derive(Clone, Copy)]
pub(super) struct Vector<T> {
    first: usize,
    stride: isize,
    pub(super) len: usize,
    element: PhantomData<T>,
}

impl<T: Number> Vector<T> {
    /// The vector that BLAS means by these arguments; a negative length is none.
    pub(super) fn new(address: *const T, len: i32, stride: i32) -> Outcome<Vector<T>> {
        let len = usize::try_from(len).unwrap_or(0);
        if address.is_null() && len > 0 {
            return Err(Status::INVALID_VALUE);
        }
        let back = if stride < 0 && len > 0 {
            (len - 1) * stride.unsigned_abs() as usize * size_of::<T>()
        } else {
            0
        };
        Ok(Vector {
            first: address as usize + back,
            stride: stride as isize * size_of::<T>() as isize,
            len,
            element: PhantomData,
        })
    }

    /// Before it is used.
    pub(super) fn check(&self) {
        let span = self.len.saturating_sub(1) * self.stride.unsigned_abs();
        let low = self.first - if self.stride < 0 { span } else { 0 };
        let bytes = if self.len == 0 {
            0
        } else {
            span + size_of::<T>()
        };
        check("a vector", low, bytes);
    }

    fn at(&self, k: usize) -> usize {
        self.first.wrapping_add_signed(self.stride * k as isize)
    }

    pub(super) fn get(&self, k: usize) -> T::Sum {
        raw::load::<T>(self.at(k)).wide()
    }

    pub(super) fn set(&self, k: usize, value: T::Sum) {
        raw::store(self.at(k), T::of(value));
    }

    /// All elements.
    pub(super) fn all(&self) -> Vec<T::Sum> {
        self.check();
        (0..self.len).map(|k| self.get(k)).collect()
    }
}

/// A matrix, column after column.
#[derive(Clone, Copy)]
pub(super) struct Matrix<T> {
    address: usize,
    rows: usize,
    columns: usize,
    leading: usize,
    element: PhantomData<T>,
}

impl<T: Number> Matrix<T> {
    pub(super) fn new(
        address: *const T,
        rows: i32,
        columns: i32,
        leading: i32,
    ) -> Outcome<Matrix<T>> {
        let size = |n: i32| usize::try_from(n).map_err(|_| Status::INVALID_VALUE);
        let (rows, columns, leading) = (size(rows)?, size(columns)?, size(leading)?);
        let is_empty = rows == 0 || columns == 0;
        if (address.is_null() && !is_empty) || leading < rows.max(1) {
            return Err(Status::INVALID_VALUE);
        }
        Ok(Matrix {
            address: address as usize,
            rows,
            columns,
            leading,
            element: PhantomData,
        })
    }

    /// The same shape so many elements on: the next of a batch.
    pub(super) fn moved(&self, by: i64) -> Matrix<T> {
        let by = by as isize * size_of::<T>() as isize;
        Matrix {
            address: self.address.wrapping_add_signed(by),
            ..*self
        }
    }

    pub(super) fn check(&self) {
        let whole = self.columns.saturating_sub(1) * self.leading + self.rows;
        let elements = if self.rows == 0 || self.columns == 0 {
            0
        } else {
            whole
        };
        check("a matrix", self.address, elements * size_of::<T>());
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.address + (column * self.leading + row) * size_of::<T>()
    }

    pub(super) fn get(&self, row: usize, column: usize) -> T::Sum {
        raw::load::<T>(self.at(row, column)).wide()
    }

    pub(super) fn set(&self, row: usize, column: usize, value: T::Sum) {
        raw::store(self.at(row, column), T::of(value));
    }

    /// Its elements after an operation, column after column of `rows` elements.
    pub(super) fn all(&self, op: Op) -> Vec<T::Sum> {
        use super::number::Sum as _;
        self.check();
        let (rows, columns) = (self.rows, self.columns);
        let all = |outer: usize, inner: usize, f: &dyn Fn(usize, usize) -> T::Sum| {
            (0..outer)
                .flat_map(|o| (0..inner).map(move |i| (o, i)))
                .map(|(o, i)| f(o, i))
                .collect()
        };
        match op {
            Op::None => all(columns, rows, &|column, row| self.get(row, column)),
            Op::Transposed => all(rows, columns, &|row, column| self.get(row, column)),
            Op::Conjugated => all(rows, columns, &|row, column| {
                self.get(row, column).conjugate()
            }),
        }
    }
}

/// A scalar: read at once from the host, or from the device when the work is done.
#[derive(Clone, Copy)]
pub(super) enum Scalar<T> {
    Value(T),
    At(usize),
}

impl<T: Number> Scalar<T> {
    pub(super) fn new(from: *const T, on_device: bool) -> Outcome<Scalar<T>> {
        if on_device && !from.is_null() {
            return Ok(Scalar::At(from as usize));
        }
        let value = raw::get(from).map_err(|_| Status::INVALID_VALUE)?;
        Ok(Scalar::Value(value))
    }

    /// Two of them, from where the handle says that scalars lie.
    pub(super) fn pair(handle: &Handle, [one, other]: [*const T; 2]) -> Outcome<[Scalar<T>; 2]> {
        let on_device = handle.on_device();
        Ok([Scalar::new(one, on_device)?, Scalar::new(other, on_device)?])
    }

    pub(super) fn get(&self) -> T::Sum {
        match self {
            Scalar::Value(value) => value.wide(),
            Scalar::At(address) => {
                check("a scalar", *address, size_of::<T>());
                raw::load::<T>(*address).wide()
            }
        }
    }
}
