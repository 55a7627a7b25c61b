//! Extensions of PyTorch: which files of a tree its build translates, and what is said of the others.

use crate::common::Tree;

const KERNEL: &str = "__global__ void k(float *x) { x[threadIdx.x] = __shfl_sync(0xffffffff, x[0], 0); }\nvoid run(float *x) { k<<<1, 32>>>(x); cudaDeviceSynchronize(); }\n";

/// Sources that `load` is given lie where the program runs, beside the folder of the script as well as in it.
#[test]
fn what_load_is_given_stays_cudas_wherever_it_lies() {
    let load = "from torch.utils.cpp_extension import load\next = load \\\n(\n    name = 'k',\n    sources = ['cuda/op.cpp', f'cuda/k.cu'],\n)\n";
    let op = "#include <torch/extension.h>\nvoid run(float *x);\n";
    let tree = Tree::new(&[
        ("src/lib/model.py", load),
        ("src/cuda/op.cpp", op),
        ("src/cuda/k.cu", KERNEL),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let kernel = tree.read("out/cuda/k.cu");
    assert!(kernel.contains("cudaDeviceSynchronize()"), "{kernel}");
    assert!(!kernel.contains("<hip/"), "{kernel}");
}

/// A list of CMake beside a setup.py is a second way to build the extension; the file that a package installs builds nothing.
#[test]
fn a_list_beside_a_setup_script_is_a_note() {
    let list = "project(a CUDA)\nfind_package(Torch REQUIRED)\nadd_library(a SHARED k.cu)\n";
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['k.cu'])\n";
    let package = "find_package(Torch REQUIRED)\n";
    let alone = Tree::new(&[("src/CMakeLists.txt", list)]);
    let found = alone.run(&["check", "src", "--output-format", "concise"]);
    assert!(
        found.out.contains("error[CASS649]") && found.code == 1,
        "{}",
        found.out
    );
    let both = Tree::new(&[
        ("src/CMakeLists.txt", list),
        ("src/cmake/AConfig.cmake.in", package),
        ("src/setup.py", setup),
    ]);
    let found = both.run(&["check", "src", "--output-format", "concise"]);
    assert!(
        !found.out.contains("error") && found.code == 0,
        "{}",
        found.out
    );
    assert!(!found.out.contains("AConfig"), "{}", found.out);
}

/// A library with an option for PyTorch is built without it as well, so that its sources are translated; the ops say what they lack.
#[test]
fn a_library_with_ops_for_pytorch_is_no_extension() {
    let list = "project(a LANGUAGES CXX CUDA)\noption(WITH_OPS \"ops for PyTorch\" OFF)\nif(WITH_OPS)\n  find_package(Torch REQUIRED)\n  add_library(ops SHARED op.cc)\nendif()\nadd_library(a k.cu)\n";
    let op = "#include <ATen/cuda/CUDAContext.h>\nvoid run(float *x);\n";
    let tree = Tree::new(&[
        ("src/CMakeLists.txt", list),
        ("src/k.cu", KERNEL),
        ("src/op.cc", op),
    ]);
    let done = tree.run(&["src", "out"]);
    assert!(!done.out.contains("dialect torch"), "{}", done.out);
    let kernel = tree.read("out/k.cu");
    assert!(kernel.contains("hipDeviceSynchronize()"), "{kernel}");
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(
        found.out.contains("op.cc:1:1: error[CASS008]"),
        "{}",
        found.out
    );
}

/// What `add_subdirectory` brings builds with the package that the list above found, and stays NVIDIA's as that does.
#[test]
fn a_list_of_a_folder_is_a_part_of_the_one_above() {
    let list =
        "project(a)\nenable_language(CUDA)\nfind_package(Torch REQUIRED)\nadd_subdirectory(cxx)\n";
    let part = "if(CMAKE_CUDA_COMPILER)\n  target_sources(a PRIVATE k.cu)\nendif()\n";
    let tree = Tree::new(&[
        ("src/CMakeLists.txt", list),
        ("src/cxx/CMakeLists.txt", part),
        ("src/cxx/k.cu", "#include <torch/extension.h>\n"),
        ("src/kernels/CMakeLists.txt", part),
        ("src/kernels/k.cu", KERNEL),
    ]);
    tree.run(&["src", "out"]);
    assert_eq!(tree.read("out/cxx/CMakeLists.txt"), part);
    // What PyTorch has no part in is a library of CUDA's, which CMake builds for AMD.
    assert_ne!(tree.read("out/kernels/CMakeLists.txt"), part);
    assert!(
        tree.read("out/kernels/k.cu")
            .contains("hipDeviceSynchronize")
    );
}

/// What a setup.py hands to PyTorch's build stays CUDA's for NVIDIA's users, also where the lists of CMake that are a second way to the
/// extension compile it.
#[test]
fn what_a_setup_script_and_a_list_build_stays_cudas() {
    let setup = "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['csrc/op.cpp', 'csrc/kernels/k.cu'])\n";
    let list = "project(a LANGUAGES CUDA CXX)\nfind_package(Torch REQUIRED)\nadd_subdirectory(csrc)\nadd_library(a SHARED csrc/op.cpp)\ntarget_link_libraries(a kernels)\n";
    let part = "add_library(kernels STATIC k.cu)\nset_target_properties(kernels PROPERTIES CUDA_STANDARD 17)\n";
    let tree = Tree::new(&[
        ("src/setup.py", setup),
        ("src/CMakeLists.txt", list),
        ("src/csrc/CMakeLists.txt", "add_subdirectory(kernels)\n"),
        ("src/csrc/kernels/CMakeLists.txt", part),
        ("src/csrc/op.cpp", "#include <torch/extension.h>\n"),
        ("src/csrc/kernels/k.cu", KERNEL),
    ]);
    tree.run(&["src", "out"]);
    let kernel = tree.read("out/csrc/kernels/k.cu");
    assert!(kernel.contains("cudaDeviceSynchronize()"), "{kernel}");
    assert_eq!(tree.read("out/csrc/kernels/CMakeLists.txt"), part);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(!found.out.contains("CASS688"), "{}", found.out);
}

/// Where no script makes extensions a list of CMake is the only build, and nobody else compiles its sources.
#[test]
fn sources_of_a_list_alone_have_one_build() {
    let tree = Tree::new(&[
        (
            "src/CMakeLists.txt",
            "project(a LANGUAGES CUDA CXX)\ninclude(cmake/torch.cmake)\nadd_library(a SHARED op.cu k.cu)\n",
        ),
        ("src/cmake/torch.cmake", "find_package(Torch REQUIRED)\n"),
        ("src/setup.py", "import os\nos.system('cmake .')\n"),
        (
            "src/op.cu",
            "#include <c10/cuda/CUDAStream.h>\n#include \"k.h\"\n",
        ),
        (
            "src/k.h",
            "#include <cuda_runtime.h>\nvoid run(float *x, cudaStream_t stream);\n",
        ),
        ("src/k.cu", &format!("#include \"k.h\"\n{KERNEL}")),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(!found.out.contains("CASS688"), "{}", found.out);
    assert!(found.out.contains("`c10/hip/HIPStream.h`"), "{}", found.out);
}

/// A build script that serves AMD and leaves sources out there is told of them in one note each, and they stay.
#[test]
fn what_a_script_leaves_to_nvidia_is_a_note() {
    let setup = "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\next = [CUDAExtension('a', ['csrc/k.cu'])]\nif not torch.version.hip:\n    ext += [CUDAExtension('b', ['csrc/ptx.cu'])]\n";
    let ptx = "#include \"ptx.cuh\"\n#include <torch/extension.h>\n__global__ void k(float *x) { mma(x); x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n";
    let header = "#include <cuda_runtime.h>\n__device__ void mma(float *x) { asm volatile(\"mapa.shared::cluster.u32 %0, %1, 0;\" : \"=f\"(*x) : \"r\"(1)); }\ninline int kind() { return CU_TENSOR_MAP_DATA_TYPE_UINT8; }\n";
    let plain = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n";
    let files = [
        ("src/setup.py", setup),
        ("src/csrc/k.cu", plain),
        ("src/csrc/ptx.cu", ptx),
        ("src/csrc/ptx.cuh", header),
    ];
    let tree = Tree::new(&files);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert_eq!(found.code, 0, "{}", found.out);
    assert!(
        !found.out.contains("is left in the output"),
        "{}",
        found.out
    );
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/csrc/ptx.cu"), ptx);
    assert_eq!(tree.read("out/csrc/ptx.cuh"), header);
    let asked = tree.run(&[
        "check",
        "src",
        "--hip-support",
        "ignore",
        "--output-format",
        "concise",
    ]);
    assert!(
        asked.out.contains("ptx.cuh:2") && asked.code == 1,
        "{}",
        asked.out
    );
}

/// PyTorch renames `std::min` in every .cuh, also in one that names nothing of CUDA.
#[test]
fn constants_of_headers_without_cuda_are_kept() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['k.cu'])\n";
    let sizes = "#include <algorithm>\ntemplate <int N> struct Sizes { static constexpr int bytes = std::min(N * 4, 1024); };\n";
    let source = "#include <torch/extension.h>\n#include \"sizes.cuh\"\n__global__ void k(float *x) { x[0] = Sizes<8>::bytes; }\n";
    let files = [
        ("src/setup.py", setup),
        ("src/sizes.cuh", sizes),
        ("src/sizes.h", sizes),
        ("src/k.cu", source),
    ];
    let tree = Tree::new(&files);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let ported = sizes.replace("std::min(", "(std::min)(");
    assert_eq!(tree.read("out/sizes.cuh"), ported);
    assert_eq!(tree.read("out/sizes.h"), sizes);
}

/// A pattern names the sources of a folder; what another branch builds for AMD as well is no source of NVIDIA's.
#[test]
fn patterns_of_sources_name_files() {
    let setup = "import glob, torch\nfrom torch.utils.cpp_extension import CUDAExtension\nsources = glob.glob('csrc/*.cu')\nif not torch.version.hip:\n    sources += glob.glob('csrc/nvidia/*.cu') + ['csrc/k.cu']\next = CUDAExtension('a', sources)\n";
    let kernel = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n";
    let files = [
        ("src/setup.py", setup),
        ("src/csrc/k.cu", kernel),
        ("src/csrc/nvidia/ptx.cu", kernel),
    ];
    let tree = Tree::new(&files);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/csrc/nvidia/ptx.cu"), kernel);
    let ported = tree.read("out/csrc/k.cu");
    assert!(ported.contains("cass_shfl_sync("), "{ported}");
}

/// What asks whether a header of CUDA was read, its guard or a word of it, asks on AMD whether HIP's was.
#[test]
fn tests_of_include_guards_hold_where_the_header_was_read() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['k.cu'])\n";
    let source = "#include <torch/extension.h>\n#include \"errors.h\"\n__global__ void k(float *x) { x[0] = 1; }\n";
    for (asked, ty, target) in [
        ("CURAND_H_", "curandStatus_t", "HIPRAND_H_"),
        ("CUSPARSEAPI", "cusparseStatus_t", "HIPSPARSE_EXPORT"),
    ] {
        let header = format!(
            "#pragma once\n#include <cuda_runtime.h>\n#ifdef {asked}\nconst char *name({ty} error);\n#endif\n"
        );
        let tree = Tree::new(&[
            ("src/setup.py", setup),
            ("src/errors.h", &header),
            ("src/k.cu", source),
        ]);
        assert_eq!(tree.run(&["src", "out"]).code, 0);
        let ported = tree.read("out/errors.h");
        let defined = format!("#ifdef {target}\n#define {asked} {target}\n#endif\n");
        assert!(ported.contains(&defined), "{ported}");
        assert_eq!(tree.run(&["out", "again"]).code, 0);
        assert_eq!(tree.read("again/errors.h"), ported);
    }
}

