//! An option for NVRTC or nvcc where CuPy or NVIDIA's Python packages compile a string.
//!
//! ## Why on AMD
//! CuPy for ROCm and the `nvrtc` module of HIP Python hand the options to hiprtc, whose clang refuses most of NVIDIA's own. An
//! architecture is not needed: hiprtc compiles for the GPU that is there.
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

use crate::mapping::{BuildTable, BuildWord};
use crate::python::{Literal, Node, PyFile};
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

/// Calls that take options, and where.
const TAKERS: &[(&str, usize)] = &[
    ("RawKernel", 2),
    ("RawModule", 1),
    ("compile_with_cache", 1),
    ("ElementwiseKernel", usize::MAX),
    ("ReductionKernel", usize::MAX),
    ("nvrtcCompileProgram", 2),
    ("ProgramOptions", usize::MAX),
];

fn check(cx: &mut PythonContext<'_, '_>) {
    if !TAKERS.iter().any(|(name, _)| cx.mentions(&[name])) {
        return;
    }
    let file = cx.file();
    let strings = cx.strings();
    let mut lists: Vec<Node<'_>> = Vec::new();
    for (name, position) in TAKERS {
        for &call in strings.calls(name) {
            let options = file.argument(call, *position, "options");
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
    let findings: Vec<Finding> = findings.collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
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
