//! What the tree tells: its files, the include graph, its own names, who brings the runtime header.

mod alternatives;
mod apart;
mod brought;
pub(crate) mod build_facts;
pub(crate) mod build_mark;
mod build_scripts;
mod builds;
pub mod compiled;
mod copies;
mod definers;
pub(crate) mod dialect;
pub mod file;
pub(crate) mod graph;
pub mod includes;
pub(crate) mod inclusions;
pub mod index;
mod links;
pub(crate) mod listed_sources;
mod lost;
pub(crate) mod macro_names;
pub(crate) mod missing;
pub(crate) mod open_names;
mod overloads;
pub mod owner;
mod paths;
#[cfg(test)]
mod probe;
pub(crate) mod runtime_header;
pub(crate) mod served;
pub(crate) mod stand_ins;
pub(crate) mod standing;
pub mod support;
pub mod textures;
mod torch_files;
mod tree;
mod tree_names;
pub(crate) mod twins;
mod variants;
pub(crate) mod vendors;
pub(crate) mod visible;
pub(crate) mod warps;

pub(crate) use build_scripts::BuildScripts;
pub(crate) use builds::{BuildIndex, BuildList, Builds};
pub use file::FileIndex;
pub use index::ProjectIndex;
pub(crate) use links::Links;