/// What a list of CMake compiles with CUDA itself and an extension of PyTorch as well is HIP for both: the list is ported, and PyTorch's
/// build takes HIP as it comes. Not a name of CUDA's was told of when such sources stayed PyTorch's to rename.
#[test]
fn sources_of_a_list_and_of_an_extension_are_ported() {
    let tree = Tree::new(&[
        (
            "src/CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES CXX CUDA)\nadd_library(x core/a.cu)\n",
        ),
        (
            "src/core/a.cu",
            "#include \"k.h\"\nvoid f(void *p) { own_free(p); }\n",
        ),
        (
            "src/core/k.h",
            "#include <cuda_runtime.h>\ninline void own_free(void *p) { cudaFree(p); }\n",
        ),
        (
            "src/ext/setup.py",
            "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('x', ['../core/a.cu', 'b.cpp'])\n",
        ),
        (
            "src/ext/b.cpp",
            "#include <torch/extension.h>\n#include \"../core/k.h\"\nvoid g(void *p) { cudaFree(p); }\n",
        ),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert!(
        tree.read("out/CMakeLists.txt")
            .contains("LANGUAGES CXX HIP")
    );
    assert!(tree.read("out/core/k.h").contains("hipFree(p)"));
    assert!(tree.read("out/ext/b.cpp").contains("cudaFree(p)"));
}

/// A tree whose setup.py leaves the extensions to a folder: its scripts for CI are read by no build of them, one note each.
#[test]
fn scripts_beside_a_folder_that_makes_extensions_are_notes() {
    let builder = "from torch.utils.cpp_extension import CUDAExtension\ndef ext():\n    return CUDAExtension('a', ['csrc/k.cu'])\n";
    let job = "jobs:\n  test:\n    runs-on: [self-hosted, nvidia, h100]\n    steps:\n      - run: nvidia-smi\n";
    let files = [
        (
            "src/setup.py",
            "from op_builder import ext\nsetup(ext_modules=[ext()])\n",
        ),
        ("src/op_builder/__init__.py", builder),
        (
            "src/csrc/k.cu",
            "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n",
        ),
        ("src/.github/workflows/h100.yml", job),
    ];
    let found = Tree::new(&files).run(&["check", "src", "--output-format", "concise"]);
    assert_eq!((found.code, &*found.out), (0, ""));
    let alone = Tree::new(&files[1..]).run(&["check", "src", "--output-format", "concise"]);
    assert!(alone.out.contains("CASS633"), "{}", alone.out);
}

#[test]
fn query_knows_the_words_of_extensions() {
    let tree = Tree::new(&[]);
    for word in ["CUDAExtension", "BuildExtension", "load_inline"] {
        let asked = tree.run(&["query", word]);
        assert_eq!(asked.code, 0, "{}", asked.err);
        assert!(asked.err.contains("hipify"), "{}", asked.err);
    }
}

/// What an extension compiles and includes by links is PyTorch's, and a compiler that comes to a source by a link looks for quoted headers
/// beside the link.
#[test]
fn links_mean_the_files_that_they_lead_to() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['k.cu'])\n";
    let header = "#include <cuda_runtime.h>\nvoid run(cudaStream_t stream);\n";
    let binding = "#include <torch/extension.h>\n#include \"k.h\"\n";
    let tree = Tree::new(&[
        ("src/binding/setup.py", setup),
        ("src/binding/binding.cpp", binding),
        ("src/k.cu", KERNEL),
        ("src/k.h", header),
    ]);
    for name in ["k.cu", "k.h"] {
        let link = tree.path(&format!("src/binding/{name}"));
        std::os::unix::fs::symlink(format!("../{name}"), link).expect("linked");
    }
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/k.h"), header);
    let kernel = tree.read("out/k.cu");
    let includes = "#if __has_include(\"cass_hip_compat.hpp\")\n#include \"cass_hip_compat.hpp\"\n#else\n#include \"../cass_hip_compat.hpp\"\n#endif\n";
    assert!(!tree.path("out/binding/cass_hip_compat.hpp").exists());
    assert!(kernel.contains(includes), "{kernel}");
    assert!(tree.path("out/binding/k.cu").is_symlink());
    tree.run(&["out", "again"]);
    assert_eq!(tree.read("again/k.cu"), kernel);
}

