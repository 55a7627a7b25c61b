//! Names of CUDA that a tree gives a meaning of its own, and their uses in other files.

use crate::common::Tree;

/// A class whose members a macro makes of CUDA's functions, to load them by name.
#[test]
fn members_that_a_macro_makes_change_with_their_uses() {
    let module = "#include <cusparse.h>\n#define MEMBER(NAME) decltype(&::NAME) NAME = load<decltype(&::NAME)>(#NAME)\ntemplate <class T> T load(const char *);\nstruct Sparse {\n    MEMBER(cusparseDestroy);\n};\nSparse &sparse();\n";
    let main = "#include \"module.h\"\nvoid end(cusparseHandle_t h, Sparse *other, struct Mine &mine) { sparse().cusparseDestroy(h); other->cusparseDestroy(h); mine.cusparseCreate(h); }\n";
    let tree = Tree::new(&[("src/module.h", module), ("src/main.cpp", main)]);
    assert!(tree.run(&["src", "out"]).code < 2);
    let module = tree.read("out/module.h");
    assert!(module.contains("MEMBER(hipsparseDestroy);"), "{module}");
    let main = tree.read("out/main.cpp");
    for expected in [
        "sparse().hipsparseDestroy(h)",
        "other->hipsparseDestroy(h)",
        "mine.cusparseCreate(h)",
    ] {
        assert!(main.contains(expected), "{expected}: {main}");
    }
}

