//! Warps: lane masks, shuffles, votes, widths.

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
