//! Library calls beyond names.

pub mod block_width;
pub mod compute_type;
pub mod cub_lane;
pub mod half_bits;
pub mod half_cast;
pub mod half_constructor;
pub mod half_operand;
pub mod half_promotion;
pub mod helper_function;
pub mod hipblas_half;
pub mod hipblas_v2;
pub mod kernel_string;
pub mod loaded_by_name;
pub mod matrix_fragment;
pub mod qualified_name;
pub mod random_stream;
pub mod rtc_options;
pub mod sample_header;
pub mod scale_type;
pub mod strict_function;
pub mod thrust_include;
pub mod torch_bfloat16;
pub mod unsigned_count;
pub mod vector_base;
pub mod vector_operator;
pub mod warp_collective;
