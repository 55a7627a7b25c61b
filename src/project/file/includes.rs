//! What a file includes, and what of it brings the runtime header.

use super::clashes::first_clashing_macro;
use super::{FileIndex, Out, RUNTIME_HEADER};
use crate::cpp::guarding::{conditions, is_for_device_compilers, is_for_host_compilers};
use crate::mapping::{ApiTable, Support};
use crate::syntax::{Document, Include, TokenKind, Vendor, flags};
use crate::text::TextRange;

impl FileIndex {
    pub(super) fn add_includes(&mut self, document: &Document<'_>, table: &ApiTable, out: &Out) {
        let open = document.includes.iter();
        let open = open.filter(|include| is_open(document, include.directive));
        self.includes = open
            .clone()
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .collect();
        let braced = open
            .clone()
            .filter(|include| is_in_scope(document, include));
        let text = |include: &Include| document.source.text(include.path).replace('\\', "/");
        self.braced = braced.map(text).collect();
        let (for_host, for_all): (Vec<_>, Vec<_>) = open
            .clone()
            .partition(|include| is_for_host_compilers(document, include.directive.start));
        let for_all: Vec<String> = for_all.into_iter().map(text).collect();
        self.for_host = for_host.into_iter().map(text).collect();
        self.for_host.retain(|path| !for_all.contains(path));
        let (for_device, others): (Vec<_>, Vec<_>) = open
            .clone()
            .partition(|include| is_for_device_compilers(document, include.directive.start));
        let others: Vec<String> = others.into_iter().map(text).collect();
        self.for_device = for_device.into_iter().map(text).collect();
        self.for_device.retain(|path| !others.contains(path));
        let in_place = open
            .clone()
            .filter(|include| out.in_place.contains(include.directive.start));
        self.in_place = in_place.map(text).collect();
        for (at, include) in open.clone().enumerate() {
            if is_covered(&self.includes[at], table) {
                self.covered.insert(at, include.angled);
            }
        }
        let clashing = first_clashing_macro(document).filter(|it| is_open(document, *it));
        self.includes_before_macro = clashing.map(|macro_| {
            let before = open.filter(|include| include.directive.start < macro_.start);
            before.count()
        });
    }

    /// A build that lacks the runtime header has what stands in for it: includers need neither.
    pub(super) fn add_stood_in(&mut self, document: &Document<'_>, table: &ApiTable) {
        let includes = document.includes.iter();
        let mut open = includes.filter(|it| it.angled && is_open(document, it.directive));
        let has_other = self.stands_in || !self.in_place.is_empty();
        self.has_runtime |=
            has_other && open.any(|it| becomes_runtime(&document.source.text(it.path), table));
    }

    pub(super) fn add_sure_includes(&mut self, document: &Document<'_>, table: &ApiTable) {
        let sure = document
            .includes
            .iter()
            .filter(|include| document.is_sure_on_hip(include.directive.start));
        self.sure_includes = sure
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .collect();
        self.asks_for_runtime = has_code_for_device(document);
        for include in document.includes.iter() {
            let path = document.source.text(include.path).replace('\\', "/");
            let is_sure = document.is_sure_on_hip(include.directive.start);
            if !is_sure || !brings_runtime(&path, table) {
                continue;
            }
            if include.angled {
                self.has_runtime = true;
            } else {
                self.quoted_runtime.push(path);
            }
        }
        let brings = |include: &&Include| {
            becomes_runtime(&document.source.text(include.path), table)
                && document.vendor_at(include.directive.start) != Vendor::NotHip
        };
        for include in document.includes.iter().filter(brings) {
            if let [condition] = &conditions(document, include.directive.start)[..] {
                self.runtime_if.insert(condition.clone());
            }
        }
    }
}

/// Whether every build for AMD comes to code for the device.
fn has_code_for_device(document: &Document<'_>) -> bool {
    let words = document.all_of(&["__global__", "__device__", "__shared__", "__constant__"]);
    let mut tokens = words.into_iter().map(|at| document.tokens[at]);
    tokens.any(|token| !token.has(flags::DIRECTIVE) && document.is_sure_on_hip(token.start))
}

/// Whether code that is not for NVIDIA alone may read a directive.
fn is_open(document: &Document<'_>, directive: TextRange) -> bool {
    document.vendor_at(directive.start) != Vendor::NotHip
}

/// Whether an include stands in braces that are not those of `extern "C"`.
fn is_in_scope(document: &Document<'_>, include: &Include) -> bool {
    let mut open = document.braces_around(include.token);
    open.any(|open| open == 0 || document.tokens[open - 1].kind != TokenKind::Str)
}

/// Whether an include path is that of a header of CUDA that ROCm has a full counterpart of.
pub(super) fn is_covered(path: &str, table: &ApiTable) -> bool {
    let hit = table.header(path.as_bytes());
    hit.is_some_and(|hit| hit.entry.hip.is_some() && hit.entry.support == Support::Full)
}

