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
    checks: &[Check::Python(&[MISSING], check)],
};

/// What programs name that PyTorch has not.
const MISSING: &[&str] = &[
    "torch.cuda.CUDAKernel",
    "torch.cuda.CudaKernel",
    "torch.cuda.RawKernel",
    "torch.cuda.RawModule",
    "torch.cuda.compile_ptx",
    "torch.cuda.compile",
    "torch.cuda.load_module",
    "torch.cuda.Kernel",
    "torch.cuda.Module",
    "torch.cuda.jit",
    "torch.cuda.nvrtc",
    "torch._C._jit_cuda_compile",
    "torch._C._cuda_compile",
    "torch._C._cuda_compile_kernel",
    "torch.cuda.cudart().compile_module",
];

fn check(cx: &mut PythonContext<'_, '_>) {
    let last = |name: &&'static str| name.rsplit('.').next().unwrap_or(name);
    let names: Vec<&str> = MISSING.iter().map(last).collect();
    let file = cx.file();
    let mut findings = Vec::new();
    for node in file.attributes(&names) {
        let text = file.dotted(node);
        if MISSING.contains(&&*text) {
            let finding = RULE
                .finding(file.range(node), format!("PyTorch has no `{text}`"))
                .help("compile the kernel with torch.utils.cpp_extension.load_inline, and do not catch its failure");
            findings.push(finding);
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
