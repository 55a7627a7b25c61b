//! What nvcc accepts and clang does not, or reads differently.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod assigned_value;
pub mod c_header;
pub mod dependent_template;
pub mod device_error;
pub mod device_linkage;
pub mod elaborated_type;
pub mod host_math;
pub mod literal_macro;
pub mod long_double;
pub mod missing_overload;
pub mod narrowing;
pub mod nvcc_pragma;
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

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("assigned-value", &assigned_value::RULE),
    ("c-header", &c_header::RULE),
    ("dependent-template", &dependent_template::RULE),
    ("device-error", &device_error::RULE),
    ("device-linkage", &device_linkage::RULE),
    ("elaborated-type", &elaborated_type::RULE),
    ("host-math", &host_math::RULE),
    ("literal-macro", &literal_macro::RULE),
    ("long-double", &long_double::RULE),
    ("missing-overload", &missing_overload::RULE),
    ("narrowing", &narrowing::RULE),
    ("nvcc-pragma", &nvcc_pragma::RULE),
    ("nvcc-word", &nvcc_word::RULE),
    ("parameter-macro", &parameter_macro::RULE),
    ("pragma-macro", &pragma_macro::RULE),
    ("register-keyword", &register_keyword::RULE),
    ("same-signature", &same_signature::RULE),
    ("shared-constructor", &shared_constructor::RULE),
    ("shift-width", &shift_width::RULE),
    ("source-encoding", &source_encoding::RULE),
    ("standard-header", &standard_header::RULE),
    ("std-in-device", &std_in_device::RULE),
    ("unroll-pragma", &unroll_pragma::RULE),
    ("vector-initializer", &vector_initializer::RULE),
    ("void-arithmetic", &void_arithmetic::RULE),
];