/// Whether an include is that of the runtime header, or becomes it.
pub(in crate::project) fn becomes_runtime(path: &str, table: &ApiTable) -> bool {
    let hit = table.header(path.as_bytes());
    hit.and_then(|hit| hit.entry.hip).unwrap_or(path) == RUNTIME_HEADER
}

/// Whether an include brings the runtime header, or will: as itself or by a header of a library that includes it (ROCm 6.4; the
/// headers of hipBLAS, hipFFT and hipSPARSE bring the host's part alone, and hipCUB's single headers ask for its macros in front).
pub(crate) fn brings_runtime(path: &str, table: &ApiTable) -> bool {
    const LIBRARIES: &[&str] = &[
        "hipcub/hipcub.hpp",
        "rocprim/",
        "thrust/",
        "hiprand/",
        "rocrand/",
        "rccl/",
    ];
    let hit = table.header(path.as_bytes());
    let becomes = hit.and_then(|hit| hit.entry.hip).unwrap_or(path);
    becomes == RUNTIME_HEADER || LIBRARIES.iter().any(|folder| becomes.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::file::probe::index;

    #[test]
    fn includes_are_those_that_amd_may_read() {
        for (text, expected) in [
            (
                "#include <a.h>\n#include \"b/c.h\"\r\n",
                &["a.h", "b/c.h"][..],
            ),
            ("#include \"b\\c.h\"\n", &["b/c.h"]),
            ("// #include <a.h>\n", &[]),
            ("#ifdef X\n#include <a.h>\n#endif\n", &["a.h"]),
            (
                "#ifdef __HIP_PLATFORM_NVIDIA__\n#include <a.h>\n#endif\n",
                &[],
            ),
            (
                "#ifdef __HIP_PLATFORM_AMD__\n#include <a.h>\n#endif\n",
                &["a.h"],
            ),
        ] {
            assert_eq!(index(text).includes, expected, "{text}");
        }
    }

    #[test]
    fn places_of_includes_are_told_apart() {
        for (text, braced, for_host) in [
            ("#include <a.h>\n", &[][..], &[][..]),
            ("namespace n {\n#include <a.h>\n}\n", &["a.h"], &[]),
            ("extern \"C\" {\n#include <a.h>\n}\n", &[], &[]),
            (
                "#ifndef __CUDACC__\n#include <a.h>\n#endif\n",
                &[],
                &["a.h"],
            ),
            (
                "#ifndef __CUDACC__\n#include <a.h>\n#endif\n#include <a.h>\n",
                &[],
                &[],
            ),
        ] {
            let found = index(text);
            assert_eq!(found.braced, braced, "{text}");
            assert_eq!(found.for_host, for_host, "{text}");
        }
    }

    #[test]
    fn who_brings_the_runtime_header_is_known() {
        for (text, has_runtime, quoted) in [
            ("#include <cuda_runtime.h>\n", true, &[][..]),
            ("#include <hip/hip_runtime.h>\n", true, &[]),
            ("#include <cub/cub.cuh>\n", true, &[]),
            ("#include <thrust/sort.h>\n", true, &[]),
            ("#include <cublas_v2.h>\n", false, &[]),
            ("#include \"cuda.h\"\n", false, &["cuda.h"]),
            ("#ifdef X\n#include <cuda_runtime.h>\n#endif\n", false, &[]),
            (
                "#ifndef A\n#define A\n#include <cuda_runtime.h>\n#endif\n",
                true,
                &[],
            ),
            ("int a;\n", false, &[]),
        ] {
            let found = index(text);
            assert_eq!(found.has_runtime, has_runtime, "{text}");
            assert_eq!(found.quoted_runtime, quoted, "{text}");
        }
    }

    #[test]
    fn a_condition_alone_brings_it_to_those_who_meet_it() {
        for (text, expected) in [
            (
                "#ifdef X\n#include <cuda_runtime.h>\n#endif\n",
                &["# ifdef X"][..],
            ),
            (
                "#ifdef X\n#ifdef Y\n#include <cuda_runtime.h>\n#endif\n#endif\n",
                &[],
            ),
            ("#include <cuda_runtime.h>\n", &[]),
            ("#ifdef X\n#include <cublas_v2.h>\n#endif\n", &[]),
        ] {
            let found = index(text).runtime_if;
            assert!(found.iter().eq(expected), "{text}: {found:?}");
        }
    }

    #[test]
    fn headers_are_covered_or_bring_something_by_their_path() {
        let table = ApiTable::builtin();
        for (path, covered, becomes, brings) in [
            ("cuda_runtime.h", true, true, true),
            ("hip/hip_runtime.h", false, true, true),
            ("cublas_v2.h", true, false, false),
            ("thrust/sort.h", true, false, true),
            ("npp.h", false, false, false),
            ("vector", false, false, false),
        ] {
            assert_eq!(is_covered(path, &table), covered, "{path}");
            assert_eq!(becomes_runtime(path, &table), becomes, "{path}");
            assert_eq!(brings_runtime(path, &table), brings, "{path}");
        }
    }
}
