//! The drop-in nvcc beside PyTorch's headers.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::nvcc::Lab;

#[test]
fn pytorch_that_is_not_for_amd_is_named_and_its_headers_stay() {
    let unit = "#include <ATen/cuda/CUDAContext.h>\n#include <torch/extension.h>\n#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); }\n";
    let lab = Lab::new(&[("k.cu", unit), ("plain.cu", "int x;\n")]);
    let header =
        "#pragma once\n#include <cuda_runtime.h>\ninline void g() { cudaDeviceSynchronize(); }\n";
    lab.write("site/include/torch/extension.h", header);
    lab.write("site/include/c10/macros/Macros.h", "");
    let said = lab.nvcc("-I../site/include -c k.cu");
    assert!(
        said.contains("nvcc warning : 'k.cu': the PyTorch in ../site/include is not built for AMD"),
        "{said}"
    );
    assert!(!said.contains("CASS008"), "{said}");
    assert!(lab.seen("k.cu").unwrap().contains("hipDeviceSynchronize"));
    assert!(lab.seen("../site/include/torch/extension.h").is_none());
    assert!(!lab.has(&["-DUSE_ROCM=1"]));
    // A unit that includes none of it is a program's like any other.
    assert_eq!(lab.nvcc("-I../site/include -c plain.cu"), "");
    lab.write("site/include/c10/hip/HIPStream.h", "");
    assert_eq!(lab.nvcc("-I../site/include -c k.cu"), "");
    assert!(lab.has(&["-DUSE_ROCM=1"]));
}
