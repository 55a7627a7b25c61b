//! A launch option of Triton that AMD's compiler or GPU does not take.
//!
//! ## Why on AMD
//! A warp of AMD's data centre GPUs has 64 lanes: `num_warps=32` is 2048 threads, which compiles and fails at the launch. Software
//! pipelining deeper than two stages fails in AMD's compiler for some kernels and is not what AMD's guide uses. Clusters of blocks
//! (`num_ctas`) are Hopper's, and a `ValueError` for AMD; `maxnreg` is not looked at.
//!
//! ## Example
//! ```python
//! config = triton.Config({"BLOCK": 1024}, num_warps=32)
//! ```
//! becomes
//! ```python
//! config = triton.Config({"BLOCK": 1024}, num_warps=16 if torch.version.hip else 32)
//! ```
//!
//! ## When to ignore
//! `num_warps` on RDNA, whose warps have 32 lanes: name the chip with `--target`.
//!
//! ## Source
//! Triton 3.6, compiled for gfx942 by `tests/triton`; AMD's guide to optimising Triton kernels; the same form in Liger Kernel.

use tree_sitter::Node;

use crate::mapping::chip;
use crate::python::PyFile;
use crate::rules::prelude::*;

/// Gives AMD a value of its own.
pub static RULE: Rule = Rule {
    code: "CASS682",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::Python],
    check,
};

fn check(_: Site<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python().filter(|file| file.imports("triton")) else {
        return;
    };
    let arguments = file.all(&["keyword_argument"]);
    let findings: Vec<Finding> = arguments
        .into_iter()
        .filter_map(|it| of_argument(file, it))
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn of_argument(file: &PyFile<'_>, argument: Node<'_>) -> Option<Finding> {
    let name = file.text(argument.child_by_field_name("name")?);
    let value = argument
        .child_by_field_name("value")
        .filter(|it| it.kind() == "integer")?;
    let number: u32 = file.text(value).parse().ok()?;
    let (amd, message) = match (&*name, number) {
        ("num_warps", 32..) => (
            16,
            "32 warps of 64 lanes are more threads than a block can have: the launch fails",
        ),
        ("num_stages", 3..) if !file.knows_amd() => (
            2,
            "pipelining over more than two stages fails to compile for AMD in some kernels",
        ),
        ("num_ctas", 2..) => (
            1,
            "AMD's GPUs have no clusters of blocks: `num_ctas` must be 1",
        ),
        _ => return None,
    };
    if file.side(argument).is_some() {
        return None;
    }
    let finding = RULE.finding(file.range(argument), message);
    let finding = if name == "num_warps" {
        finding.targets(chip::with_wave64())
    } else {
        finding
    };
    let help = format!("give AMD {amd}, and measure");
    let question = file
        .question(value)
        .filter(|_| !file.is_in_triton_kernel(argument));
    let Some(question) = question else {
        return Some(finding.help(format!(
            "{help}: `{name}={amd}` where torch.version.hip is set"
        )));
    };
    let start = value.start_byte() as u32;
    let mut edits = vec![Edit::insert(
        start,
        format!("{amd} if {} else ", question.text),
    )];
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    Some(finding.help(help).fix(Fix::review(edits)))
}
