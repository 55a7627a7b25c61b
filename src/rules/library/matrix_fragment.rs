//! CUDA's matrix fragments (`nvcuda::wmma`), which rocWMMA has under its own namespace.
//!
//! ## Why on AMD
//! rocWMMA follows the interface: `fragment`, `load_matrix_sync`, `mma_sync`, `store_matrix_sync`, `fill_fragment`. A fragment
//! belongs to a whole wavefront, which has 64 lanes on gfx90a and gfx942, so code that counts warps as `threadIdx.x / 32` must
//! count wavefronts instead. Shapes are 16x16 and 32x32; 8x32 and 32x8 do not exist, nor do sub-byte types. Which lane holds which
//! element differs from chip to chip.
//!
//! ## Example
//! ```cuda
//! using namespace nvcuda;
//! wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
//! ```
//! becomes
//! ```hip
//! namespace wmma = rocwmma;
//! wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
//! ```
//!
//! ## When to ignore
//! Never: block shapes and warp numbers have to be looked at.
//!
//! ## Source
//! rocWMMA API reference of ROCm 6.4.

use super::prelude::*;

/// Renames the namespace and names what rocWMMA lacks.
pub static RULE: Rule = Rule {
    code: "CASS509",
    name: "matrix-fragment",
    group: Group::Library,
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    since: "0.1.0",
    priority: 30,
    triggers: &[
        Trigger::Idents(&["nvcuda", "experimental", "tf32", "bmma_sync"]),
        Trigger::File,
    ],
    check,
};

const HELP: &str = "count wavefronts of warpSize lanes instead of warps of 32, make the block a multiple of it, and use 16x16 or 32x32 tiles";

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    match at {
        At::File => (0..cx.doc.tokens.len())
            .filter(|&index| cx.doc.is_ident(index) && cx.doc.is(index, "nvcuda"))
            .for_each(|index| namespace(cx, index)),
        At::Ident(index) => missing(cx, index),
        _ => {}
    }
}

/// `nvcuda::wmma` becomes `rocwmma`; `using namespace nvcuda;` becomes an alias under which all uses stay.
fn namespace(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let doc = cx.doc;
    let edit = if doc.is(index + 1, "::") && doc.is(index + 2, "wmma") {
        Some(Edit::replace(doc.range(index, index + 2), "rocwmma"))
    } else if doc.is_before(index, "namespace")
        && index >= 2
        && doc.is(index - 2, "using")
        && doc.is(index + 1, ";")
    {
        Some(Edit::replace(
            doc.range(index - 2, index),
            "namespace wmma = rocwmma",
        ))
    } else {
        None
    };
    let finding = RULE
        .finding(
            cx.range(index),
            "matrix fragments belong to a whole wavefront on AMD",
        )
        .help(HELP);
    cx.report(match edit {
        Some(edit) => finding.fix(Fix::review(vec![edit])),
        None => finding
            .severity(Severity::Error)
            .help("use rocwmma, which has the same functions in its own namespace"),
    });
}

/// Types and functions of `wmma` without a counterpart.
fn missing(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let of_wmma =
        |name: &str| cx.doc.is_before(index, "::") && index >= 2 && cx.doc.is(index - 2, name);
    let advice = match cx.doc.bytes(index) {
        b"experimental" if of_wmma("wmma") => {
            "redesign for 8-bit integers: AMD has no matrix instructions for parts of bytes"
        }
        b"bmma_sync" if of_wmma("wmma") || of_wmma("experimental") => {
            "redesign for 8-bit integers: AMD has no matrix instructions for bits"
        }
        b"tf32" if of_wmma("precision") && index >= 4 && cx.doc.is(index - 4, "wmma") => {
            "use rocwmma::xfloat32_t on gfx942, or float elsewhere"
        }
        _ => return,
    };
    let message = format!("rocWMMA has no `{}`", cx.text(index));
    cx.report(
        RULE.finding(cx.range(index), message)
            .severity(Severity::Error)
            .help(advice),
    );
}
