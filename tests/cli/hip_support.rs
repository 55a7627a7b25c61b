//! Projects that serve AMD already: the report says so first, nothing of theirs is edited, and what they lack is told.

use crate::common::Tree;
use crate::common::rocm::{Compiler, required_folder};

const BUILD: &str = "option(LIB_HIP \"build for AMD\" OFF)\nif(LIB_HIP)\n  enable_language(HIP)\nelse()\n  enable_language(CUDA)\n  find_package(CUDAToolkit REQUIRED)\nendif()\n";
const HEADER: &str = "#pragma once\n#ifdef LIB_HIP\n#include \"vendors/hip.h\"\n#else\n#include <cuda_runtime.h>\n#endif\n";
const MAPPING: &str = "#pragma once\n#include <hip/hip_runtime.h>\n#define cudaError_t hipError_t\n#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define __shfl_xor_sync(mask, v, lanes, width) __shfl_xor(v, lanes, width)\n";
const SOURCE: &str = "#include \"common.cuh\"\n__global__ void k(float *p) { p[0] += __shfl_xor_sync(0xffffffff, p[0], 1, 32); }\n#if !defined(LIB_HIP)\n#define LIB_MMA\n#endif\n#ifdef LIB_MMA\n__device__ void mma() { asm volatile(\"bar.sync 0;\"); }\n#endif\ncudaError_t f(void **p) { return cudaMalloc(p, 4); }\n";

fn mapped(more: &str) -> Tree {
    let source = format!("{SOURCE}{more}");
    Tree::new(&[
        ("lib/CMakeLists.txt", BUILD),
        ("lib/common.cuh", HEADER),
        ("lib/vendors/hip.h", MAPPING),
        ("lib/k.cu", &source),
    ])
}

/// A header that gives names of its own to those of either vendor.
fn names_for_both() -> String {
    let names = [
        "Free",
        "Malloc",
        "Memcpy",
        "Memset",
        "SetDevice",
        "GetDevice",
        "Success",
        "StreamCreate",
        "StreamDestroy",
        "EventCreate",
    ];
    let of = |vendor: &str| -> String {
        let lines = names.iter();
        lines
            .map(|it| format!("#define gpu{it} {vendor}{it}\n"))
            .collect()
    };
    format!("#ifdef LIB_HIP\n{}#else\n{}#endif\n", of("hip"), of("cuda"))
}

#[test]
fn nothing_is_edited_and_the_report_says_why_first() {
    let tree = mapped("");
    let done = tree.run(&["lib", "out"]);
    assert!(
        done.out.starts_with("this tree supports AMD already"),
        "{}",
        done.out
    );
    for said in [
        "chooses by LIB_HIP",
        "vendors/hip.h (4 names)",
        "enable_language(… HIP)",
        "covered by the project itself",
    ] {
        assert!(done.out.contains(said), "{said}: {}", done.out);
    }
    for file in ["CMakeLists.txt", "common.cuh", "vendors/hip.h", "k.cu"] {
        assert_eq!(
            tree.read(&format!("out/{file}")),
            tree.read(&format!("lib/{file}"))
        );
    }
    assert_eq!(tree.run(&["check", "lib"]).code, 0);
    assert_eq!(tree.run(&["check", "out"]).code, 0);
}

#[test]
fn a_name_without_cover_is_told_with_the_line_to_write() {
    let tree = mapped("cudaError_t g(cudaStream_t s) { return cudaFree(s); }\n");
    let found = tree.run(&["check", "lib"]);
    assert_eq!(found.code, 1);
    assert!(
        found
            .out
            .contains("lib/k.cu:10:15: warning[CASS020]: `cudaStream_t`"),
        "{}",
        found.out
    );
    let help = "add `#define cudaStream_t hipStream_t` to `vendors/hip.h`";
    assert!(found.out.contains(help), "{}", found.out);
    assert_eq!(found.out.matches("CASS020").count(), 1, "{}", found.out);
}

#[test]
fn warp_functions_that_the_release_lacks_are_told_in_code_of_both_vendors() {
    let more = "__device__ void s() { __syncwarp(); }\n#ifdef LIB_MMA\n__device__ void t() { __syncwarp(); }\n#endif\n__device__ int b() { return __ballot_sync(~0, 1); }\n";
    let found = mapped(more).run(&["check", "lib"]);
    for told in [
        "lib/k.cu:10:23: warning[CASS214]: `__syncwarp` comes with ROCm 7.0",
        "lib/k.cu:14:29: warning[CASS214]: `__ballot_sync` is in ROCm before 7.0 only where",
    ] {
        assert!(found.out.contains(told), "{told}: {}", found.out);
    }
    // One finding for each function; `__shfl_xor_sync` is mapped.
    assert_eq!(found.out.matches("CASS214").count(), 2, "{}", found.out);
    let newer = mapped(more).run(&["check", "lib", "--rocm", "7.0"]);
    assert!(!newer.out.contains("CASS214"), "{}", newer.out);
}

