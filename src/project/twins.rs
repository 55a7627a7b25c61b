//! Code for AMD that people wrote beside that for NVIDIA: a folder `hip/` beside `cuda/`, `solver_hip.cpp` beside `solver_cuda.cu`,
//! `solverHIP.cpp` beside `solverCUDA.cu`.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::index::ProjectIndex;
use crate::project::owner::Owner;
use crate::project::paths::file_name;
use crate::text::{build_tool, is_cpp};

/// Pairs of folders and files of a tree.
#[derive(Clone, Debug, Default)]
pub struct Twins {
    /// Folders for NVIDIA, each with the one for AMD; with `/` at their ends.
    pub folders: BTreeMap<String, String>,
    /// Files for NVIDIA, each with the one for AMD.
    pub files: BTreeMap<String, String>,
    /// By file or folder, who owns it.
    owners: FxHashMap<String, Owner>,
}

impl Twins {
    /// Finds them among the paths of a tree. The one for AMD must hold code for AMD.
    pub(crate) fn new(project: &ProjectIndex) -> Self {
        let mut sources: Vec<&str> = project
            .paths
            .all()
            .filter(|path| is_cpp(path) || path.ends_with(".hip"))
            .collect();
        sources.sort_unstable();
        let mut twins = Self::default();
        twins.find_scripts(project);
        twins.find_folders(project, &sources);
        twins.find_files(project, &sources);
        for (of, owner) in [(0, Owner::Nvidia), (1, Owner::Amd)] {
            let pairs = twins.folders.iter().chain(&twins.files);
            let sides = pairs.map(|(nvidia, amd)| [nvidia, amd][of].clone());
            twins.owners.extend(sides.map(|side| (side, owner)));
        }
        twins
    }

    /// Scripts, lists and images of NVIDIA's lane beside those of AMD's: `.ci/test-cuda.sh` and `.ci/test-rocm.sh`. They tell nothing of
    /// the sources.
    fn find_scripts(&mut self, project: &ProjectIndex) {
        let scripts: BTreeSet<&str> = project
            .paths
            .all()
            .filter(|path| build_tool(path).is_some())
            .collect();
        for path in &scripts {
            let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
            let mut beside = names_for_amd(name)
                .into_iter()
                .map(|other| format!("{folder}{other}"));
            if let Some(twin) = beside.find(|other| scripts.contains(other.as_str())) {
                self.owners.insert((*path).to_owned(), Owner::Nvidia);
                self.owners.insert(twin, Owner::Amd);
            } else if is_for_release(name, &["cuda"]) && has_lanes_for_amd(&scripts, folder, name) {
                self.owners.insert((*path).to_owned(), Owner::Nvidia);
            }
        }
    }

    fn find_folders(&mut self, project: &ProjectIndex, sources: &[&str]) {
        let mut folders = BTreeSet::new();
        for path in sources {
            let ends = path.match_indices('/').map(|(at, _)| at + 1);
            folders.extend(ends.map(|end| &path[..end]));
        }
        let of_hip = |folder: &str| {
            let first = sources.partition_point(|path| **path < *folder);
            let mut inside = sources[first..]
                .iter()
                .take_while(|path| path.starts_with(folder));
            inside.any(|path| is_for_amd(project, path))
        };
        let (sure, likely): (Vec<_>, Vec<_>) = folders
            .iter()
            .filter_map(|folder| {
                let mut beside = folders_for_amd(folder).into_iter();
                let twin = beside.find(|it| folders.contains(it.as_str()))?;
                Some(((*folder).to_owned(), twin))
            })
            .partition(|(_, twin)| of_hip(twin));
        // Kernels that are compiled at run time name nothing of HIP: in a tree with pairs their folders are one as well.
        let is_such_a_tree = !sure.is_empty();
        self.folders.extend(sure);
        self.folders
            .extend(likely.into_iter().filter(|_| is_such_a_tree));
    }

