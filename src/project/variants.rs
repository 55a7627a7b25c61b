//! Images and lists of packages that a tree has once for each vendor: `Dockerfile` beside `Dockerfile_amd`, `requirements_cuda.txt` beside
//! `requirements_rocm.txt`.

use crate::project::image_names::{
    SIGNS, is_image, is_named_for_amd, release_begins, subject_of_image,
};
use crate::project::owner::Owner;
use crate::project::paths::Paths;
use crate::python::{AMD_WORDS, OTHER_ACCELERATORS, names_other_accelerator};

/// What names of such files say of NVIDIA.
const NVIDIAS: &[&str] = &["cuda", "nvidia", "nv", "gpu"];
/// What modules are called that run AMD's compilers, beside those that run nvcc or NVRTC; TVM has `rocm.py`.
const AMDS_COMPILERS: &[&str] = &["hipcc", "hiprtc", "rocm"];
/// What folders and modules for NVIDIA's, Intel's and Arm's chips are called, and for those whose name says little elsewhere; those for other
/// makers' have the names of their accelerators.
const OF_ONE_MAKER: &[&str] = &[
    "nvidia",
    "nv",
    "cuda",
    "intel",
    "arm",
    "hygon",
    "enflame",
    "tsingmicro",
    "sunrise",
    "thead",
    "spacemit",
];
/// Where packages of Python lie below the root of a project.
const ROOTS: &[&str] = &["", "python/", "src/"];

impl Paths {
    /// Whether a file is the variant for AMD by its name, or has one beside it or in a folder beside its own: `docker/amd/Dockerfile` for
    /// `docker/nvidia/Dockerfile`.
    pub(crate) fn has_variant_for_amd(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let beside = |name: String| match folder {
            "" => name,
            folder => format!("{folder}/{name}"),
        };
        is_named_for_amd(path)
            || names_for_amd(name).any(|name| self.is_in_tree(&beside(name)))
            || folders_for_amd(path).any(|path| self.is_in_tree(&path))
            || release_begins(name).is_some_and(|begin| self.begun_for_amd.contains(&beside(begin)))
            || subject_of_image(path).is_some_and(|it| self.subjects_for_amd.contains(&it))
            || is_image(name) && self.has_images_for_amd_around(folder)
    }

    /// Whether a folder or one around it has one for AMD's images: `docker/cu128` where there is `docker/rocm/Dockerfile`.
    fn has_images_for_amd_around(&self, folder: &str) -> bool {
        let ends = folder.match_indices('/').map(|(end, _)| &folder[..end]);
        let mut around = ends.chain([folder]);
        around.any(|it| self.with_images_for_amd.contains(it))
    }

    /// Whose a module is that has a counterpart for the other vendor: `backend/_nvidia/ops/mm.py` where there is a `backend/_amd`,
    /// `hardware/nvidia.py` beside `hardware/amd.py`, `contrib/nvcc.py` beside `contrib/hipcc.py`; what is called after another maker's
    /// accelerator, `kernels/ascend/mm.py`, AMD never runs, with or without a counterpart. A package for AMD beside that of the same name for
    /// all others is AMD's: `kernel-amd` beside `kernel`. Nothing for all others.
    pub(crate) fn owner_of_module(&self, path: &str) -> Option<Owner> {
        let mut start = 0;
        path.split('/').find_map(|part| {
            if names_other_accelerator(part) && !is_of_any_accelerator(part) {
                return Some(Owner::Nvidia);
            }
            let (around, behind) = (&path[..start], &path[start + part.len()..]);
            start += part.len() + 1;
            let (stem, end) = part
                .split_once('.')
                .map_or((part, ""), |(stem, _)| (stem, &part[stem.len()..]));
            let has = |word: &str, others: &[&str]| {
                others.iter().any(|other| {
                    let stem = stem.replacen(word, other, 1);
                    let own = format!("{around}{stem}{end}");
                    self.is_in_tree(&format!("{own}{behind}"))
                        || self.has_modules(&own)
                        || shorter(&stem).any(|it| self.has_modules(&format!("{around}{it}")))
                })
            };
            // The folder of the same name without the word that ends it.
            let has_plain = |word: &str| {
                let plain = stem.strip_suffix(word);
                let plain = plain.and_then(|it| it.strip_suffix(['_', '-']));
                plain.is_some_and(|it| end.is_empty() && self.has_modules(&format!("{around}{it}")))
            };
            stem.split(['_', '-']).find_map(|word| match word {
                _ if is_of_one_maker(word) && has(word, AMD_WORDS) => Some(Owner::Nvidia),
                "nvcc" | "nvrtc" if has(word, AMDS_COMPILERS) => Some(Owner::Nvidia),
                _ if amds_library(word).is_some_and(|amds| has(word, &[&amds])) => {
                    Some(Owner::Nvidia)
                }
                _ if AMD_WORDS.contains(&word) && (has(word, NVIDIAS) || has_plain(word)) => {
                    Some(Owner::Amd)
                }
                _ => None,
            })
        })
    }

