//! A structure of a graph node that is initialised by position, with members in another order in HIP.
//!
//! ## Why on AMD
//! `hipMemsetParams` before ROCm 7.0 and `hipKernelNodeParams` list their members in the order of the alphabet. A list of values in
//! CUDA's order then sets other members: a pitch becomes the element's size without a word, and a kernel a block's shape.
//!
//! ## Example
//! ```cuda
//! cudaMemsetParams clear = {data, 0, 0, 4, width, 1};
//! ```
//! becomes
//! ```hip
//! hipMemsetParams clear = {data, 4, 1, 0, 0, width};
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/hip_runtime_api.h` of ROCm 6.4 and 7.1; CUDA's `driver_types.h`.

use crate::analysis::rename::{Part, is_code_alone, written_anew};
use crate::cpp::declarations::initializer_list;
use crate::rules::prelude::*;
use crate::syntax::split_arguments;

/// Puts the values into HIP's order.
pub static RULE: Rule = Rule {
    code: "CASS407",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 25,
    facts: &[],
    checks: &[Check::Idents(
        &["cudaMemsetParams", "cudaKernelNodeParams"],
        check,
    )],
};

/// Where HIP's first, second, … member stands in CUDA's list.
const MEMSET: [usize; 6] = [0, 3, 5, 1, 2, 4];
const KERNEL: [usize; 6] = [2, 5, 0, 1, 4, 3];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_memset = doc.is(index, "cudaMemsetParams");
    // Where the type keeps its name the list is CUDA's, also in the next run.
    if cx.is_off(
        cx.range(index).start,
        rule_of_support(Support::Full).id().code,
    ) {
        return;
    }
    if is_memset && cx.options().rocm >= Version::new(7, 0) {
        return;
    }
    let Some(open) = initializer_list(doc, index) else {
        return;
    };
    let Some(close) = doc.matching_bracket(open) else {
        return;
    };
    let values = split_arguments(doc, open + 1..close);
    let by_position = values.len() > 1
        && values
            .iter()
            .all(|value| !value.is_empty() && !doc.is(value.start, "."));
    if !by_position {
        return;
    }
    let order = if is_memset { MEMSET } else { KERNEL };
    let message = format!(
        "HIP declares the members of `{}` in another order",
        cx.text(index)
    );
    let finding = RULE.finding(doc.range(open, close), message);
    let inside = doc.range(values[0].start, values[values.len() - 1].end - 1);
    if values.len() != order.len() || !is_code_alone(cx, inside) {
        let help = "assign the members by name";
        cx.report(finding.severity(Severity::Error).help(help));
        return;
    }
    let ordered = order.iter().map(|&from| &values[from]);
    let parts: Vec<Part> = ordered
        .flat_map(|value| {
            let code = Part::Code(doc.range(value.start, value.end - 1));
            [Part::Text(", "), code]
        })
        .skip(1)
        .collect();
    cx.report(finding.fix(Fix::safe(vec![written_anew(cx, inside, &parts)])));
}
