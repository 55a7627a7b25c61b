//! The shapes that broke real projects, each as a small tree: what is written, what is said, and what must not be.

use crate::common::Tree;

/// One shape: its files, then what the translation of a file must hold and lack, and what `check` must say and not say.
struct Shape {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// File, text that it must hold.
    holds: &'static [(&'static str, &'static str)],
    lacks: &'static [(&'static str, &'static str)],
    says: &'static [&'static str],
    is_silent_about: &'static [&'static str],
}

const NONE: Shape = Shape {
    name: "",
    files: &[],
    holds: &[],
    lacks: &[],
    says: &[],
    is_silent_about: &[],
};

/// Wrong numbers on 64 lanes.
const LANES: &[Shape] = &[
    Shape {
        name: "R1: warpSize handed to a wrapper of a shuffle",
        files: &[
            (
                "a.cu",
                "#include \"u.cuh\"\n__global__ void k(int *v) { v[threadIdx.x] = get(v[threadIdx.x], 3, warpSize); }\n",
            ),
            (
                "u.cuh",
                "#include <cuda_runtime.h>\n__device__ int get(int r, int lane, int bound = warpSize) { return __shfl_sync(0xffffffff, r, lane, bound); }\n",
            ),
        ],
        holds: &[("a.cu", "3, 32)"), ("u.cuh", "int bound = 32")],
        ..NONE
    },
    Shape {
        name: "R2: a stride of warpSize with 32 threads",
        files: &[(
            "a.cu",
            "#include <cuda_runtime.h>\n__global__ void k(float *a, int n) { for (int i = threadIdx.x; i < n; i += warpSize) a[i] = 0; }\nvoid f(float *a, int n) { k<<<1, dim3(32, 8)>>>(a, n); }\n",
        )],
        holds: &[("a.cu", "i += 32")],
        ..NONE
    },
    Shape {
        name: "R3: loads that wait for another block",
        files: &[(
            "a.cu",
            "__device__ int get(const int *p) { int v; asm volatile(\"ld.global.cg.s32 %0, [%1];\" : \"=r\"(v) : \"l\"(p) : \"memory\"); return v; }\n__global__ void k(int *f) { while (get(f) == 0) {} }\n",
        )],
        holds: &[("a.cu", "cass_ldcg(")],
        ..NONE
    },
    Shape {
        name: "R4: the vote of a branch for AMD",
        files: &[(
            "a.cuh",
            "#pragma once\n#ifdef USE_AMD_ROCM\nconstexpr int kWarp = 64;\n#else\nconstexpr int kWarp = 32;\n#endif\n__device__ bool f(bool p) {\n#if CUDA_VERSION < 9000 || defined(USE_AMD_ROCM)\n  return __any(p);\n#else\n  return __any_sync(0xffffffff, p);\n#endif\n}\n",
        )],
        holds: &[
            ("a.cuh", "return __any(p);"),
            ("a.cuh", "__any_sync(0xffffffff, p)"),
        ],
        ..NONE
    },
    Shape {
        name: "R5: a reduction over the wavefront of AMD's branch",
        files: &[(
            "a.cu",
            "#ifdef USE_ROCM\n#include <hipcub/hipcub.hpp>\nnamespace cub = hipcub;\n#define WARP 64\n#else\n#include <cub/cub.cuh>\n#define WARP 32\n#endif\n__global__ void k(float *b) { typedef cub::WarpReduce<float> W; __shared__ typename W::TempStorage t; *b = W(t).Sum(*b); }\nvoid f(float *b) { k<<<1, WARP>>>(b); }\n",
        )],
        holds: &[("a.cu", "cub::WarpReduce<float> W")],
        ..NONE
    },
    Shape {
        name: "R22: threads of one wavefront that wait for each other",
        files: &[(
            "a.cu",
            "#include <cuda_runtime.h>\n__global__ void k(int *out) {\n  __shared__ volatile int flag;\n  if (threadIdx.x / 32 == 1) { while (flag == 0) {} out[0] = 1; }\n  else if (threadIdx.x == 0) { flag = 1; }\n}\n",
        )],
        says: &["warning[CASS211]"],
        ..NONE
    },
    Shape {
        name: "R23: a block of the warp size that the device tells",
        files: &[(
            "a.cu",
            "#include <cuda_runtime.h>\n__global__ void k(float *s) { float v = *s; for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d); *s = v; }\nvoid f(float *s) { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); k<<<1, p.warpSize>>>(s); }\nvoid g(float *s) { int ws; cudaDeviceGetAttribute(&ws, cudaDevAttrWarpSize, 0); k<<<1, ws>>>(s); }\n",
        )],
        holds: &[("a.cu", "k<<<1, 32>>>"), ("a.cu", "ws = 32;")],
        ..NONE
    },
];

