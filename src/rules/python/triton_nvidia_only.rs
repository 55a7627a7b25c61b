//! A part of Triton, or a number in it, that is right for NVIDIA's GPUs alone.
//!
//! ## Why on AMD
//! `tl.inline_asm_elementwise` hands its text to the assembler of the GPU, and that of AMD does not know PTX. `tf32x3` is three products
//! of NVIDIA's TF32: AMD takes `ieee`, `bf16x3` and `bf16x6`. Warp specialisation and descriptors of the Tensor Memory Accelerator stand
//! for units of Hopper and Blackwell: depending on the release the kernel does not compile for AMD, or runs without what it was written
//! for. A kernel that is compiled for AMD has `asm["amdgcn"]` and `asm["hsaco"]`; `asm["ptx"]` is a `KeyError`.
//!
//! MI300 computes in `float8_e4m3fnuz`, whose bias is one more and whose largest number is 240, not 448. `float8_e4m3fn` compiles, and is
//! converted in software: slower, and scales that were chosen for 448 overflow where the data becomes `fnuz`. MI350 and RDNA4 have the
//! same format as NVIDIA. A warp of AMD's data centre GPUs has 64 lanes: numbers of warps or sizes of blocks that are made with 32 are
//! half or twice what was meant.
//!
//! ## Example
//! ```python
//! y = tl.inline_asm_elementwise("cvt.rna.tf32.f32 $0, $1;", "=r,r", [x], tl.float32, is_pure=True, pack=1)
//! c = tl.dot(a, b, input_precision="tf32x3")
//! for k in tl.range(0, n, warp_specialize=True):
//!     pass
//! print(kernel.asm["ptx"])
//! y = x.to(tl.float8e4nv)
//! WARP_SIZE = 32
//! ```
//!
//! ## When to ignore
//! When a constant of the kernel keeps the branch from AMD, or the program asks first. Of the 8-bit floats when the chips are MI350 or later, of the lanes on RDNA: name
//! the chip with `--target`.
//!
//! ## Source
//! Triton 3.6: `triton/backends/amd/compiler.py`, `triton/tools/tensor_descriptor.py`, `warp_size` in `triton/backends/amd/driver.py`; AMD
//! CDNA3 instruction set, "FP8 formats"; `mappings/triton.toml` has the list.

use std::borrow::Cow;

use crate::mapping::{TritonTable, TritonUse, chip};
use crate::python::{Literal, Node, PyFile, Side};
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
        ("CASS684", "triton-fp8"),
        ("CASS686", "triton-assembly-text"),
        ("CASS687", "triton-warp-size"),
    ])],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let rows = TritonTable::builtin().open_in(&cx.source.bytes);
    if rows.is_empty() || !cx.file().imports("triton") {
        return;
    }
    let file = cx.file();
    let mut findings: Vec<Finding> = Vec::new();
    for node in file.all(KINDS) {
        let Some((word, used)) = said(file, node) else {
            continue;
        };
        let row = rows.iter().find(|row| row.is_about(&word, used));
        // Whom a place is for takes longest to find out.
        let Some(row) = row.filter(|_| file.side(node).is_none() && !counts_for_nvidia(file, node))
        else {
            continue;
        };
        let mut finding = RULE.finding(file.range(node), row.message(&word));
        if row.wide_warps {
            finding = finding.targets(chip::with_wave64());
        }
        findings.push(match row.breaks {
            true => finding.severity(Severity::Error).help(row.help.as_str()),
            false => finding.help(row.help.as_str()),
        });
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The nodes that can say a word of the table.
const KINDS: &[&str] = &[
    "assignment",
    "attribute",
    "call",
    "keyword_argument",
    "string",
    "subscript",
];

/// Whether a place is part of a comparison that decides nothing on AMD: `dtype == torch.float8_e4m3fn and torch.version.hip is None`.
fn counts_for_nvidia(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let compared = node
        .parent()
        .filter(|it| it.kind() == "comparison_operator");
    let joined = compared.and_then(|it| it.parent());
    let is_and = |it: &Node<'_>| {
        let operator = it.child_by_field_name("operator");
        operator.is_some_and(|operator| file.text(operator) == "and")
    };
    let joined = joined.filter(|it| it.kind() == "boolean_operator" && is_and(it));
    let right = joined.and_then(|it| it.child_by_field_name("right"));
    right.is_some_and(|right| file.if_true(right) == Some(Side::Nvidia))
}

/// The word that a place says, and how.
fn said<'s>(file: &PyFile<'s>, node: Node<'_>) -> Option<(Cow<'s, str>, TritonUse)> {
    match node.kind() {
        "attribute" => {
            let name = node.child_by_field_name("attribute")?;
            Some((file.text(name), TritonUse::Attribute))
        }
        "assignment" => {
            let name = file.dotted(node.child_by_field_name("left")?);
            let name = name.rsplit('.').next()?;
            let name = name.to_ascii_lowercase().replace('_', "");
            let value = node.child_by_field_name("right")?;
            let value = file.text((value.kind() == "integer").then_some(value)?);
            Some((format!("{name}={value}").into(), TritonUse::Constant))
        }
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
