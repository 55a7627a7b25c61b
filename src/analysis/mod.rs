//! What a unit (file, tree, tables, options) means: renames and arguments, lane masks, conditions, inline assembly, textures.

pub mod byte_pointer;
pub mod conditions;
mod hidden_arguments;
pub mod include_place;
pub mod inline_asm;
pub mod lane_mask;
pub mod rename;
pub mod signature;
pub mod textures;
pub mod warp_size;
