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
//!
//! Its rooms, each of which uses those in front of it and nothing else (`tests/tidy/emulator.rs`):
//!
//! | room | what it holds |
//! |---|---|
//! | `model` | what is known before anything runs |
//! | `memory` | what kernels may touch: allocations, LDS, scratch, images, the buffer of hostcalls |
//! | `wave` | a wave, its instructions and program, and what the waves of a launch share |
//! | `lanes` | operands and results of 32 lanes at a time |
//! | `ops` | what the instructions do |
//! | `decode` | from LLVM's text to an instruction |
//! | `launch` | groups over the threads of the host |

mod decode;
mod lanes;
mod launch;
mod memory;
mod model;
mod ops;
mod wave;

pub use launch::{Device, Report};
pub use memory::image::{Channel, Image, Outside, Sampler, Shape, Texel};
pub use memory::{Allocation, Kind, Memory};
pub use model::chip::{Chip, Family};
pub use model::costs::{Class, Counts};
pub use model::findings::{Fault, FaultKind, Finding, FindingKind, Place};
pub(crate) use model::float;
pub use model::load_error::LoadError;
pub use model::metadata::{Argument, Kernel};
pub use model::options::{Host, Options, Schedule};
pub use model::request::Launch;
pub use wave::code_object::CodeObject;
