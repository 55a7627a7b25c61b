//! Ports that stay in sync with their sources, and trees that arrive whole.

#[path = "../common/mod.rs"]
mod common;

mod arrives;
mod broken;
mod flags;
mod killed;
mod looks;
mod reruns;
