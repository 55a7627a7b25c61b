//! ROCm 10.0 declares every target that the tables write for it: those that Debian's headers (ROCm 6.4) lack, those of libraries that
//! Debian does not package (RCCL, hipSPARSELt, hipTensor), and those that 6.4 has, which must not have gone since.
//!
//! Needs `CASS_ROCM` (`tests/rocm/setup.sh`) and `CASS_ROCM_NEWEST` (`tests/rocm/newest.sh`); without them nothing is proven, loudly.
//! The declarations of 10.0 hold no macros, no device functions and no C++: what is one of these in 6.4 is left out, the rest is listed.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use cass_transpile::mapping::{ApiEntry, ApiTable, Kind, Span, Version};
use cass_transpile::survey::{Names, What, scan};

use crate::common::rocm::required_folder;

const NEWEST: Version = Version::new(10, 0);

/// Libraries whose declarations there are.
const LIBRARIES: &[&str] = &[
    "blas", "blaslt", "cufile", "driver", "fft", "nccl", "nvtx", "rand", "rtc", "runtime",
    "solver", "sparse", "sparselt", "tensor",
];

/// Headers of 6.4 whose C declarations there are; what stands in others is C++, for the device, or about other interfaces (OpenGL).
const BOUND: &[&str] = &[
    "hip/hip_runtime_api.h",
    "hip/driver_types.h",
    "hip/hiprtc.h",
    "hip/library_types.h",
    "hip/linker_types.h",
    "hip/surface_types.h",
    "hip/texture_types.h",
    "hipblas/hipblas.h",
    "hipblas-common/hipblas-common.h",
    "hipblaslt/hipblaslt.h",
    "hipfft/hipfft.h",
    "hiprand/hiprand.h",
    "hipsolver/internal/hipsolver-functions.h",
    "hipsolver/internal/hipsolver-types.h",
    "hipsparse/hipsparse-types.h",
    "hipsparse/hipsparse-auxiliary.h",
];

/// Names that no declaration shows, with the reason.
const UNSEEN: &[(&str, &[&str])] = &[
    (
        "macros that 6.4 lacks",
        &[
            "hipEnableDefault",
            "hipEnableLegacyStream",
            "hipEnablePerThreadDefaultStream",
            "hipStreamAttrID",
            "hipStreamAttrValue",
        ],
    ),
    (
        "macros and inline functions of HIP's C headers",
        &[
            "hipKernelNodeAttrID",
            "hipKernelNodeAttrValue",
            "hipLaunchKernelEx",
            "hipOccupancyMaxPotentialBlockSizeVariableSMem",
            "hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags",
            "hipTexRef",
            "make_hipExtent",
            "make_hipPitchedPtr",
            "make_hipPos",
        ],
    ),
    (
        "C++ of hip_fp6.h and hip_fp4.h",
        &[
            "hipRoundMinInf",
            "hipRoundMode",
            "hipRoundNearest",
            "hipRoundPosInf",
            "hipRoundZero",
        ],
    ),
];

/// The entry points for profilers, of which the declarations hold none: each is there where the call without its first letter is.
fn without_profiling_letter(target: &str) -> &str {
    target
        .strip_prefix('p')
        .filter(|name| name.starts_with("nccl"))
        .unwrap_or(target)
}

#[test]
#[ignore = "needs AMD's headers: tests/rocm/setup.sh DIR, CASS_ROCM=DIR; tests/rocm/newest.sh DIR, CASS_ROCM_NEWEST=DIR"]
fn rocm_10_declares_every_target_that_is_written_for_it() {
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let newest = required_folder("CASS_ROCM_NEWEST", "tests/rocm/newest.sh");
    let mut old = Names::default();
    scan(&rocm.join("usr/include"), &mut old);
    let words = words(&newest);
    let (mut found, mut left_out) = (0, 0);
    let mut unseen = BTreeSet::new();
    let table = ApiTable::builtin();
    for entry in table.iter().map(|hit| hit.entry) {
        for target in targets(entry) {
            if words.contains(without_profiling_letter(target)) {
                found += 1;
            } else if is_out_of_sight(&old, target) {
                left_out += 1;
            } else {
                unseen.insert(target);
            }
        }
    }
    let listed: BTreeSet<&str> = UNSEEN
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .collect();
    assert_eq!(unseen, listed, "ROCm 10.0 does not declare these");
    assert!(found > 4_500, "only {found} targets");
    let _ = writeln!(
        std::io::stderr(),
        "ROCm 10.0 declares {found} targets; {left_out} are macros, C++ or for the device in 6.4, {} are listed",
        listed.len()
    );
    assert!(!words.contains("hipNoSuchFunction") && !words.contains("HIP_MEMSET_NODE_PARAMS"));
}

