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
