//! Textures, surfaces, images.

pub mod image_instruction;
pub mod object_number;
pub mod surface_access;
pub mod texture_memory;
pub mod texture_reference;
