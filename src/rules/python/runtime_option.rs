//! An option for NVRTC or nvcc where CuPy, PyTorch or NVIDIA's Python packages compile a string.
//!
//! ## Why on AMD
//! CuPy for ROCm, PyTorch's `torch.cuda._compile_kernel` and the `nvrtc` module of HIP Python hand the options to hiprtc, whose clang refuses
//! most of NVIDIA's own. An architecture is not needed: hiprtc compiles for the GPU that is there. Such a kernel of PyTorch's gets no more
//! shared memory than the GPU has for a block, 64 KiB before MI350.
//!
//! ## Example
//! ```python
//! kernel = cupy.RawKernel(source, "scale", options=("--use_fast_math", "-lineinfo"))
//! ```
//! becomes
//! ```python
//! kernel = cupy.RawKernel(source, "scale", options=("-gline-tables-only",))
//! ```
//!
//! ## When to ignore
//! When the options never reach a compiler for AMD.
//!
//! ## Source
//! `mappings/build.toml`, held against clang 19; HIP documentation, runtime compilation.

use crate::mapping::{BuildTable, BuildWord, chip};
use crate::python::{Bindings, Literal, Node, PyFile};
use crate::rules::prelude::*;

/// Writes options that hiprtc takes.
pub static RULE: Rule = Rule {
    code: "CASS667",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[], check)],
};

/// Calls that take options, where, and by which name.
const TAKERS: &[(&str, usize, &str)] = &[
    ("RawKernel", 2, "options"),
    ("RawModule", 1, "options"),
    ("compile_with_cache", 1, "options"),
    ("ElementwiseKernel", usize::MAX, "options"),
    ("ReductionKernel", usize::MAX, "options"),
    ("nvrtcCompileProgram", 2, "options"),
    ("ProgramOptions", usize::MAX, "options"),
    (OF_TORCH, usize::MAX, "nvcc_options"),
];

/// PyTorch's function that compiles a kernel from a string.
const OF_TORCH: &str = "_compile_kernel";

