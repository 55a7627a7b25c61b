//! The GPU: loads a code object and executes its kernels.
//!
//! How the host side uses it:
//!
//! 1. [`Chip::named`] finds the chip; [`Memory`] is the table of all that a kernel may touch. Device pointers are pointers of this
//!    process: the host side allocates with any allocator, then calls [`Memory::add`] and, before freeing, [`Memory::remove`].
//! 2. [`Device::new`] takes both and a [`Host`], which serves what a kernel asks of the host while it runs (printf, device malloc).
//! 3. [`Device::load`] takes one ELF code object (never a bundle) and gives a [`CodeObject`]: its kernels with their arguments
//!    ([`CodeObject::kernel`]) and the addresses of its variables ([`CodeObject::symbol`]). Its segments are copied to memory of
//!    their own, which is freed and taken from [`Memory`] when it is dropped; every load is a fresh copy with initial values.
//! 4. [`Device::run`] executes one [`Launch`] to its end on the calling thread and the threads of [`Options::threads`]. It may be
//!    called from several threads at a time (streams). A [`Report`] says what ran and was found, a [`Fault`] why it stopped.

mod address;
mod chip;
mod code_object;
mod costs;
mod decode;
mod descriptor;
mod dispatch;
mod findings;
pub(crate) mod float;
mod global;
mod grid;
mod group;
mod hostcall;
mod image;
mod inst;
mod lanes;
mod launch;
mod lds;
mod llvm;
mod memory;
mod metadata;
mod ops;
mod options;
mod program;
mod progress;
mod races;
mod schedule;
mod scratch;
mod source;
mod wave;

pub use chip::{Chip, Family};
pub use code_object::{CodeObject, LoadError};
pub use costs::{Class, Counts};
pub use findings::{Fault, FaultKind, Finding, FindingKind, Place};
pub use image::{Channel, Image, Outside, Sampler, Shape, Texel};
pub use launch::{Device, Launch, Report};
pub use memory::{Allocation, Kind, Memory};
pub use metadata::{Argument, Kernel};
pub use options::{Host, Options, Schedule};
