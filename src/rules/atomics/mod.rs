//! Atomic operations: scopes, types, functions that programs define again.

pub mod atomic_block_scope;
pub mod atomic_redefinition;
pub mod atomic_type;
pub mod nv_atomic;
pub mod system_scope;
