//! Whether a file counts lanes by the wavefront: it is written for HIP, or has code for AMD beside CUDA's.

use crate::analysis::unit::Unit;
use crate::options::WarpMode;
use crate::syntax::{Document, Include, TokenIndex, Vendor};
use crate::text::SourceFile;

/// Whether the file is written for HIP already: an old form without width then means HIP's.
pub(crate) fn is_hip_source(doc: &Document<'_>) -> bool {
    let is_hip = |include: &Include| {
        let path = doc.source.slice(include.path);
        HEADERS.iter().any(|folder| path.starts_with(folder))
            && doc.vendor_at(include.directive.start) == Vendor::Any
    };
    lies_in_hip(doc.source) || doc.includes.iter().any(is_hip)
}

/// Whether a file is written for HIP by where it stands: in another that is, or in a folder for HIP.
pub(crate) fn lies_in_hip(source: &SourceFile) -> bool {
    source.in_hip || is_in_hip_folder(&source.path)
}

/// Folders of the runtime's headers, and of those with device code that bring them.
const HEADERS: &[&[u8]] = &[
    b"hip/",
    b"hipcub/",
    b"hiprand/",
    b"rocprim/",
    b"rocrand/",
    b"rocwmma/",
];

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::of_tree;
    use crate::options::Options;

    fn asked<T>(path: &str, text: &str, warp: WarpMode, ask: impl FnOnce(&Unit<'_, '_>) -> T) -> T {
        of_tree(
            &[(path, text)],
            Options {
                warp,
                ..Options::default()
            },
            ask,
        )
    }

    #[test]
    fn a_file_is_written_for_hip_by_its_folder_or_its_includes() {
        for (path, text, expected) in [
            ("a.cu", "#include <cuda_runtime.h>\n", false),
            ("a.cu", "#include <hip/hip_runtime.h>\n", true),
            ("a.cu", "// #include <hip/hip_runtime.h>\n", false),
            (
                "a.cu",
                "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#endif\n",
                false,
            ),
            ("targets/hip/a.h", "int a;\n", true),
            ("targets/HIP/deep/a.h", "int a;\n", true),
            ("hip.h", "int a;\n", false),
            ("ship/a.h", "int a;\n", false),
        ] {
            let is_hip = asked(path, text, WarpMode::Logical32, |cx| is_hip_source(cx.doc));
            assert_eq!(is_hip, expected, "{path} {text}");
        }
    }

    #[test]
    fn a_twin_for_amd_exchanges_between_all_lanes() {
        for (text, expected) in [
            (
                "#ifdef __HIP_PLATFORM_AMD__\nint a = __shfl(b, 1);\n#else\nint a = __shfl_sync(~0, b, 1);\n#endif\n",
                true,
            ),
            ("#ifdef MINE\nint a = __shfl(b, 1);\n#endif\n", false),
            ("#ifdef __HIP_PLATFORM_AMD__\nint a = 1;\n#endif\n", false),
            ("int a = __shfl(b, 1);\n", false),
        ] {
            assert_eq!(
                asked("a.cu", text, WarpMode::Logical32, has_wavefront_twin),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn old_forms_mean_hips_where_the_file_is_hips() {
        let both = "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#endif\n";
        for (text, warp, expected) in [
            ("int a;\n", WarpMode::Native, false),
            ("#include <hip/hip_runtime.h>\n", WarpMode::Logical32, true),
            (both, WarpMode::Native, true),
            (both, WarpMode::Logical32, false),
            (
                "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#endif\n",
                WarpMode::Logical32,
                true,
            ),
        ] {
            assert_eq!(
                asked("a.cu", text, warp, means_wavefront),
                expected,
                "{text}"
            );
        }
    }
}