#[test]
fn a_person_may_want_it_translated_all_the_same() {
    let tree = mapped("cudaError_t g(cudaStream_t s) { return cudaFree(s); }\n");
    let done = tree.run(&["lib", "out", "--hip-support", "ignore"]);
    assert!(!done.out.contains("supports AMD"), "{}", done.out);
    assert!(tree.read("out/k.cu").contains("g(hipStream_t s)"));
}

#[test]
fn support_that_was_only_begun_is_finished() {
    let header = "#pragma once\n#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#define gpuFree hipFree\n#else\n#include <cuda_runtime.h>\n#define gpuFree cudaFree\n#endif\n";
    let source = "#include \"gpu.h\"\nint f(void **p) {\n  if (cudaMalloc(p, 4) != cudaSuccess) return 1;\n#ifdef USE_ROCM\n  hipDeviceSynchronize();\n#else\n  cudaDeviceSynchronize();\n#endif\n  return gpuFree(*p) != cudaSuccess;\n}\n";
    let tree = Tree::new(&[
        (
            "lib/Makefile",
            "ifdef ROCM\nCC := hipcc\nendif\nf.o: f.cu\n\t$(CC) -DUSE_ROCM -c f.cu\n",
        ),
        ("lib/gpu.h", header),
        ("lib/f.cu", source),
    ]);
    tree.run(&["lib", "out"]);
    assert_eq!(tree.read("out/gpu.h"), header);
    let text = tree.read("out/f.cu");
    assert!(
        text.contains("if (hipMalloc(p, 4) != hipSuccess)"),
        "{text}"
    );
    assert!(text.contains("#else\n  cudaDeviceSynchronize();"), "{text}");
}

#[test]
fn a_tree_without_a_build_for_amd_is_translated() {
    let tree = Tree::new(&[
        ("lib/CMakeLists.txt", "enable_language(CUDA)\n"),
        (
            "lib/k.cu",
            "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n",
        ),
    ]);
    let done = tree.run(&["lib", "out"]);
    assert!(!done.out.contains("supports AMD"), "{}", done.out);
    assert!(tree.read("out/k.cu").contains("hipFree"));
}

#[test]
fn a_folder_for_amd_beside_the_one_for_nvidia_serves_it() {
    let cuda = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";
    let tree = Tree::new(&[
        ("lib/cuda/f.cu", cuda),
        (
            "lib/hip/f.cpp",
            "#include <hip/hip_runtime.h>\nint f(void *p) { return hipFree(p); }\n",
        ),
        ("lib/g.cu", cuda),
    ]);
    let done = tree.run(&["lib", "out"]);
    assert!(done.out.contains("has hip/ for cuda/"), "{}", done.out);
    assert_eq!(tree.read("out/cuda/f.cu"), cuda);
    assert!(tree.read("out/g.cu").contains("hipFree"));
}

#[test]
fn names_with_the_vendor_as_one_part_are_pairs_and_python_beside_them_serves_both() {
    let cuda = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";
    let hip = "#include <hip/hip_runtime.h>\nvoid g(const char *name, std::ostream &code) { code << \"extern \\\"C\\\" __global__ void \" << name; hipFree(0); }\n";
    let kernel = "__global__ void k(float *x) { x[threadIdx.x] = 1; }\n";
    let tree = Tree::new(&[
        ("lib/Makefile", "ifdef HIP_DIR\nCC := hipcc\nendif\n"),
        ("lib/solve/cuda-ref/lib-cuda-ref.c", cuda),
        ("lib/solve/hip-ref/lib-hip-ref.cpp", hip),
        ("lib/jit/cuda/k.h", kernel),
        ("lib/jit/hip/k.h", kernel),
        (
            "lib/view.py",
            "import numba.cuda as nbcuda\nprint(nbcuda.gpus)\n",
        ),
    ]);
    let done = tree.run(&["lib", "out"]);
    assert!(
        done.out
            .contains("has jit/hip/ for jit/cuda/, solve/hip-ref/ for solve/cuda-ref/"),
        "{}",
        done.out
    );
    assert_eq!(tree.read("out/solve/cuda-ref/lib-cuda-ref.c"), cuda);
    for vendor in ["cuda", "hip"] {
        assert_eq!(tree.read(&format!("out/jit/{vendor}/k.h")), kernel);
    }
    let python = tree.read("out/view.py");
    assert!(
        python.starts_with("import numba.cuda as nbcuda\ntry:\n    import numba.hip as nbcuda\n"),
        "{python}"
    );
    let found = tree.run(&["check", "lib"]);
    assert!(!found.out.contains("CASS508"), "{}", found.out);
}

