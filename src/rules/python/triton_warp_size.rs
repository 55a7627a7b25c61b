//! A Triton program that counts 32 lanes to a warp.
//!
//! ## Why on AMD
//! A warp of AMD's data centre GPUs has 64 lanes. Threads in a block are `num_warps * 64`; numbers of warps or sizes of blocks that are
//! made with 32 are half or twice what was meant.
//!
//! ## Example
//! ```python
//! WARP_SIZE = 32
//! num_warps = BLOCK // WARP_SIZE
//! ```
//!
//! ## When to ignore
//! On RDNA: name the chip with `--target`.
//!
//! ## Source
//! `warp_size` in `triton/backends/amd/driver.py` of Triton 3.6.

use crate::mapping::chip;
use crate::rules::prelude::*;

/// Reports constants of 32.
pub static RULE: Rule = Rule {
    code: "CASS687",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file;
    if !file.imports("triton") {
        return;
    }
    let mut findings: Vec<Finding> = Vec::new();
    for node in file.all(&["assignment"]) {
        let (Some(left), Some(right)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        ) else {
            continue;
        };
        let name = file.text(left).to_ascii_lowercase();
        let is_size = ["warp_size", "warpsize", "threads_per_warp"]
            .iter()
            .any(|word| name.contains(word));
        if is_size && file.text(right) == "32" && file.side(node).is_none() {
            let finding = RULE.finding(
                file.range(node),
                "a warp of AMD's data centre GPUs has 64 lanes",
            );
            let help = "ask triton.runtime.driver.active.get_current_target().warp_size";
            findings.push(finding.help(help).targets(chip::with_wave64()));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
