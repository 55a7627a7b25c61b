//! Who owns the code of a file: whether it is translated at all.

/// Who owns the code of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// Nobody has ported it: it is translated.
    #[default]
    Ours,
    /// The project builds it for both vendors: nothing in it is edited.
    Shared,
    /// NVIDIA's build alone has it; another file serves AMD.
    Nvidia,
    /// AMD's build alone has it.
    Amd,
}