    fn find_files(&mut self, project: &ProjectIndex, sources: &[&str]) {
        let by_stem: BTreeMap<&str, &str> =
            sources.iter().map(|path| (stem(path), *path)).collect();
        let mut likely = Vec::new();
        let mut builds = project.builds.facts.values();
        let builds_hip = builds.any(|facts| !facts.signs.is_empty());
        let included = OnceCell::new();
        for path in sources {
            let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
            let beside = names_for_amd(stem(name)).into_iter();
            let mut twins: Vec<&str> = beside
                .filter_map(|other| by_stem.get(&*format!("{folder}{other}")).copied())
                .collect();
            // Without such a build it may be what a person wrote with this program or another.
            twins.extend(same_name_for_hip(sources, path).filter(|_| builds_hip));
            if !twins.is_empty() && !builds_hip {
                let included = included.get_or_init(|| included_names(project));
                let is_read = |path: &str| included.contains(file_name(path));
                // Nothing builds for AMD or includes the header: it was left from a port.
                twins.retain(|twin| is_read(twin) || !is_read(path));
            }
            match twins.iter().find(|twin| is_for_amd(project, twin)) {
                Some(twin) => {
                    self.files.insert((*path).to_owned(), (*twin).to_owned());
                }
                None => likely.extend(twins.first().map(|twin| (*path, *twin))),
            }
        }
        // A header of device functions may name nothing of HIP: beside sure pairs it is one as well.
        let is_such_a_tree = !self.is_empty();
        let likely = likely.into_iter().filter(|_| is_such_a_tree);
        self.files
            .extend(likely.map(|(path, twin)| (path.to_owned(), twin.to_owned())));
    }

    /// Who owns a file, if it is one of a pair.
    pub(crate) fn owner(&self, path: &str) -> Option<Owner> {
        if self.owners.is_empty() {
            return None;
        }
        let ends = path.match_indices('/').map(|(at, _)| at + 1);
        let mut names = std::iter::once(path.len()).chain(ends.rev());
        names.find_map(|end| self.owners.get(&path[..end]).copied())
    }

    /// Whether there are any below a folder.
    pub(crate) fn is_below(&self, root: &str) -> bool {
        let mut all = self.folders.keys().chain(self.files.keys());
        all.any(|path| path.starts_with(root))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.folders.is_empty() && self.files.is_empty()
    }
}

/// The last parts of all paths that files of a tree include.
#[expect(
    clippy::iter_over_hash_type,
    reason = "a set is made of what the files include, in whatever order"
)]
fn included_names(project: &ProjectIndex) -> FxHashSet<&str> {
    let mut names = FxHashSet::default();
    for file in project.files.values() {
        names.extend(file.includes.iter().map(|path| file_name(path)));
    }
    names
}

/// Whether a script is called after a vendor's toolkit and what it is run with: `cuda123.sh`, `cuda12x.multi.sh`, `rocm-7-0.sh`.
fn is_for_release(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        let rest = name.strip_prefix(word);
        rest.is_some_and(|rest| {
            rest.starts_with(|it: char| it.is_ascii_digit() || "-_.".contains(it))
        })
    })
}

/// Whether a folder has a script of the same kind for AMD, by its name: `rocm-7-0.sh` beside `cuda123.sh`.
fn has_lanes_for_amd(scripts: &BTreeSet<&str>, folder: &str, name: &str) -> bool {
    let end = name.rfind('.').map_or("", |at| &name[at..]);
    let first = format!("{folder}rocm");
    let beside = scripts
        .range(&*first..)
        .take_while(|it| it.starts_with(&first));
    let mut names = beside.filter_map(|it| it.strip_prefix(folder));
    names.any(|other| other.ends_with(end) && is_for_release(other, &["rocm"]))
}

/// `k.hip` beside `k.cu`.
fn same_name_for_hip<'p>(sources: &[&'p str], path: &str) -> Option<&'p str> {
    let twin = format!("{}.hip", path.strip_suffix(".cu")?);
    let at = sources.binary_search(&&*twin).ok()?;
    Some(sources[at])
}

/// Whether a file holds code for AMD, as far as its words tell.
fn is_for_amd(project: &ProjectIndex, path: &str) -> bool {
    let file = project.files.get(path);
    path.ends_with(".hip") || file.is_some_and(|file| file.vendors.has_hip || file.names_hip)
}

/// The path without what follows the first dot of its name.
fn stem(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let end = path[name..].find('.').map_or(path.len(), |at| name + at);
    &path[..end]
}

/// What a folder for AMD may be called beside one for NVIDIA, both with `/` at their ends.
fn folders_for_amd(folder: &str) -> Vec<String> {
    let end = folder.len() - 1;
    let (above, name) = folder[..end].split_at(folder[..end].rfind('/').map_or(0, |at| at + 1));
    let names = names_for_amd(name).into_iter();
    names.map(|name| format!("{above}{name}/")).collect()
}

