//! ONNX Runtime told to compute by CUDA or TensorRT.
//!
//! ## Why on AMD
//! What computes on AMD's GPUs is the provider MIGraphX. A session of Python that is given `CUDAExecutionProvider` alone warns once that there
//! is no such provider and computes on the CPU, many times slower; a program of C++ throws where it appends it.
//!
//! ## Example
//! ```python
//! session = ort.InferenceSession("model.onnx", providers=["CUDAExecutionProvider", "CPUExecutionProvider"])
//! ```
//!
//! ## When to ignore
//! When the CPU is fast enough. A file that names AMD's provider as well gives no finding; in tests of Python it is information.
//!
//! ## Source
//! ONNX Runtime 1.23, "MIGraphX Execution Provider"; `onnxruntime_c_api.h`: `OrtSessionOptionsAppendExecutionProvider_MIGraphX`,
//! `OrtMIGraphXProviderOptions`; `onnxruntime_inference_collection.py`.

use crate::python::{Literal, Node, parents};
use crate::rules::prelude::*;

/// Reports the first name in a file.
pub static RULE: Rule = Rule {
    code: "CASS753",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[
        Check::Python(&[&[OF_CUDA]], check),
        Check::Claimed(
            &[
                "OrtSessionOptionsAppendExecutionProvider_CUDA",
                "AppendExecutionProvider_CUDA",
                "AppendExecutionProvider_CUDA_V2",
            ],
            check_call,
        ),
    ],
};

/// The provider for NVIDIA's GPUs.
const OF_CUDA: &str = "CUDAExecutionProvider";
/// Those for AMD's; ROCm's own was part of ONNX Runtime up to 1.22.
const OF_AMD: &[&str] = &["MIGraphXExecutionProvider", "ROCMExecutionProvider"];

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let names = |text: &str| memchr::memmem::find(file.bytes(), text.as_bytes()).is_some();
    if OF_AMD.iter().any(|it| names(it)) {
        return;
    }
    let is_name = |node: &Node<'_>| {
        let literal = Literal::new(file, *node);
        let is_text = node
            .parent()
            .is_some_and(|it| it.kind() == "expression_statement");
        // What a table has for each provider, `{"CUDAExecutionProvider": Device.CUDA}`, asks for none.
        let pair = node.parent().filter(|it| it.kind() == "pair");
        let is_key = pair.and_then(|it| it.child_by_field_name("key")) == Some(*node);
        literal.is_some_and(|it| it.text == OF_CUDA) && !is_text && !is_key && !file.is_said(*node)
    };
    let is_open = |node: &Node<'_>| file.side(*node).is_none();
    let places: Vec<Node<'_>> = file.all(&["string"]).into_iter().filter(is_name).collect();
    // A session says more than a question in front of it.
    let is_given = |node: &&Node<'_>| {
        let mut calls = parents(**node).take(6);
        calls.any(|it| it.kind() == "keyword_argument" || it.kind() == "assignment")
    };
    let first = places.iter().filter(is_given).find(|it| is_open(it));
    let Some(node) = first.or_else(|| places.iter().find(|it| is_open(it))) else {
        return;
    };
    let severity = match cx.is_test() {
        true => Severity::Info,
        false => RULE.severity,
    };
    let message = "ONNX Runtime has no CUDA on AMD: the session computes on the CPU";
    let help = "put MIGraphXExecutionProvider in front where onnxruntime.get_available_providers() has it, as onnxruntime-migraphx of PyPI does";
    let finding = RULE.finding(file.range(*node), message).severity(severity);
    cx.report(finding.help(help));
}

/// `options.AppendExecutionProvider_CUDA(cuda)` of C++, and the same of C.
fn check_call(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let names = |text: &str| memchr::memmem::find(&cx.doc.source.bytes, text.as_bytes()).is_some();
    let is_call = cx.doc.next(index).is_some_and(|next| cx.doc.is(next, "("));
    if !is_call || names("ExecutionProvider_MIGraphX") || names("ExecutionProvider_ROCM") {
        return;
    }
    let message =
        "ONNX Runtime has no CUDA on AMD: the call throws, or gives a status that says so";
    let help = "append MIGraphX there, by AppendExecutionProvider_MIGraphX with OrtMIGraphXProviderOptions or by \
                OrtSessionOptionsAppendExecutionProvider_MIGraphX(options, device)";
    let finding = RULE.finding(cx.range(index), message).help(help);
    cx.report(finding);
}