    /// Whose a script is by what it imports at its outermost level: NVIDIA's with `from kit.kernels.nvidia import gemm` where there is a
    /// `kit/kernels/amd`, unless it imports that as well. `path` is the script's, `text` what stands in it.
    pub(crate) fn owner_of_imports(&self, path: &str, text: &[u8]) -> Option<Owner> {
        memchr::memmem::find(text, b"nvidia")?;
        let lines = text.split(|byte| *byte == b'\n');
        let modules = lines.filter_map(|line| {
            let line = std::str::from_utf8(line).ok()?;
            let named = line
                .strip_prefix("from ")
                .or(line.strip_prefix("import "))?;
            named.split([' ', ',', '\r']).next()
        });
        let modules: Vec<&str> = modules.collect();
        let names = |module: &&str, makers: &[&str]| {
            let mut parts = module.split('.');
            parts.any(|part| makers.contains(&part.trim_start_matches('_')))
        };
        if modules.iter().any(|it| names(it, AMD_WORDS)) {
            return None;
        }
        let mut of_nvidia = modules.iter().filter(|it| names(it, &["nvidia"]));
        of_nvidia.find_map(|module| self.owner_of_import(path, module))
    }

    /// Whose the module is that an import of a script means, where it is one of the tree.
    fn owner_of_import(&self, path: &str, module: &str) -> Option<Owner> {
        let named = module.trim_start_matches('.');
        let levels = module.len() - named.len();
        let behind = named.replace('.', "/");
        let above = |skipped: usize| {
            let ends = path.rmatch_indices('/').map(|(end, _)| &path[..=end]);
            ends.chain([""]).skip(skipped)
        };
        let places: Vec<String> = match levels {
            0 => above(0)
                .flat_map(|folder| ROOTS.iter().map(move |root| format!("{folder}{root}")))
                .collect(),
            levels => above(levels - 1).take(1).map(str::to_owned).collect(),
        };
        places.into_iter().find_map(|folder| {
            let start = folder.len() + behind.find("nvidia")?;
            let whole = format!("{folder}{behind}/__init__.py");
            let end = whole[start..].find('/').map(|end| start + end)?;
            let is_there = self.has_modules(&whole[..end]);
            is_there.then(|| self.owner_of_module(&whole)).flatten()
        })
    }
}

/// Whether a folder is about accelerators of all makers, which some call `xpu` as Intel does its GPUs: `xpu_timer`, not `xpu` or `kernels_xpu`.
fn is_of_any_accelerator(part: &str) -> bool {
    let mut words = part.rsplit(['_', '-']);
    let is_file = part.contains('.');
    let is_last = words.next() == Some("xpu");
    !is_file && !is_last && words.any(|word| word == "xpu")
}

/// What a module about a library of NVIDIA's is called for AMD's: `hipblaslt` for `cublaslt`.
fn amds_library(word: &str) -> Option<String> {
    match word {
        "cudnn" => Some("miopen".to_owned()),
        // `rcclx` for `ncclx`.
        _ => match word.strip_prefix("nccl") {
            Some(rest) => Some(format!("rccl{rest}")),
            None => Some(format!("hip{}", word.strip_prefix("cu")?)),
        },
    }
}

/// Whether folders and modules for the chips of one maker, AMD aside, have this name: the backends of vLLM, SGLang, FlagGems and PyTorch.
fn is_of_one_maker(word: &str) -> bool {
    OF_ONE_MAKER.contains(&word) || OTHER_ACCELERATORS.contains(&word)
}

/// A name of three words or more without one of those between the first and the last: `cuda_headwise_impl` is one of several beside
/// `rocm_impl`.
fn shorter(name: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = name.split('_').collect();
    (1..words.len().saturating_sub(1)).map(move |gone| {
        let kept = words.iter().enumerate().filter(|(at, _)| *at != gone);
        let kept: Vec<&str> = kept.map(|(_, word)| *word).collect();
        kept.join("_")
    })
}