/// What a file or folder for AMD may be called beside one for NVIDIA: `nvector_hip` for `nvector_cuda`, `hip-ref` for `cuda-ref`, and by
/// their libraries `rocFFT_scripts` for `cuFFT_scripts`.
fn names_for_amd(name: &str) -> Vec<String> {
    const WORDS: &[(&str, &[&str])] = &[
        ("cuda", &["hip", "rocm", "rocr", "amdgpu"]),
        ("Cuda", &["Hip", "HIP", "ROCm"]),
        ("CUDA", &["HIP", "ROCM", "ROCm", "hip", "AMDGPU"]),
        ("nvidia", &["amd"]),
        ("cuFFT", &["hipFFT", "rocFFT"]),
        ("cufft", &["hipfft", "rocfft"]),
        ("cuBLAS", &["hipBLAS", "rocBLAS"]),
        ("cublas", &["hipblas", "rocblas"]),
        ("cuSPARSE", &["hipSPARSE", "rocSPARSE"]),
        ("cusparse", &["hipsparse", "rocsparse"]),
        ("cuSOLVER", &["hipSOLVER", "rocSOLVER"]),
        ("cusolver", &["hipsolver", "rocsolver"]),
        ("cuRAND", &["hipRAND", "rocRAND"]),
        ("curand", &["hiprand", "rocrand"]),
        ("cuDNN", &["MIOpen"]),
        ("cudnn", &["miopen"]),
        ("NCCL", &["RCCL"]),
        ("nccl", &["rccl"]),
    ];
    let Some((word, others)) = WORDS.iter().find(|(word, _)| has_word(name, word)) else {
        return Vec::new();
    };
    let others = others.iter();
    others.map(|other| name.replace(word, other)).collect()
}