/// Builds that worked and stopped.
const BUILDS: &[Shape] = &[
    Shape {
        name: "R6: an include stays under the condition of its uses",
        files: &[(
            "a.h",
            "#ifndef A_H\n#define A_H\n#ifdef GPU\nvoid check(cudaError_t e);\n#endif\n#endif\n",
        )],
        holds: &[("a.h", "#ifdef GPU\n#include <hip/hip_runtime")],
        ..NONE
    },
    Shape {
        name: "R7: nothing is included inside a namespace",
        files: &[
            (
                "a.cu",
                "#include <cuda_runtime.h>\nnamespace a {\n#include \"u.inl\"\n}\n",
            ),
            (
                "u.inl",
                "static __device__ unsigned lane() { unsigned id; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(id)); return id; }\n",
            ),
        ],
        holds: &[
            ("a.cu", "#include \"cass_hip_compat.hpp\"\nnamespace a {"),
            ("u.inl", "cass_lane_id"),
        ],
        lacks: &[("u.inl", "#include")],
        ..NONE
    },
    Shape {
        name: "R8: variables of FindCUDA",
        files: &[(
            "CMakeLists.txt",
            "project(d CXX)\nfind_package(CUDA REQUIRED)\ncuda_add_executable(d main.cu)\ntarget_link_libraries(d ${CUDA_LIBRARIES} ${CUDA_CUBLAS_LIBRARIES})\n",
        )],
        holds: &[(
            "CMakeLists.txt",
            "target_link_libraries(d hip::host roc::hipblas)",
        )],
        lacks: &[("CMakeLists.txt", "${hip::")],
        ..NONE
    },
    Shape {
        name: "R9: -ccbin with a function of make",
        files: &[(
            "Makefile",
            "F = -ccbin $(lastword $(CXX)) --machine 64 -O2 -DCUDA_API_PER_THREAD_DEFAULT_STREAM\na.o: a.cu\n\tnvcc $(F) -c a.cu\n",
        )],
        holds: &[("Makefile", "F = -m64 -O2 -fgpu-default-stream=per-thread\n")],
        ..NONE
    },
    Shape {
        name: "R10: find_package stands where its target is used",
        files: &[(
            "CMakeLists.txt",
            "project(d CXX)\nadd_library(d d.cpp)\nif(WITH_DOCS)\n  target_link_libraries(d PRIVATE docs)\nendif()\nif(CUDA_ENABLED)\n  target_link_libraries(d PRIVATE CUDA::curand)\nendif()\n",
        )],
        holds: &[(
            "CMakeLists.txt",
            "if(CUDA_ENABLED)\n  find_package(hiprand REQUIRED)\n",
        )],
        lacks: &[("CMakeLists.txt", "if(WITH_DOCS)\n  find_package")],
        ..NONE
    },
    Shape {
        name: "R11: a function of the project's own keeps its name at definition and call",
        files: &[
            (
                "s.h",
                "#include <cusolverDn.h>\ncusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, int m, float *a);\n",
            ),
            (
                "a.cu",
                "#include \"s.h\"\ncusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, int m, float *a) { return CUSOLVER_STATUS_SUCCESS; }\n",
            ),
            (
                "b.cu",
                "#include \"s.h\"\nvoid lu(cusolverDnHandle_t h, float *a) { cusolverDnXgetrf(h, 1, a); }\n",
            ),
        ],
        holds: &[
            ("s.h", " cusolverDnXgetrf("),
            ("a.cu", " cusolverDnXgetrf("),
            ("b.cu", " cusolverDnXgetrf("),
        ],
        ..NONE
    },
    Shape {
        name: "R12: C files for the host's compiler",
        files: &[
            (
                "d.h",
                "#include <cuda_runtime.h>\n#include <curand.h>\nint fill(float *p);\n",
            ),
            (
                "main.c",
                "#include \"d.h\"\nint main(void) { float *p; cudaMalloc((void **)&p, 4); return fill(p); }\n",
            ),
        ],
        holds: &[("d.h", "typedef struct { unsigned short x; } __half;\n")],
        says: &["1 file for the host's compiler includes HIP's headers"],
        ..NONE
    },
    Shape {
        name: "R14: a version's branch is not switched on where it cannot compile",
        files: &[(
            "a.cu",
            "#include <cuda_runtime.h>\nvoid f(cudaStream_t s, void *p) {\n#if CUDART_VERSION >= 11000\n  cudaStreamAttrValue a;\n  a.accessPolicyWindow.base_ptr = p;\n#endif\n}\n",
        )],
        holds: &[("a.cu", "#if CUDART_VERSION >= 11000\n")],
        says: &["error[CASS602]"],
        ..NONE
    },
    Shape {
        name: "R15: operators of the project for CUDA's complex numbers",
        files: &[(
            "a.cu",
            "#include <cuComplex.h>\n__host__ __device__ inline cuComplex operator*(const cuComplex &a, const cuComplex &b) { return cuCmulf(a, b); }\n__global__ void k(cuComplex *p) { p[0] = p[0] * p[1]; }\n",
        )],
        lacks: &[("a.cu", "#endif\ninline cuComplex")],
        holds: &[("a.cu", "hipCmulf(a, b)")],
        ..NONE
    },
    Shape {
        name: "R16: what nvcc takes and clang does not",
        files: &[
            (
                "half0.cu",
                "#include <cuda_fp16.h>\n__global__ void k(half2 *p) { half2 r; r = {}; p[0] = r; }\n",
            ),
            (
                "rsq.cu",
                "#include <cuda_runtime.h>\nfloat f(int n) { return rsqrtf(n); }\n",
            ),
            (
                "dim.cu",
                "#include <cuda_runtime.h>\nvoid f() { dim3 g(1); g = make_uint3(4, 1, 1); }\n",
            ),
            (
                "macro.cu",
                "#include \"t.h\"\n#include <cuda.h>\n__global__ void k(T *p) { *p = 1; }\n",
            ),
            ("t.h", "#define T float\n"),
            (
                "lit.cu",
                "#include <cuda_runtime.h>\n#define ID \"%d\"\nvoid f(int n) { cudaFree(0); printf(\"node (\"ID\")\", n); }\n",
            ),
        ],
        holds: &[
            ("half0.cu", "r = half2{};"),
            ("macro.cu", "#include <hip/hip_runtime.h>\n#include \"t.h\""),
            ("lit.cu", "(\" ID\")"),
        ],
        lacks: &[("rsq.cu", "return rsqrtf(n)"), ("dim.cu", "g = make_uint3")],
        ..NONE
    },
];