/// The helper header goes into packages with the files that include it; lists that leave it behind are told.
#[test]
fn the_helper_header_lies_with_the_files_that_include_it() {
    let setup = "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['pkg/cuda/k.cu'])\n";
    let tree = Tree::new(&[
        ("src/setup.py", setup),
        ("src/MANIFEST.in", "recursive-include pkg *.cu *.h\n"),
        ("src/pkg/cuda/k.cu", KERNEL),
        ("src/pkg/cuda/k.h", "#pragma once\n"),
        (
            "src/pkg/cuda/ops.py",
            "import helper\nhelper.get(sources=['k.cu'], headers=['k.h'])\n",
        ),
        ("src/profiling/p.cu", "__global__ void empty() {}\n"),
    ]);
    let done = tree.run(&["src", "out"]);
    assert!(
        tree.read("out/pkg/cuda/k.cu")
            .contains("#include \"cass_hip_compat.hpp\"")
    );
    assert!(
        tree.read("out/pkg/cuda/cass_hip_compat.hpp")
            .contains("cass_shfl_sync")
    );
    assert!(
        done.out.contains(
            "write `include pkg/cuda/cass_hip_compat.hpp` in MANIFEST.in and pkg/cuda/cass_hip_compat.hpp where ops.py lists its headers"
        ),
        "{}",
        done.out
    );
}