/// A namespace called like CUB inside one of the project's stays; CUB itself, wrapped in one, is hipCUB.
#[test]
fn a_namespace_inside_the_projects_is_no_cub() {
    let tree = Tree::new(&[
        (
            "src/sort.h",
            "namespace mine { namespace cub { template <class T> struct Sort {}; } }\n",
        ),
        (
            "src/a.cu",
            "#include <cub/cub.cuh>\n#include \"sort.h\"\nnamespace mine { void f() { cub::Sort<int> s; } }\nvoid g() { mine::cub::Sort<int> s; typedef cub::BlockReduce<int, 64> R; typedef wrapped::cub::BlockReduce<int, 64> W; }\n",
        ),
    ]);
    let done = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(
        done.out.contains("`wrapped::cub` is CUB in a namespace"),
        "{}",
        done.out
    );
    assert!(!done.out.contains("`mine::cub` is CUB"), "{}", done.out);
    assert!(tree.run(&["src", "out"]).code < 2);
    let out = tree.read("out/a.cu");
    for expected in [
        "{ cub::Sort<int> s; }",
        "mine::cub::Sort",
        "typedef hipcub::BlockReduce<int, 64> R",
        "typedef hipcub::BlockReduce<int, 64> W",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
}

#[test]
fn definitions_of_two_files_that_become_the_same_are_found() {
    let tree = Tree::new(&[
        (
            "src/a.h",
            "#pragma once\n#include <cuda.h>\ninline int text(CUresult e) { return 1; }\ninline int text(CUstream s) { return 2; }\n",
        ),
        (
            "src/b.h",
            "#pragma once\n#include \"a.h\"\ninline int text(cudaError_t e) { return 3; }\ninline int text(cudaEvent_t e) { return 4; }\n",
        ),
        (
            "src/c.cu",
            "#include \"b.h\"\nint main() { return text(cudaFree(0)); }\n",
        ),
    ]);
    let found = tree.run(&["check", "src"]);
    let expected = "src/b.h:3:12: error[CASS611]: on AMD this redefines `text` of a.h:3: the parameter types are the same";
    assert!(found.out.contains(expected), "{}", found.out);
    assert_eq!(found.out.matches("CASS611").count(), 1, "{}", found.out);
}

/// Nobody ports a copy of CUB or CUTLASS: it stays for NVIDIA, and what is included from it comes from AMD's library, or is an error.
#[test]
fn copies_of_nvidias_libraries_stay() {
    const CUB: &str = "#pragma once\n#include <cuda_runtime.h>\nnamespace cub { inline cudaError_t f() { asm(\"bar.sync 1, 64;\"); return cudaFree(0); } }\n";
    let files = [
        ("src/3rdparty/cub/cub.cuh", CUB),
        ("src/3rdparty/cub/util_type.cuh", CUB),
        ("src/3rdparty/cub/util_ptx.cuh", CUB),
        ("src/deps/cutlass/include/cutlass/cutlass.h", CUB),
        ("src/deps/cutlass/include/cutlass/numeric_types.h", CUB),
        ("src/deps/cutlass/examples/a.cu", CUB),
        (
            "src/a.cu",
            "#include \"3rdparty/cub/cub.cuh\"\nvoid f() { cub::BlockReduce<int, 64> r; }\n",
        ),
        (
            "src/b.cu",
            "#include <cutlass/cutlass.h>\n#include \"3rdparty/cub/util_own.cuh\"\nvoid f() { cudaFree(0); }\n",
        ),
        ("src/3rdparty/cub/util_own.cuh", CUB),
    ];
    let tree = Tree::new(&files);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    for (path, text) in &files[..6] {
        assert_eq!(&tree.read(&path.replacen("src", "out", 1)), text);
    }
    assert_eq!(
        tree.read("out/a.cu"),
        "#include \"hipcub/hipcub.hpp\"\nvoid f() { hipcub::BlockReduce<int, 64> r; }\n"
    );
    assert!(tree.read("out/b.cu").contains("hipFree(0)"));
    let checked = tree.run(&["check", "src", "--output-format", "concise"]);
    let errors: Vec<&str> = checked
        .out
        .lines()
        .filter(|it| it.contains("error"))
        .collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    for (line, error) in errors.iter().zip(1..=2) {
        assert!(line.contains(&format!("b.cu:{error}:1")), "{errors:?}");
        assert!(line.contains("CASS008"), "{errors:?}");
    }
    assert!(!checked.out.contains("CASS301"), "{}", checked.out);
}

/// In an extension of PyTorch a copy of CUB stays as it is too, and AMD's build takes its own library.
#[test]
fn an_extensions_copies_of_nvidias_libraries_stay() {
    const CUB: &str = "#pragma once\n#include <cuda_runtime.h>\nnamespace cub { inline cudaError_t f() { asm(\"bar.sync 1, 64;\"); return cudaFree(0); } }\n";
    let tree = Tree::new(&[
        (
            "src/setup.py",
            "from torch.utils.cpp_extension import CUDAExtension\n",
        ),
        ("src/3rdparty/cub/cub.cuh", CUB),
        ("src/3rdparty/cub/util_type.cuh", CUB),
        ("src/3rdparty/cub/util_ptx.cuh", CUB),
        ("src/3rdparty/cub/util_own.cuh", CUB),
        (
            "src/a.cu",
            "#include <torch/extension.h>\n#include \"3rdparty/cub/cub.cuh\"\nvoid f() { cub::BlockReduce<int, 64> r; }\n",
        ),
        (
            "src/b.cu",
            "#include <torch/extension.h>\n#include \"3rdparty/cub/util_own.cuh\"\nvoid f() { cudaFree(0); }\n",
        ),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert_eq!(tree.read("out/3rdparty/cub/cub.cuh"), CUB);
    let port = tree.read("out/a.cu");
    // PyTorch's build makes hipCUB's header of it, by its full text alone.
    let guarded = "#ifdef USE_ROCM\n#include \"cub/cub.cuh\"\n#else\n#include \"3rdparty/cub/cub.cuh\"\n#endif\n";
    assert!(port.contains(guarded), "{port}");
    let checked = tree.run(&["check", "src", "--output-format", "concise"]);
    let errors: Vec<&str> = checked
        .out
        .lines()
        .filter(|it| it.contains("error"))
        .collect();
    assert!(
        errors.len() == 1 && errors[0].contains("b.cu:2:1") && errors[0].contains("CASS008"),
        "{errors:?}"
    );
}

/// What a tree has a copy of belongs to the tree, under the names of the library: `cudf::` of a few headers that somebody took along.
#[test]
fn a_copied_library_is_the_projects_own() {
    let header = "#pragma once\nnamespace cudf {\nnamespace detail {\ntemplate <typename T> __device__ T unwrap(T value) { return value; }\n}\n}\n";
    let kernel = "#include <cudf/detail/unwrap.hpp>\n__global__ void k(int *p) { p[0] = cudf::detail::unwrap(p[1]); }\n";
    let tree = Tree::new(&[
        ("src/3rdparty/cudf/detail/unwrap.hpp", header),
        ("src/k.cu", kernel),
    ]);
    let found = tree.run(&["check", "src", "--output-format", "concise"]);
    assert!(!found.out.contains("cudf"), "{}", found.out);
}

/// A header that the build makes from a template in another folder is the project's own, although a product has its name.
#[test]
fn a_header_that_the_build_makes_is_the_projects_own() {
    let header =
        "#include <cuda_runtime.h>\n#include <cvcuda/VersionDef.h>\nvoid f() { cudaFree(0); }\n";
    let template = "#define CVCUDA_VERSION @VERSION@\n";
    let told = |files: &[(&str, &str)]| {
        let done = Tree::new(files).run(&["check", "lib", "--output-format", "concise"]);
        done.out.contains("`cvcuda/VersionDef.h`")
    };
    let header = ("lib/include/cvcuda/Version.h", header);
    assert!(told(&[header]));
    assert!(told(&[header, ("lib/cmake/Other.h.in", template)]));
    assert!(!told(&[header, ("lib/cmake/VersionDef.h.in", template)]));
    assert!(!told(&[
        header,
        ("lib/include/cvcuda/VersionDef.h.in", template)
    ]));
}

/// A header without a name of CUDA that specialises a template for the device, by a macro that another header of the tree defines.
#[test]
fn macros_of_a_tree_put_templates_on_the_device() {
    let base = "#include <cuda_runtime.h>\n#ifdef _MSC_VER\n#define FAST __forceinline\n#else\n#define FAST inline __attribute__((always_inline))\n#endif\n#ifdef __CUDACC__\n#define ON_BOTH FAST __device__ __host__\n#else\n#define ON_BOTH FAST\n#endif\n";
    let helper =
        "template<typename T>\nT least();\ntemplate<>\nON_BOTH float least() { return 1e-30f; }\n";
    let plain =
        "template<typename T>\nT most();\ntemplate<>\ninline float most() { return 1e30f; }\n";
    let tree = Tree::new(&[
        ("src/base.h", base),
        ("src/helper.h", helper),
        ("src/plain.h", plain),
    ]);
    assert!(tree.run(&["src", "out"]).code < 2);
    let found = tree.read("out/helper.h");
    assert_eq!(found, helper.replace("\nT least", "\nON_BOTH T least"));
    assert_eq!(tree.read("out/plain.h"), plain);
    // A second run over the result finds the same words everywhere.
    assert!(tree.run(&["out", "again"]).code < 2);
    assert_eq!(tree.read("again/helper.h"), found);
}

/// In CUDA objects of textures and surfaces are one number, and which of them a member holds is seen where it is made.
#[test]
fn members_get_the_type_of_the_object_that_another_file_makes_in_them() {
    let header = "#include <cuda_runtime.h>\nstruct Plane {\n    cudaSurfaceObject_t tex;\n};\n";
    let source = "#include \"plane.h\"\nvoid make(Plane &plane, cudaResourceDesc *of, cudaTextureDesc *how) {\n    cudaCreateTextureObject(&plane.tex, of, how, nullptr);\n}\n";
    let files = [("src/plane.h", header), ("src/make.cu", source)];
    let tree = Tree::new(&files);
    assert!(tree.run(&["src", "out"]).code < 2);
    assert!(
        tree.read("out/plane.h")
            .contains("    hipTextureObject_t tex;")
    );
    // PyTorch's build renames what is written.
    let tree = Tree::new(&files);
    assert!(tree.run(&["src", "out", "--dialect", "torch"]).code < 2);
    assert!(
        tree.read("out/plane.h")
            .contains("    cudaTextureObject_t tex;")
    );
}

/// A macro that makes members of its arguments says nothing of one with its name in another program of the tree.
#[test]
fn macros_of_one_name_make_members_where_their_own_file_is_read() {
    let table = "#include <cuda.h>\n#include \"table.h\"\n#define CHECK(call) (table->call)\nint f(struct table *table) { return CHECK(cuInit(0)); }\n";
    let plain = "#include <cuda_runtime.h>\n#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)\nint h(void **p) { CHECK(cudaMalloc(p, 4)); return 0; }\n";
    let shared = "#pragma once\n#define ALL(call) if ((call) != cudaSuccess) return 1\n";
    let user = "#include <cuda_runtime.h>\n#include \"shared.h\"\nint k(void *p) { ALL(cudaFree(p)); return 0; }\n";
    let other =
        "#define ALL(call) table->call\nint f() { return ALL(load(1)); }\ncudaError_t g();\n";
    let tree = Tree::new(&[
        ("src/a/a.cu", table),
        ("src/b/b.cu", plain),
        ("src/c/shared.h", shared),
        ("src/c/c.cu", user),
        ("src/d/d.cu", other),
    ]);
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    assert!(tree.read("out/a/a.cu").contains("CHECK(cuInit(0))"));
    assert!(tree.read("out/b/b.cu").contains("CHECK(hipMalloc(p, 4))"));
    assert!(tree.read("out/c/c.cu").contains("ALL(hipFree(p))"));
}
