//! Where what is known of a name comes from.

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The tables compiled in.
    Builtin,
    /// The overlay with this position on the command line.
    Overlay(u8),
}
