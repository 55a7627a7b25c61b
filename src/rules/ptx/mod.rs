//! Inline assembly, and modules of it.

pub mod device_module;
pub mod inline_ptx_manual;
pub mod inline_ptx_translated;
pub mod module_function;
pub mod module_string;