/// What was silent, and what was noise.
const WORDS: &[Shape] = &[
    Shape {
        name: "R17: a project's own NVTX_RANGES and a variable called warpSize",
        files: &[
            (
                "a.cpp",
                "#ifdef NVTX_RANGES\n#include <nvtx3/nvToolsExt.h>\n#endif\nstruct R {\n#ifdef NVTX_RANGES\n  nvtxRangeId_t id;\n#endif\n};\n",
            ),
            (
                "b.cuh",
                "#pragma once\n#define IMPL(N) void run_##N(int *p, cudaStream_t s) { int warpSize = size(); k_##N<<<128 / warpSize, 128, 0, s>>>(p); }\n",
            ),
        ],
        is_silent_about: &["warning[", "error["],
        ..NONE
    },
    Shape {
        name: "R18: CUDA in a branch for AMD",
        files: &[(
            "a.cuh",
            "#pragma once\n#ifdef USE_AMD_ROCM\n#include <device_functions.h>\n__device__ inline void f(cudaStream_t) {}\n#endif\n",
        )],
        says: &[
            "error[CASS016]: `device_functions.h`",
            "error[CASS016]: `cudaStream_t`",
        ],
        ..NONE
    },
    Shape {
        name: "R19: a guard whose macro somebody has to define",
        files: &[(
            "a.cu",
            "#ifdef __IS_HIP_COMPILE__\n#include <hipcub/hipcub.hpp>\n#else\n#include <cub/cub.cuh>\n#endif\n__global__ void k(float *b) { typedef cub::WarpReduce<float> W; }\n",
        )],
        says: &["code for both vendors asks for: -D__IS_HIP_COMPILE__"],
        ..NONE
    },
    Shape {
        name: "R20: build words",
        files: &[
            (
                "Makefile",
                "a: k.cu\n\tnvcc -deviceemu --gpu-name sm_13 -I$(CUDA_INSTALL_PATH)/include k.cu -o a\n",
            ),
            (
                "configure",
                "#!/bin/sh\nCUDA_ARCH=\"-gencode arch=compute_70,code=sm_70\"\n",
            ),
            (
                "c/CMakeLists.txt",
                "add_bench(NAME d SOURCES m.cu LINK_LIBRARIES cublas)\n",
            ),
        ],
        holds: &[("c/CMakeLists.txt", "LINK_LIBRARIES roc::hipblas)")],
        says: &[
            "CASS621]: [*] nvcc option `-deviceemu`",
            "CASS622",
            "configure:2:1: warning[CASS633]",
        ],
        ..NONE
    },
    Shape {
        name: "R21: headers of NVIDIA's other products",
        files: &[(
            "a.cu",
            "#include <raft/core/device_resources.hpp>\n#include <cuvs/neighbors/cagra.hpp>\n#include <rmm/device_buffer.hpp>\nvoid f(raft::resources &r) { raft::resource::sync_stream(r); }\n",
        )],
        says: &[
            "error[CASS008]: `raft/",
            "error[CASS008]: `cuvs/",
            "error[CASS008]: `rmm/",
            "namespace `raft`",
        ],
        ..NONE
    },
    Shape {
        name: "R24: names that the file maps itself",
        files: &[(
            "a.cu",
            "#if defined(__HIPCC__)\n#define MY_HIP 1\n#else\n#define MY_HIP 0\n#endif\n#if MY_HIP\n#include <hip/hip_runtime.h>\n#define cudaStream_t hipStream_t\n#define cudaStreamSynchronize hipStreamSynchronize\n#else\n#include <cuda_runtime.h>\n#endif\nvoid f(cudaStream_t s) { cudaStreamSynchronize(s); }\n",
        )],
        holds: &[(
            "a.cu",
            "void f(cudaStream_t s) { cudaStreamSynchronize(s); }",
        )],
        is_silent_about: &["error["],
        ..NONE
    },
    Shape {
        name: "R25: thrust::cuda through a namespace of the project",
        files: &[(
            "a.cu",
            "#include <thrust/execution_policy.h>\nnamespace mine { namespace thrust = ::thrust; }\nvoid f(cudaStream_t s) { auto p = mine::thrust::cuda::par.on(s); }\n",
        )],
        holds: &[("a.cu", "mine::thrust::hip::par.on(s)")],
        ..NONE
    },
];