/// PyTorch's build reads some suffixes alone: what sources include under another keeps its names of CUDA, which is told.
#[test]
fn names_in_files_that_pytorch_does_not_read_are_told() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['k.cu'])\n";
    let kernel = "#include <torch/extension.h>\n#include \"wait.inl\"\n#include \"twice.inl\"\n__global__ void k(float *x) { *x = twice(*x); }\n";
    let tree = Tree::new(&[
        ("src/setup.py", setup),
        ("src/k.cu", kernel),
        (
            "src/wait.inl",
            "inline void wait(cudaStream_t stream) { cudaStreamSynchronize(stream); }\n",
        ),
        (
            "src/twice.inl",
            "__device__ inline float twice(float x) { return 2 * x; }\n",
        ),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(
        found.out.contains("src/wait.inl:1:18: error[CASS647]") && found.code == 1,
        "{}",
        found.out
    );
    assert!(!found.out.contains("twice.inl"), "{}", found.out);
}

/// A submodule is another repository: what it needs is told, and its files stay.
#[test]
fn files_of_submodules_stay() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['csrc/k.cu'])\n";
    let library = "#pragma once\n#ifdef __CUDACC__\n#elif defined(__HIP__)\n#endif\n__device__ inline float first(float x) { return __shfl_sync(0xffffffff, x, 0); }\n";
    let kernel = "#include <torch/extension.h>\n#include \"../cuda/lib/lib.h\"\n__global__ void k(float *x) { *x = first(*x); }\n";
    let tree = Tree::new(&[
        (
            "src/.gitmodules",
            "[submodule \"lib\"]\n\tpath = cuda/lib\n\turl = https://example.org/lib\n",
        ),
        ("src/setup.py", setup),
        ("src/cuda/lib/lib.h", library),
        ("src/csrc/k.cu", kernel),
    ]);
    let done = tree.run(&["src", "out"]);
    assert_eq!(tree.read("out/cuda/lib/lib.h"), library, "{}", done.out);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(found.out.contains("cuda/lib/lib.h:2"), "{}", found.out);
}