#[test]
fn a_function_of_cudas_name_keeps_it_in_declaration_definition_and_use() {
    let tree = Tree::new(&[
        (
            "src/solver.h",
            "#pragma once\n#include <cusolverDn.h>\ncusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, int n, float *a);\n",
        ),
        (
            "src/impl.cu",
            "#include \"solver.h\"\ncusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, int n, float *a) { return CUSOLVER_STATUS_SUCCESS; }\n",
        ),
        (
            "src/lu.cu",
            "#include \"solver.h\"\nvoid lu(cusolverDnHandle_t h, float *a) { cusolverDnXgetrf(h, 4, a); }\n",
        ),
    ]);
    tree.run(&["src", "out"]);
    for file in ["solver.h", "impl.cu", "lu.cu"] {
        let text = tree.read(&format!("out/{file}"));
        assert!(text.contains("cusolverDnXgetrf("), "{text}");
        assert!(text.contains("hipsolver"), "{text}");
    }
}

#[test]
fn a_prefix_for_either_vendor_is_no_beginning() {
    let header = "#pragma once\n#if LIB_USE_CUDA\n#include <cuda_runtime_api.h>\n#define DEVICE(NAME) cuda##NAME\n#elif LIB_USE_HIP\n#include <hip/hip_runtime.h>\n#define DEVICE(NAME) hip##NAME\n#endif\n";
    let both = "#include \"device.h\"\nvoid drop(void *p) { (void)DEVICE(Free)(p); }\n";
    let own = "#include \"device.h\"\n#if LIB_USE_CUDA\nsize_t stack()\n{\n    size_t bytes = 0;\n    cudaDeviceGetLimit(&bytes, cudaLimitStackSize);\n    return bytes;\n}\n#endif\n";
    let tree = Tree::new(&[
        (
            "lib/CMakeLists.txt",
            "if(LIB_USE_CUDA)\n  enable_language(CUDA)\nelseif(LIB_USE_HIP)\n  enable_language(HIP)\nendif()\n",
        ),
        ("lib/device.h", header),
        ("lib/both.cu", both),
        ("lib/own.cc", own),
    ]);
    let done = tree.run(&["lib", "out"]);
    assert!(done.out.contains("device.h (by a prefix)"), "{}", done.out);
    for (path, text) in [
        ("out/device.h", header),
        ("out/both.cu", both),
        ("out/own.cc", own),
    ] {
        assert_eq!(tree.read(path), text);
    }
}

/// An image or a list of packages that has a variant for AMD beside it is NVIDIA's, and stays; without one it is told of.
#[test]
fn an_image_with_a_variant_for_amd_beside_it_stays() {
    let kernel = ("src/k.cu", "__global__ void k(int *p) { *p = 0; }\n");
    let image = (
        "src/Dockerfile",
        "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nENV TORCH_CUDA_ARCH_LIST=9.0\n",
    );
    let packages = ("src/requirements_cuda.txt", "nvidia-cublas-cu12==12.4\n");
    let alone = Tree::new(&[kernel, image, packages]);
    let found = alone
        .run(&["check", "src", "--output-format", "concise"])
        .out;
    assert_eq!(
        (
            found.matches("CASS635").count(),
            found.matches("CASS633").count()
        ),
        (1, 2),
        "{found}"
    );
    let amd = ("src/Dockerfile_amd", "FROM ubuntu:22.04\n");
    let lists = ("src/requirements_rocm.txt", "torch\n");
    let both = Tree::new(&[kernel, image, packages, amd, lists]);
    let found = both.run(&["check", "src", "--output-format", "concise"]);
    assert_eq!((found.code, &*found.out), (0, ""));
    assert_eq!(both.run(&["src", "out"]).code, 0);
    assert_eq!(both.read("out/Dockerfile"), image.1);
}

