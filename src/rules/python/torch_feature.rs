//! A feature of PyTorch or DeepSpeed that their builds for ROCm lack.
//!
//! ## Why on AMD
//! PyTorch for ROCm has most of PyTorch under the names for CUDA, and what it lacks fails when it is called: attention by cuDNN alone finds no
//! kernel, products of matrices with two zeros in four have no kernels of CUTLASS but hipSPARSELt's, and DeepSpeed's access to files
//! by GPUDirect Storage is built with NVIDIA's cuFile. The Triton that comes with it is called `pytorch-triton-rocm` or `triton-rocm` among the
//! packages that pip installed, so that a question for the release of `triton` throws.
//!
//! ## Example
//! ```python
//! with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
//!     out = F.scaled_dot_product_attention(q, k, v)
//! ```
//!
//! ## When to ignore
//! When AMD never runs the code, or PyTorch is ROCm's own fork of 2026, which computes attention by hipDNN there. A list with
//! other backends behind cuDNN's gives no finding, nor does a call that is tried and not the end where it fails.
//!
//! ## Source
//! PyTorch 2.11: `torch.nn.attention.sdpa_kernel`, `torch.sparse.SparseSemiStructuredTensor`; DeepSpeed 0.17, `op_builder/gds.py`; pull
//! request 3197 of ROCm/pytorch.

use crate::python::{Literal, Node, PyFile, parents};
use crate::rules::prelude::*;

/// Reports the first use of each.
pub static RULE: Rule = Rule {
    code: "CASS754",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&[
            "CUDNN_ATTENTION",
            "cudnn_attention",
            "_FORCE_CUTLASS",
            "GDSBuilder",
            "\"triton\")",
            "'triton')",
        ]],
        check,
    )],
};

/// What is lacking: how a place that needs it is known, what is the matter, and what to do.
struct Feature {
    is_needed: fn(&PyFile<'_>, Node<'_>) -> bool,
    message: &'static str,
    help: &'static str,
}

const FEATURES: &[Feature] = &[
    Feature {
        is_needed: is_cudnn_alone,
        message: "PyTorch for ROCm has no attention by cuDNN: no kernel is found",
        help: "give a list with others behind it and `set_priority=True`, `[SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, \
               SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]`: PyTorch takes the first that is there",
    },
    Feature {
        is_needed: |file, node| {
            node.kind() == "attribute"
                && member(file, node).starts_with("_scaled_dot_product_cudnn_attention")
        },
        message: "PyTorch for ROCm has no attention by cuDNN: the operator fails",
        help: "call torch.nn.functional.scaled_dot_product_attention where torch.version.hip is set",
    },
    Feature {
        is_needed: forces_cutlass,
        message: "PyTorch for ROCm has no kernels of CUTLASS: products of semi-structured matrices fail",
        help: "leave `_FORCE_CUTLASS` off where torch.version.hip is set: hipSPARSELt computes them on MI300",
    },
    Feature {
        is_needed: |file, node| {
            node.kind() == "call" && file.callee(node).is_some_and(|it| it == "GDSBuilder")
        },
        message: "DeepSpeed's GPUDirect Storage is built with NVIDIA's cuFile",
        help: "read files by AsyncIOBuilder where torch.version.hip is set",
    },
    Feature {
        is_needed: asks_for_package,
        message: "PyTorch's wheels for ROCm bring no package called `triton`: the question for its release throws",
        help: "ask the module, `import triton; triton.__version__`: PyTorch's index has the package as pytorch-triton-rocm, from 2.10 on as \
               triton-rocm, and AMD's own as triton",
    },
];

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let places = file.all(&["attribute", "call", "assignment"]);
    let mut findings = Vec::new();
    for feature in FEATURES {
        let mut needed = places
            .iter()
            .filter(|node| (feature.is_needed)(file, **node));
        let fails = |node: Node<'_>| !file.is_tried(node) || ends_where_it_fails(file, node);
        if let Some(node) = needed.find(|node| fails(**node) && file.side(**node).is_none()) {
            let finding = RULE.finding(file.range(*node), feature.message);
            findings.push(finding.help(feature.help));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether the program ends where what is tried fails: by `exit()`, or by throwing again.
fn ends_where_it_fails(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let attempt = parents(node).find(|it| it.kind() == "try_statement");
    let clauses = attempt.into_iter().flat_map(Node::named_children);
    let mut clauses = clauses.filter(|it| it.kind() == "except_clause").peekable();
    clauses.peek().is_some() && clauses.all(|it| file.ends_program(it))
}

/// Whether a call asks for what is installed under the name `triton`: `importlib.metadata.version("triton")`.
fn asks_for_package(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let callee = (node.kind() == "call").then(|| file.callee(node)).flatten();
    let asks = callee.is_some_and(|it| {
        let mut givers = ["importlib", "importlib_metadata", "pkg_resources"].iter();
        matches!(&*it, "version" | "distribution" | "get_distribution")
            && givers.any(|it| file.imports(it))
    });
    let literal = file.argument(node, 0, "distribution_name").filter(|_| asks);
    literal
        .and_then(|it| Literal::new(file, it))
        .is_some_and(|it| it.text == "triton")
}

/// The last part of a dotted name.
fn member(file: &PyFile<'_>, attribute: Node<'_>) -> String {
    let name = attribute.child_by_field_name("attribute");
    name.map_or_else(String::new, |it| file.text(it).into_owned())
}

/// Whether cuDNN's is the one backend that a call of `sdpa_kernel` allows, alone or in a list of one.
fn is_cudnn_alone(file: &PyFile<'_>, node: Node<'_>) -> bool {
    if node.kind() != "attribute" || member(file, node) != "CUDNN_ATTENTION" {
        return false;
    }
    let list = node.parent().filter(|it| it.kind() == "list");
    if list.is_some_and(|it| it.named_children().count() > 1) {
        return false;
    }
    let value = list.unwrap_or(node);
    let given = value
        .parent()
        .filter(|it| it.kind() == "keyword_argument")
        .unwrap_or(value);
    let call = given
        .parent()
        .filter(|it| it.kind() == "argument_list")
        .and_then(|it| it.parent());
    let name = call.and_then(|it| file.callee(it));
    name.is_some_and(|it| it == "sdpa_kernel")
}

/// Whether an assignment sets `SparseSemiStructuredTensor._FORCE_CUTLASS`.
fn forces_cutlass(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let field = |name| {
        (node.kind() == "assignment")
            .then(|| node.child_by_field_name(name))
            .flatten()
    };
    let is_switch = field("left")
        .is_some_and(|it| it.kind() == "attribute" && member(file, it) == "_FORCE_CUTLASS");
    is_switch && field("right").is_some_and(|it| it.kind() == "true")
}
