//! What was found at run time: findings, after which a kernel goes on, and faults, which stop it.

use std::fmt;

/// Where in a program something happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Kernel that was launched.
    pub kernel: String,
    /// Function and offset of the instruction, such as `reduce+0x1c4`.
    pub function: String,
    /// `file:line` of the instruction, where the code object has line tables (`-g` or `-gline-tables-only`).
    pub source: Option<String>,
    /// The instruction as LLVM prints it.
    pub instruction: String,
    /// Index of the group in x, y, z.
    pub group: [u32; 3],
    /// Index of the thread in its group in x, y, z: the first one that was concerned.
    pub thread: [u32; 3],
    /// Wave of the group, and lane of the wave.
    pub wave: u32,
    /// Lane of the wave.
    pub lane: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([gx, gy, gz], [tx, ty, tz]) = (self.group, self.thread);
        write!(
            f,
            "in kernel {}, block ({gx},{gy},{gz}), thread ({tx},{ty},{tz}), lane {} of wave {}",
            self.kernel, self.lane, self.wave
        )?;
        if let Some(source) = &self.source {
            write!(f, ", at {source}")?;
        }
        write!(f, " [{}: {}]", self.function, self.instruction)
    }
}

/// Kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// An LDS access past the end of the group's LDS: the chip reads 0 and drops writes.
    LdsOutOfBounds,
    /// A read of LDS that nothing wrote in this group.
    LdsUninitialised,
    /// Two waves touched the same LDS without a barrier in between, at least one of them writing.
    LdsRace,
    /// A barrier that only some lanes of a wave reached.
    DivergentBarrier,
}

impl FindingKind {
    /// The name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::LdsOutOfBounds => "lds-out-of-bounds",
            FindingKind::LdsUninitialised => "lds-uninitialised",
            FindingKind::LdsRace => "lds-race",
            FindingKind::DivergentBarrier => "divergent-barrier",
        }
    }
}

/// Something suspicious that did not stop the kernel. One is kept for each kind and instruction, with the number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The particulars in a sentence.
    pub message: String,
    /// Where it was seen first.
    pub place: Place,
    /// The other party of a race.
    pub other: Option<Place>,
    /// How often it happened in this launch.
    pub count: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, {}", self.kind.name(), self.message, self.place)?;
        if let Some(other) = &self.other {
            write!(f, "; the other {other}")?;
        }
        if self.count > 1 {
            write!(f, " ({} times)", self.count)
        } else {
            Ok(())
        }
    }
}

/// Why a kernel stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The launch itself is not possible: unknown kernel, too many threads, too much LDS. HIP: `hipErrorInvalidValue` and the like.
    BadLaunch,
    /// An address outside of every allocation, or past the end of one. HIP: `hipErrorIllegalAddress`.
    Memory,
    /// `s_trap`: a failed assert, `__builtin_trap`, `abort`. HIP: `hipErrorLaunchFailure`.
    Trap,
    /// An instruction, or a mode of one, that is not emulated.
    Unsupported,
    /// No wave gets on: they wait at barriers that others never reach, or poll for what none of them will do.
    Deadlock,
    /// More instructions than [`crate::device::Options::limit`].
    Endless,
    /// [`crate::device::Host::hostcall`] gave an error.
    Host,
}

/// A kernel stopped before its end.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// The particulars in a sentence: the address and the allocation next to it, the name of the unknown instruction.
    pub message: String,
    /// Where; none for a launch that never began. Boxed to keep results small.
    pub place: Option<Box<Place>>,
    /// What had been found until then.
    pub findings: Vec<Finding>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{}, {place}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Fault {}
