//! Kernel launches, launch bounds, built-in coordinates.

pub mod builtin_coordinate;
pub mod builtin_declaration;
pub mod clock_rate;
pub mod dependent_launch;
pub mod device_side_launch;
pub mod kernel_launch;
pub mod launch_bounds;
pub mod launch_coordinates;
pub mod max_registers;
