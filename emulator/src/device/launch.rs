//! Launches.

use std::sync::Arc;

use super::{Chip, CodeObject, Fault, FaultKind, Finding, Host, LoadError, Memory, Options};

/// One launch of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// Name of the kernel as in [`CodeObject::kernels`].
    pub kernel: &'a str,
    /// Groups in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a group in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic LDS.
    pub dynamic_lds: u32,
    /// The explicit arguments as they lie in the argument segment (see [`super::Argument::offset`]); the hidden ones are filled in.
    /// More bytes than [`super::Kernel::explicit_bytes`] are looked past, missing ones are 0.
    pub arguments: &'a [u8],
    /// All groups run at the same time, so that they can wait for each other (`hipLaunchCooperativeKernel`).
    pub cooperative: bool,
}

/// What a launch did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Instructions that waves executed, all lanes of one counted once.
    pub instructions: u64,
    /// Groups.
    pub groups: u64,
    /// Waves.
    pub waves: u64,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// One GPU.
pub struct Device {
    chip: Chip,
    memory: Arc<Memory>,
    options: Options,
}

impl Device {
    /// A device of a chip over a table of memory. Fails where no libLLVM is found, naming the names that were tried.
    pub fn new(
        chip: Chip,
        memory: Arc<Memory>,
        _host: Arc<dyn Host>,
        options: Options,
    ) -> Result<Device, LoadError> {
        Ok(Device {
            chip,
            memory,
            options,
        })
    }

    /// The chip.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// The table of memory.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The choices.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Loads a code object: one ELF image for this chip.
    pub fn load(&self, _image: &[u8]) -> Result<CodeObject, LoadError> {
        Err(LoadError("code objects are not loaded yet".to_string()))
    }

    /// Executes a kernel to its end.
    pub fn run(&self, _object: &CodeObject, launch: &Launch<'_>) -> Result<Report, Fault> {
        Err(Fault {
            kind: FaultKind::Unsupported,
            message: format!("{}: nothing is executed yet", launch.kernel),
            place: None,
            findings: Vec::new(),
        })
    }
}
