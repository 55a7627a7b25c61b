//! What is known before anything runs: chips, kernels and their descriptors, choices, numbers as the chip has them, what is counted, the
//! disassembler.

pub(crate) mod chip;
pub(crate) mod costs;
pub(crate) mod descriptor;
pub(crate) mod findings;
pub(crate) mod float;
pub(crate) mod llvm;
pub(crate) mod load_error;
pub(crate) mod metadata;
pub(crate) mod options;
pub(crate) mod request;
pub(crate) mod schedule;
pub(crate) mod source;
