//! A TensorFlow program that asks whether TensorFlow was built with CUDA.
//!
//! ## Why on AMD
//! `tf.test.is_built_with_cuda()` is false in TensorFlow for ROCm, and the program goes on with the CPU.
//! `tf.test.is_built_with_gpu_support()` is true with either. `tf.sysconfig.get_build_info()` has no `cuda_version` there, nor anything else
//! that only CUDA has: to ask for it raises `KeyError`.
//!
//! ## Example
//! ```python
//! if tf.test.is_built_with_cuda():
//!     run_on_gpu()
//! ```
//! becomes
//! ```python
//! if tf.test.is_built_with_gpu_support():
//!     run_on_gpu()
//! ```
//!
//! ## When to ignore
//! When `is_built_with_rocm` is asked beside it. What tests and decorators ask, which says what is run, is told once a file.
//!
//! ## Source
//! TensorFlow documentation, `tf.test.is_built_with_gpu_support`.

use std::borrow::Cow;

use crate::python::{Literal, Node, PyFile, Strings, parents};
use crate::rules::prelude::*;

/// Asks for either vendor.
pub static RULE: Rule = Rule {
    code: "CASS674",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&["is_built_with_cuda", "get_build_info"]],
        check,
    )],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if cx.mentions(&["is_built_with_rocm"]) {
        return;
    }
    let file = cx.file();
    let mut asked = file.attributes(&[QUESTION]);
    // Who is asked in front of a test says which tests are run: they are told together.
    let (of_tests, of_program): (Vec<Node<'_>>, Vec<Node<'_>>) = asked
        .drain(..)
        .partition(|it| cx.is_test() || is_of_decorator(*it));
    let mut findings: Vec<Finding> = of_program
        .iter()
        .map(|it| {
            of_questions(
                file,
                &[*it],
                "`is_built_with_cuda` is false in TensorFlow for ROCm",
            )
        })
        .collect();
    if !of_tests.is_empty() {
        let places = match of_tests.len() {
            1 => String::new(),
            count => format!(" (the first of {count} places)"),
        };
        let message = format!(
            "`is_built_with_cuda` is false in TensorFlow for ROCm: what a test does there is left out{places}"
        );
        let finding = of_questions(file, &of_tests, message);
        findings.push(finding);
    }
    findings.extend(of_build_info(file, cx.strings()));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The function that says whether CUDA is there.
const QUESTION: &str = "is_built_with_cuda";

/// Whether a question is that of a decorator: `@unittest.skipUnless(tf.test.is_built_with_cuda(), "…")`.
fn is_of_decorator(node: Node<'_>) -> bool {
    parents(node).any(|it| it.kind() == "decorator")
}

/// What is said of some questions at the first of them, and the edits that ask for either vendor.
fn of_questions(
    file: &PyFile<'_>,
    asked: &[Node<'_>],
    message: impl Into<Cow<'static, str>>,
) -> Finding {
    let names = asked
        .iter()
        .filter_map(|it| it.child_by_field_name("attribute"));
    let edits = names.map(|it| Edit::replace(file.range(it), "is_built_with_gpu_support"));
    let range = file.range(asked[0]);
    RULE.finding(range, message)
        .help("check that the question is whether there is a GPU, not whether it is NVIDIA's")
        .fix(Fix::review(edits.collect()))
}

/// What the build information lacks in TensorFlow for ROCm.
const LACKING: &[&str] = &["cuda_version", "cudnn_version", "cuda_compute_capabilities"];

/// What a value stands in that is printed, kept or given to somebody.
const HANDING_ON: &[&str] = &[
    "argument_list",
    "expression_statement",
    "interpolation",
    "keyword_argument",
    "pair",
    "return_statement",
];

/// `tf.sysconfig.get_build_info()["cuda_version"]`, or the same of a variable that is set to nothing else.
fn of_build_info<'t>(file: &'t PyFile<'t>, strings: &Strings<'t>) -> Vec<Finding> {
    let is_call = |node: Node<'_>| {
        let callee = file.callee(node);
        node.kind() == "call" && callee.is_some_and(|it| it == "get_build_info")
    };
    let mut findings = Vec::new();
    if strings.calls("get_build_info").is_empty() {
        return findings;
    }
    for node in file.all(&["subscript"]) {
        let field = |name| node.child_by_field_name(name);
        let (Some(value), Some(key)) = (field("value"), field("subscript")) else {
            continue;
        };
        let values = strings.values(value);
        let is_info = !values.is_empty() && values.into_iter().all(is_call);
        let key = Literal::new(file, key).filter(|it| LACKING.contains(&it.text.as_str()));
        let Some(key) = key.filter(|_| is_info && file.side(node).is_none()) else {
            continue;
        };
        let message = format!(
            "the build information of TensorFlow for ROCm has no `{}`: asking for it raises KeyError",
            key.text
        );
        let range = file.range(node);
        let finding = RULE
            .finding(range, message)
            .help("check what is done with None, which `.get` gives there");
        // Where None is computed with, `.get` fails as well.
        let is_handed_on = node.parent().is_some_and(|it| match it.kind() {
            "assignment" => it.child_by_field_name("right") == Some(node),
            kind => HANDING_ON.contains(&kind),
        });
        let behind = TextRange::new(value.end_byte() as u32, range.end);
        let edit = Edit::replace(behind, format!(".get(\"{}\")", key.text));
        findings.push(match is_handed_on {
            true => finding.fix(Fix::review(vec![edit])),
            false => finding,
        });
    }
    findings
}