/// What a port may have decided is an error no more, which the summary says; a name that no build has made AMD's is renamed all the same.
#[test]
fn what_a_port_decides_is_said() {
    let source = "#include <torch/extension.h>\n#include <cuda.h>\nstruct Node { CUDA_KERNEL_NODE_PARAMS of; };\n__global__ void k() { auto pipe = cuda::make_pipeline(); }\n";
    let setup = |line: &str| {
        format!(
            "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n{line}\next = [CUDAExtension('a', ['k.cu'])]\n"
        )
    };
    let found = |line: &str, option: &[&str]| {
        let tree = Tree::new(&[("src/setup.py", &setup(line)), ("src/k.cu", source)]);
        let run = tree.run(&[&["src", "out"], option].concat());
        (tree.read("out/k.cu"), run.out + &run.err)
    };
    const SAID: &str = "1 error told as information";
    let (port, said) = found("if torch.version.hip: flags = ['-DPORTED']", &[]);
    assert!(
        port.contains("#define CUDA_KERNEL_NODE_PARAMS hipKernelNodeParams"),
        "{port}"
    );
    assert!(said.contains(SAID), "{said}");
    let ignored = found(
        "if torch.version.hip: flags = ['-DPORTED']",
        &["--hip-support", "ignore"],
    );
    assert!(!ignored.1.contains(SAID), "{}", ignored.1);
    let refused = found("assert not torch.version.hip", &[]);
    assert!(!refused.1.contains(SAID), "{}", refused.1);
}

/// Packages beside each other are built each from its own folder: what lies above them goes into none.
#[test]
fn packages_beside_each_other_have_helper_headers_of_their_own() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['csrc/k.cu'])\n";
    let kernel = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n";
    let plain =
        "#include <torch/extension.h>\n__global__ void k(float *x) { atomicAdd(x, 1.0f); }\n";
    let two = Tree::new(&[
        ("src/one/setup.py", setup),
        ("src/one/csrc/k.cu", kernel),
        ("src/two/setup.py", setup),
        ("src/two/csrc/k.cu", kernel),
    ]);
    two.run(&["src", "out"]);
    for package in ["one", "two"] {
        let text = two.read(&format!("out/{package}/csrc/k.cu"));
        assert!(text.contains("#include \"cass_hip_compat.hpp\""), "{text}");
        let header = two.read(&format!("out/{package}/csrc/cass_hip_compat.hpp"));
        assert!(
            header.contains("#define cass_shfl_sync __shfl_sync"),
            "{header}"
        );
    }
    assert!(!two.path("out/cass_hip_compat.hpp").exists());
    // What is there already stays, in a new output, in the one that there is, and in place.
    two.run(&["out", "again"]);
    for file in ["one/csrc/k.cu", "two/csrc/cass_hip_compat.hpp"] {
        let read = |folder: &str| two.read(&format!("{folder}/{file}"));
        assert_eq!(read("again"), read("out"));
    }
    let status = two.run(&["status", "src", "out"]);
    assert!(status.out.contains("6 in sync"), "{}", status.out);
    let patch = two.run(&["diff", "src"]).out;
    for package in ["one", "two"] {
        let header = format!("+++ b/src/{package}/csrc/cass_hip_compat.hpp");
        assert!(patch.contains(&header), "{patch}");
    }
    two.run(&["--in-place", "src"]);
    assert_eq!(
        two.read("src/two/csrc/cass_hip_compat.hpp"),
        two.read("out/two/csrc/cass_hip_compat.hpp")
    );
    // An atomic of `float` is HIP's own: the other package calls no helper.
    let one = Tree::new(&[
        ("src/one/setup.py", setup),
        ("src/one/csrc/k.cu", kernel),
        ("src/two/setup.py", setup),
        ("src/two/csrc/k.cu", plain),
    ]);
    one.run(&["src", "out"]);
    assert!(one.path("out/one/csrc/cass_hip_compat.hpp").is_file());
    assert!(
        one.read("out/one/csrc/k.cu")
            .contains("#include \"cass_hip_compat.hpp\"")
    );
}

