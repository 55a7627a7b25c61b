//! Error codes and other values that HIP numbers differently.

pub mod device_name;
pub mod error_case;
pub mod exact_error;
pub mod last_error;
pub mod memory_type_number;
pub mod runtime_version;
