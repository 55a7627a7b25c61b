//! Cooperative groups: members, collectives, shuffles, cooperative launches.

pub mod cg_collective;
pub mod cg_member;
pub mod cg_shuffle;
pub mod cooperative_launch;
