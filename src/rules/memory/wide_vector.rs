//! A structure with a vector of 32 bytes, which HIP aligns to 32 bytes and CUDA to 16.
//!
//! ## Why on AMD
//! `double4`, `long4` and `longlong4` begin at multiples of 16 bytes in CUDA up to 12. In HIP they begin at multiples of 32, so the
//! members behind them move and the structure grows. One program agrees with itself; files, other libraries and
//! numbers written down as `sizeof` or offset do not.
//!
//! ## Example
//! ```cuda
//! struct Body { float mass; double4 place; };   // 48 bytes in CUDA, 64 in HIP
//! ```
//!
//! ## When to ignore
//! When only this program, built as a whole, ever sees the structure.
//!
//! ## Source
//! `alignof(double4)` with clang 19 and `hip/amd_detail/amd_hip_vector_types.h` of ROCm 6.4; CUDA's `vector_types.h`.

use crate::analysis::wavefront::is_hip_source;
use crate::cpp::windows::DECLARATION;
use crate::rules::prelude::*;
use crate::text::keywords::is_class_key;

/// Reports the member.
pub static RULE: Rule = Rule {
    code: "CASS406",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(
        &["double4", "long4", "ulong4", "longlong4", "ulonglong4"],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_declaration = doc
        .prev(index)
        .is_some_and(|before| matches!(doc.bytes(before), b";" | b"{" | b"}" | b":" | b"const"))
        && doc.next(index).is_some_and(|name| {
            doc.is_ident(name)
                && doc
                    .next(name)
                    .is_some_and(|end| matches!(doc.bytes(end), b";" | b"," | b"[" | b"=" | b"{"))
        });
    if !is_declaration
        || !is_member(doc, index)
        || cx.is_own(doc.bytes(index))
        || is_hip_source(doc)
    {
        return;
    }
    let message = format!(
        "HIP aligns `{}` to 32 bytes, CUDA to 16: the structure layout differs",
        cx.text(index)
    );
    let finding = RULE.finding(cx.range(index), message).help(
        "where files or other code share the structure, declare its members as doubles and check its size with a static_assert",
    );
    cx.report(finding);
}

/// Whether the innermost braces around the token are those of a structure.
fn is_member(doc: &Document<'_>, index: TokenIndex) -> bool {
    let Some(open) = doc.braces_around(index).next() else {
        return false;
    };
    (0..open)
        .rev()
        .take(DECLARATION)
        .take_while(|&at| !matches!(doc.bytes(at), b";" | b"{" | b"}" | b")"))
        .any(|at| is_class_key(doc.bytes(at)))
}
