//! Code that fails on NVIDIA's GPUs as well: off unless it is asked for.

pub mod hidden_failure;
pub mod load_inline_call;
pub mod missing_torch_api;
pub mod stream_without_wait;