fn all_hold(shapes: &[Shape]) {
    let mut wrong = Vec::new();
    for shape in shapes {
        let tree = Tree::new(&[]);
        for (path, text) in shape.files {
            tree.write(&format!("src/{path}"), text.as_bytes());
        }
        let run = tree.run(&["src", "out"]);
        if run.code > 1 {
            wrong.push(format!("{}: {}", shape.name, run.err));
            continue;
        }
        let checked = tree.run(&["check", "src"]);
        let said = format!("{}{}", checked.out, checked.err);
        let holds = |(path, text): &(&str, &str)| tree.read(&format!("out/{path}")).contains(*text);
        let missing = shape.holds.iter().filter(|it| !holds(it));
        wrong.extend(missing.map(|it| format!("{}: lacks {it:?}", shape.name)));
        let kept = shape.lacks.iter().filter(|it| holds(it));
        wrong.extend(kept.map(|it| format!("{}: holds {it:?}", shape.name)));
        let unsaid = shape.says.iter().filter(|it| !said.contains(**it));
        wrong.extend(unsaid.map(|it| format!("{}: does not say {it:?}\n{said}", shape.name)));
        let noise = shape
            .is_silent_about
            .iter()
            .filter(|it| said.contains(**it));
        wrong.extend(noise.map(|it| format!("{}: says {it:?}\n{said}", shape.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lanes_are_counted_as_cuda_counts_them() {
    all_hold(LANES);
}

#[test]
fn builds_that_worked_go_on() {
    all_hold(BUILDS);
}

#[test]
fn nothing_is_silent_and_nothing_is_noise() {
    all_hold(WORDS);
}

/// R13: a file that git tracks arrives, whatever .gitignore says.
#[test]
fn tracked_files_of_ignored_folders_arrive() {
    let tree = Tree::new(&[
        ("src/.gitignore", "data/\n"),
        ("src/data/a.cfg", "x\n"),
        ("src/a.cu", "int a;\n"),
    ]);
    tree.git(&["init", "-q", "src"]);
    tree.git(&["-C", "src", "add", "-f", "."]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/data/a.cfg"), "x\n");
}
