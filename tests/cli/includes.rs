//! Where includes of HIP's headers go in a tree: never where a build without ROCm, a namespace or a class would meet them.

use std::process::Command;

use crate::common::Tree;

const NET: &str = "#ifndef NET_H\n#define NET_H\n#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#endif\ntypedef struct { int layers; float *weights; } net;\n#endif\n";
const DEVICE: &str = "#ifndef DEVICE_H\n#define DEVICE_H\n#include \"net.h\"\n#ifdef WITH_GPU\nvoid check(cudaError_t status);\n#endif\n#endif\n";
const LAYERS: &str = "int layers(const net *n)\n{\n#ifdef WITH_GPU\n    cudaDeviceSynchronize();\n#endif\n    return n->layers;\n}\n";

/// Whether the host's compiler takes a file of a tree, without any header of CUDA or ROCm.
fn compiles(tree: &Tree, file: &str) -> bool {
    let mut compiler = Command::new("c++");
    compiler.args(["-fsyntax-only", "-x", "c++", "-nostdinc++", "-w"]);
    let status = compiler.arg(tree.path(file)).status();
    status.expect("a C++ compiler is installed").success()
}

#[test]
fn a_build_without_gpu_needs_no_rocm_after_translation() {
    let main = format!("#include \"device.h\"\n{LAYERS}");
    let alone = format!("#include \"plain.h\"\n{LAYERS}");
    let tree = Tree::new(&[
        ("src/net.h", NET),
        ("src/device.h", DEVICE),
        ("src/main.cpp", &main),
        ("src/plain.h", "typedef struct { int layers; } net;\n"),
        ("src/alone.cpp", &alone),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    for file in ["main.cpp", "alone.cpp"] {
        assert!(compiles(&tree, &format!("src/{file}")), "{file} before");
        let after = tree.read(&format!("out/{file}"));
        assert!(compiles(&tree, &format!("out/{file}")), "{file}: {after}");
    }
    let alone = tree.read("out/alone.cpp");
    assert!(
        alone.contains("#ifdef WITH_GPU\n#include <hip/hip_runtime.h>\n#endif\n"),
        "{alone}"
    );
}

/// A header of macros that the host reads too has the runtime header where only hipcc reads it.
#[test]
fn macros_for_nvcc_bring_the_runtime_header_to_it_alone() {
    let macros = "#pragma once\n#if defined(__CUDACC__)\n#define BOTH __host__ __device__ __forceinline__\n#else\n#define BOTH\n#endif\nstruct view { BOTH int *data() { return 0; } };\n";
    let kernel = "#include \"macros.h\"\n#include \"launch.h\"\n__global__ void k(view v) { v.data()[threadIdx.x] = 0; }\n";
    let tree = Tree::new(&[
        ("src/macros.h", macros),
        ("src/launch.h", "#pragma once\n#include <cuda_runtime.h>\n"),
        ("src/k.cu", kernel),
        (
            "src/main.cpp",
            "#include \"macros.h\"\nint main() { return view().data() != 0; }\n",
        ),
    ]);
    assert!(compiles(&tree, "src/main.cpp"));
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let after = tree.read("out/macros.h");
    let branch = "|| defined(__HIPCC__)\n#include <hip/hip_runtime.h>\n";
    assert!(after.contains(branch), "{after}");
    assert!(compiles(&tree, "out/main.cpp"), "{after}");
}

/// CUDA's types in the other branch of an include, and in a header that stands in the place of CUDA's, change with their uses.
#[test]
fn stand_ins_for_cudas_types_change_with_their_uses_and_need_no_rocm() {
    let device = "#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#else\n#include \"stub.h\"\ntypedef void *cudaStream_t;\n#define cudaMemcpyKind int\n#endif\n#ifndef WITH_GPU\nenum { cudaErrorNotReady = 600 };\n#endif\ncudaError_t sum(cudaStream_t, cudaMemcpyKind);\n";
    let main = "#include \"device.h\"\nint main() { return sum(0, cudaMemcpyKind()) == cudaErrorNotReady ? cudaSuccess : 1; }\n";
    let tree = Tree::new(&[
        ("src/device.h", device),
        (
            "src/stub.h",
            "typedef enum { cudaSuccess = 0 } cudaError_t;\n",
        ),
        ("src/main.cpp", main),
    ]);
    assert!(compiles(&tree, "src/main.cpp"));
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let device = tree.read("out/device.h");
    let main = tree.read("out/main.cpp");
    assert!(compiles(&tree, "out/main.cpp"), "{device}{main}");
    assert!(
        device.contains("hipError_t sum(hipStream_t, hipMemcpyKind);"),
        "{device}"
    );
    assert!(
        main.contains("== hipErrorNotReady ? hipSuccess : 1"),
        "{main}"
    );
}

/// A project that says itself what CUDA's driver has, to load it by name, meets none of HIP's headers.
#[test]
fn types_of_cuda_that_a_project_makes_itself_are_its_own() {
    let driver = "typedef enum error_tag { CUDA_SUCCESS = 0 } CUresult;\ntypedef struct CUctx_st *CUcontext;\nstruct driver { CUresult (*cuInit)(unsigned); void *cuGetProcAddress; };\nextern CUresult (*cuDriverGetVersion)(int *);\n";
    let main = "#include \"driver.h\"\nCUcontext context;\nint main() { driver d = {}; return d.cuInit(0) == CUDA_SUCCESS && cuDriverGetVersion(0) == CUDA_SUCCESS && d.cuGetProcAddress; }\n";
    let tree = Tree::new(&[("src/driver.h", driver), ("src/main.cpp", main)]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/driver.h"), driver);
    assert_eq!(tree.read("out/main.cpp"), main);
}

#[test]
fn a_header_that_brings_hip_under_the_same_condition_is_enough() {
    let tree = Tree::new(&[("src/net.h", NET), ("src/device.h", DEVICE)]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let device = tree.read("out/device.h");
    assert!(!device.contains("hip_runtime"), "{device}");
    assert!(device.contains("hipError_t"), "{device}");
}

#[test]
fn what_is_included_inside_a_namespace_gets_no_include_and_its_includer_does() {
    let fragment = "static __device__ unsigned lane() { unsigned id; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(id)); return id; }\n";
    let tree = Tree::new(&[
        ("src/lane.inl", fragment),
        (
            "src/k.cu",
            "#include <cuda_runtime.h>\nnamespace a {\n#include \"lane.inl\"\n__global__ void k(unsigned *p) { *p = lane(); }\n}\n",
        ),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let fragment = tree.read("out/lane.inl");
    assert!(fragment.contains("cass_lane_id"), "{fragment}");
    assert!(!fragment.contains("#include"), "{fragment}");
    let kernel = tree.read("out/k.cu");
    let helper = kernel.find("#include \"cass_hip_compat.hpp\"");
    assert!(helper < kernel.find("namespace a"), "{kernel}");
    assert!(helper.is_some(), "{kernel}");
}

/// A header whose macros alone name CUDA is read by a library for the host too, which is built without ROCm.
#[test]
fn macros_bring_no_header_into_files_for_the_host() {
    let header = "#pragma once\n#define REAL float\n#define CHECK(call) if (cudaError_t e = call) fail(cudaGetErrorString(e))\n";
    let cuda = "#include \"../defs.h\"\n__global__ void k(REAL *p) { *p = 1; }\nvoid f() { CHECK(cudaFree(0)); }\n";
    let tree = |host: &str| {
        let tree = Tree::new(&[
            ("src/defs.h", header),
            ("src/gpu/a.cu", cuda),
            ("src/cpu/b.cpp", host),
        ]);
        assert_eq!(tree.run(&["src", "out"]).code, 0);
        tree
    };
    let apart = tree("#include \"../defs.h\"\nREAL g() { return 1; }\n");
    assert!(
        !apart.read("out/defs.h").contains("#include"),
        "{}",
        apart.read("out/defs.h")
    );
    assert!(
        apart
            .read("out/gpu/a.cu")
            .starts_with("#include <hip/hip_runtime.h>")
    );
    let alone = tree("int g() { return 1; }\n");
    assert!(
        alone
            .read("out/defs.h")
            .contains("#include <hip/hip_runtime.h>")
    );
}

/// CMake gives `.cpp` files to the compiler of the host, which does not take these headers of AMD's.
#[test]
fn a_header_that_only_hipcc_takes_is_told_where_cmake_builds_for_the_host() {
    let sources = [
        (
            "src/types.h",
            "#pragma once\n#include <cuda_bf16.h>\nstruct Row { __nv_bfloat16 first; };\n",
        ),
        (
            "src/main.cpp",
            "#include \"types.h\"\nint main() { return 0; }\n",
        ),
        (
            "src/kernel.cu",
            "#include \"types.h\"\n__global__ void k(Row *row) {}\n",
        ),
    ];
    let list = |languages: &str| {
        format!(
            "cmake_minimum_required(VERSION 3.20)\nproject(rows LANGUAGES {languages})\nadd_executable(rows main.cpp kernel.cu)\n"
        )
    };
    let found = |languages: &str| {
        let tree = Tree::new(&sources);
        if !languages.is_empty() {
            tree.write("src/CMakeLists.txt", list(languages).as_bytes());
        }
        let done = tree.run(&["check", "src", "--output-format", "concise"]);
        let lines = done.out.lines().filter(|line| line.contains("CASS651"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let told = found("CXX");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("src/types.h:2:"), "{told:?}");
    assert!(told[0].contains("main.cpp"), "{told:?}");
    // Of a Makefile's rules nobody knows the compiler: hipcc takes them.
    assert_eq!(found(""), Vec::<String>::new());
    // The list that enables the language makes it a source of HIP, in a build for both vendors as well.
    assert_eq!(found("CXX CUDA"), Vec::<String>::new());
    for vendors in ["amd", "both"] {
        let tree = Tree::new(&sources);
        tree.write("src/CMakeLists.txt", list("CXX CUDA").as_bytes());
        assert_eq!(tree.run(&["src", "out", "--vendors", vendors]).code, 0);
        let list = tree.read("out/CMakeLists.txt");
        let (_, named) = list
            .split_once("set(cass_sources_for_hipcc\n")
            .unwrap_or_else(|| panic!("{list}"));
        let mut lines = named.lines().map(str::trim);
        assert_eq!(
            lines.next(),
            Some("\"${CMAKE_CURRENT_SOURCE_DIR}/main.cpp\"")
        );
        assert_eq!(lines.next(), Some(")"), "{list}");
    }
}

/// A header without a word of CUDA that defines what the one around it declares for the device: to clang both say where it runs.
#[test]
fn a_definition_in_a_plain_header_says_where_it_runs() {
    let view = "#pragma once\n#include \"types.h\"\nclass View {\n public:\n  __host__ __device__ View(float u, int w);\n  __host__ __device__ bool sees(const Point& p, const int w = 1) const;\n  __host__ float area() const;\n  float u_;\n  int w_;\n};\n#include \"view_impl.h\"\n";
    let body = "#pragma once\nView::View(float u, int w) : u_(u), w_(w) {}\ninline bool View::sees(const geo::Point& p, int w) const { return p.x < w_ + w; }\n";
    let tree = Tree::new(&[
        (
            "src/types.h",
            "#pragma once\n#include <cuda_runtime.h>\nnamespace geo { struct Point { int x; }; }\nusing geo::Point;\n",
        ),
        ("src/view.h", view),
        ("src/view_impl.h", body),
        (
            "src/area.cpp",
            "#include \"view.h\"\nfloat View::area() const { return u_; }\n",
        ),
        (
            "src/k.cu",
            "#include \"view.h\"\n__global__ void k(View v, geo::Point p, bool *seen) { *seen = v.sees(p); }\n",
        ),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let after = tree.read("out/view_impl.h");
    let written = body
        .replace("\nView::", "\n__host__ __device__ View::")
        .replace("inline bool", "__host__ __device__ inline bool");
    assert_eq!(after, written);
    assert_eq!(tree.read("out/area.cpp"), tree.read("src/area.cpp"));
}

/// A header that declares and defines for the device by a macro of another one, and has no word of CUDA itself.
#[test]
fn a_definition_says_what_the_macro_of_its_declaration_says() {
    let words = "#pragma once\n#include <cuda_runtime.h>\n#ifdef __CUDACC__\n#define BOTH inline __host__ __device__\n#else\n#define BOTH inline\n#endif\n";
    let vector = "#pragma once\n#include \"words.h\"\nstruct Vector {\n  float x;\n  BOTH Vector twice(const Vector& other) const;\n};\nVector Vector::twice(const Vector& other) const { return {2 * other.x}; }\n";
    let tree = Tree::new(&[
        ("src/words.h", words),
        ("src/vector.h", vector),
        (
            "src/k.cu",
            "#include \"vector.h\"\n__global__ void k(Vector *v) { v[0] = v[1].twice(v[2]); }\n",
        ),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let written = vector.replace("\nVector Vector", "\nBOTH Vector Vector");
    assert_eq!(tree.read("out/vector.h"), written);
}

/// Before a `.cu` file nvcc reads its own header, so that nothing of it comes within the braces; that file has no name of CUDA.
#[test]
fn what_comes_in_braces_comes_in_front_of_them() {
    let layer = "#pragma once\n#ifdef __NVCC__\n#include <cuda_runtime.h>\n#endif\nvoid *take(unsigned size);\n";
    let make =
        "/* made */\nextern \"C\" {\n#include \"layer.h\"\n}\nvoid *make() { return take(4); }\n";
    let behind = format!("#include \"layer.h\"\n{make}");
    let tree = Tree::new(&[
        ("src/layer.h", layer),
        ("src/make.cu", make),
        ("src/host.cpp", make),
        ("src/behind.cu", &behind),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let after = tree.read("out/make.cu");
    let (header, braces) = (after.find("<hip/hip_runtime.h>"), after.find("extern"));
    assert!(header.is_some() && header < braces, "{after}");
    assert_eq!(tree.read("out/host.cpp"), make);
    assert_eq!(tree.read("out/behind.cu"), behind);
    assert_eq!(tree.run(&["out", "again"]).code, 0);
    for file in ["make.cu", "behind.cu"] {
        let (once, twice) = (
            tree.read(&format!("out/{file}")),
            tree.read(&format!("again/{file}")),
        );
        assert_eq!(once, twice, "{file}");
    }
}

/// nvcc has read its runtime header before a header that names CUDA's vector types without including anything.
#[test]
fn vector_types_of_a_plain_header_come_behind_the_runtime_header() {
    let vectors = "#pragma once\ntemplate <class T> struct traits;\ntemplate <> struct traits<float4> { static const int lanes = 4; };\n";
    let kernel = "#include \"vectors.h\"\n#include <cuda_runtime.h>\n__global__ void k(int *p) { p[0] = traits<float4>::lanes; }\n";
    let tree = Tree::new(&[("src/vectors.h", vectors), ("src/k.cu", kernel)]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let after = tree.read("out/k.cu");
    assert!(
        after.starts_with("#include <hip/hip_runtime.h>\n#include \"vectors.h\"\n"),
        "{after}"
    );
    assert_eq!(tree.read("out/vectors.h"), vectors);
    assert_eq!(tree.run(&["out", "again"]).code, 0);
    assert_eq!(tree.read("again/k.cu"), after);
}
