//! What the tool writes computes what CUDA defines: programs are compiled for AMD GPUs and executed by the emulator (`emulator/`), with
//! wavefronts of 64 and of 32 lanes, and with waves in several orders.
//!
//! `CASS_ROCM` names the headers, as for `compile_proof`; `HIP_EMULATOR` names what `emulator/tools/install.sh` laid out, else the
//! emulator is built here. Each program exits with 0 where its own checks pass.

#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod costs;
mod emulator;
mod fixtures;
mod helpers;
mod programs;
mod reproducers;