#[test]
fn code_that_the_support_does_not_reach_is_translated_and_told_once_a_folder() {
    let kernel = "#include <cuda_runtime.h>\n__global__ void step(float *x) { x[threadIdx.x] += 1; }\nvoid solve(float *x, cudaStream_t s) { step<<<1, 32, 0, s>>>(x); cudaStreamSynchronize(s); }\n";
    let tree = mapped("");
    for name in ["solver/a.cu", "solver/b.cu"] {
        tree.write(&format!("lib/{name}"), kernel.as_bytes());
    }
    let done = tree.run(&["lib", "out"]);
    assert!(
        done.out
            .contains("is written for CUDA alone, and translated, in solver (2 files)"),
        "{}",
        done.out
    );
    assert!(
        done.out
            .contains("2 files for CUDA alone serve both vendors now"),
        "{}",
        done.out
    );
    assert_eq!(tree.read("out/k.cu"), tree.read("lib/k.cu"));
    // Headers under CUDA's names give it to AMD.
    for name in ["solver/a.cu", "solver/b.cu"] {
        assert_eq!(tree.read(&format!("out/{name}")), kernel, "{name}");
    }
    let shim = tree.read("out/cass_hip/cass_cuda_shim.h");
    assert!(
        shim.contains("#define cudaStreamSynchronize hipStreamSynchronize"),
        "{shim}"
    );
    tree.run(&["lib", "amd", "--vendors", "amd"]);
    let text = tree.read("amd/solver/a.cu");
    assert!(text.contains("hipStreamSynchronize(s)"), "{text}");
    assert!(!tree.path("amd/cass_hip").exists());
    let found = tree.run(&["check", "lib"]);
    let told =
        "lib/solver/a.cu:2:1: warning[CASS020]: 2 files of this folder are written for CUDA alone";
    assert!(found.out.contains(told), "{}", found.out);
    assert_eq!(found.out.matches("CASS020").count(), 1, "{}", found.out);
}

/// A pool that has its macros to itself, and a solver that never reads them: colmap's pattern.
fn pool_and_solver() -> Tree {
    let list = "project(x LANGUAGES CXX)\noption(USE_CUDA \"\" ON)\noption(USE_HIP \"\" OFF)\nif(USE_CUDA)\n  enable_language(CUDA)\nendif()\nif(USE_HIP)\n  enable_language(HIP)\nendif()\nadd_library(x src/pool.cpp)\nif(USE_CUDA)\n  target_sources(x PRIVATE src/solve.cu)\nendif()\n";
    let pool = "#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#define cudaMalloc hipMalloc\n#define cudaFree hipFree\n#define cudaStream_t hipStream_t\n#define cudaStreamSynchronize hipStreamSynchronize\n#else\n#include <cuda_runtime.h>\n#endif\nvoid *grab(size_t n) { void *p = nullptr; cudaMalloc(&p, n); return p; }\nvoid drop(void *p) { cudaFree(p); }\n";
    let solver = "#include <cuda_runtime.h>\n__global__ void step(float *x) { x[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 16); }\nvoid solve(float *x, cudaStream_t s) { step<<<1, 32, 0, s>>>(x); cudaStreamSynchronize(s); }\n";
    Tree::new(&[
        ("in/CMakeLists.txt", list),
        ("in/src/pool.cpp", pool),
        ("in/src/solve.cu", solver),
    ])
}