/// A program that CMake builds beside extensions has kernels of its own, which PyTorch's build never sees.
#[test]
fn a_program_beside_extensions_is_no_second_way_to_build_them() {
    let list = "cmake_minimum_required(VERSION 3.18)\nproject(viewer LANGUAGES CUDA CXX)\nfind_package(Torch REQUIRED)\nadd_executable(viewer draw.cu)\n";
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['csrc/k.cu'])\n";
    let source = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n";
    let tree = Tree::new(&[
        ("src/setup.py", setup),
        ("src/csrc/k.cu", source),
        ("src/viewer/CMakeLists.txt", list),
        ("src/viewer/draw.cu", source),
        (
            "src/docs/CMakeLists.txt",
            "project(d)\nfind_package(Torch REQUIRED)\nadd_executable(d d.cpp)\n",
        ),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    let told = "src/viewer/CMakeLists.txt:3:1: error[CASS649]";
    assert!(found.out.contains(told) && found.code == 1, "{}", found.out);
    assert_eq!(found.out.matches("CASS649").count(), 1, "{}", found.out);
}

/// PyTorch's build defines `USE_ROCM` for AMD by itself: nobody has to.
#[test]
fn what_pytorchs_build_defines_is_asked_of_nobody() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['k.cu'])\n";
    let both =
        format!("#ifdef USE_ROCM\nvoid f();\n#else\nvoid f() {{ cudaFree(0); }}\n#endif\n{KERNEL}");
    let tree = Tree::new(&[
        ("ext/k.cu", &both),
        ("ext/setup.py", setup),
        ("own/k.cu", &both),
    ]);
    assert_eq!(tree.run(&["ext", "--in-place"]).code, 0);
    let done = tree.run(&["check", "ext"]);
    assert_eq!(done.code, 0, "{}", done.out);
    assert!(!done.err.contains("-DUSE_ROCM"), "{}", done.err);
    let own = tree.run(&["check", "own"]);
    assert!(own.err.contains("-DUSE_ROCM"), "{}", own.err);
}

/// Headers beside a script that loads its sources: the folder is the script's own, and the helper header needs no renames.
#[test]
fn headers_beside_a_script_are_named_by_its_folder() {
    let script = "import os\nimport torch\nfrom torch.utils.cpp_extension import load\nHERE = os.path.dirname(os.path.abspath(__file__))\next = load(name='a', sources=[os.path.join(HERE, 'k.cu')])\n";
    let kernel = "#include <torch/extension.h>\n#include \"k.h\"\n__global__ void k(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n";
    let files = [
        ("src/lib/ops/load.py", script),
        ("src/lib/ops/k.cu", kernel),
        (
            "src/lib/ops/k.h",
            "#include <cuda_runtime.h>\nvoid f(cudaStream_t s);\n",
        ),
    ];
    let tree = Tree::new(&files);
    tree.run(&["src", "out"]);
    let text = tree.read("out/lib/ops/load.py");
    assert!(
        text.contains("extra_include_paths=[HERE] if torch.version.hip else None"),
        "{text}"
    );
    let alone = Tree::new(&[
        files[0],
        (
            "src/lib/ops/k.cu",
            &kernel.replace("#include \"k.h\"\n", ""),
        ),
    ]);
    alone.run(&["src", "out"]);
    alone.run(&["out", "again"]);
    assert_eq!(alone.read("again/lib/ops/load.py"), script);
}

/// hipBLAS takes `__half` by a macro that the scripts of a port pass already.
#[test]
fn a_macro_that_the_scripts_pass_is_defined_by_no_source() {
    let script = |flags: &str| {
        format!(
            "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\nflags = ['-O3']\nif torch.version.hip:\n    flags += ['-DMY_HIP'{flags}]\next = CUDAExtension('a', ['k.cu'], extra_compile_args={{'nvcc': flags}})\n"
        )
    };
    let kernel = "#include <torch/extension.h>\n#include <cublas_v2.h>\nvoid f(cublasHandle_t h, __half *a) { cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, a, a, 1, a, 1, a, a, 1); }\n";
    for (flags, is_defined) in [("", true), (", '-DHIPBLAS_USE_HIP_HALF'", false)] {
        let tree = Tree::new(&[("src/setup.py", &*script(flags)), ("src/k.cu", kernel)]);
        tree.run(&["src", "out"]);
        let text = tree.read("out/k.cu");
        assert_eq!(text.contains("HIPBLAS_USE_HIP_HALF"), is_defined, "{text}");
    }
}

