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
