//! PyTorch's headers among those that a unit is compiled with.

use std::path::{Path, PathBuf};

use super::closure::{Files, includes};

/// Whose GPUs the PyTorch in a folder of headers was built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Built {
    /// AMD's: its headers are HIP already.
    ForAmd,
    /// NVIDIA's, or none.
    ForOthers,
}

/// What the compiler is told for PyTorch on AMD: `COMMON_HIP_FLAGS` of `torch/utils/cpp_extension.py`, PyTorch 2.11.
pub(super) const FOR_AMD: &[&str] = &["-DUSE_ROCM=1", "-DHIPBLAS_V2"];

/// Whether a folder holds PyTorch's headers, and for whom they were built.
pub(crate) fn built(folder: &Path) -> Option<Built> {
    let is_pytorch = folder.join("c10/macros/Macros.h").is_file();
    let is_for_amd = || folder.join("c10/hip").is_dir() || folder.join("ATen/hip").is_dir();
    is_pytorch.then(|| match is_for_amd() {
        true => Built::ForAmd,
        false => Built::ForOthers,
    })
}

/// Whether an include names a header of PyTorch's.
pub(super) fn is_pytorchs(include: &str) -> bool {
    let folders = ["torch/", "ATen/", "c10/"];
    folders.iter().any(|folder| include.starts_with(folder))
}

/// The folder of a PyTorch that is not for AMD, if files of a unit include its headers.
pub(crate) fn unfit<'f>(files: &Files, folders: &'f [PathBuf]) -> Option<&'f Path> {
    let folder = folders
        .iter()
        .find(|folder| built(folder) == Some(Built::ForOthers))?;
    let mut all = files.values().flat_map(|bytes| includes(bytes));
    all.any(|include| is_pytorchs(&include.path))
        .then_some(folder)
}
