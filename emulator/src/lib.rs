//! Runs HIP programs that clang or hipcc compiled for AMD GPUs on a CPU, with AMD's semantics: the instructions of the code object
//! are executed as the chip would, with its wavefront size, EXEC masks, LDS, scratch and atomics.
//!
//! Two halves: [`device`] executes kernels of one code object over memory of this process; `host` is HIP's runtime library, which
//! programs load in the place of AMD's and which finds code objects, allocates memory and launches kernels on a [`device::Device`].

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may fail"))]

pub mod blas;
pub mod device;
pub mod dnn;
pub mod fft;
pub mod host;
pub mod rand;
pub mod sparse;
