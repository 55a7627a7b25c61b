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

use crate::python::numba::place_behind;
use crate::python::{Node, PyFile, parents};
use crate::rules::prelude::*;

/// Names the module of either backend.
pub static RULE: Rule = Rule {
    code: "CASS681",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["triton"], &["libdevice"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.file().imports("triton") {
        return;
    }
    let file = cx.file();
    let mut findings = imports(file);
    findings.extend(by_full_name(file));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Imports of NVIDIA's libdevice, which the backend has under a name without `cuda`.
fn imports(file: &PyFile<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for node in file.all(&["import_from_statement", "import_statement"]) {
        let text = file.text(node);
        let is_whole = text.starts_with("from triton.language.extra.cuda import")
            && text.trim_end().ends_with("libdevice")
            && !text.contains(',')
            || text.contains("triton.language.extra.cuda.libdevice");
        let is_among = text.starts_with("from triton.language.extra.cuda import")
            && file
                .elements(node)
                .iter()
                .any(|it| file.text(*it) == "libdevice");
        let found = text
            .find(".extra.cuda")
            .filter(|_| file.side(node).is_none() && !file.is_tried(node));
        if !is_whole && is_among && found.is_some() {
            let message = "libdevice is imported as NVIDIA's, among names that are NVIDIA's";
            let finding = RULE.finding(file.range(node), message);
            findings.push(finding.help("write `from triton.language.extra import libdevice` on a line of its own, and the other names where torch.version.hip is not set"));
        }
        let Some(at) = found.filter(|_| is_whole) else {
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

/// The names that Triton gave libdevice, and what to say of each.
const FULL_NAMES: &[(&str, &str)] = &[
    (
        "tl.extra.cuda.libdevice",
        "`extra.cuda.libdevice` is NVIDIA's library",
    ),
    (
        "triton.language.extra.cuda.libdevice",
        "`extra.cuda.libdevice` is NVIDIA's library",
    ),
    ("tl.libdevice", "Triton has no `tl.libdevice` since 3.0"),
    (
        "triton.language.libdevice",
        "Triton has no `tl.libdevice` since 3.0",
    ),
];

/// Uses of libdevice by its full name: the backend's is a module that must be imported.
fn by_full_name(file: &PyFile<'_>) -> Vec<Finding> {
    let used = file
        .attributes(&["libdevice"])
        .into_iter()
        .filter_map(|node| {
            let text = file.dotted(node);
            let known = FULL_NAMES.iter().find(|(name, _)| *name == text)?;
            // What follows `except` is for a Triton without the new name.
            let is_fallback = parents(node).any(|it| it.kind() == "except_clause");
            let is_open = !is_fallback && !is_for_release(file, node) && file.side(node).is_none();
            is_open.then_some((file.range(node), known.1))
        });
    let used: Vec<(TextRange, &str)> = used.collect();
    let mut edits: Vec<Edit> = used
        .iter()
        .map(|(range, _)| Edit::replace(*range, "libdevice"))
        .collect();
    let import = new_import(file);
    let is_fixed = import.is_some();
    edits.extend(import.flatten());
    let finding = |(number, (range, why)): (usize, &(TextRange, &'static str))| {
        let finding = RULE
            .finding(*range, *why)
            .help("write `from triton.language.extra import libdevice`, and use that name");
        // The import and all uses go together.
        match number {
            0 if is_fixed => finding.fix(Fix::safe(edits.clone())),
            _ => finding,
        }
    };
    let count = if is_fixed { 1 } else { used.len() };
    used.iter().take(count).enumerate().map(finding).collect()
}

/// Whether a branch is chosen by Triton's release: `if Version(triton.__version__) > Version("2.0.0"): … else: …`.
fn is_for_release(file: &PyFile<'_>, node: Node<'_>) -> bool {
    parents(node).any(|it| {
        let condition = match it.kind() {
            "if_statement" => it.child_by_field_name("condition"),
            "conditional_expression" => file.elements(it).get(1).copied(),
            _ => None,
        };
        condition.is_some_and(|it| file.text(it).contains("triton.__version__"))
    })
}

/// The import that the name `libdevice` needs, or none if it is there; nothing where the name or the place is not free.
fn new_import(file: &PyFile<'_>) -> Option<Option<Edit>> {
    let imports = file.all(&["import_statement", "import_from_statement"]);
    let of_triton = |node: &&Node<'_>| {
        file.text(**node).contains("triton") && file.text(**node).trim_end().ends_with(" libdevice")
    };
    if imports
        .iter()
        .any(|node| of_triton(&node) && is_at_top(*node))
    {
        return Some(None);
    }
    let is_bound = |node: &Node<'_>| {
        file.text(*node) == "libdevice" && node.parent().is_none_or(|it| it.kind() != "attribute")
    };
    if file.all(&["identifier"]).iter().any(is_bound) {
        return None;
    }
    let mut place = imports
        .iter()
        .filter(|node| is_at_top(**node) && file.text(**node).contains("triton"));
    let (at, _) = place
        .next_back()
        .and_then(|node| place_behind(file, *node))?;
    Some(Some(Edit::insert(
        at,
        "\nfrom triton.language.extra import libdevice",
    )))
}

/// Whether a statement stands in the module itself, in no block.
fn is_at_top(node: Node<'_>) -> bool {
    node.parent().is_some_and(|it| it.kind() == "module")
}
