//! Headers of libcu++ that nothing needs.

use crate::common::Tree;

/// A header goes where no unit that comes to it says `cuda::`; whom another header of the unit asks for it keeps it.
#[test]
fn a_header_of_libcu_goes_where_no_unit_says_its_names() {
    let header =
        "#pragma once\n#include <cuda/pipeline>\n__device__ inline int one() { return 1; }\n";
    let plain = "#include \"a.cuh\"\n__global__ void k(int *x) { *x = one(); }\n";
    let naming = "#include \"b.cuh\"\n__global__ void k(int *x) { cuda::pipeline<cuda::thread_scope_thread> p; *x = one(); }\n";
    let tree = Tree::new(&[
        ("src/a.cuh", header),
        ("src/a.cu", plain),
        ("src/b.cuh", header),
        ("src/b.cu", naming),
        ("src/alone.cuh", header),
    ]);
    tree.run(&["src", "out"]);
    for (path, keeps) in [("a", false), ("b", true), ("alone", true)] {
        let text = tree.read(&format!("out/{path}.cuh"));
        assert_eq!(text.contains("cuda/pipeline"), keeps, "{path}: {text}");
    }
}

/// A benchmark that has the headers which it needs itself keeps no trait of the library's from AMD.
#[test]
fn what_a_trait_says_does_not_wait_for_who_has_the_headers() {
    let traits = "#pragma once\n#include <cuda/std/type_traits>\ntemplate <typename T> __device__ bool whole() { return cuda::std::is_integral<T>::value; }\n";
    let handed_on = "#pragma once\n#include <cuda/std/type_traits>\ntemplate <typename T> using Whole = cuda::std::is_integral<T>;\n";
    let timed = "#include <cuda/std/chrono>\n#include \"traits.cuh\"\n#include \"tags.cuh\"\n__global__ void k(bool *x) { *x = whole<int>() && cuda::std::chrono::high_resolution_clock::now().time_since_epoch().count(); }\n";
    let tree = Tree::new(&[
        ("src/traits.cuh", traits),
        ("src/tags.cuh", handed_on),
        ("src/a.cu", timed),
    ]);
    tree.run(&["src", "out"]);
    let text = tree.read("out/traits.cuh");
    assert!(text.contains("return std::is_integral<T>::value"), "{text}");
    assert!(text.contains("#include <type_traits>"), "{text}");
    let text = tree.read("out/tags.cuh");
    assert!(text.contains("cuda::std::is_integral"), "{text}");
}

/// `std` has no limits of halves, and gives 0 for them: a tree with halves keeps those of a type that may be one.
#[test]
fn limits_of_any_type_wait_for_halves() {
    let limits = "#include <cuda/std/limits>\ntemplate <typename T> __device__ T most() { return cuda::std::numeric_limits<T>::max(); }\n__global__ void k(float *x) { *x = most<float>(); }\n";
    let halves =
        "#include <cuda_fp16.h>\n__global__ void h(__half *x) { *x = __float2half(1.0f); }\n";
    for (tree, is_std) in [
        (Tree::new(&[("src/a.cu", limits)]), true),
        (
            Tree::new(&[("src/a.cu", limits), ("src/h.cu", halves)]),
            false,
        ),
    ] {
        tree.run(&["src", "out"]);
        let text = tree.read("out/a.cu");
        assert_eq!(
            text.contains("return std::numeric_limits<T>"),
            is_std,
            "{text}"
        );
    }
}

/// A tree may have a namespace `cuda` of its own, and names of libcu++ beside it.
#[test]
fn names_of_the_library_are_told_beside_a_namespace_of_the_projects() {
    let own = "namespace mine { namespace cuda { void launch(); } }\n";
    let lock = "#include <cuda/std/semaphore>\nnamespace mine {\n__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);\nvoid f() { cuda::launch(); }\n}\n";
    let tree = Tree::new(&[("src/own.h", own), ("src/lock.cu", lock)]);
    let shown = tree.run(&["check", "src", "--show", "info"]).out;
    assert!(shown.contains("`cuda::binary_semaphore`"), "{shown}");
    assert!(!shown.contains("cuda::launch` "), "{shown}");
    assert!(!shown.contains("is not needed"), "{shown}");
}
