//! Memory: LDS, pointers, caches, layouts.

pub mod device_pointer;
pub mod field_order;
pub mod lds_limit;
pub mod managed_memory;
pub mod memory_location;
pub mod performance_hint;
pub mod read_only_load;
pub mod wide_vector;
