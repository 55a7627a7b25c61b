//! A build by CMake with PyTorch's package, which renames nothing.
//!
//! ## Why on AMD
//! `CUDAExtension` and `load` run PyTorch's hipify over the sources when they build for ROCm, so names of CUDA stay in them. CMake's
//! package of PyTorch brings headers and libraries alone: what stays CUDA-spelled does not compile for AMD until a step renames it.
//!
//! ## Example
//! ```cmake
//! find_package(Torch REQUIRED)
//! add_library(ops SHARED op.cu)
//! ```
//!
//! Beside a setup.py that makes the extension for AMD, the list is a second way to build it, and the finding a note. A program with
//! kernels of its own below such a tree is none.
//!
//! ## When to ignore
//! When another step of the build renames the sources.
//!
//! ## Source
//! `TorchConfig.cmake` and `torch/utils/hipify/hipify_python.py` of PyTorch 2.11; the step of vLLM, `cmake/hipify.py`.

use crate::build::command::is_called;
use crate::rules::prelude::*;

/// Reports the package once a file.
pub static RULE: Rule = Rule {
    code: "CASS649",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[Fact::ForTorchBuild],
    checks: &[Check::BuildFile(check)],
};

const HELP: &str = "rename the sources when CMake configures, by `torch.utils.hipify.hipify_python.hipify(project_directory=…, output_directory=…, is_pytorch_extension=True)`, and compile what it writes with the language HIP; or translate them with `--dialect cuda`, and write ATen/hip/HIPContext.h for ATen/cuda/CUDAContext.h and the like";

fn check(cx: &mut BuildContext<'_, '_>) {
    let renames = |word: &[u8]| memchr::memmem::find(word, b"hipify").is_some();
    if !cx.is_torch() || cx.doc.tool != BuildTool::CMake || cx.doc.has_word(renames) {
        return;
    }
    let all = cx.doc.commands();
    let package = all.iter().find(|command| {
        let name = cx.doc.bytes(command.open + 1);
        is_called(cx.doc, command, "find_package") && name.eq_ignore_ascii_case(b"Torch")
    });
    let builds = cx.project.builds.facts.values();
    let path = &cx.doc.source.path;
    // What a package installs for its users to find it by builds nothing.
    let is_package = path.ends_with("Config.cmake.in") || path.ends_with("-config.cmake.in");
    let renames = is_package || builds.into_iter().any(|facts| facts.hipifies);
    if let Some(command) = package.filter(|_| !renames) {
        let range = cx
            .doc
            .range(command.name, command.close.min(cx.doc.tokens.len() - 1));
        let message = "CMake's package of PyTorch renames nothing: names that the sources keep for PyTorch's build stay CUDA's";
        let finding = RULE.finding(range, message).help(HELP);
        // `pip install` builds for AMD without the list.
        cx.report(match cx.project.is_second_way(path) {
            true => finding.severity(Severity::Info),
            false => finding,
        });
    }
}
