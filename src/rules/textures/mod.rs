//! Textures, surfaces, images.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod image_instruction;
pub mod object_number;
pub mod surface_access;
pub mod texture_memory;
pub mod texture_reference;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("image-instruction", &image_instruction::RULE),
    ("object-number", &object_number::RULE),
    ("surface-access", &surface_access::RULE),
    ("texture-memory", &texture_memory::RULE),
    ("texture-reference", &texture_reference::RULE),
];
