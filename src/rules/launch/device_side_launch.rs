//! A kernel that launches kernels, or device code that calls the runtime: dynamic parallelism.
//!
//! ## Why on AMD
//! AMD GPUs cannot launch work by themselves. HIP has no device runtime: a launch or a call such as `cudaDeviceSynchronize` in device
//! code does not compile.
//!
//! ## Example
//! ```cuda
//! __global__ void parent(int *work) { child<<<1, 64>>>(work); }
//! ```
//! needs another shape, for instance
//! ```hip
//! __global__ void parent(int *work);   // notes how much is to be done
//! // host: read the amount, launch child from here
//! ```
//!
//! ## When to ignore
//! When the code is compiled for NVIDIA only.
//!
//! ## Source
//! HIP C++ language extensions; compiled with clang 19: "reference to __global__ function in __global__ function".

use crate::cpp::functions::is_device_only;
use crate::rules::prelude::*;

/// Reports launches and runtime calls in device code.
pub static RULE: Rule = Rule {
    code: "CASS106",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[
        Check::Launch(launches),
        Check::Idents(
            &[
                "cudaDeviceSynchronize",
                "cudaStreamCreateWithFlags",
                "cudaStreamDestroy",
                "cudaStreamFireAndForget",
                "cudaStreamTailLaunch",
                "cudaMalloc",
                "cudaFree",
                "cudaMemcpyAsync",
                "cudaMemsetAsync",
                "cudaGetDevice",
                "cudaDeviceGetAttribute",
                "cudaEventCreateWithFlags",
                "cudaEventRecord",
                "cudaStreamWaitEvent",
                "cudaGraphLaunch",
            ],
            check,
        ),
    ],
};

fn launches(launch: &LaunchSite, cx: &mut Context<'_, '_>) {
    if is_device_only(cx.doc, launch.callee.start) {
        let finding = RULE.finding(
            launch.open_range(cx.doc),
            "a kernel cannot launch kernels on AMD",
        );
        let help = "launch from the host, or use a persistent kernel with a work queue";
        cx.report(finding.help(help));
    }
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if !is_device_only(cx.doc, index) || crate::cpp::names::is_members_name(cx.doc, index) {
        return;
    }
    let message = format!(
        "`{}` cannot be called from device code on AMD",
        cx.text(index)
    );
    let help = "move the call to the host; a kernel cannot wait for work or manage memory and streams through the runtime";
    cx.report(RULE.finding(cx.range(index), message).help(help));
}
