//! A kernel in a string, for compilation at run time, that cannot be translated where it stands.
//!
//! ## Why on AMD
//! hiprtc compiles HIP, not CUDA: CUDA's names, inline PTX and headers in the text must be changed, and the options
//! (`--gpu-architecture=compute_80`) become `--offload-arch=gfx90a`. What comes out is a code object, never PTX. In a project that
//! uses NVRTC a kernel that stands whole in neighbouring literals is translated there, as a unit of its own. This is about the others:
//! texts with parts that are only known at run time, and kernels in a project that is not seen to compile them.
//!
//! ## Example
//! ```cuda
//! std::string source = "extern \"C\" __global__ void k(" + type + " *x) { x[threadIdx.x] = __shfl_sync(~0u, 1, 0); }";
//! ```
//!
//! ## When to ignore
//! When the text holds nothing but what HIP reads as well; kernels of plain arithmetic do not change.
//!
//! ## Source
//! HIP documentation, runtime compilation; `hip/hiprtc.h` of ROCm 6.4.

use crate::cpp::kernel_strings::{KernelStrings, Unread};
use crate::project::owner::Owner;
use crate::rules::prelude::*;

/// Points at each string that holds a kernel.
pub static RULE: Rule = Rule {
    code: "CASS508",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    // What stands beside NVIDIA's file for AMD alone is HIP, its strings too.
    if cx.owner == Owner::Amd {
        return;
    }
    let strings = cx.doc.fact(KernelStrings::new);
    let pieces = strings.pieces.iter();
    let mut left: Vec<_> = pieces.map(|&(at, why)| (at, reason(why))).collect();
    if !strings.units.is_empty() && !cx.project.compiles_at_run_time(cx.doc) {
        let units = strings.units.iter();
        let with_cuda = units.filter(|it| cx.table().may_occur_in(it.text.text()));
        let reason = "nothing in the project is seen to compile it";
        left.extend(with_cuda.map(|it| (it.first, reason)));
    }
    for (index, reason) in left {
        let message = format!("this string holds kernel source, which is not translated: {reason}");
        let finding = RULE
            .finding(cx.range(index), message)
            .help("translate the text as a file of its own, and give hiprtc `--offload-arch=gfx...` instead of the options for NVIDIA GPUs");
        cx.report(finding);
    }
}

fn reason(why: Unread) -> &'static str {
    match why {
        Unread::Parts => "parts of it are only known when the program runs",
        Unread::Long => "it is longer than 1 MiB",
        Unread::Wide => "it is written in wide characters, or has no end",
    }
}
