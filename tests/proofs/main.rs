//! What the program writes, judged by compilers and by running it: whole programs, each fix, helpers, translated PTX.

mod catalogue_proof;
#[path = "../common/mod.rs"]
mod common;
mod compat;
mod compile_proof;
mod fix_proof;
mod ptx;
mod trial;