/// Where the variant of a file for AMD may lie: a folder that is called after the vendor, with AMD in the place of NVIDIA.
fn folders_for_amd(path: &str) -> impl Iterator<Item = String> {
    const PARTS: &[char] = &['/', '-', '_'];
    let end_of_folders = path.rfind('/').map_or(0, |at| at + 1);
    let words = path[..end_of_folders].match_indices(PARTS);
    let folders = words.filter_map(|(end, _)| {
        let start = path[..end].rfind(PARTS).map_or(0, |at| at + 1);
        let amds: &[&str] = match &path[start..end] {
            "nvidia" | "nv" | "cuda" => AMD_WORDS,
            "nvshmem" => &["rocshmem"],
            _ => return None,
        };
        Some((start, end, amds))
    });
    folders.flat_map(move |(start, end, amds)| {
        let of = move |amd: &&'static str| format!("{}{amd}{}", &path[..start], &path[end..]);
        amds.iter().map(of)
    })
}

/// What the variant of a file for AMD may be called: another vendor's word in the place of NVIDIA's, or one more of them.
fn names_for_amd(name: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = name.split(SIGNS).collect();
    let word = words.into_iter().find(|word| NVIDIAS.contains(word));
    AMD_WORDS.iter().flat_map(move |amd| match word {
        Some(word) => vec![name.replacen(word, amd, 1)],
        None => more(name, amd),
    })
}

