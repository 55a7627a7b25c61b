//! A package of Python that has no backend for AMD: PyCUDA, cuda-python, and libraries of NVIDIA's.
//!
//! ## Why on AMD
//! PyCUDA calls the driver of CUDA and nvcc. The source in its strings is translated, so that it can move; the calls around it have to
//! become those of CuPy, whose `RawModule` compiles HIP on ROCm and whose arrays take the place of `GPUArray`, or of HIP Python.
//! cuda-python calls the same driver; HIP Python has a package with its modules. NVSHMEM, TensorRT, DALI, DeepGEMM, FlashAttention 3 and
//! CUTLASS with its CuTe DSL are NVIDIA's libraries or kernels for its chips alone.
//!
//! ## Example
//! ```python
//! from pycuda.compiler import SourceModule
//! ```
//!
//! ## When to ignore
//! When AMD never runs the file.
//!
//! ## Source
//! CuPy documentation, "Using CuPy on AMD GPU"; HIP Python documentation.

use crate::python::{Node, PyFile};
use crate::rules::prelude::*;

/// Reports the first import of each.
pub static RULE: Rule = Rule {
    code: "CASS666",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&[
            "pycuda",
            "cuda.bindings",
            "cuda.core",
            "nvshmem",
            "deep_gemm",
            "flash_attn_interface",
            "tensorrt",
            "import cutlass",
            "from cutlass",
            "nvidia.dali",
            "from cuda import",
            "import cuda.",
        ]],
        check,
    )],
};

/// Modules without a backend for AMD, what is said of them, and what to do.
const MODULES: &[(&str, &str, &str)] = &[
    (
        "pycuda",
        "PyCUDA has no backend for AMD",
        "move to cupy.RawModule, which takes the translated source, or to hip-python",
    ),
    (
        "cuda.bindings",
        CUDA_PYTHON,
        "install hip-python-as-cuda, which has cuda-python's modules on HIP, or move to hip-python",
    ),
    (
        "cuda.core",
        CUDA_PYTHON,
        "move to hip-python, which has HIP's functions by their names",
    ),
    (
        "nvshmem",
        "NVSHMEM is NVIDIA's",
        "use rocSHMEM or mori, which have other names, where torch.version.hip is set",
    ),
    (
        "deep_gemm",
        "DeepGEMM is built for Hopper and Blackwell alone",
        "choose another product of 8-bit matrices, such as AITER's, where torch.version.hip is set",
    ),
    (
        "flash_attn_interface",
        "FlashAttention 3 is built for Hopper alone",
        "import flash_attn, which has a backend for AMD, where torch.version.hip is set",
    ),
    (
        "tensorrt",
        "TensorRT is NVIDIA's",
        "use MIGraphX, or torch.compile, where torch.version.hip is set",
    ),
    (
        "cutlass",
        "CUTLASS's packages for Python compile for NVIDIA's GPUs alone",
        "choose a kernel of Triton, AITER or Composable Kernel where torch.version.hip is set",
    ),
    (
        "nvidia.dali",
        "DALI is NVIDIA's",
        "use rocAL, or the loaders of PyTorch",
    ),
];

/// What is said of cuda-python.
const CUDA_PYTHON: &str = "cuda-python calls NVIDIA's driver and runtime";

/// What `from cuda import …` and `import cuda.…` import of cuda-python before its release 12.6.
const OF_CUDA: &[&str] = &["cuda", "cudart", "nvrtc"];

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut told: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    for import in file.all(&["import_statement", "import_from_statement"]) {
        let found = imported(file, import)
            .into_iter()
            .find_map(|module| MODULES.iter().find(|(of, _, _)| is_within(&module, of)));
        let Some((_, message, help)) = found.filter(|(of, message, _)| {
            let is_theirs = *of == "pycuda" || is_open(file, import);
            is_theirs && !told.contains(message)
        }) else {
            continue;
        };
        told.push(message);
        findings.push(RULE.finding(file.range(import), *message).help(*help));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a module is one or lies below it.
fn is_within(module: &str, of: &str) -> bool {
    let rest = module.strip_prefix(of);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether nothing keeps an import from AMD, and the program ends where it fails.
fn is_open(file: &PyFile<'_>, import: Node<'_>) -> bool {
    file.side(import).is_none() && !file.is_tried(import)
}

/// The modules that a statement imports; cuda-python's of old by their names since.
fn imported(file: &PyFile<'_>, import: Node<'_>) -> Vec<String> {
    let name_of = |it: &Node<'_>| file.dotted(it.child_by_field_name("name").unwrap_or(*it));
    let elements = file.elements(import);
    let Some(module) = import.child_by_field_name("module_name") else {
        let of_old = |name: &str| {
            let below = name.strip_prefix("cuda.");
            below.is_some_and(|below| OF_CUDA.contains(&below))
        };
        let names = elements.iter().map(name_of);
        return names
            .map(|name| match of_old(&name) {
                true => "cuda.bindings".to_owned(),
                false => name,
            })
            .collect();
    };
    let module = file.dotted(module);
    let is_of_cuda = |it: &Node<'_>| OF_CUDA.contains(&name_of(it).as_str());
    match module.as_str() {
        "cuda" if elements.iter().skip(1).any(is_of_cuda) => vec!["cuda.bindings".to_owned()],
        _ => vec![module],
    }
}