/// What one file maps covers no other that does not read it: that one is translated, and its build for NVIDIA goes on.
#[test]
fn macros_of_one_file_do_not_cover_another() {
    let tree = pool_and_solver();
    let done = tree.run(&["in", "out"]);
    for file in ["CMakeLists.txt", "src/pool.cpp"] {
        let path = format!("out/{file}");
        assert_eq!(tree.read(&path), tree.read(&format!("in/{file}")));
    }
    let text = tree.read("out/src/solve.cu");
    assert!(
        text.contains("cass_shfl_down_sync(0xffffffff, x[threadIdx.x], 16)")
            && text.contains("#include <cuda_runtime.h>")
            && text.contains("cudaStreamSynchronize(s)"),
        "{text}"
    );
    let line = "1 file for CUDA alone serves both vendors now";
    assert!(done.out.contains(line), "{}", done.out);
    tree.run(&["out", "again"]);
    assert_eq!(tree.read("again/src/solve.cu"), text);
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn code_for_cuda_alone_compiles_for_amd_as_the_finding_says() {
    let tree = pool_and_solver();
    tree.run(&["in", "out"]);
    let shim = tree.path("out/cass_hip");
    let options = [
        "-fsyntax-only".to_owned(),
        "-DUSE_ROCM".to_owned(),
        format!("-I{}", shim.display()),
        format!("--include={}", shim.join("cass_cuda_shim.h").display()),
    ];
    let compiled = Compiler::required().compile(&options, &[tree.path("out/src/solve.cu")]);
    assert!(compiled.ok, "{}", compiled.output);
}

#[test]
#[ignore = "needs nvcc and CUDA's headers: tests/torch/nvcc.sh DIR, CASS_NVCC=DIR; tests/cuda/setup.sh DIR, CASS_CUDA_INCLUDE=DIR/include"]
fn code_for_cuda_alone_goes_on_to_compile_for_nvidia() {
    let tree = pool_and_solver();
    tree.run(&["in", "out"]);
    let nvcc = required_folder("CASS_NVCC", "tests/torch/nvcc.sh");
    let headers = required_folder("CASS_CUDA_INCLUDE", "tests/cuda/setup.sh");
    for side in ["in", "out"] {
        let done = std::process::Command::new(nvcc.join("bin/nvcc"))
            .current_dir(tree.path(side))
            .args([
                "-arch=sm_80",
                "-ptx",
                "-o",
                "solve.ptx",
                "src/solve.cu",
                "-I",
            ])
            .arg(nvcc.join("include/cccl"))
            .arg("-I")
            .arg(&headers)
            .output()
            .expect("nvcc runs");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{side}: {said}");
    }
}

/// Names that a project declares itself, where neither vendor's header is read, lack nothing.
#[test]
fn what_the_project_declares_itself_needs_no_cover() {
    let own = "#if defined(LIB_NO_GPU) || defined(LIB_HIP)\ntypedef enum cufftXtCopyType_t { CUFFT_COPY_HOST_TO_DEVICE = 0, CUFFT_COPY_UNDEFINED = 3 } cufftXtCopyType;\ncufftXtCopyType way = CUFFT_COPY_UNDEFINED;\n#else\n#include <cufftXt.h>\n#endif\n";
    let found = mapped(own).run(&["check", "lib"]);
    assert_eq!(
        (found.code, found.out.matches("CASS020").count()),
        (0, 0),
        "{}",
        found.out
    );
}

#[test]
fn a_file_beside_names_for_both_vendors_is_told_and_left_to_a_person() {
    let layer = names_for_both();
    let plain = "int f(void *p) { return cudaFree(p); }\n";
    let tree = Tree::new(&[
        ("lib/CMakeLists.txt", BUILD),
        ("lib/gpu.h", &layer),
        ("lib/f.cu", plain),
    ]);
    tree.run(&["lib", "out"]);
    assert_eq!(tree.read("out/f.cu"), plain);
    let found = tree.run(&["check", "lib"]);
    assert_eq!(found.code, 1, "{}", found.out);
    assert!(
        found.out.contains("warning[CASS020]: `cudaFree`"),
        "{}",
        found.out
    );
}

/// What a project calls after CUDA is its side for CUDA, and a type that is declared ahead needs no header.
#[test]
fn what_compiles_or_is_cudas_by_its_name_needs_no_cover() {
    let tree = mapped("struct cusparseContext;\nvoid g(struct cusparseContext *);\n");
    assert_eq!(
        tree.run(&["check", "lib"]).out.matches("CASS020").count(),
        0
    );
    let layer = names_for_both();
    let sparse = "#include <cusparse.h>\nvoid f(cusparseHandle_t *h) { cusparseCreate(h); }\n";
    let tree = Tree::new(&[
        ("lib/CMakeLists.txt", BUILD),
        ("lib/gpu.h", &layer),
        ("lib/solver_cusparse.cu", sparse),
    ]);
    let found = tree.run(&["check", "lib"]);
    assert_eq!(
        (found.code, found.out.matches("warning[CASS020]").count()),
        (0, 0),
        "{}",
        found.out
    );
}

/// The ways in which trees that serve both vendors lost CUDA: scripts of its lane, headers for NVRTC, stubs, kernels in tests.
#[test]
fn a_tree_that_serves_both_keeps_cuda() {
    let list = "project(two CXX)\noption(TWO_USE_HIP \"AMD\" OFF)\nif(TWO_USE_HIP)\n  enable_language(HIP)\n  add_library(two hip_backend/dev.cu)\nelse()\n  enable_language(CUDA)\n  add_library(two cuda_backend/dev.cu)\nendif()\n";
    let stub = "#ifndef STUB_H\n#define STUB_H\nextern \"C\" {\ntypedef void *cudaStream_t;\ntypedef void *cudaArray_t;\nstruct cudaExtent { unsigned long width, height, depth; };\ninline int cudaMallocArray(cudaArray_t *, ...) { return 0; }\n}\n#endif\n";
    let test = "import two\nSRC = r'''\n#include <cuComplex.h>\nextern \"C\" __global__ void add(cuDoubleComplex *a) { a[0] = cuCadd(a[0], a[1]); }\n'''\ndef test_add():\n    if two.is_hip: return\n    two.RawModule(code=SRC)\n";
    let kept = [
        ("tests/test_raw.py", test),
        (
            ".ci/test-cuda.sh",
            "#!/bin/bash\nnvidia-smi\nexport NVCC=\"ccache nvcc\"\ncmake -B b\n",
        ),
        (
            ".ci/test-rocm.sh",
            "#!/bin/bash\nrocminfo\ncmake -B b -DTWO_USE_HIP=ON\n",
        ),
        ("CMakeLists.txt", list),
        (
            "cuda_backend/dev.cu",
            "#include \"../inc/k.cuh\"\n#include <cuda_runtime.h>\nvoid run(float *p, cudaStream_t s) { scale<<<1, 64, 0, s>>>(p); }\n",
        ),
        (
            "hip_backend/dev.cu",
            "#include \"../inc/k.cuh\"\n#include <hip/hip_runtime.h>\nvoid run(float *p, hipStream_t s) { scale<<<1, 64, 0, s>>>(p); }\n",
        ),
        (
            "inc/k.cuh",
            "#pragma once\n#if defined(TWO_USE_HIP)\n#define WAVE 64\n#else\n#define WAVE 32\n#endif\n__global__ void scale(float *p) { p[0] = WAVE; }\n",
        ),
        (
            "inc/rtc.h",
            "#pragma once\n#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)\ntypedef unsigned long long size_type;\n#endif\n",
        ),
        ("stub/gpu_stub.h", stub),
    ];
    let files: Vec<(String, &str)> = kept
        .iter()
        .map(|(path, text)| (format!("src/{path}"), *text))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    let tree = Tree::new(&files);
    let done = tree.run(&["src", "out"]);
    assert!(done.out.contains("supports AMD already"), "{}", done.out);
    for (path, text) in kept {
        assert_eq!(
            tree.read(&format!("out/{path}")),
            text,
            "{path}: {}",
            done.out
        );
    }
}

/// A header that a program compiles at run time asks for either vendor's compiler, in a tree of one vendor as well.
#[test]
fn headers_for_nvrtc_serve_hiprtc_beside_it() {
    let tree = Tree::new(&[(
        "src/rtc.h",
        "#ifdef __CUDACC_RTC__\ntypedef int a;\n#endif\n#ifndef __CUDACC_RTC__\n#include <cstddef>\n#endif\n#if defined(A) && defined(__CUDACC_RTC__)\n#endif\n",
    )]);
    tree.run(&["src", "out"]);
    let both = "defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)";
    let wanted = format!(
        "#if {both}\ntypedef int a;\n#endif\n#if !({both})\n#include <cstddef>\n#endif\n#if defined(A) && ({both})\n#endif\n"
    );
    assert_eq!(tree.read("out/rtc.h"), wanted);
    tree.run(&["out", "again"]);
    assert_eq!(tree.read("again/rtc.h"), wanted);
}

#[test]
fn a_package_that_uses_numba_goes_on_where_numba_hip_is_not_installed() {
    let kernel = "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[cuda.grid(1)] = 1\n";
    let tree = Tree::new(&[
        ("src/lib/__init__.py", kernel),
        ("src/run.py", kernel),
        ("src/main.cu", "int main() { return cudaFree(0); }\n"),
    ]);
    tree.run(&["src", "out"]);
    let package = tree.read("out/lib/__init__.py");
    assert!(
        package.starts_with("from numba import cuda\ntry:\n    from numba import hip as cuda\nexcept ImportError:\n    pass\n"),
        "{package}"
    );
    tree.run(&["out", "again"]);
    assert_eq!(tree.read("again/lib/__init__.py"), package);
    let script = tree.read("out/run.py");
    assert!(
        script.starts_with("from numba import hip as cuda\n"),
        "{script}"
    );
}

/// A list with a branch for each vendor: what stands in the one for CUDA stays, however little serves AMD.
#[test]
fn a_branch_for_each_vendor_keeps_the_one_for_cuda() {
    let list = "cmake_minimum_required(VERSION 3.21)\nproject(x CXX)\nset(SRC a.cpp)\nif(USE_CUDA)\n  enable_language(CUDA)\n  list(APPEND SRC k.cu only.cu)\n  add_definitions(-DX_CUDA)\nelseif(USE_HIP)\n  enable_language(HIP)\n  list(APPEND SRC k.hip)\n  add_definitions(-DX_HIP)\nendif()\nadd_library(x ${SRC})\n";
    let kernel = "#include <cuda_runtime.h>\n__global__ void k(float *x) { x[0] = 1; }\nvoid run(float *x, cudaStream_t s) { k<<<1, 32, 0, s>>>(x); cudaStreamSynchronize(s); }\n";
    let files = [
        ("src/CMakeLists.txt", list),
        ("src/k.cu", kernel),
        ("src/only.cu", kernel),
        (
            "src/k.hip",
            "#include <hip/hip_runtime.h>\nvoid run(float *x, hipStream_t s) {}\n",
        ),
        (
            "src/a.cpp",
            "#ifdef X_CUDA\n#include <cuda_runtime.h>\nusing stream = cudaStream_t;\n#elif defined(X_HIP)\n#include <hip/hip_runtime.h>\nusing stream = hipStream_t;\n#endif\n",
        ),
    ];
    let tree = Tree::new(&files);
    let done = tree.run(&["src", "out"]);
    assert!(done.out.contains("supports AMD already"), "{}", done.out);
    for (path, text) in files {
        assert_eq!(tree.read(&path.replacen("src", "out", 1)), text, "{path}");
    }
}

/// PyTorch's names in a project whose own build calls hipify stay as they are, its templates as well.
#[test]
fn an_extension_whose_build_calls_hipify_is_not_edited() {
    let kernel = "#include <ATen/ATen.h>\n#ifdef USE_ROCM\n#include <hip/hip_fp16.h>\n#endif\n__global__ void k(float *x) { x[0] = __fmul_rn(x[0], 2); x[1] = __shfl_sync(0xffffffff, x[1], 0); }\n";
    let list = "if(USE_ROCM)\n  hipify(CUDA_SOURCE_DIR ${PROJECT_SOURCE_DIR})\nelse()\n  enable_language(CUDA)\nendif()\nadd_library(ops k.cu)\n";
    let tree = Tree::new(&[("lib/CMakeLists.txt", list), ("lib/k.cu", kernel)]);
    tree.run(&["lib", "out"]);
    assert_eq!(tree.read("out/k.cu"), kernel);
    let script = "from torch.utils.cpp_extension import CUDAExtension\next = CUDAExtension(\"ops\", [\"k.cu\"])\n";
    let other = Tree::new(&[("lib/setup.py", script), ("lib/k.cu", kernel)]);
    other.run(&["lib", "out"]);
    assert_ne!(other.read("out/k.cu"), kernel);
}

#[test]
fn an_include_of_code_for_cuda_beside_code_for_amd_is_told() {
    let tree = mapped("");
    let own = "#pragma once\n#include <cuda_runtime.h>\nvoid run(cudaStream_t s);\n";
    let amd = "#pragma once\n#include <hip/hip_runtime.h>\nvoid run(hipStream_t s);\n";
    tree.write("lib/backend/cuda.hpp", own.as_bytes());
    tree.write("lib/backend/hip.hpp", amd.as_bytes());
    let program = "#include \"../backend/cuda.hpp\"\nint main() { run(0); return cudaDeviceSynchronize(); }\n";
    tree.write("lib/demo/demo_cuda.cu", program.as_bytes());
    let chosen = "#ifdef DEMO_CUDA\n#include \"../backend/cuda.hpp\"\n#endif\nint f() { return cudaDeviceSynchronize(); }\n";
    tree.write("lib/demo/chosen.cu", chosen.as_bytes());
    let found = tree.run(&["check", "lib"]);
    let told = "lib/demo/demo_cuda.cu:1:11: warning[CASS020]: `backend/cuda.hpp` is the project's own for CUDA";
    assert!(found.out.contains(told), "{}", found.out);
    assert!(
        found.out.contains("include `backend/hip.hpp`"),
        "{}",
        found.out
    );
    assert!(!found.out.contains("chosen.cu:2"), "{}", found.out);
}

#[test]
fn scripts_know_what_others_of_the_tree_answer() {
    let tree = Tree::new(&[
        (
            "kit/utils.py",
            "import torch\n\n\ndef is_sm_at_least_90():\n    return torch.cuda.is_available() and torch.version.cuda and torch.cuda.get_device_capability() >= (9, 0)\n",
        ),
        (
            "kit/scale.py",
            "import torch\nimport triton\nfrom .utils import is_sm_at_least_90\n\nFORMATS = [torch.float8_e5m2]\nif is_sm_at_least_90():\n    FORMATS.append(torch.float8_e4m3fn)\n",
        ),
        (
            "kit/linear.py",
            "import torch\nimport triton\nfrom kit.utils import is_sm_at_least_90\n\n\ndef forward(x):\n    assert is_sm_at_least_90()\n    return x\n",
        ),
        (
            "other/scale.py",
            "import torch\nimport triton\nfrom .own import is_sm_at_least_90\n\nif is_sm_at_least_90():\n    FORMAT = torch.float8_e4m3fn\n\n\ndef multiply(a, b, s):\n    return torch._scaled_mm(a, b, scale_a=s, scale_b=s)\n",
        ),
    ]);
    let found = tree.run(&["check", "."]).out;
    assert!(
        found.contains("kit/linear.py:7:5: warning[CASS670]"),
        "{found}"
    );
    assert!(
        found.contains("other/scale.py:6:14: warning[CASS680]"),
        "{found}"
    );
    assert!(!found.contains("kit/scale.py"), "{found}");
}

#[test]
fn modules_that_amd_never_loads_are_told_in_passing() {
    const KERNEL: &str = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef gemm(x):\n    y = tl.inline_asm_elementwise(\"cvt.rna.tf32.f32 $0, $1;\", \"=r,r\", [x], tl.float32, is_pure=True, pack=1)\n";
    let of_nvidia =
        "import torch\n\nif torch.version.hip is None:\n    from .fast.gemm import gemm\n";
    let tried = "try:\n    from .tiles import tile\nexcept ImportError:\n    tile = None\n";
    let tree = Tree::new(&[
        ("kit/__init__.py", ""),
        ("kit/dispatch.py", of_nvidia),
        ("kit/fast/__init__.py", ""),
        ("kit/fast/gemm.py", KERNEL),
        ("kit/any/__init__.py", "from .gemm import gemm\n"),
        ("kit/any/gemm.py", KERNEL),
        ("kit/ops.py", tried),
        ("kit/tiles.py", "import cuda.tile as ct\n\ntile = ct\n"),
        (
            "kit/lazy/__init__.py",
            "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .gemm import gemm\n",
        ),
        ("kit/lazy/gemm.py", KERNEL),
        ("tests/test_gemm.py", "from kit.fast.gemm import gemm\n"),
    ]);
    let found = tree.run(&["check", "."]).out;
    for (place, expected) in [
        ("kit/any/gemm.py:7:9: error[CASS680]", true),
        ("kit/lazy/gemm.py:7:9: error[CASS680]", true),
        ("kit/fast/gemm.py:7:9: error[CASS680]", false),
        ("kit/tiles.py:1:1: error[CASS666]", false),
    ] {
        assert_eq!(found.contains(place), expected, "{found}");
    }
    let all = tree.run(&["check", "--show", "info", "."]).out;
    assert_eq!(all.matches("nothing here loads on AMD").count(), 2, "{all}");
}

/// What a project took from others speaks for itself alone: its lists and its code stay, those around it are translated.
#[test]
fn a_package_that_supports_amd_keeps_nothing_around_it() {
    let list = "cmake_minimum_required(VERSION 3.21)\nproject(a LANGUAGES CXX CUDA)\nadd_subdirectory(third_party/lib)\nadd_library(a a.cu)\n";
    let tree = Tree::new(&[
        ("src/CMakeLists.txt", list),
        ("src/a.cu", "int a() { return cudaFree(0); }\n"),
        ("src/third_party/lib/CMakeLists.txt", BUILD),
        ("src/third_party/lib/common.cuh", HEADER),
        ("src/third_party/lib/vendors/hip.h", MAPPING),
        ("src/third_party/lib/k.cu", SOURCE),
    ]);
    let done = tree.run(&["src", "out"]);
    assert_eq!(done.out.matches("supports AMD already").count(), 1);
    let after = tree.read("out/CMakeLists.txt");
    assert!(after.contains("LANGUAGES CXX HIP"), "{after}");
    assert!(tree.read("out/a.cu").contains("hipFree(0)"));
    for (file, text) in [("CMakeLists.txt", BUILD), ("k.cu", SOURCE)] {
        assert_eq!(tree.read(&format!("out/third_party/lib/{file}")), text);
    }
}
