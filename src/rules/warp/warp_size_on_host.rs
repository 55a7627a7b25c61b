//! Host code that computes with the warp size of the device.
//!
//! ## Why on AMD
//! The property is 64 on CDNA. Translated device code keeps warps of 32 lanes, so a host that divides a block or sizes shared memory
//! by the property counts half of the warps that the kernel has.
//!
//! ## Example
//! ```cuda
//! size_t shared = block / prop.warpSize * sizeof(float);
//! ```
//!
//! ## When to ignore
//! When the number only chooses a block size, or is about occupancy.
//!
//! ## Source
//! HIP documentation, warp size.

use crate::analysis::lane_mask;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Reports arithmetic on the property in files whose device code exchanges values between lanes: elsewhere, as in a computation of
/// occupancy, the hardware's number is the right one.
pub static RULE: Rule = Rule {
    code: "CASS205",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    triggers: &[Trigger::Idents(&["warpSize"])],
    check,
};

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    let doc = cx.doc;
    let member = doc.prev_is(index, ".") || doc.prev_is(index, "->");
    if !member
        || cx.options().warp == WarpMode::Native
        || lane_mask::is_hip_source(doc)
        || doc.call(index).is_some()
        || !is_operand(doc, index)
        || !lane_mask::exchanges(doc)
    {
        return;
    }
    let finding = RULE
        .finding(
            cx.range(index),
            "the host computes with a warp size of 64 on CDNA, device code keeps warps of 32 lanes",
        )
        .help("write 32 where the number has to agree with what kernels do with warps, such as the size of shared memory for each warp");
    cx.report(finding);
}

/// `block / prop.warpSize`, `prop.warpSize * 4`.
fn is_operand(doc: &Document<'_>, index: TokenIndex) -> bool {
    let arithmetic = |at: TokenIndex| matches!(doc.bytes(at), b"/" | b"*" | b"%" | b"-");
    let mut start = index;
    while doc
        .prev(start)
        .is_some_and(|prev| matches!(doc.bytes(prev), b"." | b"->"))
    {
        let Some(object) = doc.prev(start).and_then(|dot| doc.prev(dot)) else {
            break;
        };
        start = object;
    }
    doc.next(index).is_some_and(arithmetic)
        || doc.prev(start).is_some_and(|at| {
            matches!(doc.bytes(at), b"/" | b"%")
                || (doc.is(at, "*")
                    && doc.prev(at).is_some_and(|before| {
                        doc.tokens[before].kind == TokenKind::Number
                            || doc.is(before, ")")
                            || (doc.is_ident(before)
                                && doc.prev(before).is_some_and(|b| {
                                    !matches!(doc.bytes(b), b";" | b"{" | b"}" | b"(")
                                }))
                    }))
        })
}