fn check(cx: &mut PythonContext<'_, '_>) {
    if !TAKERS.iter().any(|(name, ..)| cx.mentions(&[name])) {
        return;
    }
    let file = cx.file();
    let strings = cx.strings();
    let mut lists: Vec<Node<'_>> = Vec::new();
    for (name, position, keyword) in TAKERS {
        for &call in strings.calls(name) {
            let options = file.argument(call, *position, keyword);
            lists.extend(options.into_iter().flat_map(|it| strings.values(it)));
        }
    }
    lists.sort_by_key(Node::start_byte);
    lists.dedup();
    let serves_both = cx.serves_both();
    let findings = lists.into_iter().flat_map(|list| of_list(file, list));
    let findings = findings.map(|finding| match serves_both {
        true => left_to_nvidia(finding),
        false => finding,
    });
    let mut findings: Vec<Finding> = findings.collect();
    if cx.mentions(&[OF_TORCH]) {
        let calls = strings.calls(OF_TORCH).iter().copied();
        findings.extend(calls.flat_map(|call| of_torch(file, call)));
        findings.extend(too_much_memory(file));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// What else PyTorch's function is told of NVIDIA: the capability that hiprtc gets as the name of a chip, and folders of CUDA's headers.
fn of_torch(file: &PyFile<'_>, call: Node<'_>) -> Vec<Finding> {
    if file.side(call).is_some() {
        return Vec::new();
    }
    let given = |name: &str| file.argument(call, usize::MAX, name);
    let capability = given("compute_capability").and_then(|it| Some((it, Literal::new(file, it)?)));
    let capability =
        capability.filter(|(_, it)| it.text.starts_with(|it: char| it.is_ascii_digit()));
    let capability = capability.map(|(node, literal)| {
        let message = format!(
            "hiprtc gets this as the name of a chip, `--offload-arch={}`, and knows none of that name",
            literal.text
        );
        RULE.finding(file.range(node), message)
            .help("leave it out where torch.version.hip is set: PyTorch asks the GPU that is there")
    });
    let folders = given("cuda_include_dirs");
    let folders = folders.filter(|it| file.text(*it).contains("/cuda"));
    let folders = folders.map(|node| {
        let message = "these are folders of CUDA's toolkit, and hiprtc has HIP's headers within it";
        RULE.finding(file.range(node), message)
            .severity(Severity::Info)
            .help("leave it out where torch.version.hip is set")
    });
    capability.into_iter().chain(folders).collect()
}

/// Calls that give a kernel of PyTorch's more shared memory than a block has: `kernel.set_shared_memory_config(100_608)`.
fn too_much_memory(file: &PyFile<'_>) -> Vec<Finding> {
    const MOST: u64 = 64 * 1024;
    let bindings = Bindings::new(file);
    let mut calls = file.all(&["call"]);
    calls.retain(|it| {
        let name = file.callee(*it);
        name.is_some_and(|it| it == "set_shared_memory_config") && file.side(*it).is_none()
    });
    let of_call = |call: Node<'_>| {
        let bytes = file.argument(call, 0, "shared_mem_bytes")?;
        let number = product(file, bytes, &bindings).filter(|it| *it > MOST)?;
        let message = format!(
            "{number} bytes of shared memory are more than a block has on AMD's GPUs before MI350, {MOST}: the call raises"
        );
        let finding = RULE
            .finding(file.range(call), message)
            .targets(chip::with_lds_up_to_64());
        Some(finding.help("let the kernel work in tiles of up to 64 KiB, or choose another where torch.version.hip is set"))
    };
    calls.into_iter().filter_map(of_call).collect()
}

/// A number, or a product of two that constants stand for: `SIZE * 2`.
fn product(file: &PyFile<'_>, node: Node<'_>, bindings: &Bindings<'_>) -> Option<u64> {
    let of_sides = || {
        let side = |name: &str| bindings.integer(node.child_by_field_name(name)?);
        let operator = node.child_by_field_name("operator")?;
        let is_product = file.text(operator) == "*";
        is_product.then(|| side("left")?.checked_mul(side("right")?))?
    };
    bindings.integer(node).or_else(of_sides)
}

/// The findings about a list; their fixes leave a tuple a tuple.
fn of_list(file: &PyFile<'_>, list: Node<'_>) -> Vec<Finding> {
    if !matches!(list.kind(), "list" | "tuple") {
        return Vec::new();
    }
    let elements = file.elements(list);
    let fates: Vec<Option<String>> = elements
        .iter()
        .map(|it| replaced_option(file, *it))
        .collect();
    let mut findings = Vec::new();
    for (at, becomes) in fates.iter().enumerate() {
        let Some(becomes) = becomes else { continue };
        let node = elements[at];
        let Some(literal) = Literal::new(file, node) else {
            continue;
        };
        let range = file.range(node);
        let edits = match becomes.is_empty() {
            false => vec![Edit::replace(literal.content, becomes.clone())],
            true => deleted(file, list, &elements, &fates, at),
        };
        let message = match becomes.is_empty() {
            true => format!(
                "hiprtc has no option `{}` and needs nothing in its place",
                literal.text
            ),
            false => format!("option `{}` becomes `{becomes}` for hiprtc", literal.text),
        };
        let help =
            "check whether the kernel relied on it: fast mathematics, registers, an architecture";
        findings.push(
            RULE.finding(range, message)
                .help(help)
                .fix(Fix::review(edits)),
        );
    }
    findings
}

/// A finding about an option that NVIDIA's compiler goes on taking.
fn left_to_nvidia(mut finding: Finding) -> Finding {
    finding.fix = None;
    finding.help("NVRTC takes it: give hiprtc a list of its own where the program runs on AMD")
}

/// Takes an element out: up to the next one, the last one from the one before; a tuple of one keeps its comma.
fn deleted(
    file: &PyFile<'_>,
    list: Node<'_>,
    elements: &[Node<'_>],
    fates: &[Option<String>],
    at: usize,
) -> Vec<Edit> {
    let stays = |at: &usize| {
        fates[*at]
            .as_ref()
            .is_none_or(|becomes| !becomes.is_empty())
    };
    let range = file.range(elements[at]);
    let staying: Vec<usize> = (0..elements.len()).filter(stays).collect();
    let end = |at: usize| file.range(elements[at]).end;
    let comma = |at: usize| {
        let rest = &file.bytes()[end(at) as usize..list.end_byte()];
        rest.trim_ascii_start().starts_with(b",")
    };
    let mut edits = match (elements.get(at + 1), (0..at).rev().find(|at| stays(at))) {
        (Some(next), _) => vec![Edit::delete(TextRange::new(
            range.start,
            next.start_byte() as u32,
        ))],
        (None, Some(before)) => vec![Edit::delete(TextRange::new(
            end(before).max(if at > 0 { end(at - 1) } else { 0 }),
            range.end,
        ))],
        (None, None) => emptied(file, list, elements),
    };
    if let ([only], "tuple") = (&staying[..], list.kind())
        && !(only + 1 == elements.len() && comma(*only))
    {
        edits.push(Edit::insert(end(*only), ","));
    }
    edits
}

/// Takes the last element out of a list in which no other stays: its comma goes too, and the blanks around, but no comment.
fn emptied(file: &PyFile<'_>, list: Node<'_>, elements: &[Node<'_>]) -> Vec<Edit> {
    let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
        return Vec::new();
    };
    let (open, close) = (list.start_byte() + 1, list.end_byte() - 1);
    let is_blank = |from: usize, to: usize| file.bytes()[from..to].trim_ascii().is_empty();
    let rest = &file.bytes()[last.end_byte()..close];
    let comma = rest.len() - rest.trim_ascii_start().len() + 1;
    let behind = match rest.trim_ascii_start().starts_with(b",") {
        true => last.end_byte() + comma,
        false => last.end_byte(),
    };
    let end = match is_blank(behind, close) {
        true => close,
        false => behind,
    };
    let place = |from: usize, to: usize| TextRange::new(from as u32, to as u32);
    let mut edits = vec![Edit::delete(place(last.start_byte(), end))];
    if open < first.start_byte() && is_blank(open, first.start_byte()) {
        edits.push(Edit::delete(place(open, first.start_byte())));
    }
    edits
}

/// What becomes of an option; nothing where it stays.
fn replaced_option(file: &PyFile<'_>, node: Node<'_>) -> Option<String> {
    let literal = Literal::new(file, node)?;
    let (option, value) = literal.text.split_once('=').unwrap_or((&literal.text, ""));
    if matches!(
        option,
        "-default-device" | "--device-as-default-execution-space"
    ) {
        return Some(String::new());
    }
    let names = ["gpu-architecture", "arch", "gpu-code", "code", "gencode"];
    if names.contains(&option.trim_start_matches('-')) && option.starts_with('-') {
        let is_nvidia = ["sm_", "compute_", "{}"]
            .iter()
            .any(|start| value.starts_with(start));
        return is_nvidia.then(String::new);
    }
    let (word, takes) = BuildTable::builtin().option(option, value)?;
    (!takes || !value.is_empty()).then(|| words(word, value))?
}

fn words(word: &'static BuildWord, value: &str) -> Option<String> {
    let becomes = word.extension.as_ref().or(word.becomes.as_ref())?;
    let text = becomes.replace("{}", value);
    (!text.contains(' ')).then_some(text)
}
