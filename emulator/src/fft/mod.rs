//! hipFFT: transforms of one to three directions, complex and real, single and double, in batches and with layouts of their own. rustfft
//! computes them in double; single precision is rounded once at the end, where rocFFT rounds in each step, so last bits differ. Nothing is
//! scaled, as in cuFFT. Halves, several GPUs, callbacks and `hipfftXt…` are not emulated: the linker names what is not here.
//!
//! The library goes by the name of `libhipfft.so` too (`tools/install.sh`).
//!
//! | file | what it holds |
//! |---|---|
//! | `layout` | where the elements of a batch lie |
//! | `transform` | the transforms |
//! | `calls` | plans and the functions |

#![allow(non_snake_case, reason = "the names are hipFFT's")]

pub mod calls;
mod layout;
mod transform;
