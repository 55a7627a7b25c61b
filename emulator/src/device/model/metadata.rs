//! What the metadata of a code object says about its kernels (the `NT_AMDGPU_METADATA` note, MessagePack).

use std::collections::BTreeMap;

use serde::Deserialize;

/// One argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Argument {
    /// Byte at which it begins in the argument segment.
    #[serde(rename = ".offset")]
    pub offset: usize,
    /// Length in bytes.
    #[serde(rename = ".size")]
    pub size: usize,
    /// `global_buffer`, `by_value`, `dynamic_shared_pointer` or `hidden_…`.
    #[serde(rename = ".value_kind")]
    pub kind: String,
}

impl Argument {
    /// Whether the program gives it, as opposed to the runtime.
    pub fn is_explicit(&self) -> bool {
        !self.kind.starts_with("hidden_")
    }
}

/// A kernel of a code object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Kernel {
    /// Name as the host side registers it, mangled.
    #[serde(rename = ".name")]
    pub name: String,
    /// Name of the symbol of its descriptor: the name and `.kd`.
    #[serde(rename = ".symbol")]
    pub symbol: String,
    /// Bytes of the argument segment, hidden arguments included.
    #[serde(rename = ".kernarg_segment_size")]
    pub argument_bytes: usize,
    /// Lanes of its waves.
    #[serde(rename = ".wavefront_size")]
    pub wavefront: u32,
    /// Bytes of static LDS.
    #[serde(rename = ".group_segment_fixed_size")]
    pub lds: u32,
    /// Bytes of scratch of one lane.
    #[serde(rename = ".private_segment_fixed_size")]
    pub scratch: u32,
    /// Vector registers.
    #[serde(rename = ".vgpr_count", default)]
    pub vgprs: u32,
    /// Scalar registers.
    #[serde(rename = ".sgpr_count", default)]
    pub sgprs: u32,
    /// Accumulation registers among the vector registers.
    #[serde(rename = ".agpr_count", default)]
    pub agprs: u32,
    /// Vector registers that found no place and go through scratch.
    #[serde(rename = ".vgpr_spill_count", default)]
    pub vgpr_spills: u32,
    /// Scalar registers that found no place and go through lanes of vector registers.
    #[serde(rename = ".sgpr_spill_count", default)]
    pub sgpr_spills: u32,
    /// Threads of a group for which it was compiled (`__launch_bounds__`).
    #[serde(rename = ".max_flat_workgroup_size", default)]
    pub max_threads: u32,
    /// Whether its need of scratch is not known to the compiler.
    #[serde(rename = ".uses_dynamic_stack", default)]
    pub dynamic_stack: bool,
    /// All arguments, hidden ones included.
    #[serde(rename = ".args", default)]
    pub arguments: Vec<Argument>,
}

impl Kernel {
    /// The arguments that the program gives, in order.
    pub fn explicit(&self) -> impl Iterator<Item = &Argument> {
        self.arguments
            .iter()
            .filter(|argument| argument.is_explicit())
    }

    /// Bytes of the explicit arguments: where the last one ends.
    pub fn explicit_bytes(&self) -> usize {
        self.explicit()
            .map(|argument| argument.offset + argument.size)
            .max()
            .unwrap_or(0)
    }
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "amdhsa.kernels", default)]
    kernels: Vec<Kernel>,
}

/// The kernels of a note by name.
pub(crate) fn kernels(note: &[u8]) -> Result<BTreeMap<String, Kernel>, rmp_serde::decode::Error> {
    let document: Document = rmp_serde::from_slice(note)?;
    Ok(document
        .kernels
        .into_iter()
        .map(|kernel| (kernel.name.clone(), kernel))
        .collect())
}