/// Whether a name has a word as a part of its own: between signs, where it is capitalised behind any other, in capitals behind a small
/// letter, and in front of the next capital.
fn has_word(name: &str, word: &str) -> bool {
    let ends_before = |at: usize| {
        let before = name[..at].chars().next_back();
        match word {
            "Cuda" => true,
            "CUDA" => before.is_none_or(|it| !it.is_ascii_uppercase() && !it.is_ascii_digit()),
            _ => !before.is_some_and(char::is_alphanumeric),
        }
    };
    let starts_at = |at: usize| {
        let next = name[at..].chars().next();
        let begins_next = ["Cuda", "CUDA", "cuda"].contains(&word)
            && next.is_some_and(|it| it.is_ascii_uppercase());
        begins_next || !next.is_some_and(char::is_alphanumeric)
    };
    let mut places = name.match_indices(word);
    places.any(|(at, _)| ends_before(at) && starts_at(at + word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::probe::tree;

    #[test]
    fn files_for_amd_are_called_as_those_for_nvidia() {
        for (name, expected) in [
            (
                "nvector_cuda",
                "nvector_hip nvector_rocm nvector_rocr nvector_amdgpu",
            ),
            (
                "CUDA_solver",
                "HIP_solver ROCM_solver ROCm_solver hip_solver AMDGPU_solver",
            ),
            ("Cuda_Space", "Hip_Space HIP_Space ROCm_Space"),
            ("OwnCudaArray", "OwnHipArray OwnHIPArray OwnROCmArray"),
            (
                "ref-cuda-basis",
                "ref-hip-basis ref-rocm-basis ref-rocr-basis ref-amdgpu-basis",
            ),
            (
                "kernelsCUDA",
                "kernelsHIP kernelsROCM kernelsROCm kernelship kernelsAMDGPU",
            ),
            (
                "CUDADevice",
                "HIPDevice ROCMDevice ROCmDevice hipDevice AMDGPUDevice",
            ),
            ("cudaDevice", "hipDevice rocmDevice rocrDevice amdgpuDevice"),
            ("NOCUDA", ""),
            ("CUDAs", ""),
            ("nvidia", "amd"),
            ("cuFFT_scripts", "hipFFT_scripts rocFFT_scripts"),
            ("tune_cublas", "tune_hipblas tune_rocblas"),
            ("cufftw", ""),
            ("Cudality", ""),
            ("cudasolver", ""),
            ("solver", ""),
        ] {
            assert_eq!(names_for_amd(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn folders_are_pairs_where_one_holds_code_for_amd_or_another_pair_does() {
        const CUDA: &str = "void f() { cudaFree(0); }\n";
        const HIP: &str = "#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n";
        const KERNEL: &str = "__global__ void k(float *x) { x[0] = 1; }\n";
        let kernels = [("jit/cuda/k.h", KERNEL), ("jit/hip/k.h", KERNEL)];
        let owner = |files: &[(&str, &str)]| {
            let all: Vec<_> = kernels.iter().chain(files).copied().collect();
            Twins::new(&tree(&all)).owner("jit/cuda/k.h")
        };
        assert_eq!(owner(&[("cuda-ref/a.c", CUDA)]), None);
        let pair = [("cuda-ref/a.c", CUDA), ("hip-ref/a.c", HIP)];
        assert_eq!(owner(&pair), Some(Owner::Nvidia));
    }

    #[test]
    fn folders_called_after_libraries_are_pairs_where_the_other_holds_code_for_amd() {
        const CUDA: &str = "void f() { cufftDestroy(0); }\n";
        const HIP: &str = "#include <hip/hip_runtime.h>\nvoid f() { rocfft_setup(); }\n";
        let owner = |amd: (&str, &str)| {
            Twins::new(&tree(&[("bench/cuFFT_runs/a.cu", CUDA), amd]))
                .owner("bench/cuFFT_runs/a.cu")
        };
        let pair = ("bench/rocFFT_runs/b.cpp", HIP);
        assert_eq!(owner(pair), Some(Owner::Nvidia));
        assert_eq!(owner(("bench/rocFFT_runs/b.cpp", CUDA)), None);
        assert_eq!(owner(("bench/FFT_runs/b.cpp", HIP)), None);
    }

    #[test]
    fn headers_that_name_nothing_of_hip_are_twins_beside_sure_ones() {
        const PLAIN: &str = "__device__ void f();\n";
        const CUDA: &str = "void f() { cudaFree(0); }\n";
        const HIP: &str = "void f() { hipFree(0); }\n";
        let owner = |sure: &[(&str, &str)]| {
            let likely = [("a/lock_CUDA.hpp", PLAIN), ("a/lock_HIP.hpp", PLAIN)];
            let all: Vec<_> = likely.iter().chain(sure).copied().collect();
            Twins::new(&tree(&all)).owner("a/lock_CUDA.hpp")
        };
        assert_eq!(owner(&[]), None);
        let sure = [("a/swap_CUDA.hpp", CUDA), ("a/swap_HIP.hpp", HIP)];
        assert_eq!(owner(&sure), Some(Owner::Nvidia));
    }

    #[test]
    fn a_header_for_amd_that_nobody_includes_is_no_twin() {
        let owner = |user: &str| {
            let files = [
                ("a/cuda_utils.h", "void f() { cudaFree(0); }\n"),
                ("a/hip_utils.h", "void f() { hipFree(0); }\n"),
                ("a/k.cu", user),
            ];
            Twins::new(&tree(&files)).owner("a/cuda_utils.h")
        };
        assert_eq!(owner("#include \"cuda_utils.h\"\n"), None);
        let both =
            "#ifdef USE_HIP\n#include \"hip_utils.h\"\n#else\n#include \"cuda_utils.h\"\n#endif\n";
        assert_eq!(owner(both), Some(Owner::Nvidia));
        assert_eq!(owner("int x;\n"), Some(Owner::Nvidia));
    }

    #[test]
    fn a_kernel_of_the_same_name_for_hip_is_a_twin_where_the_build_knows_hip() {
        let pair = [
            ("k.cu", "void f() { cudaFree(0); }\n"),
            ("k.hip", "void f() { hipFree(0); }\n"),
        ];
        assert_eq!(Twins::new(&tree(&pair)).owner("k.cu"), None);
        let built = [
            pair[0],
            pair[1],
            ("CMakeLists.txt", "enable_language(HIP)\n"),
        ];
        assert_eq!(Twins::new(&tree(&built)).owner("k.cu"), Some(Owner::Nvidia));
    }

    #[test]
    fn a_stem_ends_at_the_first_dot_of_the_name() {
        for (path, expected) in [
            ("a/b.hip.cpp", "a/b"),
            ("a.b/c.cu", "a.b/c"),
            ("a.b/c", "a.b/c"),
            ("c.cu", "c"),
        ] {
            assert_eq!(stem(path), expected, "{path}");
        }
    }

    #[test]
    fn scripts_for_a_release_of_cuda_are_nvidias_beside_those_of_rocm() {
        let paths = [
            ("ci/cuda123.multi.sh", Some(Owner::Nvidia)),
            ("ci/cuda-build.sh", Some(Owner::Nvidia)),
            ("ci/rocm-7-0.sh", None),
            ("ci/cudart.sh", None),
            ("other/cuda123.sh", None),
        ];
        let all = paths.map(|(path, _)| path.to_owned());
        let project = ProjectIndex::new(Vec::new(), all);
        let twins = Twins::new(&project);
        for (path, expected) in paths {
            assert_eq!(twins.owner(path), expected, "{path}");
        }
    }
}
