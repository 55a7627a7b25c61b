//! Inline PTX that has an exact counterpart in C++.
//!
//! ## Why on AMD
//! PTX is the assembly of NVIDIA's chips. AMD's assembler refuses the mnemonics, and clang refuses the constraints `"l"`, `"f"`, `"d"`
//! and `"h"`. Every instruction of the table `mappings/ptx.toml` is written as the C++ that means the same; a statement of several
//! instructions is replaced as a whole or not at all. 32-bit shared addresses stay what they are: AMD's LDS has such addresses too.
//! A carry that goes on from one statement to the next, also over macros and functions, is kept for each thread in LDS: what the compiler
//! sees as one chain stays in registers.
//!
//! Tensor cores on fragments in registers, `mma.sync`, `ldmatrix`, `stmatrix` and `movmatrix`, are computed by exchanges between 32 lanes, with
//! the layout of PTX: the results are there on waves of both widths, the speed is not.
//!
//! Review findings are about places where the meaning is near but not the same: clocks and timers count in other units, `%smid` numbers
//! compute units otherwise, asynchronous copies become synchronous, prefetches and cache policies are deleted.
//!
//! ## Example
//! ```cuda
//! asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
//! asm("mov.u32 %0, %%laneid;" : "=r"(lane));
//! ```
//! becomes
//! ```hip
//! d = a ^ b ^ c;
//! lane = cass_lane_id32();
//! ```
//!
//! ## When to ignore
//! In code that only NVIDIA's compiler sees; guard it with `#ifdef __HIP_PLATFORM_NVIDIA__` or `#if defined(__CUDA_ARCH__)`.
//!
//! ## Source
//! PTX ISA 8.7; clang 19, AMDGPU builtins; HIP 6.4 headers.

use crate::analysis::inline_asm::{self, KEYWORDS};
use crate::ptx::helper_names;
use crate::rules::prelude::*;

/// Writes inline PTX as C++.
pub static RULE: Rule = Rule {
    code: "CASS300",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 10,
    facts: &[],
    checks: &[Check::Idents(KEYWORDS, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(found) = inline_asm::find(cx, index) else {
        return;
    };
    let Ok(translation) = &found.outcome else {
        return;
    };
    let edit = inline_asm::layout::replacement(cx, &found, translation);
    let names: Vec<String> = translation
        .opcodes
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let helpers: Vec<&'static str> = helper_names(&edit.content)
        .filter_map(crate::compat::find)
        .map(|helper| helper.name)
        .collect();
    let what = if translation.is_empty() {
        "has no effect on AMD and is deleted"
    } else {
        "becomes C++"
    };
    let finding = RULE.finding(
        found.range,
        format!("inline PTX {} {what}", names.join(", ")),
    );
    let mut finding = if translation.reviews.is_empty() {
        finding.fix(Fix::safe(vec![edit]))
    } else {
        let notes: Vec<&str> = translation.reviews.iter().map(String::as_str).collect();
        finding
            .severity(Severity::Warning)
            .help(notes.join(" "))
            .fix(Fix::review(vec![edit]))
    };
    for helper in helpers {
        finding = finding.helper(helper);
    }
    cx.report(finding);
}
