//! What became of one file.

use std::collections::BTreeSet;

use crate::diagnostic::Judged;
use crate::edit::EditSet;

/// What became of one file.
#[derive(Debug, Default)]
pub struct FileOutcome {
    /// The translated bytes; `None` when nothing changes.
    pub output: Option<Vec<u8>>,
    /// The edits that led there.
    pub edits: EditSet,
    /// Findings by position, hidden ones included.
    pub findings: Vec<Judged>,
    /// The file mentions CUDA, so it was read as source.
    pub is_cuda: bool,
    /// Names and headers of HIP that the source has already, outside code for one vendor.
    pub already: usize,
    /// Names and headers of CUDA in code that is guarded for one vendor and was left alone.
    pub guarded: usize,
    /// Names of CUDA that the project's own support for AMD gives a meaning there, left alone.
    pub covered: usize,
    /// Macros that such code asks for and no compiler defines: `USE_ROCM`.
    pub switches: BTreeSet<String>,
    /// HIP's runtime header comes to the file, by its own include or by a header of the tree.
    pub reaches_runtime: bool,
    /// Findings that a comment in the file suppressed.
    pub suppressed: usize,
    /// Helpers of the compatibility header that the output calls.
    pub helpers: BTreeSet<&'static str>,
}

impl FileOutcome {
    /// The findings that a person sees.
    pub fn visible(&self) -> impl Iterator<Item = &Judged> {
        self.findings.iter().filter(|judged| judged.is_shown())
    }
}
