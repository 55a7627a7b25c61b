//! A build script that chooses by the compute capability of a GPU.
//!
//! ## Why on AMD
//! `torch.cuda.get_device_capability()` gives the numbers of AMD's architecture: (9, 0) on MI200, (9, 4) on MI300, (11, 0) on RDNA3. A
//! test for 9.0 takes them for Hopper; one that names single capabilities leaves AMD without any kernel.
//!
//! ## Example
//! ```python
//! major, minor = torch.cuda.get_device_capability()    # (9, 4) on MI300
//! ```
//!
//! ## When to ignore
//! When a test for `torch.version.hip` stands in front.
//!
//! ## Source
//! PyTorch documentation, "HIP (ROCm) semantics"; `gcnArchName` of ROCm's device properties.

use crate::python::parents;
use crate::rules::prelude::*;

/// Reports choices by capability.
pub static RULE: Rule = Rule {
    code: "CASS645",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    triggers: &[Trigger::Python],
    check,
};

fn check(_: Site<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python() else { return };
    let is_asked = |call: &tree_sitter::Node<'_>| {
        file.callee(*call)
            .is_some_and(|name| name == "get_device_capability")
    };
    let open = |call: &tree_sitter::Node<'_>| {
        file.side(*call).is_none() && !parents(*call).any(|it| it.is_error())
    };
    let calls = file
        .all(&["call"])
        .into_iter()
        .filter(is_asked)
        .filter(open);
    let findings: Vec<Finding> = calls
        .map(|call| {
            RULE.finding(file.range(call), "AMD GPUs number their capabilities differently: (9, 4) is MI300, not Hopper")
                .help("write `if torch.version.hip:` in front, and choose there by torch.cuda.get_device_properties(i).gcnArchName")
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}
