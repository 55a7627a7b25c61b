//! Inline PTX without a counterpart: some forms of tensor cores, bulk copies, barriers in memory, clusters, and forms that are not known.
//!
//! ## Why on AMD
//! AMD's assembler refuses PTX, so the code does not compile. What these instructions do is either laid out otherwise (fragments of
//! Volta's, of sparse matrices and of groups of warps), done by other means (bulk copies to LDS), or not there at all (clusters, multicast
//! memory). The finding names every instruction of the statement that stands in the way and says what AMD has in its place; the others would
//! have been translated.
//!
//! ## Example
//! ```cuda
//! asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" : : …);
//! ```
//! becomes loads and LDS stores of all threads, and
//! ```hip
//! __syncthreads();
//! ```
//!
//! ## When to ignore
//! In code that only NVIDIA's compiler sees; guard it with `#ifdef __HIP_PLATFORM_NVIDIA__`.
//!
//! ## Source
//! PTX ISA 8.7; LLVM 19, AMDGPU usage; rocWMMA API reference.

use crate::analysis::conditions::verdict::is_left_out;
use crate::analysis::inline_asm::{self, KEYWORDS};
use crate::rules::prelude::*;

/// Names inline PTX that has to be replaced by hand.
pub static RULE: Rule = Rule {
    code: "CASS301",
    severity: Severity::Error,
    fix: None,
    priority: 10,
    facts: &[],
    checks: &[Check::Idents(KEYWORDS, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(found) = inline_asm::find(cx, index) else {
        return;
    };
    let Err(obstacles) = &found.outcome else {
        return;
    };
    let mut names: Vec<String> = Vec::new();
    let mut advice: Vec<&str> = Vec::new();
    for obstacle in obstacles {
        let name = match obstacle.instruction.contains(' ') {
            true => obstacle.instruction.clone(),
            false => format!("`{}`", obstacle.instruction),
        };
        if !names.contains(&name) {
            names.push(name);
        }
        if !advice.contains(&obstacle.advice.as_str()) {
            advice.push(&obstacle.advice);
        }
    }
    let mut message = format!(
        "inline PTX does not compile on AMD: {}",
        first(&names, ", ")
    );
    if names.len() > MOST {
        message += &format!(" and {} more", names.len() - MOST);
    }
    let mut help = first(&advice, " ");
    if advice.len() > MOST {
        help += &format!(" So it is with {} more.", advice.len() - MOST);
    }
    let finding = RULE.finding(found.range, message).help(help);
    cx.report(if is_left_out(cx, found.range.start) {
        finding.severity(Severity::Info)
    } else {
        finding
    });
}

/// As many instructions, and as many ways out, are named: what a program wrote has hundreds.
const MOST: usize = 12;

/// The first of some texts.
fn first(texts: &[impl AsRef<str>], between: &str) -> String {
    let texts: Vec<&str> = texts.iter().take(MOST).map(AsRef::as_ref).collect();
    texts.join(between)
}
