//! hipRAND's generators of the host, with rocRAND's numbers for a seed, an offset and an order of calls (rocRAND 1.8, that of ROCm 6.4):
//! XORWOW, MRG32k3a and Philox in the default order, where lane k of 131,072 draws numbers k, k + 131,072 and so on.
//!
//! Whole numbers and uniform ones are rocRAND's to the bit. Normal ones go through logarithms and sines, which a chip computes in its own
//! way: they are the same but for the last bits. Sobol's sequences of 32 and 64 bits have their first 16 dimensions. The Mersenne twisters,
//! scrambled sequences, Poisson's distribution and halves are `HIPRAND_STATUS_NOT_IMPLEMENTED`. The library goes by the name of `libhiprand.so` too (`tools/install.sh`).
//!
//! | file | what it holds |
//! |---|---|
//! | `xorwow`, `mrg`, `philox` | the engines |
//! | `sobol` | the points of Sobol's sequences |
//! | `generator` | lanes of engines; which lane draws what |
//! | `distribution` | what becomes of the numbers drawn |
//! | `calls` | the functions |

#![allow(non_snake_case, reason = "the names are hipRAND's")]

pub mod calls;
mod distribution;
mod generator;
mod mrg;
mod philox;
mod sobol;
pub(crate) mod xorwow;
