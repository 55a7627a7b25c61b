//! What the instructions do.

#[macro_use]
pub(crate) mod table;
pub(crate) mod address;
mod atomic;
mod bits;
mod buffer;
mod carry;
mod compare;
mod control;
mod convert;
mod cross;
mod divide;
mod dot;
mod float16;
mod float32;
mod float64;
pub(crate) mod global;
mod hardware;
mod image;
mod integer;
mod lds;
mod lds_atomic;
mod lds_cross;
mod matrix;
mod memory;
mod mfma;
mod packed;
mod scalar;
mod scalar_bits;
mod scalar_compare;
mod scalar_exec;
mod scalar_load;
mod wmma;

pub(crate) use buffer::{Aim, aim};
pub(crate) use control::with_index;
pub(crate) use memory::on;
use table::Table;

/// Each adds its operations.
const FILL: &[fn(&mut Table)] = &[
    atomic::fill,
    bits::fill,
    buffer::fill,
    carry::fill,
    compare::fill,
    control::fill,
    convert::fill,
    cross::fill,
    divide::fill,
    dot::fill,
    float16::fill,
    float32::fill,
    float64::fill,
    hardware::fill,
    image::fill,
    integer::fill,
    lds::fill,
    lds_atomic::fill,
    lds_cross::fill,
    memory::fill,
    mfma::fill,
    packed::fill,
    scalar::fill,
    scalar_bits::fill,
    scalar_compare::fill,
    scalar_exec::fill,
    scalar_load::fill,
    wmma::fill,
];
