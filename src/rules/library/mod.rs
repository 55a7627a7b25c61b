//! Library calls beyond names.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod block_width;
pub mod compute_type;
pub mod cub_lane;
pub mod half_cast;
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
pub mod thrust_include;
pub mod torch_bfloat16;
pub mod unsigned_count;
pub mod vector_operator;
pub mod warp_collective;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("block-width", &block_width::RULE),
    ("compute-type", &compute_type::RULE),
    ("cub-lane", &cub_lane::RULE),
    ("half-cast", &half_cast::RULE),
    ("half-operand", &half_operand::RULE),
    ("half-promotion", &half_promotion::RULE),
    ("helper-function", &helper_function::RULE),
    ("hipblas-half", &hipblas_half::RULE),
    ("hipblas-v2", &hipblas_v2::RULE),
    ("kernel-string", &kernel_string::RULE),
    ("loaded-by-name", &loaded_by_name::RULE),
    ("matrix-fragment", &matrix_fragment::RULE),
    ("qualified-name", &qualified_name::RULE),
    ("random-stream", &random_stream::RULE),
    ("rtc-options", &rtc_options::RULE),
    ("sample-header", &sample_header::RULE),
    ("thrust-include", &thrust_include::RULE),
    ("torch-bfloat16", &torch_bfloat16::RULE),
    ("unsigned-count", &unsigned_count::RULE),
    ("vector-operator", &vector_operator::RULE),
    ("warp-collective", &warp_collective::RULE),
];
