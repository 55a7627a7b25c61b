//! Code that already knows both vendors: how much of it there is, and what it asks the build for.

use crate::engine::route::Reading;
use crate::engine::session::FileSession;
use crate::syntax::{Document, Include, TokenIndex, Vendor};

/// How many names of the tables and includes of CUDA stand in code that is guarded for one vendor.
pub(super) fn guarded_uses(
    document: &Document<'_>,
    session: &FileSession<'_>,
    names: &[TokenIndex],
) -> usize {
    let is_guarded =
        |name: &TokenIndex| document.vendor_at(document.tokens[*name].start) != Vendor::Any;
    let changes = |name: &&TokenIndex| {
        let hit = session.table.get(document.bytes(**name));
        hit.is_some_and(|hit| !hit.entry.is_unchanged())
    };
    let guarded = names.iter().filter(|name| is_guarded(name));
    guarded.filter(changes).count() + guarded_includes(document, session)
}

/// How many names of the tables and includes of CUDA a file has, wherever they stand.
pub(super) fn foreign_uses(
    document: &Document<'_>,
    session: &FileSession<'_>,
    names: &[TokenIndex],
) -> usize {
    let changes = |name: &&TokenIndex| {
        let hit = session.table.get(document.bytes(**name));
        hit.is_some_and(|hit| !hit.entry.is_unchanged())
    };
    let includes = document.includes.iter().filter(|include| {
        let hit = session.table.header(document.source.slice(include.path));
        hit.is_some_and(|hit| hit.entry.hip != Some(hit.entry.cuda))
    });
    names.iter().filter(changes).count() + includes.count()
}

/// How many names and headers of HIP stand in code that is not for one vendor.
pub(super) fn hip_uses(reading: &Reading<'_>, session: &FileSession<'_>) -> usize {
    if !session.table.may_hold_target(&reading.source.bytes) {
        return 0;
    }
    let names = reading.all_that(|word| session.table.is_target(word));
    let Some(document) = reading.cpp() else {
        return names.len();
    };
    let is_anybodys = |at: u32| document.vendor_at(at) == Vendor::Any;
    let names = names
        .into_iter()
        .filter(|&name| is_anybodys(document.tokens[name].start));
    let headers = document.includes.iter().filter(|include| {
        is_anybodys(include.directive.start)
            && session.table.is_target(document.source.slice(include.path))
    });
    names.count() + headers.count()
}

/// How many includes that conversion would change stand in such code.
fn guarded_includes(document: &Document<'_>, session: &FileSession<'_>) -> usize {
    let includes = document.includes.iter();
    let changes = |include: &&Include| {
        let hit = session.table.header(document.source.slice(include.path));
        hit.is_some_and(|hit| hit.entry.hip != Some(hit.entry.cuda))
    };
    includes
        .filter(|include| document.vendor_at(include.directive.start) != Vendor::Any)
        .filter(changes)
        .count()
}

#[cfg(test)]
mod tests {
    use crate::engine::probe::translated;
    use crate::engine::{Session, translate};
    use crate::mapping::ApiTable;
    use crate::options::Options;
    use crate::text::SourceFile;

    fn asked(text: &str) -> (usize, String) {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let outcome = translate(&source, &session);
        let switches: Vec<String> = outcome.switches.into_iter().collect();
        (outcome.guarded, switches.join(" "))
    }

    #[test]
    fn a_guarded_include_asks_for_its_macro_whatever_it_is_called() {
        for name in [
            "USE_ROCM",
            "USE_HIP",
            "IS_HIP_COMPILE",
            "__IS_HIP_COMPILE__",
            "WITH_AMD",
            "BUILD_HIP",
            "ENABLE_HIP",
            "MYPROJ_HIP",
        ] {
            let text = format!(
                "#ifdef {name}\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\nint main() {{ return cudaFree(0); }}\n"
            );
            assert_eq!(asked(&text), (1, name.to_owned()));
        }
    }

    #[test]
    fn the_platform_is_asked_for_where_no_header_of_hip_has_set_it() {
        let code = "#else\n#include <cuda_runtime.h>\n#endif\nint main() { return cudaFree(0); }\n";
        for (first, expected) in [
            (
                "#if defined(__HIP_PLATFORM_AMD__)\n#include <hip/hip_runtime.h>\n",
                "__HIP_PLATFORM_AMD__",
            ),
            (
                "#ifdef __HIP_PLATFORM_HCC__\n#include <hip/hip_runtime.h>\n",
                "__HIP_PLATFORM_AMD__",
            ),
            (
                "#include <cuda.h>\n#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_fp16.h>\n",
                "",
            ),
            (
                "#include <hip/hip_runtime_api.h>\n#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_fp16.h>\n",
                "",
            ),
            (
                "#if defined(__HIP_PLATFORM_AMD__) || defined(__HIPCC__)\n#include <hip/hip_runtime.h>\n",
                "",
            ),
            (
                "#define __HIP_PLATFORM_AMD__\n#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n",
                "",
            ),
            ("#ifdef __HIP__\n#include <hip/hip_runtime.h>\n", ""),
        ] {
            assert_eq!(asked(&format!("{first}{code}")).1, expected, "{first}");
        }
    }

    #[test]
    fn what_a_header_of_the_tree_sets_is_not_asked_for() {
        let user = "#include \"device.h\"\n#if defined(A_DEVICE_HIP)\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n";
        let sets = "#if defined(__HIP_PLATFORM_AMD__)\n#define A_DEVICE_HIP\n#endif\n";
        let beside_cuda = format!("{sets}#ifdef __NVCC__\n#define A_DEVICE_CUDA\n#endif\n");
        let leaves =
            "#ifdef __NVCC__\n#endif\n#ifndef A_DEVICE_HIP\n#define A_DEVICE_HIP 0\n#endif\n";
        for (header, expected) in [
            (sets, ""),
            (&*beside_cuda, ""),
            (leaves, "A_DEVICE_HIP"),
            ("int x;\n", "A_DEVICE_HIP"),
        ] {
            let files = [("gpu.h", user), ("device.h", header)];
            let outcome = translated(&files);
            let switches: Vec<String> = outcome.switches.into_iter().collect();
            assert_eq!(
                (outcome.guarded, switches.join(" ")),
                (1, expected.to_owned()),
                "{header}"
            );
        }
    }

    #[test]
    fn what_compilers_and_headers_define_is_not_asked_for() {
        let text = "#if defined(__HIPCC__) || HIP_VERSION > 5\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n#if ROCM_VERSION_MAJOR > 5\n#endif\n";
        assert_eq!(asked(text).1, "");
    }
}