/// `Dockerfile_amd`, `amd.Dockerfile`; `requirements-rocm.txt`.
fn more(name: &str, amd: &str) -> Vec<String> {
    let (stem, end) = name.find('.').map_or((name, ""), |dot| name.split_at(dot));
    let behind = SIGNS.iter().map(|sign| format!("{stem}{sign}{amd}{end}"));
    behind.chain([format!("{amd}.{name}")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_for_amd_is_told_by_the_names() {
        for (path, other, expected) in [
            ("Dockerfile", "Dockerfile_amd", true),
            ("a/Dockerfile", "a/rocm.Dockerfile", true),
            ("a/Dockerfile", "a/rocm7_1.Dockerfile", true),
            ("a/cu128.Dockerfile", "a/rocm7_1.Dockerfile", true),
            ("a/server.Dockerfile", "a/rocm7_1.Dockerfile", false),
            ("a/Dockerfile", "b/rocm.Dockerfile", false),
            ("Dockerfile", "Dockerfile_intel", false),
            ("Dockerfile.cuda", "Dockerfile.rocm", true),
            ("Dockerfile_llamacpp", "Dockerfile_amd", false),
            (
                "d/Dockerfile.torch260.vllm",
                "d/Dockerfile.torch280.vllm.AMD",
                true,
            ),
            (
                "d/Dockerfile.torch260.sglang",
                "d/Dockerfile.torch280.vllm.AMD",
                false,
            ),
            (
                "requirements_torch260_sglang.txt",
                "requirements_torch_280_vllm_amd.txt",
                false,
            ),
            ("requirements_cuda.txt", "requirements_rocm.txt", true),
            ("requirements.txt", "requirements-amd.txt", true),
            ("requirements_rocm.txt", "", true),
            ("docker/nvidia/Dockerfile", "docker/amd/Dockerfile", true),
            ("scripts/launch.sh", "scripts/launch_amd.sh", true),
            ("s/nvshmem_bind/build.sh", "s/rocshmem_bind/build.sh", true),
            ("docker/nvidia/a.yml", "docker/amd/Dockerfile", false),
            ("docker/nvidia/Dockerfile", "docker/intel/Dockerfile", false),
            (
                "docker/cu128/Dockerfile.app",
                "docker/rocm/Dockerfile.7",
                true,
            ),
            ("Dockerfile", "docker/rocm/Dockerfile", false),
            ("docker/cu128/a.yml", "docker/rocm/Dockerfile", false),
            ("docker/cuda/a/b.yml", "docker/rocm/a/b.yml", true),
            ("docker-cuda/compose.yml", "docker-rocm/compose.yml", true),
            (
                "docker/docker-cuda/Dockerfile.base",
                "docker/docker-rocm/Dockerfile",
                true,
            ),
            ("d/Dockerfile_cu124", "d/platforms/Dockerfile_mi350", true),
            ("d/Dockerfile_5090", "d/Dockerfile.rocm6", true),
            ("d/Dockerfile", "d/platforms/Dockerfile_mi350", true),
            ("d/Dockerfile", "d/a/b/Dockerfile_mi350", false),
            ("d/Dockerfile_deploy", "d/Dockerfile_mi350", false),
            (
                "e/environment_pt240cu121.yaml",
                "e/environment_pt240_rocm64.txt",
                true,
            ),
            ("e/environment.yml", "e/requirements_rocm.txt", false),
            ("e/requirements.txt", "e/requirements_mixed.txt", false),
        ] {
            let paths = [path, other].map(str::to_owned);
            let tree = Paths::new(paths);
            assert_eq!(tree.has_variant_for_amd(path), expected, "{path} {other}");
        }
    }

    #[test]
    fn modules_of_vendors_are_known_where_the_other_has_one() {
        use Owner::{Amd, Nvidia};
        let paths = [
            ("b/_amd/__init__.py", Some(Amd)),
            ("b/_nvidia/ops/mm.py", Some(Nvidia)),
            ("b/_mthreads/mm.py", Some(Nvidia)),
            ("b/ops/mm.py", None),
            ("hw/amd.py", Some(Amd)),
            ("hw/nvidia.py", Some(Nvidia)),
            ("lone/nvidia.py", None),
            ("lone/amd/mm.py", None),
            ("test/amd/test_mm.py", Some(Amd)),
            ("test/nvidia/test_tma.py", Some(Nvidia)),
            ("b/_hygon/mm.py", Some(Nvidia)),
            ("kernels/ascend/mm.py", Some(Nvidia)),
            ("ops/fused_npu.py", Some(Nvidia)),
            ("ops/gpu_or_npu.py", None),
            ("xpu_timer/py_xpu_timer/dump.py", None),
            ("kernels_xpu/mm.py", Some(Nvidia)),
            ("worker/xpu_worker.py", Some(Nvidia)),
            ("p/nv_utils.py", Some(Nvidia)),
            ("tools/nvcc.py", Some(Nvidia)),
            ("tools/nvrtc.py", Some(Nvidia)),
            ("tools/hipcc.py", None),
            ("lone/nvcc.py", None),
            ("support/nvcc.py", Some(Nvidia)),
            ("support/rocm.py", None),
            ("kernel/mm.py", None),
            ("kernel-amd/ops/mm.py", Some(Amd)),
            ("hip-port/mm.py", None),
            ("port-hip/mm.py", None),
            ("bench/cublaslt_function.py", Some(Nvidia)),
            ("bench/hipblaslt_function.py", None),
            ("bench/cublas_function.py", None),
            ("f/cuda_headwise_impl/mha.py", Some(Nvidia)),
            ("f/cuda_impl/mha.py", Some(Nvidia)),
            ("f/rocm_impl/aiter.py", Some(Amd)),
            ("f/cuda_headwise/mha.py", None),
            ("p/amd_utils.py", Some(Amd)),
            ("comms/ncclx/bindings/core.py", Some(Nvidia)),
            ("comms/rcclx/bindings/core.py", None),
        ];
        let tree = Paths::new(paths.map(|(path, _)| path.to_owned()));
        for (path, expected) in paths {
            assert_eq!(tree.owner_of_module(path), expected, "{path}");
        }
    }

    #[test]
    fn scripts_are_nvidias_by_what_they_import() {
        let nvidia = Some(Owner::Nvidia);
        let tree = ["python/kit/ops/nvidia/mm.py", "python/kit/ops/amd/mm.py"];
        let alone = ["python/kit/ops/nvidia/mm.py", "python/kit/ops/mm.py"];
        for (files, path, text, expected) in [
            (
                tree,
                "tutorials/07.py",
                "from kit.ops.nvidia.mm import f\n",
                nvidia,
            ),
            (tree, "tutorials/07.py", "import kit.ops.nvidia\n", nvidia),
            (
                tree,
                "python/kit/run.py",
                "from .ops.nvidia import f\r\n",
                nvidia,
            ),
            (
                tree,
                "python/kit/ops/all.py",
                "from .nvidia import f\n",
                nvidia,
            ),
            (
                tree,
                "python/kit/ops/all.py",
                "from .nvidia import f\nfrom .amd import f\n",
                None,
            ),
            (
                tree,
                "tutorials/07.py",
                "if cuda:\n    from kit.ops.nvidia import f\n",
                None,
            ),
            (
                tree,
                "tutorials/07.py",
                "from nvidia.dali import ops\n",
                None,
            ),
            (
                alone,
                "tutorials/07.py",
                "from kit.ops.nvidia.mm import f\n",
                None,
            ),
        ] {
            let paths = Paths::new(files.map(str::to_owned));
            let found = paths.owner_of_imports(path, text.as_bytes());
            assert_eq!(found, expected, "{path} {text}");
        }
    }
}
