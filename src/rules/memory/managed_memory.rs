//! Managed memory where a chip of `--target` cannot move its pages.
//!
//! ## Why on AMD
//! CUDA moves pages of managed memory to the side that reads them. AMD GPUs do so only if they can restart an access that found no
//! page (XNACK). Others, all of RDNA 2 and later among them, leave managed memory in host memory, and each access of a kernel goes
//! over the bus: results are the same, a kernel that is bound by memory may take ten times as long.
//!
//! ## Example
//! ```cuda
//! cudaMallocManaged(&x, bytes);   // --target gfx1100
//! ```
//! becomes
//! ```hip
//! hipMallocManaged(&x, bytes);
//! ```
//!
//! ## When to ignore
//! Where the memory is small or seldom read by kernels.
//!
//! ## Source
//! HIP documentation, unified memory management; LLVM, User Guide for AMDGPU Backend, target features (`xnack`).

use crate::mapping::{Chip, chip};
use crate::rules::prelude::*;

/// Says so once for a file.
pub static RULE: Rule = Rule {
    code: "CASS413",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(NAMES, check)],
};

const NAMES: &[&str] = &["cudaMallocManaged", "cuMemAllocManaged", "__managed__"];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let targets = cx.options().targets.iter();
    let keeps_pages: Vec<&str> = targets
        .filter(|target| !moves_pages(target))
        .map(String::as_str)
        .collect();
    let is_first = || cx.doc.all_of(NAMES).first() == Some(&index);
    if keeps_pages.is_empty() || !is_first() {
        return;
    }
    let chips = keeps_pages.join(", ");
    let message = format!("without XNACK ({chips}), managed memory stays in host memory");
    let help = "allocate with `hipMalloc` and copy with `hipMemcpy` what kernels read often";
    cx.report(RULE.finding(cx.range(index), message).help(help));
}

/// Whether the chip of a target id can restart an access that found no page, and the id does not switch that off.
fn moves_pages(target: &str) -> bool {
    let has_xnack = |chip: &Chip| chip.features.iter().any(|it| it == "xnack");
    chip::about(target).is_some_and(has_xnack) && !target.ends_with("xnack-")
}
