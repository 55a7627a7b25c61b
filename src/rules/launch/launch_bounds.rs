//! Launch bounds with more than one argument.
//!
//! ## Why on AMD
//! In HIP the second argument of `__launch_bounds__` is the least number of waves for each SIMD, not of blocks for each multiprocessor;
//! the same number asks for something else and may cost registers. A compute unit of gfx90a and gfx942 has four SIMDs for wavefronts of
//! 64: B blocks of T threads are B * T / 256 waves per SIMD (clang 19 gives a block of 1024 threads 128 registers, as for 4 waves, and
//! cannot meet 16). RDNA has twice as many waves, of 32. The macro of HIP takes no third argument, CUDA's number of blocks in a cluster.
//!
//! ## Example
//! ```cuda
//! __global__ void __launch_bounds__(256, 4, 1) kernel(float *x);
//! ```
//! becomes
//! ```hip
//! __global__ void __launch_bounds__(256, 4) kernel(float *x);
//! ```
//!
//! ## When to ignore
//! When the kernel was measured. The number never changes results. Blocks of 256 threads have as many waves per SIMD as blocks.
//!
//! ## Source
//! HIP documentation, kernel language, launch bounds; `hip/amd_detail/amd_hip_runtime.h` of ROCm 6.4.

use crate::analysis::wavefront::is_hip_source;
use crate::cpp::names::is_for_preprocessor;
use crate::rules::prelude::*;

/// Drops the cluster size; reports the number of blocks.
pub static RULE: Rule = Rule {
    code: "CASS210",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Idents(&["__launch_bounds__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx.doc.call(index).filter(|call| {
        !is_for_preprocessor(cx.doc, index)
            && !call.split_by_directive
            && call.arguments.iter().all(|tokens| !tokens.is_empty())
    }) else {
        return;
    };
    if call.arguments.len() == 3 {
        let from = cx.range(call.arguments[1].end - 1).end;
        let to = cx.range(call.arguments[2].end - 1).end;
        let gone = TextRange::new(from, to);
        cx.report(
            RULE.finding(
                cx.range(index),
                "`__launch_bounds__` of HIP has no cluster argument",
            )
            .fix(Fix::safe(vec![Edit::delete(gone)])),
        );
    }
    // HIP source counts waves already.
    if call.arguments.len() >= 2 && !is_hip_source(cx.doc) {
        blocks(cx, &call)
            .into_iter()
            .for_each(|finding| cx.report(finding));
    }
}

/// Lanes of a wavefront of gfx90a and gfx942.
const WAVE: u64 = 64;
/// SIMDs of one of their compute units.
const SIMDS: u64 = 4;

/// The second argument. 1 asks for nothing on either vendor, and some numbers of blocks are the numbers of their waves.
fn blocks(cx: &Context<'_, '_>, call: &Call) -> Option<Finding> {
    let (threads, blocks) = (
        cx.count(call.arguments[0].clone()),
        cx.count(call.arguments[1].clone()),
    );
    let waves = threads
        .zip(blocks)
        .map(|(threads, blocks)| (blocks * threads.div_ceil(WAVE)).div_ceil(SIMDS));
    if blocks == Some(1) || waves.is_some() && waves == blocks {
        return None;
    }
    let range = call
        .argument(cx.doc, 1)
        .expect("the caller found no empty argument");
    let help = match (threads, blocks, waves) {
        (Some(threads), Some(blocks), Some(waves)) => {
            let plural = if waves == 1 { "" } else { "s" };
            format!(
                "drop it and measure, or ask for waves: {blocks} blocks of {threads} threads are {waves} wave{plural} per SIMD of gfx90a and gfx942, which hold 8"
            )
        }
        _ => "drop it and measure, or ask for waves: blocks * threads / 256, at most the 8 that a SIMD of gfx90a and gfx942 holds".to_owned(),
    };
    let finding = RULE.finding(
        range,
        "the second launch bound counts waves per SIMD in HIP, not blocks per multiprocessor",
    );
    Some(finding.severity(Severity::Warning).help(help))
}
