//! What programs mostly take from hipSPARSE: a matrix in rows (CSR) or by coordinates (COO) times a vector or a dense matrix, and the way
//! from one to the other, of real numbers. Sums are made in double and rounded once. Solvers, factors and formats of blocks are not here:
//! the linker names them. The library goes by the name of `libhipsparse.so` too (`tools/install.sh`).
//!
//! | file | what it holds |
//! |---|---|
//! | `operand` | sparse and dense operands in memory |
//! | `calls` | the functions |

#![allow(non_snake_case, reason = "the names are hipSPARSE's")]

pub mod calls;
mod operand;

/// A status of hipSPARSE that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status(i32);

impl Status {
    const NOT_INITIALIZED: Status = Status(1);
    const INVALID_VALUE: Status = Status(3);
    const EXECUTION_FAILED: Status = Status(6);
    const NOT_SUPPORTED: Status = Status(10);
}

type Outcome<T = ()> = Result<T, Status>;
