//! Kernel launches, launch bounds, built-in coordinates.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod builtin_coordinate;
pub mod builtin_declaration;
pub mod clock_rate;
pub mod dependent_launch;
pub mod device_side_launch;
pub mod kernel_launch;
pub mod launch_bounds;
pub mod launch_coordinates;
pub mod max_registers;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("builtin-coordinate", &builtin_coordinate::RULE),
    ("builtin-declaration", &builtin_declaration::RULE),
    ("clock-rate", &clock_rate::RULE),
    ("dependent-launch", &dependent_launch::RULE),
    ("device-side-launch", &device_side_launch::RULE),
    ("kernel-launch", &kernel_launch::RULE),
    ("launch-bounds", &launch_bounds::RULE),
    ("launch-coordinates", &launch_coordinates::RULE),
    ("max-registers", &max_registers::RULE),
];
