//! Whether a file counts lanes by the wavefront: it is written for HIP, or has code for AMD beside CUDA's.

use crate::analysis::unit::Unit;
use crate::options::WarpMode;
use crate::syntax::{Document, Include, TokenIndex, Vendor};

/// Whether the file is written for HIP already: an old form without width then means HIP's.
pub(crate) fn is_hip_source(doc: &Document<'_>) -> bool {
    is_in_hip_folder(&doc.source.path)
        || doc.includes.iter().any(|include| {
            doc.source.slice(include.path).starts_with(b"hip/")
                && doc.vendor_at(include.directive.start) == Vendor::Any
        })
}

/// A folder that projects keep beside one for CUDA: `targets/hip/`.
fn is_in_hip_folder(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let is_hip = |name: &str| {
        ["hip", "rocm", "amd", "amdgpu"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    folders.split('/').any(is_hip)
}

/// Whether the file exchanges values between lanes in code for AMD alone, which there means the whole wavefront.
pub(crate) fn has_wavefront_twin(cx: &Unit<'_, '_>) -> bool {
    struct HasTwin(bool);
    let found = cx.doc.fact(|doc| {
        let exchanges = doc.all_that(crate::cpp::lanes::is_exchange);
        let for_amd = |at: &TokenIndex| doc.vendor_at(doc.tokens[*at].start) == Vendor::Hip;
        HasTwin(exchanges.iter().any(for_amd))
    });
    found.0
}

/// Whether old forms of votes and shuffles mean HIP's: the file is written for HIP, or for both vendors where a person wants
/// the whole wavefront, so that an earlier run may have written them.
pub(crate) fn means_wavefront(cx: &Unit<'_, '_>) -> bool {
    let for_both = |include: &Include| {
        cx.doc.source.slice(include.path).starts_with(b"hip/")
            && cx.doc.vendor_at(include.directive.start) == Vendor::Hip
    };
    is_hip_source(cx.doc)
        || cx.own.says_wavefront()
        || cx.options().warp == WarpMode::Native && cx.doc.includes.iter().any(for_both)
}
