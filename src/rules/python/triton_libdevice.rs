//! NVIDIA's libdevice, named as such, in a Triton program.
//!
//! ## Why on AMD
//! `triton.language.extra.cuda.libdevice` holds the functions of NVIDIA's library, which AMD's compiler does not find.
//! `triton.language.extra.libdevice` has the same names and takes those of the backend that compiles.
//!
//! ## Example
//! ```python
//! from triton.language.extra.cuda import libdevice
//! ```
//! becomes
//! ```python
//! from triton.language.extra import libdevice
//! ```
//!
//! ## When to ignore
//! With Triton before 3.0, which has the old module alone.
//!
//! ## Source
//! `triton/language/extra/libdevice.py` of Triton 3.6; compiled for gfx942 by `tests/triton`.

use crate::python::PyFile;
use crate::rules::prelude::*;

/// Names the module of either backend.
pub static RULE: Rule = Rule {
    code: "CASS681",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::Python],
    check,
};

fn check(_: Site<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python().filter(|file| file.imports("triton")) else {
        return;
    };
    let mut findings = imports(file);
    findings.extend(uses(file));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Imports of NVIDIA's libdevice, which the backend has under a name without `cuda`.
fn imports(file: &PyFile<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for node in file.all(&["import_from_statement", "import_statement"]) {
        let text = file.text(node);
        let is_whole = text.starts_with("from triton.language.extra.cuda import")
            && text.trim_end().ends_with("libdevice")
            || text.contains("triton.language.extra.cuda.libdevice");
        let Some(at) = text
            .find(".extra.cuda")
            .filter(|_| is_whole && file.side(node).is_none() && !file.is_tried(node))
        else {
            continue;
        };
        let start = (node.start_byte() + at + ".extra".len()) as u32;
        let edits = vec![Edit::delete(TextRange::new(
            start,
            start + ".cuda".len() as u32,
        ))];
        let finding = RULE.finding(
            file.range(node),
            "libdevice of the backend takes the place of NVIDIA's",
        );
        findings.push(finding.severity(Severity::Info).fix(Fix::safe(edits)));
    }
    findings
}

/// Uses of the library by its whole name.
fn uses(file: &PyFile<'_>) -> Vec<Finding> {
    const HELP: &str = "write `from triton.language.extra import libdevice`, and use that name";
    let mut findings = Vec::new();
    for node in file.all(&["attribute"]) {
        let text = file.squeezed(node);
        if matches!(
            text.as_str(),
            "tl.extra.cuda.libdevice" | "triton.language.extra.cuda.libdevice"
        ) && file.side(node).is_none()
        {
            let finding = RULE.finding(
                file.range(node),
                "`extra.cuda.libdevice` is NVIDIA's library",
            );
            findings.push(finding.help(HELP));
        }
        if text == "tl.libdevice" || text == "triton.language.libdevice" {
            let finding = RULE.finding(file.range(node), "Triton has no `tl.libdevice` since 3.0");
            findings.push(finding.help(HELP));
        }
    }
    findings
}
