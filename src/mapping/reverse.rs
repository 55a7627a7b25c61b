//! The tables read backwards: HIP to CUDA. What one CUDA name alone becomes goes back; what several become, or what changed its
//! arguments on the way, is named for review; what no CUDA name becomes is named as lost.

use std::collections::BTreeMap;

use super::choice::{Choices, Vendor};
use super::entry::{ApiEntry, Kind, Support};
use super::origin::Origin;
use super::table::ApiTable;
use super::version::Span;

/// Headers that bring what the path of AMD brings, where several of CUDA become it.
pub(super) const HEADERS: &[(&str, &str)] = &[
    ("hip/hip_bf16.h", "cuda_bf16.h"),
    ("hip/hip_complex.h", "cuComplex.h"),
    ("hip/hip_cooperative_groups.h", "cooperative_groups.h"),
    ("hip/hip_fp16.h", "cuda_fp16.h"),
    ("hip/hip_fp8.h", "cuda_fp8.h"),
    ("hip/hip_runtime.h", "cuda_runtime.h"),
    ("hip/hip_runtime_api.h", "cuda_runtime_api.h"),
    ("hip/hiprtc.h", "nvrtc.h"),
    ("hipblas/hipblas.h", "cublas_v2.h"),
    ("hipcub/hipcub.hpp", "cub/cub.cuh"),
    ("hipfft/hipfft.h", "cufft.h"),
    ("hiprand/hiprand.h", "curand.h"),
    ("hiprand/hiprand_kernel.h", "curand_kernel.h"),
    ("hipsolver/hipsolver.h", "cusolverDn.h"),
    ("hipsparse/hipsparse.h", "cusparse.h"),
    ("miopen/miopen.h", "cudnn.h"),
    ("rccl/rccl.h", "nccl.h"),
    ("rocblas/rocblas.h", "cublas_v2.h"),
    ("rocsparse/rocsparse.h", "cusparse.h"),
    ("roctracer/roctx.h", "nvtx3/nvToolsExt.h"),
];

/// Names of AMD that nothing goes back from.
const LOST: &[(&str, &str)] = &[
    (
        "HIP[A-Z_]*",
        "No macro or enumerator of CUDA becomes this one; look for what CUDA does instead.",
    ),
    (
        "MIOPEN_*",
        "No name of cuDNN becomes this one; look for what cuDNN does instead.",
    ),
    (
        "hip[A-Z]*",
        "No name of CUDA becomes this one; look for what CUDA does instead.",
    ),
    (
        "miopen[A-Z]*",
        "No name of cuDNN becomes this one; look for what cuDNN does instead.",
    ),
    (
        "roc[a-z]*_*",
        "No name of CUDA becomes this one; look for what CUDA does instead.",
    ),
];

impl ApiTable {
    /// The tables from HIP to CUDA.
    #[must_use]
    pub fn reversed(self) -> Self {
        let mut names = BTreeMap::<(&'static str, bool), Vec<ApiEntry>>::new();
        for hit in self.iter() {
            let entry = hit.entry;
            let is_header = entry.kind == Kind::Header;
            let is_glob = is_header && entry.cuda.contains('*');
            let takes_part = !is_glob && !matches!(entry.kind, Kind::Pattern | Kind::Field);
            for target in sides(entry).into_iter().filter(|_| takes_part) {
                if target != entry.cuda && is_of_amd(target) {
                    names
                        .entry((target, is_header))
                        .or_default()
                        .push(entry.clone());
                }
            }
        }
        // A name that CUDA has too, unchanged, stays.
        let stays = |name: &str| {
            self.get(name.as_bytes())
                .is_some_and(|hit| hit.entry.hip == Some(name))
        };
        let mut entries: Vec<(ApiEntry, Origin)> = names
            .into_iter()
            .filter(|((name, is_header), _)| *is_header || !stays(name))
            .filter_map(|((name, _), from)| back(name, &from))
            .map(|entry| (entry, Origin::Builtin))
            .collect();
        entries.extend(
            LOST.iter()
                .map(|(glob, note)| (lost(glob, note), Origin::Builtin)),
        );
        Self::of_reversed(entries)
    }
}

/// The names of AMD that an entry may give.
fn sides(entry: &ApiEntry) -> Vec<&'static str> {
    let exists_twice = Choices {
        blas: Vendor::Roc,
        fft: Vendor::Roc,
        rand: Vendor::Roc,
        sparse: Vendor::Roc,
        solver: Vendor::Roc,
    };
    let roc =
        entry.roc.iter().map(|roc| roc.name).filter(|_| {
            entry.kind == Kind::Header || exists_twice.of(entry.library) == Vendor::Roc
        });
    entry.hip.into_iter().chain(roc).collect()
}