/// What a kernel of Triton is tuned to is its owner's business where the scripts ask for AMD, and told in passing.
#[test]
fn stages_are_left_to_a_port_that_has_decided() {
    let script = |asked: &str| {
        format!(
            "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\nflags = ['-O3']\nif {asked}:\n    flags += ['-DMY_HIP']\next = CUDAExtension('a', ['k.cu'], extra_compile_args={{'nvcc': flags}})\n"
        )
    };
    let kernel = "import torch\nimport triton\nimport triton.language as tl\n\n\n@triton.autotune(configs=[triton.Config({'BLOCK_M': 128, 'BLOCK_N': 256, 'BLOCK_K': 128}, num_stages=3)], key=['m'])\n@triton.jit\ndef k(x, m, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):\n    a = tl.load(x)\n    c = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)\n    for i in range(0, m, BLOCK_K):\n        c += tl.dot(a, a)\n    tl.store(x, c)\n";
    for (asked, is_edited) in [("torch.version.hip", false), ("flags", true)] {
        let tree = Tree::new(&[
            ("src/setup.py", &*script(asked)),
            (
                "src/k.cu",
                "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n",
            ),
            ("src/t.py", kernel),
        ]);
        tree.run(&["src", "out"]);
        assert_eq!(tree.read("out/t.py") != kernel, is_edited, "{asked}");
    }
}

/// A source that a list of CMake alone compiles, beside extensions of PyTorch elsewhere, is told of as what it is.
#[test]
fn a_source_of_a_list_alone_is_said_to_be_one() {
    let script = "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\nsetup(ext_modules=[CUDAExtension('a', ['o.cu'])])\n";
    let tree = Tree::new(&[
        ("src/ext/setup.py", script),
        (
            "src/ext/o.cu",
            "#include <torch/extension.h>\n__global__ void k() {}\n",
        ),
        (
            "src/ops/CMakeLists.txt",
            "project(x LANGUAGES CXX CUDA)\nadd_library(ops SHARED k.cu)\n",
        ),
        (
            "src/ops/k.cu",
            "#include <torch/extension.h>\nvoid step(float *x, cudaStream_t s);\n",
        ),
    ]);
    let found = tree.run(&["check", "src"]);
    let said = "error[CASS688]: this file keeps CUDA's names because it includes PyTorch, whose build renames them; ops/CMakeLists.txt, which compiles it, does not";
    assert!(found.out.contains(said), "{}", found.out);
}

/// Beside an extension a program, its Makefile, scripts, an image and lists of packages stay NVIDIA's, and each is told of; jobs of CI run
/// on NVIDIA's machines.
#[test]
fn what_lies_beside_an_extension_is_told_of_and_stays() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['csrc/a.cu'])\n";
    let op = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n";
    let bench = "#include <cuda_runtime.h>\n__global__ void k(float *x) { x[0] = 1; }\nint main() { k<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n";
    let image = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nRUN nvcc -o bench bench.cu\n";
    let files = [
        ("src/setup.py", setup),
        ("src/csrc/a.cu", op),
        ("src/bench.cu", bench),
        (
            "src/Makefile",
            "bench: bench.cu\n\tnvcc -o bench bench.cu\n",
        ),
        ("src/bench.sh", "nvcc -arch=sm_80 -o bench bench.cu\n"),
        ("src/Dockerfile", image),
        (
            "src/environment.yml",
            "dependencies:\n  - cudatoolkit=11.8\n",
        ),
        ("src/requirements.txt", "torch\ncupy-cuda12x\n"),
        ("src/test.sh", "python -m pytest\n"),
        (
            "src/.github/workflows/cu124.sh",
            "apt-get install cuda-nvcc-12-4\nnvcc -o b b.cu\n",
        ),
        (
            "src/.github/workflows/ci.yml",
            "jobs:\n  a:\n    container: nvidia/cuda:12.4.1-devel-ubuntu22.04\n",
        ),
        (
            "src/install.sh",
            "pip install cupy-cuda12x\nnvcc -o b b.cu\n",
        ),
    ];
    let tree = Tree::new(&files);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    for told in [
        "bench.cu:1:1: warning[CASS647]",
        "Makefile:2:2: warning[CASS669]",
        "bench.sh:1:1: warning[CASS669]",
        "Dockerfile:1:6: warning[CASS633]",
        "environment.yml:2:5: warning[CASS633]",
        "requirements.txt:2:1: warning[CASS633]",
        "install.sh:1:13: warning[CASS633]",
        "install.sh:2:1: warning[CASS669]",
    ] {
        assert!(found.out.contains(told), "{told} is not in {}", found.out);
    }
    for silent in ["test.sh", "ci.yml", "cu124.sh"] {
        assert!(!found.out.contains(silent), "{}", found.out);
    }
    tree.run(&["src", "out"]);
    assert_eq!(tree.read("out/Dockerfile"), image);
    let job = tree.read("out/.github/workflows/ci.yml");
    assert!(job.contains("nvidia/cuda"), "{job}");
    assert_eq!(tree.read("out/bench.cu"), bench);
}

