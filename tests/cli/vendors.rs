//! `--vendors`: whom the result serves. With `both` each edit is neutral, guarded, or a finding, in whatever a tree is written in.

use crate::common::Tree;
use crate::common::rocm::{Compiler, required_folder};

const SHUFFLE: &str = "extern \"C\" __global__ void f(float *x) { x[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 1); }";

/// One file of each kind in which a translation for AMD alone would lose CUDA, and which stays for both.
fn kept() -> Vec<(&'static str, String)> {
    let rtc = format!(
        "#include <nvrtc.h>\nstatic const char *kernel = R\"({SHUFFLE})\";\nvoid compile(nvrtcProgram *p) {{ nvrtcCreateProgram(p, kernel, \"k.cu\", 0, 0, 0); }}\n"
    );
    vec![
        ("src/rtc.cpp", rtc),
        (
            "py/raw.py",
            format!("import cupy\nk = cupy.RawKernel(r'''{SHUFFLE}''', 'f', options=('--use_fast_math',))\n"),
        ),
        (
            "py/module.py",
            format!("import pycuda.autoinit\nfrom pycuda.compiler import SourceModule\nm = SourceModule(r'''{SHUFFLE}''')\n"),
        ),
        (
            "py/device.py",
            "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[cuda.grid(1)] = cuda.shfl_down_sync(0xffffffff, x[0], 1)\n".to_owned(),
        ),
        ("build.sh", "#!/bin/bash\nnvcc -arch=sm_80 -o k src/k.cu -lcublas\n".to_owned()),
        (
            "Dockerfile",
            "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nRUN nvcc -o k src/k.cu\n".to_owned(),
        ),
    ]
}

const KERNEL: &str = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include \"k.h\"\n__global__ void k(float *x) {\n  x[0] = __shfl_down_sync(0xffffffff, x[0], 1);\n  asm volatile(\"membar.gl;\");\n}\nint run(float *x, cudaStream_t s) {\n  k<<<1, 32, 0, s>>>(x);\n  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);\n  cublasHandle_t h;\n  float a = 1;\n  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &a, x, CUDA_R_32F, 1, x, CUDA_R_32F, 1, &a, x, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);\n  return cublasCreate(&h) != CUBLAS_STATUS_SUCCESS || cudaGetLastError() != cudaSuccess;\n}\n";

fn tree() -> Tree {
    let tree = Tree::new(&[
        (
            "in/CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CXX CUDA)\nadd_library(x src/k.cu)\ntarget_link_libraries(x PUBLIC cublas)\n",
        ),
        (
            "in/Makefile",
            "k: src/k.cu\n\tnvcc -arch=sm_80 -o k src/k.cu -lcublas\n",
        ),
        ("in/src/k.cu", KERNEL),
        (
            "in/src/k.h",
            "#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\nHD inline int twice(int x) { return 2 * x; }\n",
        ),
        (
            "in/py/plain.py",
            "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[cuda.grid(1)] = 1\n",
        ),
    ]);
    for (path, text) in kept() {
        tree.write(&format!("in/{path}"), text.as_bytes());
    }
    tree
}

