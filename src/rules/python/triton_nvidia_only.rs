//! A part of Triton that NVIDIA's GPUs alone have.
//!
//! ## Why on AMD
//! `tl.inline_asm_elementwise` hands its text to the assembler of the GPU, and that of AMD does not know PTX. `tf32x3` is three products
//! of NVIDIA's TF32: AMD takes `ieee`, `bf16x3` and `bf16x6`. Warp specialisation and descriptors of the Tensor Memory Accelerator stand
//! for units of Hopper and Blackwell: depending on the release the kernel does not compile for AMD, or runs without what it was written
//! for. A kernel that is compiled for AMD has `asm["amdgcn"]` and `asm["hsaco"]`; `asm["ptx"]` is a `KeyError`.
//!
//! ## Example
//! ```python
//! y = tl.inline_asm_elementwise("cvt.rna.tf32.f32 $0, $1;", "=r,r", [x], tl.float32, is_pure=True, pack=1)
//! c = tl.dot(a, b, input_precision="tf32x3")
//! for k in tl.range(0, n, warp_specialize=True):
//!     pass
//! print(kernel.asm["ptx"])
//! ```
//!
//! ## When to ignore
//! When a constant of the kernel keeps the branch from AMD, or the program asks first.
//!
//! ## Source
//! Triton 3.6: `triton/backends/amd/compiler.py`, `triton/tools/tensor_descriptor.py`; `mappings/triton.toml` has the list.

use std::borrow::Cow;

use crate::mapping::{TritonTable, TritonUse};
use crate::python::{Literal, Node, PyFile};
use crate::rules::prelude::*;

/// Reports what the table has.
pub static RULE: Rule = Rule {
    code: "CASS680",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::TookOver(&[
        ("CASS680", "triton-inline-assembly"),
        ("CASS683", "triton-dot-precision"),
        ("CASS685", "triton-hopper-feature"),
        ("CASS686", "triton-assembly-text"),
    ])],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file;
    if !file.imports("triton") {
        return;
    }
    let mut findings: Vec<Finding> = Vec::new();
    for node in file.all(&["call", "keyword_argument", "string", "subscript"]) {
        let Some((word, used)) = said(file, node) else {
            continue;
        };
        let row = TritonTable::builtin().find(&word, used);
        // Whom a place is for takes longest to find out.
        let Some(row) = row.filter(|_| file.side(node).is_none()) else {
            continue;
        };
        let finding = RULE.finding(file.range(node), row.message(&word));
        findings.push(match row.breaks {
            true => finding.severity(Severity::Error).help(row.help.as_str()),
            false => finding.help(row.help.as_str()),
        });
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The word that a place says, and how.
fn said<'s>(file: &PyFile<'s>, node: Node<'_>) -> Option<(Cow<'s, str>, TritonUse)> {
    match node.kind() {
        "call" => Some((file.callee(node)?, TritonUse::Call)),
        "keyword_argument" => {
            let value = file.text(node.child_by_field_name("value")?);
            let is_on = !matches!(&*value, "False" | "0" | "None");
            let name = node.child_by_field_name("name").filter(|_| is_on)?;
            Some((file.text(name), TritonUse::Argument))
        }
        "subscript" => {
            let compiled = file.dotted(node.child_by_field_name("value")?);
            let key = node.child_by_field_name("subscript")?;
            let key = Literal::new(file, key).filter(|_| compiled.ends_with(".asm"))?;
            Some((key.text.into(), TritonUse::Key))
        }
        _ => Some((Literal::new(file, node)?.text.into(), TritonUse::Text)),
    }
}
