//! Sparse and dense operands in memory.

use super::{Outcome, Status};
use crate::host::raw::{self, Ptr};

/// Numbers of single or double precision, by `hipDataType`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) address: usize,
    is_double: bool,
}

impl Numbers {
    pub(super) fn new(memory: Ptr, kind: i32) -> Outcome<Numbers> {
        let is_double = match kind {
            0 => false,
            1 => true,
            _ => return Err(Status::NOT_SUPPORTED),
        };
        Ok(Numbers {
            address: memory as usize,
            is_double,
        })
    }

    pub(super) fn get(&self, at: usize) -> f64 {
        match self.is_double {
            true => raw::load(self.address + 8 * at),
            false => raw::load::<f32>(self.address + 4 * at).into(),
        }
    }

    pub(super) fn set(&self, at: usize, value: f64) {
        match self.is_double {
            true => raw::store(self.address + 8 * at, value),
            false => raw::store(self.address + 4 * at, value as f32),
        }
    }

    /// `alpha * value + beta * what is there`, which is not read where beta is 0.
    pub(super) fn blend(&self, at: usize, alpha: f64, value: f64, beta: f64) {
        let old = if beta == 0.0 {
            0.0
        } else {
            beta * self.get(at)
        };
        self.set(at, alpha * value + old);
    }
}

/// Indices of 32 or 64 bits, by `hipsparseIndexType_t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indices {
    address: usize,
    is_wide: bool,
    base: i64,
}

impl Indices {
    pub(super) fn new(memory: Ptr, kind: i32, base: i32) -> Outcome<Indices> {
        let is_wide = match kind {
            2 => false,
            3 => true,
            _ => return Err(Status::NOT_SUPPORTED),
        };
        Ok(Indices {
            address: memory as usize,
            is_wide,
            base: base.into(),
        })
    }

    pub(super) fn get(&self, at: usize) -> usize {
        let index = match self.is_wide {
            true => raw::load(self.address + 8 * at),
            false => i64::from(raw::load::<i32>(self.address + 4 * at)),
        };
        (index - self.base) as usize
    }

    pub(super) fn set(&self, at: usize, index: usize) {
        let index = index as i64 + self.base;
        match self.is_wide {
            true => raw::store(self.address + 8 * at, index),
            false => raw::store(self.address + 4 * at, index as i32),
        }
    }
}

/// How the places of a sparse matrix are told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places {
    /// Where each row begins, and the columns.
    Rows(Indices, Indices),
    /// Row and column of each.
    Coordinates(Indices, Indices),
}

/// A sparse matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sparse {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) count: usize,
    pub(super) places: Places,
    pub(super) values: Numbers,
}

impl Sparse {
    /// Calls `visit` with row, column and value of each place.
    pub(super) fn each(&self, mut visit: impl FnMut(usize, usize, f64)) {
        match self.places {
            Places::Rows(starts, columns) => {
                for row in 0..self.rows {
                    for at in starts.get(row)..starts.get(row + 1) {
                        visit(row, columns.get(at), self.values.get(at));
                    }
                }
            }
            Places::Coordinates(rows, columns) => {
                (0..self.count)
                    .for_each(|at| visit(rows.get(at), columns.get(at), self.values.get(at)));
            }
        }
    }

    /// Rows and columns after an operation.
    pub(super) fn shape(&self, is_transposed: bool) -> (usize, usize) {
        match is_transposed {
            true => (self.columns, self.rows),
            false => (self.rows, self.columns),
        }
    }
}

/// A dense matrix; a vector is one of one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dense {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) leading: usize,
    pub(super) by_rows: bool,
    pub(super) values: Numbers,
}

impl Dense {
    pub(super) fn at(&self, row: usize, column: usize) -> usize {
        match self.by_rows {
            true => row * self.leading + column,
            false => column * self.leading + row,
        }
    }

    pub(super) fn shape(&self, is_transposed: bool) -> (usize, usize) {
        match is_transposed {
            true => (self.columns, self.rows),
            false => (self.rows, self.columns),
        }
    }
}
