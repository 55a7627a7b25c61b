//! A CUB warp collective (`cub::WarpReduce<T>`) that relies on the default number of lanes.
//!
//! ## Why on AMD
//! The default logical warp of CUB has 32 threads, that of hipCUB as many as the wavefront: 64 on gfx90a and gfx942. The same
//! text then reduces over twice as many lanes, and arrays of temporary storage sized for 32 lanes are indexed wrongly. hipCUB
//! takes 32 as an explicit argument on all chips.
//!
//! ## Example
//! ```cuda
//! using WarpReduce = cub::WarpReduce<float>;
//! ```
//! becomes
//! ```hip
//! using WarpReduce = hipcub::WarpReduce<float, 32>;
//! ```
//!
//! ## When to ignore
//! Never with `--warp logical32`. Where the project says, for AMD, that a warp has 64 lanes, the default is what it means. With
//! `--warp native` the finding asks for a look at the code around it instead.
//!
//! ## Source
//! `hipcub/backend/rocprim/warp/` of ROCm 6.4: the default is `HIPCUB_DEVICE_WARP_THREADS`.

use crate::analysis::namespaces::COLLECTIVES;
use crate::cpp::calls::template_arguments;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Says 32 where CUB means it.
pub static RULE: Rule = Rule {
    code: "CASS503",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(NAMES, check)],
};

const NAMES: &[&str] = &[
    "WarpReduce",
    "WarpScan",
    "WarpExchange",
    "WarpMergeSort",
    "WarpLoad",
    "WarpStore",
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let name = cx.text(index);
    let Some(&(_, position)) = COLLECTIVES.iter().find(|(known, _)| name == *known) else {
        return;
    };
    if !is_cubs(cx.doc, index) || cx.own.says_wavefront() {
        return;
    }
    let Some((given, close)) = template_arguments(cx.doc, index) else {
        return;
    };
    let given = given.len();
    if given == 0 || given > position {
        return;
    }
    let message = format!("`{name}` uses the wavefront size as its default number of lanes");
    let finding = RULE.finding(cx.doc.range(index, close), message);
    cx.report(match cx.warp() {
        WarpMode::Native => finding.severity(Severity::Warning).help(
            "check that block sizes, warp indices and temporary storage follow the wavefront size, or pass 32",
        ),
        WarpMode::Logical32 => match missing(&name, position - given) {
            Some(text) => finding.fix(Fix::safe(vec![Edit::insert(cx.range(close).start, text)])),
            None => finding
                .severity(Severity::Warning)
                .help("pass all template arguments up to the number of lanes, and 32 there"),
        },
    });
}

/// The arguments from the first that is not given up to the number of lanes.
fn missing(name: &str, between: usize) -> Option<&'static str> {
    match (name, between) {
        (_, 0) => Some(", 32"),
        ("WarpLoad", 1) => Some(", hipcub::WARP_LOAD_DIRECT, 32"),
        ("WarpStore", 1) => Some(", hipcub::WARP_STORE_DIRECT, 32"),
        _ => None,
    }
}

/// `cub::WarpReduce`, `hipcub::WarpReduce` that is not converted yet does not count; nor does a namespace of the project.
fn is_cubs(doc: &Document<'_>, index: TokenIndex) -> bool {
    doc.is_before(index, "::") && index >= 2 && doc.is(index - 2, "cub")
}
