//! Warps: lane masks, shuffles, votes, widths.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod amd_warp;
pub mod divergent_barrier;
pub mod lane_mask_width;
pub mod nanosleep;
pub mod spin_lock;
pub mod uniform_store;
pub mod waiting_lanes;
pub mod warp_barrier;
pub mod warp_shuffle;
pub mod warp_size;
pub mod warp_size_literal;
pub mod warp_size_on_host;
pub mod warp_synchronous;
pub mod warp_vote;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("amd-warp", &amd_warp::RULE),
    ("divergent-barrier", &divergent_barrier::RULE),
    ("lane-mask-width", &lane_mask_width::RULE),
    ("nanosleep", &nanosleep::RULE),
    ("spin-lock", &spin_lock::RULE),
    ("uniform-store", &uniform_store::RULE),
    ("waiting-lanes", &waiting_lanes::RULE),
    ("warp-barrier", &warp_barrier::RULE),
    ("warp-shuffle", &warp_shuffle::RULE),
    ("warp-size", &warp_size::RULE),
    ("warp-size-literal", &warp_size_literal::RULE),
    ("warp-size-on-host", &warp_size_on_host::RULE),
    ("warp-synchronous", &warp_synchronous::RULE),
    ("warp-vote", &warp_vote::RULE),
];