/// Advice names what exists: each name of AMD's in a note is declared in 6.4 or 10.0, or begins as something that no header of ours
/// declares: other components, environment variables, and names that stand for several.
#[test]
#[ignore = "needs AMD's headers: tests/rocm/setup.sh DIR, CASS_ROCM=DIR; tests/rocm/newest.sh DIR, CASS_ROCM_NEWEST=DIR"]
fn advice_names_what_exists() {
    const ELSEWHERE: &[&str] = &[
        "HIPBLASLT_LOG_",
        "HIPFFT_MPI_ENABLE",
        "HIPFILE_",
        "HIPSPARSELT_EXPORT",
        "HIP_DRV_ERR",
        "MIOPEN_ENABLE_LOGGING",
        "MIOPEN_LOG_LEVEL",
        "MIOPEN_USER_DB_PATH",
        "hipFileOpStatusError",
        "hip_ext_ocp",
        "hipDF",
        "hipGRAPH",
        "hipMM",
        "hipRAFT",
        "hipVS",
        "hipfftMp",
        "hipsolverDnXlarft",
        "hipsolverSpGetStream",
        "rocJpeg",
        "rocjpeg_version",
        "rocprofiler_",
        "roctxName",
        "roctxProfiler",
        "rocwmma",
    ];
    let rocm = required_folder("CASS_ROCM", "tests/rocm/setup.sh");
    let newest = required_folder("CASS_ROCM_NEWEST", "tests/rocm/newest.sh");
    let mut known = words(&newest);
    for header in walkdir::WalkDir::new(rocm.join("usr/include"))
        .into_iter()
        .flatten()
    {
        let text = std::fs::read(header.path()).unwrap_or_default();
        known.extend(identifiers(&String::from_utf8_lossy(&text)));
    }
    let table = ApiTable::builtin();
    let mut unknown = BTreeSet::new();
    let mut named = 0;
    for entry in table.iter().map(|hit| hit.entry) {
        for word in identifiers(entry.note.unwrap_or_default()).filter(|word| is_amds(word)) {
            named += 1;
            let begins = |name: &&str| name.starts_with(&word);
            let stands_for_several = || {
                known
                    .range(word.clone()..)
                    .next()
                    .filter(|name| begins(&name.as_str()))
                    .is_some()
            };
            if !known.contains(&word)
                && !ELSEWHERE.iter().any(|start| word.starts_with(start))
                && !stands_for_several()
            {
                unknown.insert(format!("{word} ({})", entry.cuda));
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(named > 3_000, "only {named} names");
}

/// A name of code, not of a product: an underscore or a capital inside, behind the prefix of an AMD library.
fn is_amds(word: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "miopen",
        "MIOPEN_",
        "hip",
        "HIP",
        "rocblas_",
        "rocsparse_",
        "rocsolver_",
        "rocrand_",
        "rocfft_",
        "rocJpeg",
        "rocprofiler_",
        "roctx",
        "rocwmma",
        "amdsmi_",
    ];
    const PRODUCTS: &[&str] = &[
        "hipCOMP",
        "hipDNN",
        "hipFFTW",
        "hipFile",
        "hipRTC",
        "hipSPARSELt",
        "hipTensor",
        "hipdnn_frontend",
        "hipify",
        "hiprand_mtgp32_host",
    ];
    PREFIXES.iter().any(|prefix| word.starts_with(prefix)) && !PRODUCTS.contains(&word)
}

fn identifiers(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map(str::to_owned)
}

/// The words of all declarations, without comments.
fn words(folder: &Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for file in std::fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "pxd") {
            let text = std::fs::read_to_string(path).expect("UTF-8");
            let code = text
                .lines()
                .map(|line| line.split('#').next().unwrap_or(line));
            words.extend(code.flat_map(identifiers));
        }
    }
    words
}

/// What the entry becomes on ROCm 10.0 with the default libraries.
fn targets(entry: &ApiEntry) -> Vec<&'static str> {
    let declared = matches!(entry.kind, Kind::Function | Kind::Type | Kind::Enumerator);
    if !declared || !LIBRARIES.contains(&entry.library) || entry.include == Some("fftw3.h") {
        return Vec::new();
    }
    let forms = entry
        .forms
        .iter()
        .map(|form| (form.hip.or(entry.hip), form.rocm.unwrap_or(entry.rocm)));
    let all = std::iter::once((entry.hip, entry.rocm)).chain(forms);
    all.filter(|(_, span): &(_, Span)| span.contains(NEWEST))
        .filter_map(|(target, _)| {
            target.filter(|target| *target != entry.cuda || entry.library == "nccl")
        })
        .filter(|target| {
            target
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
        .collect()
}

/// Whether 6.4 has the name as something of which 10.0 shows no declaration.
fn is_out_of_sight(old: &Names, target: &str) -> bool {
    old.get(target).is_some_and(|declared| {
        declared.what.contains(&What::Macro) || !BOUND.contains(&declared.header.as_str())
    })
}
