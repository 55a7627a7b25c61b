//! What nvcc accepts and clang does not, or reads differently.

pub mod assigned_value;
pub mod c_header;
pub mod dependent_template;
pub mod device_error;
pub mod device_linkage;
pub mod elaborated_type;
pub mod header_macro;
pub mod host_header;
pub mod host_math;
pub mod literal_macro;
pub mod long_double;
pub mod missing_overload;
pub mod narrowing;
pub mod nvcc_word;
pub mod parameter_macro;
pub mod pragma_macro;
pub mod register_keyword;
pub mod same_signature;
pub mod shared_constructor;
pub mod shift_width;
pub mod source_encoding;
pub mod standard_header;
pub mod std_in_device;
pub mod unroll_pragma;
pub mod vector_initializer;
pub mod void_arithmetic;
