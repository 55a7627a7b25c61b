//! The program as people call it: arguments in, files, text and exit codes out.

mod annotations;
#[cfg(unix)]
mod bench;
mod builds;
mod changed;
mod chips;
#[path = "../common/mod.rs"]
mod common;
mod compile_commands;
mod config;
mod extensions;
mod fix;
mod help;
mod hip_support;
mod includes;
#[cfg(unix)]
mod jsonl;
mod known;
mod libcu;
mod lsp;
mod mcp;
#[cfg(unix)]
mod mend;
mod mistakes;
mod modules;
#[cfg(unix)]
mod nvcc;
mod nvcc_pytorch;
mod own;
#[cfg(unix)]
mod pairs;
mod part;
mod patches;
mod real_code;
mod recalled;
mod rules;
mod selection;
mod shim;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod trial;
mod usual;
mod vendors;
mod words;
