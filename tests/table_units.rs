//! One program per library names every target that the tables write for ROCm 6.4, and a compiler reads it with AMD's headers: no name
//! is unknown. What is a macro only has to be defined; everything else is named by a using-declaration, which finds functions with all
//! their overloads, types, templates, enumerators and variables, and nothing that does not exist.
//!
//! `CASS_ROCM` names the folder that `tests/rocm/setup.sh` filled; without it nothing is proven, loudly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use cass_transpile::mapping::{ApiEntry, ApiTable, Hit, Kind, Version};

const ROCM: Version = Version::new(6, 4);

/// Headers of each library, and why a library is left out where one is.
const HEADERS: &[(&str, &[&str])] = &[
    ("blas", &["hipblas/hipblas.h", "rocblas/rocblas.h"]),
    ("blaslt", &["hipblaslt/hipblaslt.h", "hipblas/hipblas.h"]),
    ("complex", &["hip/hip_complex.h"]),
    ("cooperative_groups", &["hip/hip_cooperative_groups.h"]),
    ("cub", &["hipcub/hipcub.hpp"]),
    ("device", &[]),
    ("dnn", &["miopen/miopen.h", "miopen/version.h"]),
    ("driver", &["hip/hip_gl_interop.h", "hip/hiprtc.h"]),
    (
        "fft",
        &["hipfft/hipfft.h", "hipfft/hipfftXt.h", "rocfft/rocfft.h"],
    ),
    (
        "fp16",
        &["hip/hip_fp16.h", "hip/hip_bf16.h", "hip/hip_fp8.h"],
    ),
    ("nvtx", &["roctracer/roctx.h"]),
    (
        "rand",
        &[
            "hiprand/hiprand.h",
            "hiprand/hiprand_kernel.h",
            "hiprand/hiprand_mtgp32_host.h",
            "rocrand/rocrand.h",
            "rocrand/rocrand_kernel.h",
            "rocrand/rocrand_mtgp32_11213.h",
        ],
    ),
    ("rtc", &["hip/hiprtc.h"]),
    (
        "runtime",
        &[
            "hip/hip_ext.h",
            "hip/hip_math_constants.h",
            "hip/library_types.h",
            "hip/hip_cooperative_groups.h",
            "hip/hip_gl_interop.h",
        ],
    ),
    (
        "solver",
        &["hipsolver/hipsolver.h", "rocsolver/rocsolver.h"],
    ),
    (
        "sparse",
        &["hipsparse/hipsparse.h", "rocsparse/rocsparse.h"],
    ),
    ("thrust", &["thrust/version.h", "thrust/device_vector.h"]),
];

/// Libraries that Debian does not package, or packages in a release that is too old to prove anything.
const NOT_PACKAGED: &[&str] = &["nccl", "sparselt", "tensor"];

/// Names that no using-declaration can prove, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("__noinline__", "a keyword of clang"),
    (
        "__HIP_NO_HALF_CONVERSIONS__",
        "a switch that programs define and headers ask for",
    ),
    (
        "__HIP_NO_HALF_OPERATORS__",
        "a switch that programs define and headers ask for",
    ),
    (
        "THRUST_CUB_WRAPPED_NAMESPACE",
        "a switch that programs define and headers ask for",
    ),
    (
        "THRUST_WRAPPED_NAMESPACE",
        "a switch that programs define and headers ask for",
    ),
    (
        "HIPCUB_STDERR",
        "a switch that programs define and headers ask for",
    ),
];

