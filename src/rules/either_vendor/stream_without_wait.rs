//! Work on a separate stream that nothing waits for.
//!
//! ## Why on AMD
//! The streams of PyTorch for ROCm mean what they do for CUDA: what is queued in `with torch.cuda.stream(s)` is in no order with the
//! current stream. Where nothing waits, the caller may read a result that is not there yet, and a clock stopped on the current stream
//! measures nothing; on another GPU the race may end otherwise.
//!
//! ## Example
//! ```python
//! with torch.cuda.stream(side):
//!     y = x @ w
//! return y
//! ```
//!
//! ## When to ignore
//! When the caller waits.
//!
//! ## Source
//! PyTorch documentation, CUDA semantics, "CUDA streams"; the published code of CUDA-L1, whose first speedups came from this.

use crate::rules::prelude::*;

/// Reports streams without a wait.
pub static RULE: Rule = Rule {
    code: "CASS665",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[], check)],
};

/// What waits for a stream.
const WAITS: &[&str] = &[
    "wait_stream",
    "wait_event",
    "synchronize",
    "record_event",
    "record_stream",
    "query",
];

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.mentions(&["cuda.stream"]) {
        return;
    }
    let file = cx.file();
    let strings = cx.strings();
    if WAITS.iter().any(|name| !strings.calls(name).is_empty()) {
        return;
    }
    let is_scope = |call: &&crate::python::Node<'_>| {
        let is_with = crate::python::parents(**call)
            .take(3)
            .any(|it| it.kind() == "with_item");
        let function = call.child_by_field_name("function");
        is_with && function.is_some_and(|it| file.dotted(it) == "torch.cuda.stream")
    };
    let findings: Vec<Finding> = strings
        .calls("stream")
        .iter()
        .filter(is_scope)
        .map(|call| {
            RULE.finding(file.range(*call), "nothing waits for what is queued on this stream")
                .help("call torch.cuda.current_stream().wait_stream(s) behind it, and s.wait_stream(torch.cuda.current_stream()) in front")
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}
