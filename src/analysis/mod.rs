//! What a unit (file, tree, tables, options) means: renames and arguments, lane masks, conditions, inline assembly, textures.

pub mod build_file;
pub mod byte_pointer;
pub mod claims;
pub mod conditions;
pub mod error_case;
pub(crate) mod extension_options;
pub(crate) mod guarded_place;
pub mod helpers;
mod hidden_arguments;
pub mod include_place;
pub mod inline_asm;
pub mod lane_mask;
pub mod namespaces;
pub mod new_includes;
pub mod rename;
pub(crate) mod shuffle_mask;
pub mod signature;
pub mod textures;
pub mod unit;
pub mod vector_binding;
pub mod vector_list;
pub mod warp_size;
pub(crate) mod wavefront;