#[test]
fn what_serves_both_keeps_what_nvidia_reads() {
    let tree = tree();
    let done = tree.run(&["in", "out", "--vendors", "both"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("vendors: both, in later runs too;"),
        "{}",
        done.out
    );
    let kernel = tree.read("out/src/k.cu");
    // All that is gone from a source is what a helper or a cast stands for, or what a guard repeats.
    for line in KERNEL.lines() {
        let neutral = line
            .replace("__shfl_down_sync", "cass_shfl_down_sync")
            .replace(
                "Attribute(k,",
                "Attribute(reinterpret_cast<const void*>(k),",
            );
        assert!(kernel.contains(&neutral), "{line}\n---\n{kernel}");
    }
    assert!(
        kernel.contains("#ifdef USE_ROCM\n  __threadfence();\n#else\n  asm volatile"),
        "{kernel}"
    );
    assert!(!kernel.contains("<hip/"), "{kernel}");
    // In the header for all files it would need the arguments of each call: here it has those of this one.
    let own = "#ifdef USE_ROCM\n#define cublasGemmEx hipblasGemmEx\n#endif\n";
    assert!(kernel.contains(own), "{kernel}");
    let shim = tree.read("out/cass_hip/cass_cuda_shim.h");
    assert!(!shim.contains("#define cublasGemmEx"), "{shim}");
    for (path, said) in [
        ("CMakeLists.txt", "set(GPU_LANGUAGE CUDA)"),
        ("CMakeLists.txt", "target_link_libraries(x PUBLIC cublas)"),
        ("Makefile", "\tnvcc -arch=sm_80 -o k src/k.cu -lcublas\n"),
        ("src/k.h", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
        (
            "py/plain.py",
            "from numba import cuda\ntry:\n    from numba import hip as cuda\n",
        ),
    ] {
        let text = tree.read(&format!("out/{path}"));
        assert!(text.contains(said), "{path}: {text}");
    }
    tree.run(&["out", "again", "--vendors", "both"]);
    for path in ["src/k.cu", "CMakeLists.txt", "Makefile", "py/plain.py"] {
        let (first, second) = (
            tree.read(&format!("out/{path}")),
            tree.read(&format!("again/{path}")),
        );
        assert_eq!(first, second, "{path}");
    }
}

#[test]
fn what_can_be_neither_neutral_nor_guarded_is_told_and_stays() {
    let tree = tree();
    tree.run(&["in", "out", "--vendors", "both"]);
    let found = tree.run(&[
        "check",
        "in",
        "--vendors",
        "both",
        "--output-format",
        "concise",
    ]);
    assert_eq!(found.code, 1, "{}", found.out);
    for (path, text) in kept() {
        assert_eq!(tree.read(&format!("out/{path}")), text, "{path}");
        assert!(
            found.out.contains(&format!("in/{path}:")),
            "{path}: {}",
            found.out
        );
    }
}

/// The options by which the build files compile for AMD, and a source for the host beside the kernels.
#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn what_serves_both_compiles_for_amd() {
    let tree = tree();
    let host = "#include <cuda_runtime.h>\nint count() { int n = 0; return cudaGetDeviceCount(&n) == cudaErrorNoDevice ? 0 : n; }\n";
    tree.write("in/src/host.cpp", host.as_bytes());
    tree.run(&["in", "out", "--vendors", "both"]);
    let shim = tree.path("out/cass_hip");
    let header = shim.join("cass_cuda_shim.h");
    let options = [
        "-fsyntax-only".to_owned(),
        "-DUSE_ROCM".to_owned(),
        format!("-I{}", shim.display()),
        format!("--include={}", header.display()),
    ];
    let files = ["src/k.cu", "src/host.cpp"].map(|it| tree.path(&format!("out/{it}")));
    let compiled = Compiler::required().compile(&options, &files);
    assert!(compiled.ok, "{}", compiled.output);
}

/// nvcc makes the same code of the kernels as before.
#[test]
#[ignore = "needs nvcc and CUDA's headers: tests/torch/nvcc.sh DIR, CASS_NVCC=DIR; tests/cuda/setup.sh DIR, CASS_CUDA_INCLUDE=DIR/include"]
fn what_serves_both_is_the_same_to_nvcc() {
    let tree = tree();
    tree.run(&["in", "out", "--vendors", "both"]);
    let nvcc = required_folder("CASS_NVCC", "tests/torch/nvcc.sh");
    let headers = required_folder("CASS_CUDA_INCLUDE", "tests/cuda/setup.sh");
    let code = |side: &str| {
        let done = std::process::Command::new(nvcc.join("bin/nvcc"))
            .current_dir(tree.path(side))
            .args(["-arch=sm_80", "-ptx", "-o", "k.ptx", "src/k.cu", "-I"])
            .arg(nvcc.join("include/cccl"))
            .arg("-I")
            .arg(&headers)
            .output()
            .expect("nvcc runs");
        assert!(
            done.status.success(),
            "{side}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        let text = tree.read(&format!("{side}/k.ptx"));
        let lines = text.lines().filter(|line| !line.starts_with("//"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(code("in"), code("out"));
}

#[test]
fn the_older_word_means_the_same() {
    let tree = tree();
    tree.run(&["in", "out", "--vendors", "both"]);
    tree.run(&["in", "old", "--build", "dual"]);
    tree.write("in/cass.toml", b"[translate]\nbuild = \"dual\"\n");
    tree.run(&["in", "configured"]);
    for path in ["CMakeLists.txt", "Makefile", "src/k.cu", "src/rtc.cpp"] {
        let text = tree.read(&format!("out/{path}"));
        assert_eq!(tree.read(&format!("old/{path}")), text, "{path}");
        assert_eq!(tree.read(&format!("configured/{path}")), text, "{path}");
    }
}

/// What supports AMD already stays as it is for both as well.
#[test]
fn support_of_the_projects_own_goes_on_for_both() {
    let list =
        "project(x CXX)\noption(X_HIP \"\" OFF)\nif(X_HIP)\n  enable_language(HIP)\nendif()\n";
    let header = "#ifdef X_HIP\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaStream_t hipStream_t\n#define cudaStreamSynchronize hipStreamSynchronize\n#else\n#include <cuda_runtime.h>\n#endif\n";
    let source = "#include \"gpu.h\"\nvoid f(void *p, cudaStream_t s) { cudaStreamSynchronize(s); cudaFree(p); }\n";
    let tree = Tree::new(&[
        ("in/CMakeLists.txt", list),
        ("in/gpu.h", header),
        ("in/f.cpp", source),
    ]);
    let done = tree.run(&["in", "out", "--vendors", "both"]);
    assert!(done.out.contains("supports AMD already"), "{}", done.out);
    for (path, text) in [
        ("CMakeLists.txt", list),
        ("gpu.h", header),
        ("f.cpp", source),
    ] {
        assert_eq!(tree.read(&format!("out/{path}")), text, "{path}");
    }
}

const SETUP: &str = "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\nsetup(name='x', ext_modules=[CUDAExtension('x', ['csrc/k.cu', 'csrc/rtc.cpp'])], cmdclass={'build_ext': BuildExtension})\n";

fn extension() -> Tree {
    let kernel = "#include <torch/extension.h>\n__global__ void k(float *x) { x[0] = __shfl_xor_sync(0xffffffff, x[0], 1); }\n";
    let tree = Tree::new(&[("in/setup.py", SETUP), ("in/csrc/k.cu", kernel)]);
    for (path, text) in kept() {
        let file = path.rsplit('/').next().unwrap_or(path);
        match file {
            "rtc.cpp" => tree.write("in/csrc/rtc.cpp", text.as_bytes()),
            "raw.py" | "module.py" => tree.write(&format!("in/{file}"), text.as_bytes()),
            _ => {}
        }
    }
    tree
}

/// PyTorch's build serves both unasked: kernels that the program compiles when it runs go to either vendor's compiler.
#[test]
fn kernels_in_strings_of_an_extension_stay_and_are_told() {
    let tree = extension();
    tree.run(&["in", "out"]);
    let found = tree.run(&["check", "in", "--output-format", "concise"]);
    for file in ["csrc/rtc.cpp", "raw.py", "module.py"] {
        assert_eq!(
            tree.read(&format!("out/{file}")),
            tree.read(&format!("in/{file}")),
            "{file}"
        );
        let told = found
            .out
            .lines()
            .any(|line| line.starts_with(&format!("in/{file}:")));
        assert!(told, "{file}: {}", found.out);
    }
    assert!(tree.read("out/csrc/k.cu").contains("cass_shfl_xor_sync"));
}

#[test]
fn amd_alone_is_asked_for_by_the_same_word() {
    let tree = extension();
    let done = tree.run(&["in", "out", "--vendors", "amd"]);
    assert!(
        !done.out.contains("dialect torch") && !done.out.contains("vendors:"),
        "{}",
        done.out
    );
    let kernel = tree.read("out/csrc/k.cu");
    assert!(kernel.contains("__shfl_xor(x[0], 1, 32)"), "{kernel}");
    assert!(
        tree.read("out/csrc/rtc.cpp")
            .contains("hiprtcCreateProgram")
    );
}

const SERVED: &[&str] = &[
    "src/k.cu",
    "src/k.h",
    "CMakeLists.txt",
    "Makefile",
    "cass_hip/cass_cuda_shim.h",
];

fn served(tree: &Tree, root: &str) -> Vec<String> {
    let files = SERVED.iter();
    files
        .map(|path| tree.read(&format!("{root}/{path}")))
        .collect()
}

#[test]
fn a_later_run_without_the_option_keeps_a_tree_for_both() {
    let tree = tree();
    tree.run(&["--in-place", "--vendors", "both", "in"]);
    let after_first = served(&tree, "in");
    for source in ["in", "in/src", "in/src/k.cu"] {
        tree.run(&["--in-place", source]);
        assert_eq!(
            served(&tree, "in"),
            after_first,
            "{source}: NVIDIA's build goes on to work"
        );
    }
    // Unless a person says so.
    tree.run(&[
        "--in-place",
        "--vendors",
        "amd",
        "--hip-support",
        "ignore",
        "in",
    ]);
    assert!(tree.read("in/src/k.cu").contains("hipblasCreate"));
}

#[test]
fn a_later_run_into_a_folder_for_both_keeps_it() {
    let tree = tree();
    tree.run(&["--vendors", "both", "in", "out"]);
    let after_first = served(&tree, "out");
    tree.run(&["in", "out"]);
    assert_eq!(served(&tree, "out"), after_first);
}

#[test]
fn check_of_a_port_for_both_fails_only_for_what_is_left() {
    let tree = Tree::new(&[
        (
            "p/a.cu",
            "#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n",
        ),
        (
            "p/CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CXX CUDA)\nadd_library(x a.cu)\n",
        ),
        ("p/Makefile", "a.o: a.cu\n\tnvcc -c a.cu -o a.o\n"),
    ]);
    tree.run(&[
        "--in-place",
        "--vendors",
        "both",
        "--report",
        "markdown=port.md",
        "p",
    ]);
    let report = tree.read("port.md");
    assert!(report.contains("`make USE_HIP=1`"), "{report}");
    let done = tree.run(&["check", "p"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

/// A hook names files one by one.
#[test]
fn what_holds_for_all_files_is_said_once() {
    let list = "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\nadd_library(a a.cu)\n";
    let tree = Tree::new(&[
        ("CMakeLists.txt", list),
        ("sub/CMakeLists.txt", list),
        ("a.cu", crate::common::SAFE),
    ]);
    let done = tree.run(&["check", "CMakeLists.txt", "sub/CMakeLists.txt", "a.cu"]);
    let said = done.out + &done.err;
    assert_eq!(said.matches("vendors: build files").count(), 1, "{said}");
}

/// Names that stand nowhere whole, and namespaces, have their lines in the header of names as well.
#[test]
fn names_that_macros_make_are_in_the_header() {
    let tree = Tree::new(&[
        (
            "in/k.cu",
            "#include <cuda_runtime.h>\n#include <thrust/sort.h>\n#define COPY(way) cudaMemcpy##way\n#define JOIN(a, b) a##b\nvoid f(void *a, void *b, int *c, cudaStream_t s) {\n  cudaMemcpy(a, b, 4, COPY(HostToDevice));\n  JOIN(cuda, DeviceSynchronize)();\n  thrust::sort(thrust::cuda::par.on(s), c, c + 4);\n}\n",
        ),
        (
            "in/calls.h",
            "#include <cuda_runtime.h>\n#define CALL(name) check(cuda##name)\n",
        ),
    ]);
    let done = tree.run(&["in", "out", "--vendors", "both"]);
    assert_eq!(tree.read("out/k.cu"), tree.read("in/k.cu"));
    let names = tree.read("out/cass_hip/cass_cuda_shim.h");
    for line in [
        "#define cudaMemcpyHostToDevice hipMemcpyHostToDevice\n",
        "#define cudaDeviceSynchronize hipDeviceSynchronize\n",
        "namespace thrust { namespace cuda = ::thrust::hip; }\n",
    ] {
        assert!(names.contains(line), "{names}");
    }
    // What another file gives the macro nobody sees here.
    assert!(done.out.contains("1 warning"), "{}", done.out);
    let checked = tree.run(&["check", "in", "--vendors", "both"]);
    assert!(
        checked.out.contains("in/calls.h:2:26: warning[CASS011]"),
        "{}",
        checked.out
    );
}