#[test]
fn every_target_is_known_to_the_compiler() {
    let Ok(rocm) = std::env::var("CASS_ROCM") else {
        let _ = writeln!(
            std::io::stderr(),
            "every_target_is_known_to_the_compiler: NOT RUN, set CASS_ROCM to the folder that tests/rocm/setup.sh filled"
        );
        assert!(
            std::env::var_os("CI").is_none(),
            "CASS_ROCM is not set in CI"
        );
        return;
    };
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let (mut failures, mut named) = (Vec::new(), 0);
    for (library, names) in names_by_library() {
        let Some((_, headers)) = HEADERS.iter().find(|(key, _)| *key == library) else {
            assert!(
                NOT_PACKAGED.contains(&library),
                "{library}: add its headers here"
            );
            continue;
        };
        named += names.len();
        let file = scratch.path().join(format!("{library}.hip"));
        let namespace = if library == "cooperative_groups" {
            "cooperative_groups::"
        } else {
            ""
        };
        std::fs::write(&file, program(headers, namespace, &names)).expect("writable");
        failures.extend(
            unknown(Path::new(&rocm), &file)
                .into_iter()
                .map(|line| format!("{library}: {line}")),
        );
    }
    assert!(named > 5_000, "only {named} names");
    assert!(
        failures.is_empty(),
        "{} problems:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// What the tables write for ROCm 6.4 under either choice, by library.
fn names_by_library() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let table: &'static ApiTable = Box::leak(Box::new(ApiTable::builtin()));
    let mut names = BTreeMap::<_, BTreeSet<_>>::new();
    for Hit { entry, .. } in table.iter() {
        let provable = !matches!(
            entry.kind,
            Kind::Header | Kind::Field | Kind::Namespace | Kind::Pattern
        );
        // A name of another project's header (FFTW) is not AMD's to declare.
        let foreign = entry.include.is_some_and(|header| header == "fftw3.h");
        if provable && !foreign {
            for name in written(entry) {
                names.entry(entry.library).or_default().insert(name);
            }
        }
    }
    names
}

fn written(entry: &'static ApiEntry) -> Vec<&'static str> {
    let default = entry.hip.filter(|_| entry.rocm.contains(ROCM));
    let is_chosen = ["blas", "fft", "rand", "solver", "sparse"].contains(&entry.library);
    let roc = entry
        .roc
        .iter()
        .filter(|roc| is_chosen && roc.rocm.contains(ROCM))
        .map(|roc| roc.name);
    let forms = entry
        .forms
        .iter()
        .filter(|form| form.rocm.unwrap_or(entry.rocm).contains(ROCM))
        .filter_map(|form| form.hip.filter(|name| *name != entry.cuda));
    default
        .into_iter()
        .chain(roc)
        .chain(forms)
        .filter(|name| is_name(name) && !EXCEPTIONS.iter().any(|(known, _)| known == name))
        .collect()
}

/// One qualified name: `unsigned int`, expressions and compiler builtins are not declared anywhere.
fn is_name(text: &str) -> bool {
    let identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    const KEYWORDS: &[&str] = &[
        "char", "int", "bool", "float", "double", "void", "true", "false", "long", "short",
    ];
    text.split("::").all(identifier) && !text.starts_with("__builtin_") && !KEYWORDS.contains(&text)
}

fn program(headers: &[&str], namespace: &str, names: &BTreeSet<&'static str>) -> String {
    let mut text = String::from(
        "#define HIPBLAS_V2\n#define HIPBLAS_USE_HIP_HALF\n#define HIP_ENABLE_WARP_SYNC_BUILTINS\n#include <hip/hip_runtime.h>\n",
    );
    for header in headers {
        writeln!(text, "#include <{header}>").expect("strings take text");
    }
    text.push_str("namespace every_name {\n");
    for name in names {
        let first = name.split("::").next().unwrap_or(name);
        writeln!(text, "#ifndef {first}\nusing ::{namespace}{name};\n#endif")
            .expect("strings take text");
    }
    text.push_str("}\n");
    text
}

/// The compiler's errors, device pass and host pass.
fn unknown(rocm: &Path, file: &Path) -> BTreeSet<String> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rocm/compile.sh");
    let output = Command::new("bash")
        .arg(script)
        .arg(rocm)
        .args(["gfx90a", "-ferror-limit=0"])
        .arg(file)
        .output()
        .expect("bash runs");
    if output.status.success() {
        return BTreeSet::new();
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split("error: ").nth(1))
        .map(str::to_owned)
        .collect()
}

/// The proof can fail: a name that nobody declares is named.
#[test]
fn an_unknown_name_is_found() {
    let Ok(rocm) = std::env::var("CASS_ROCM") else {
        let _ = writeln!(
            std::io::stderr(),
            "an_unknown_name_is_found: NOT RUN, set CASS_ROCM to the folder that tests/rocm/setup.sh filled"
        );
        assert!(
            std::env::var_os("CI").is_none(),
            "CASS_ROCM is not set in CI"
        );
        return;
    };
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let file = scratch.path().join("unknown.hip");
    let names = ["hipNoSuchFunction", "HIP_NO_SUCH_MACRO", "hipMalloc"];
    std::fs::write(&file, program(&[], "", &names.into_iter().collect())).expect("writable");
    let found: Vec<String> = unknown(Path::new(&rocm), &file).into_iter().collect();
    assert_eq!(found.len(), 2, "{found:?}");
}
