//! A TensorFlow program that asks whether TensorFlow was built with CUDA.
//!
//! ## Why on AMD
//! `tf.test.is_built_with_cuda()` is false in TensorFlow for ROCm, and the program goes on with the CPU.
//! `tf.test.is_built_with_gpu_support()` is true with either.
//!
//! ## Example
//! ```python
//! if tf.test.is_built_with_cuda():
//!     run_on_gpu()
//! ```
//! becomes
//! ```python
//! if tf.test.is_built_with_gpu_support():
//!     run_on_gpu()
//! ```
//!
//! ## When to ignore
//! When `is_built_with_rocm` is asked beside it.
//!
//! ## Source
//! TensorFlow documentation, `tf.test.is_built_with_gpu_support`.

use crate::rules::prelude::*;

/// Asks for either vendor.
pub static RULE: Rule = Rule {
    code: "CASS674",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file;
    if memchr::memmem::find(file.bytes(), b"is_built_with_rocm").is_some() {
        return;
    }
    let mut findings = Vec::new();
    for node in file.all(&["attribute"]) {
        let Some(name) = node.child_by_field_name("attribute") else {
            continue;
        };
        if file.text(name) == "is_built_with_cuda" {
            let edits = vec![Edit::replace(file.range(name), "is_built_with_gpu_support")];
            let finding = RULE.finding(
                file.range(node),
                "`is_built_with_cuda` is false in TensorFlow for ROCm",
            );
            let help =
                "check that the question is whether there is a GPU, not whether it is NVIDIA's";
            findings.push(finding.help(help).fix(Fix::review(edits)));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
