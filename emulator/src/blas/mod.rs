//! What programs of the corpora take from hipBLAS, computed on the host: vectors, matrix by vector, matrix by matrix. The library goes by
//! the name of `libhipblas.so` too (`tools/install.sh`); it is the same file, so that streams are the same ones.
//!
//! Sums of single precision are made in double and rounded once; rocBLAS rounds in an order of its own, so last bits differ. Scalars and
//! results lie where the pointer mode says. A function that is not here is not found by the linker, which names it.
//!
//! | file | what it holds |
//! |---|---|
//! | `handle` | handles, streams, modes, copies of vectors and matrices |
//! | `number`, `place` | element types; vectors, matrices and scalars in memory |
//! | `level1`, `level2`, `level3`, `mixed` | the functions |
//! | `lt` | hipBLASLt |

#![allow(non_snake_case, reason = "the names are hipBLAS's")]

pub mod handle;
pub mod level1;
pub mod level2;
pub mod level3;
pub mod lt;
pub mod mixed;
pub mod number;
pub mod place;

use std::sync::Arc;

use crate::host::raw::Ptr;
use crate::host::{stream, work::Work};
use handle::{Handle, of};

/// A status of hipBLAS that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status(i32);

impl Status {
    const NOT_INITIALIZED: Status = Status(1);
    const INVALID_VALUE: Status = Status(3);
    const EXECUTION_FAILED: Status = Status(5);
    const NOT_SUPPORTED: Status = Status(7);
    const INVALID_ENUM: Status = Status(10);
}

type Outcome<T = ()> = Result<T, Status>;

/// The number of an outcome.
fn status(outcome: Outcome) -> i32 {
    outcome.map_or_else(|status| status.0, |()| 0)
}

/// Looks a handle up, prepares work for it and gives that to its stream; `waits` where the host wants the result.
fn enqueue<F: Fn() + Send + Sync + 'static>(
    handle: Ptr,
    waits: impl FnOnce(&Handle) -> bool,
    prepare: impl FnOnce(&Handle) -> Outcome<F>,
) -> i32 {
    let run = || {
        let handle = of(handle)?;
        let work = prepare(&handle)?;
        let wait = waits(&handle);
        stream::give(handle.stream() as Ptr, Work::Call(Arc::new(work)), wait)
            .map_err(|_| Status::EXECUTION_FAILED)
    };
    status(run())
}

/// An operation on a matrix: as it is, transposed, or transposed with conjugated elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    None,
    Transposed,
    Conjugated,
}

impl Op {
    fn of(number: i32) -> Outcome<Op> {
        match number {
            111 => Ok(Op::None),
            112 => Ok(Op::Transposed),
            113 => Ok(Op::Conjugated),
            _ => Err(Status::INVALID_ENUM),
        }
    }
}
