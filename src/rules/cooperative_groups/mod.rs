//! Cooperative groups: members, collectives, shuffles, cooperative launches.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod cg_collective;
pub mod cg_member;
pub mod cg_shuffle;
pub mod cooperative_launch;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("cg-collective", &cg_collective::RULE),
    ("cg-member", &cg_member::RULE),
    ("cg-shuffle", &cg_shuffle::RULE),
    ("cooperative-launch", &cooperative_launch::RULE),
];
