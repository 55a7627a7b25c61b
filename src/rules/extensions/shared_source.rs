//! A source of PyTorch's build that another build compiles as well.
//!
//! ## Why on AMD
//! `CUDAExtension` and `load` run PyTorch's hipify over their sources when they build for ROCm, and for NVIDIA they take them as they are.
//! A list of CMake, a Makefile or a custom op of TensorFlow that compiles the same file renames nothing: what stays CUDA's for PyTorch
//! stops hipcc there with "use of undeclared identifier 'cudaStream_t'" or "unknown type name", and what is HIP for that list no longer
//! compiles in PyTorch's build for NVIDIA.
//!
//! ## Example
//! ```cuda
//! // setup.py lists this file, and so does ../tool/CMakeLists.txt
//! void step(float* values, cudaStream_t stream);
//! ```
//! With `--vendors both` the file keeps CUDA's names for both, and the list gets the headers that give them their meaning on AMD.
//!
//! ## When to ignore
//! When one of the two builds is never used.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11; PreciseRoIPooling, whose kernel a `load` and an op of TensorFlow share.

use crate::analysis::moved_by_torch::first_renamed;
use crate::options::{Dialect, Vendors};
use crate::project::owner::Owner;
use crate::rules::prelude::*;

/// Reports the first name that one of the builds does not understand, once a file.
pub static RULE: Rule = Rule {
    code: "CASS688",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[Fact::ForTorchBuild],
    checks: &[Check::Source(check)],
};

const HELP: &str = "translate with `--vendors both`, which keeps one source for both builds and both vendors; or give one of the builds a copy";

fn check(cx: &mut Context<'_, '_>) {
    let options = cx.options();
    if options.vendors != Vendors::Auto || options.reverse {
        return;
    }
    // What the project's own build for AMD has, it deals with: it calls hipify, or lists the file for NVIDIA alone.
    if cx.owner != Owner::Ours {
        return;
    }
    let Some(other) = cx.project.shared_with(&cx.doc.source.path) else {
        return;
    };
    let other = other.to_owned();
    let is_handed = cx.project.is_handed_to_torch(&cx.doc.source.path);
    let Some(range) = first_renamed(cx) else {
        return;
    };
    let finding = match cx.is_torch() {
        true => {
            let message = match is_handed {
                true => format!(
                    "PyTorch's build renames this file's names of CUDA, and {other}, which compiles it as well, does not"
                ),
                false => format!(
                    "this file keeps CUDA's names because it includes PyTorch, whose build renames them; {other}, which compiles it, does not"
                ),
            };
            RULE.finding(range, message)
        }
        // Who asks for HIP gets HIP.
        false if options.dialect != Dialect::Auto => return,
        false => {
            let message = format!(
                "this becomes HIP for {other}, and PyTorch's build for NVIDIA compiles the file as well"
            );
            RULE.finding(range, message).severity(Severity::Warning)
        }
    };
    cx.report(finding.help(HELP));
}
