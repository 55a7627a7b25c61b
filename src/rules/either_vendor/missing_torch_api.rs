//! A function for compiling kernels that PyTorch does not have, on either vendor.
//!
//! ## Why on AMD
//! The call raises `AttributeError` wherever it runs; what catches that runs in its place, and no kernel ever did.
//!
//! ## Example
//! ```python
//! kernel = torch.cuda.CUDAKernel(source, "add")
//! ```
//!
//! ## When to ignore
//! When the program defines the name itself.
//!
//! ## Source
//! The modules `torch.cuda` and `torch._C` of PyTorch 2.4 to 2.11.

use crate::rules::prelude::*;

/// Reports names that PyTorch lacks.
pub static RULE: Rule = Rule {
    code: "CASS663",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&[
            "torch.cuda.CUDAKernel",
            "torch.cuda.compile",
            "torch._C._jit_cuda",
        ]],
        check,
    )],
};

/// The last part of each name with what stands in front of it.
const MISSING: &[(&str, &str)] = &[
    ("torch.cuda", "CUDAKernel"),
    ("torch.cuda", "CudaKernel"),
    ("torch.cuda", "RawKernel"),
    ("torch.cuda", "RawModule"),
    ("torch.cuda", "compile_ptx"),
    ("torch.cuda", "compile"),
    ("torch.cuda", "load_module"),
    ("torch.cuda", "Kernel"),
    ("torch.cuda", "Module"),
    ("torch.cuda", "jit"),
    ("torch.cuda.jit", ""),
    ("torch.cuda.nvrtc", ""),
    ("torch._C", "_jit_cuda_compile"),
    ("torch._C", "_cuda_compile"),
    ("torch._C", "_cuda_compile_kernel"),
    ("torch.cuda.cudart()", "compile_module"),
];

fn check(cx: &mut PythonContext<'_, '_>) {
    let last = |(module, name): &(&'static str, &'static str)| match name.is_empty() {
        true => module.rsplit('.').next().unwrap_or(module),
        false => name,
    };
    // The last parts alone stand in most scripts of Triton (`jit`), whose tree nobody else asks for.
    let mut whole = MISSING
        .iter()
        .map(|(module, name)| [*module, name].join("."));
    if !whole.any(|it| cx.mentions(&[it.trim_end_matches('.')])) {
        return;
    }
    let names: Vec<&str> = MISSING.iter().map(last).collect();
    let file = cx.file();
    let mut findings = Vec::new();
    for node in file.attributes(&names) {
        let text = file.dotted(node);
        let is_it = |(module, name): &&(&str, &str)| match name.is_empty() {
            true => text == *module,
            false => {
                text.strip_prefix(module)
                    .and_then(|rest| rest.strip_prefix('.'))
                    == Some(name)
            }
        };
        if MISSING.iter().any(|it| is_it(&it)) {
            let finding = RULE
                .finding(file.range(node), format!("PyTorch has no `{text}`"))
                .help("compile the kernel with torch.utils.cpp_extension.load_inline, and do not catch its failure");
            findings.push(finding);
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
