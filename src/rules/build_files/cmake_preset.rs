//! A variable of CMake's language CUDA in a preset.
//!
//! ## Why on AMD
//! `CMAKE_CUDA_FLAGS` and the like mean nothing to the language HIP, which has words of its own for most of them. Options of nvcc in the
//! value become those of clang. The architectures follow `--target`; without it they stay, as does a compiler of CUDA, and
//! `other-build` says so.
//!
//! ## Example
//! ```json
//! { "configurePresets": [ { "cacheVariables": { "CMAKE_CUDA_STANDARD": "17" } } ] }
//! ```
//! becomes
//! ```json
//! { "configurePresets": [ { "cacheVariables": { "CMAKE_HIP_STANDARD": "17" } } ] }
//! ```
//!
//! ## When to ignore
//! In presets for builds that stay on NVIDIA.
//!
//! ## Source
//! CMake 3.21: `cmake-presets(7)`, `CMAKE_HIP_*`.

use crate::build::presets::{Entry, entries};
use crate::mapping::BuildTable;
use crate::options::BuildMode;
use crate::rules::prelude::*;

/// Writes the words of the language HIP.
pub static RULE: Rule = Rule {
    code: "CASS638",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::OtherBuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.options().build == BuildMode::Dual {
        return;
    }
    for entry in entries(cx.doc) {
        let found = architectures(cx, &entry).or_else(|| by_table(cx, &entry));
        if let Some(finding) = found {
            cx.report(finding);
        }
    }
}

/// What the table says of a variable.
fn by_table(cx: &BuildContext<'_, '_>, entry: &Entry) -> Option<Finding> {
    if !entry.is_of_hip_too(cx.doc) {
        return None;
    }
    let name = cx.text(entry.name).into_owned();
    let (_, becomes) = BuildTable::builtin().cmake(&name)?;
    let becomes = becomes?;
    let range = cx.range(entry.name);
    let finding = RULE.finding(range, format!("`{name}` becomes `{becomes}`"));
    Some(finding.fix(Fix::safe(vec![Edit::replace(range, becomes)])))
}

/// `"CMAKE_CUDA_ARCHITECTURES": "70;80"` where it is known for which chips to build.
fn architectures(cx: &BuildContext<'_, '_>, entry: &Entry) -> Option<Finding> {
    let targets = &cx.options().targets;
    let is_known = cx.doc.is(entry.name, "CMAKE_CUDA_ARCHITECTURES") && !targets.is_empty();
    let value = entry.value.filter(|_| is_known)?;
    let name = cx.range(entry.name);
    let message =
        "`CMAKE_CUDA_ARCHITECTURES` becomes `CMAKE_HIP_ARCHITECTURES`, for the chips of --target";
    let edits = vec![
        Edit::replace(name, "CMAKE_HIP_ARCHITECTURES"),
        Edit::replace(value, targets.join(";")),
    ];
    Some(RULE.finding(name, message).fix(Fix::safe(edits)))
}
