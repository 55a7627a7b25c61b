//! HIP's runtime library: the functions that a program linked against `libamdhip64.so` calls, over a [`crate::device::Device`].
//!
//! The exported functions have C's names and bring errors as numbers; inside, everything is an [`error::Outcome`]. Pointers of the
//! program are touched in [`raw`] alone. A function of HIP that is not here stands in [`unsupported`]: it names itself and ends the
//! process, since a program that goes on after a call that did nothing gives wrong numbers.
//!
//! | file | what it holds |
//! |---|---|
//! | `raw`, `error`, `handles` | memory of the program, error codes, opaque pointers |
//! | `runtime`, `device`, `properties` | the chosen chip, devices, limits, what a device says about itself |
//! | `bundle`, `registry`, `module`, `function` | code objects: in programs and in files |
//! | `memory`, `memory_api`, `array`, `copy`, `copy_api`, `texture` | allocations, copies, textures and surfaces |
//! | `line`, `stream`, `event`, `work`, `graph`, `graph_api`, `capture` | order: streams, events, graphs |
//! | `rtc`, `rtc_compile` | kernels that are compiled at run time |
//! | `roctx` | marks and ranges for tools |
//! | `launch`, `occupancy`, `costs`, `hostcall`, `format` | kernels, what they cost, and what they ask of the host |

#![allow(non_snake_case, reason = "the names are HIP's")]
#![allow(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the callers are C: HIP's contract, see `raw`"
)]

/// Exports functions of HIP. A body gives an [`error::Outcome`], which becomes the number and, if it is an error, the thread's last one.
macro_rules! export {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)+) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "HIP's interface")]
        pub extern "C" fn $name($($argument: $type),*) -> i32 {
            let outcome = move || -> $crate::host::error::Outcome { $body };
            $crate::host::error::record(outcome())
        }
    )+};
}

/// Exports functions of another of AMD's libraries. A body gives the library's own `Outcome`, whose `Status` holds the number.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)+) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "the library's interface")]
        pub extern "C" fn $name($($argument: $type),*) -> i32 {
            let outcome = move || -> Outcome { $body };
            outcome().map_or_else(|status| status.0, |()| 0)
        }
    )+};
}
pub(crate) use functions;

/// A structure of HIP's interface, and where its fields lie: `tests/layouts.rs` holds them against AMD's headers.
macro_rules! layout {
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$of_field:meta])* $visible:vis $field:ident: $ty:ty,)+ }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $($(#[$of_field])* $visible $field: $ty,)+
        }

        impl $name {
            /// Bytes from the start to each field, in their order.
            pub const OFFSETS: &'static [usize] = &[$(std::mem::offset_of!($name, $field)),+];
        }
    };
}

pub mod array;
pub mod bundle;
pub mod capture;
pub mod copy;
pub mod copy_api;
pub mod costs;
pub mod device;
pub mod error;
pub mod event;
pub mod format;
pub mod function;
pub mod graph;
pub mod graph_api;
pub mod handles;
pub mod hostcall;
pub mod launch;
pub mod line;
pub mod memory;
pub mod memory_api;
pub mod module;
pub mod occupancy;
pub mod per_thread;
pub mod properties;
pub mod properties_layout;
pub mod raw;
pub mod registry;
pub mod roctx;
pub mod rtc;
pub mod rtc_compile;
pub mod runtime;
pub mod stream;
pub mod texture;
pub mod unsupported;
pub mod work;
