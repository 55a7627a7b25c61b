//! A name whose counterpart exists, but not in the ROCm release that was asked for.
//!
//! ## Why on AMD
//! The counterpart came with a later release, or was removed by the one chosen with `--rocm`.
//!
//! ## Example
//! ```cuda
//! cudaLaunchKernelExC(&config, f, args);   // hipLaunchKernelExC: ROCm 7.0
//! ```
//!
//! ## When to ignore
//! When the build uses another ROCm: then say so with `--rocm`.
//!
//! ## Source
//! The release in `mappings/`; the header or document it was read from stands beside it.

use crate::analysis::rename::target_of;
use crate::rules::prelude::*;

/// Reports entries whose target the chosen ROCm lacks.
pub static RULE: Rule = Rule {
    code: "CASS004",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[Fact::DoneByShim],
    checks: &[Check::Api(check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(hit) = cx.table().get(cx.doc.bytes(index)) else {
        return;
    };
    let Some((target, _)) = target_of(cx, index, hit.entry) else {
        return;
    };
    let rocm = cx.options().rocm;
    if target.rocm.contains(rocm) {
        return;
    }
    let need = match (target.rocm.since, target.rocm.until) {
        (Some(since), _) if rocm < since => format!("needs ROCm {since}"),
        (_, Some(until)) => format!("was removed in ROCm {until}"),
        _ => return,
    };
    let message = format!(
        "`{}` becomes `{}`, which {need}; the target is ROCm {rocm}",
        hit.entry.cuda, target.name
    );
    let help = hit.entry.note.unwrap_or(
        "build with a ROCm release that has it (and say so with `--rocm`), or avoid the call",
    );
    let finding = RULE
        .finding(cx.range(index), message)
        .help(help)
        .api(ApiUse {
            rocm_since: target.rocm.since,
            ..cx.api_use(hit.entry, Some(target.name))
        });
    cx.report(finding);
}
