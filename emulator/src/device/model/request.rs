//! What the host asks for: one launch of a kernel.

/// One launch of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// Name of the kernel as in [`CodeObject::kernels`](crate::device::CodeObject::kernels).
    pub kernel: &'a str,
    /// Groups in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a group in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic LDS.
    pub dynamic_lds: u32,
    /// The explicit arguments as they lie in the argument segment (see [`crate::device::Argument::offset`]); the hidden ones are filled in.
    /// More bytes than [`crate::device::Kernel::explicit_bytes`] are looked past, missing ones are 0.
    pub arguments: &'a [u8],
    /// All groups run at the same time, so that they can wait for each other (`hipLaunchCooperativeKernel`).
    pub cooperative: bool,
}