/// The way back from one name of AMD to the CUDA names that become it.
fn back(name: &'static str, from: &[ApiEntry]) -> Option<ApiEntry> {
    let preferred = HEADERS
        .iter()
        .find(|(path, _)| *path == name)
        .map(|(_, cuda)| *cuda);
    let best = from.iter().min_by_key(|entry| {
        let removed = entry.cuda_versions.until.is_some();
        let driver = entry.library == "driver";
        // `hipError_t` comes from `cudaError_t` and from the tag `cudaError`.
        let ending = name.ends_with("_t") != entry.cuda.ends_with("_t");
        (
            Some(entry.cuda) != preferred,
            removed,
            driver,
            ending,
            entry.support,
            entry.cuda.len(),
            entry.cuda,
        )
    })?;
    let others: Vec<&str> = from
        .iter()
        .filter(|other| !says_the_same(other, best))
        .map(|entry| entry.cuda)
        .filter(|cuda| *cuda != best.cuda)
        .collect();
    let lossy = lossy(name, best, &others, preferred);
    Some(ApiEntry {
        hip: Some(best.cuda),
        support: if lossy.is_some() {
            Support::Review
        } else {
            Support::Full
        },
        note: lossy.map(|note| &*Box::leak(note.into_boxed_str())),
        ..plain(name, best.kind, best.library)
    })
}

/// Whether a name is AMD's at all: `int` is what a type of cuSOLVER becomes, and stays `int`.
fn is_of_amd(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["hip", "roc", "miopen", "rccl"]
        .iter()
        .any(|stem| lower.contains(stem))
}

/// Whether another CUDA name is only another spelling: a version of the same call, one that CUDA has removed, or the driver's name for
/// what the runtime has too (HIP makes no difference between the two).
fn says_the_same(other: &ApiEntry, best: &ApiEntry) -> bool {
    let rest = other.cuda.strip_prefix(best.cuda);
    let is_version = rest.is_some_and(|rest| {
        matches!(rest, "_st" | "_ptsz" | "_ptds")
            || rest
                .strip_prefix("_v")
                .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let is_tag = best.cuda.strip_suffix("_t") == Some(other.cuda);
    let removed = other.cuda_versions.until.is_some() && best.cuda_versions.until.is_none();
    is_version || is_tag || removed || (best.library == "runtime" && other.library == "driver")
}

/// What is lost on the way back, as advice; `None` when nothing is.
fn lossy(name: &str, best: &ApiEntry, others: &[&str], preferred: Option<&str>) -> Option<String> {
    let changes = |args: &[_], what: &str| {
        (!args.is_empty())
            .then(|| format!("{what} changed its arguments on the way to HIP: change them back."))
    };
    let is_roc = best.roc.as_ref().is_some_and(|roc| roc.name == name);
    let args = match &best.roc {
        Some(roc) if is_roc && best.hip != Some(name) => &roc.args,
        _ => &best.args,
    };
    if !others.is_empty() && preferred.is_none() {
        let list = others
            .iter()
            .take(6)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        return Some(format!(
            "{} and {list} all become {name}; see which one is meant.",
            best.cuda
        ));
    }
    if best.support == Support::Review {
        return Some(format!(
            "{} becomes {name} only for review; the same holds on the way back. {}",
            best.cuda,
            best.note.unwrap_or_default()
        ));
    }
    if let Some(until) = best.cuda_versions.until {
        return Some(format!("CUDA {until} has removed {}.", best.cuda));
    }
    changes(args, best.cuda)
}

fn lost(glob: &'static str, note: &'static str) -> ApiEntry {
    ApiEntry {
        support: Support::Unsupported,
        note: Some(note),
        ..plain(glob, Kind::Pattern, "runtime")
    }
}

/// An entry that tells no more of a name than what it is.
fn plain(name: &'static str, kind: Kind, library: &'static str) -> ApiEntry {
    ApiEntry {
        cuda: name,
        hip: None,
        roc: None,
        kind,
        library,
        support: Support::Full,
        args: Vec::new(),
        forms: Vec::new(),
        unless: Vec::new(),
        result: false,
        cuda_versions: Span::default(),
        rocm: Span::default(),
        older: Vec::new(),
        note: None,
        context: false,
        include: None,
        source: None,
    }
}
