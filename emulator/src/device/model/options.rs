//! How kernels are executed, and what the host side serves meanwhile.

use std::time::Duration;

/// The order in which waves of a group, and groups of a grid, get their turns. All are allowed by AMD's memory model; a program whose
/// result changes with it has a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Every wave in turn, a few dozen instructions each.
    #[default]
    RoundRobin,
    /// One wave runs as far as it can (to a barrier, to its end, or to a poll) before the next one starts. The seed chooses which.
    Ahead(u64),
    /// A random wave, for a random number of instructions. The same seed gives the same order when one thread executes.
    Random(u64),
}

/// Choices for all launches of a [`crate::device::Device`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The order of waves and groups.
    pub schedule: Schedule,
    /// Host threads that share the groups of a launch; 0 for one a core, or one alone where a seed chooses the order.
    pub threads: usize,
    /// Look for races in LDS, for reads of LDS that nothing wrote, and for barriers in divergent code. Costs about half of the speed.
    pub check: bool,
    /// Count what waves do, for [`crate::device::Report::costs`]. Takes up to twice the time.
    pub costs: bool,
    /// Give up with [`crate::device::FaultKind::Endless`] after so many wave instructions in one launch.
    pub limit: Option<u64>,
    /// Give up with [`crate::device::FaultKind::Deadlock`] when for so long nothing in memory has changed and all waves repeat themselves.
    pub patience: Option<Duration>,
    /// Fill registers, LDS and scratch with this byte at the start instead of zero, so that uses of what was never written show.
    pub poison: Option<u8>,
    /// Bytes of stack for each lane where a kernel's need is not known to the compiler (recursion, calls through pointers).
    pub dynamic_stack: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            schedule: Schedule::RoundRobin,
            threads: 0,
            check: false,
            costs: false,
            limit: None,
            patience: Some(Duration::from_secs(10)),
            poison: None,
            dynamic_stack: 16384,
        }
    }
}

/// What a kernel asks of the host while it runs. Called by the threads that execute, several at a time.
pub trait Host: Send + Sync {
    /// One lane's call through the hostcall buffer: `service` as in AMD's device libraries (1 function call, 2 printf message,
    /// 3 device memory), `payload` holds the arguments and takes the results. An error stops the kernel and is named in its fault.
    fn hostcall(&self, service: u32, payload: &mut [u64; 8]) -> Result<(), String>;
}