/// A Makefile that compiles what the extension has is a second way to it, and scripts that ask for AMD build without their neighbours.
#[test]
fn a_second_way_and_the_files_of_a_port_are_notes() {
    let op = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n";
    let make = "a.o: a.cu\n\tnvcc -c -o a.o a.cu\n";
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['a.cu'])\n";
    let tree = Tree::new(&[
        ("src/setup.py", setup),
        ("src/a.cu", op),
        ("src/Makefile", make),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(!found.out.contains("CASS669"), "{}", found.out);
    let ported = format!("import torch\nif torch.version.hip:\n    pass\n{setup}");
    let tree = Tree::new(&[
        ("src/setup.py", &ported),
        ("src/a.cu", op),
        ("src/bench.sh", "nvcc -o bench bench.cu\n"),
        ("src/requirements.txt", "cupy-cuda12x\n"),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(!found.out.contains("CASS6"), "{}", found.out);
}

/// What a script beside an extension starts is not there on AMD, whatever builds the extension: it is told in its own words.
#[test]
fn what_a_script_starts_is_told_as_such() {
    let setup =
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['a.cu'])\n";
    let op = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = 1; }\n";
    let tree = Tree::new(&[
        ("src/setup.py", setup),
        ("src/a.cu", op),
        ("src/docker.sh", "docker run -it --runtime=nvidia dev\n"),
        ("src/test.sh", "set -e\nnvidia-smi\nnvcc -o b b.cu\n"),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    for told in [
        "docker.sh:1:16: warning[CASS698]",
        "test.sh:2:1: warning[CASS698]",
        "test.sh:3:1: warning[CASS669]",
    ] {
        assert!(found.out.contains(told), "{told} is not in {}", found.out);
    }
}

/// A source that a program reads as text finds no header beside it when it is compiled: its helpers stand in it.
#[test]
fn a_source_that_is_read_as_text_holds_its_helpers() {
    let script = "import cupy\n\nwith open('kernels/load.cu') as file:\n    kernel = cupy.RawKernel(file.read(), 'load')\n";
    let made = "import cupy\n\n\ndef kernel(name):\n    return cupy.RawModule(code=open(f'more/{name}.cu').read())\n";
    let kernel =
        "extern \"C\" __global__ void load(const float *x, float *y) { y[0] = __ldcg(x); }\n";
    let tree = Tree::new(&[
        ("src/load.py", script),
        ("src/kernels/load.cu", kernel),
        ("src/lib/made.py", made),
        ("src/lib/more/load.cu", kernel),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    for path in ["out/kernels/load.cu", "out/lib/more/load.cu"] {
        let text = tree.read(path);
        assert!(text.contains("= cass_ldcg(x)"), "{text}");
        assert!(text.contains("CassT cass_ldcg("), "{text}");
        assert!(!text.contains("cass_hip_compat"), "{text}");
    }
    assert!(!tree.path("out/cass_hip_compat.hpp").exists());
    assert_eq!(tree.run(&["out", "again"]).code, 0);
    assert_eq!(
        tree.read("again/kernels/load.cu"),
        tree.read("out/kernels/load.cu")
    );
}

/// What a script of a shell gives to nvcc is linked into an extension as it comes, so that nothing but the port translates it.
#[test]
fn what_a_script_gives_to_nvcc_is_translated() {
    let script =
        "cd src\nnvcc -c -o k.cu.o k.cu -x cu -Xcompiler -fPIC\ncd ../\npython3 build.py\n";
    let header = "#include <cuda_runtime.h>\nvoid run(float *x, cudaStream_t stream);\n";
    let kernel = "#include \"k.h\"\n__global__ void k(float *x) { x[0] = 1; }\nvoid run(float *x, cudaStream_t stream) { k<<<1, 1, 0, stream>>>(x); }\n";
    let op = "#include <torch/extension.h>\n#include \"k.h\"\n";
    let tree = Tree::new(&[
        ("src/old/make.sh", script),
        ("src/old/src/k.cu", kernel),
        ("src/old/src/k.h", header),
        ("src/old/src/op.cpp", op),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let read = |path: &str| tree.read(&format!("out/old/{path}"));
    let script = read("make.sh");
    assert!(
        script.contains("hipcc -c -o k.cu.o k.cu -x hip"),
        "{script}"
    );
    for path in ["src/k.cu", "src/k.h"] {
        let text = read(path);
        assert!(text.contains("hipStream_t stream"), "{path}: {text}");
    }
}
