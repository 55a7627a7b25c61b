//! What a unit (file, tree, tables, options) means: renames and arguments, lane masks, conditions, inline assembly, textures.

pub(crate) mod build_file;
pub(crate) mod byte_pointer;
pub(crate) mod claims;
pub(crate) mod conditions;
pub(crate) mod error_case;
pub(crate) mod extension_options;
pub(crate) mod guarded_place;
pub mod helpers;
mod hidden_arguments;
pub(crate) mod include_paths;
pub(crate) mod include_place;
pub(crate) mod inline_asm;
pub(crate) mod lane_mask;
pub mod namespaces;
pub(crate) mod new_includes;
pub(crate) mod numba_port;
pub mod rename;
pub(crate) mod shuffle_mask;
pub(crate) mod signature;
pub mod textures;
pub(crate) mod toolkit_gate;
pub(crate) mod toolkit_question;
pub mod unit;
pub(crate) mod vector_binding;
pub(crate) mod vectors;
pub(crate) mod warp_size;
pub(crate) mod wavefront;
