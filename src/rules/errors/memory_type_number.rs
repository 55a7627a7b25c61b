//! A memory type compared with a number.
//!
//! ## Why on AMD
//! `cudaMemoryTypeHost` is 1, `Device` 2 and `Managed` 3. Before ROCm 7 HIP counts from host = 0 and device = 1, so `== 2` never holds
//! for device memory. The enumerators have the right value everywhere.
//!
//! ## Example
//! ```cuda
//! if (attributes.type == 2) free_on_device(p);
//! ```
//! becomes by hand
//! ```hip
//! if (attributes.type == hipMemoryTypeDevice) free_on_device(p);
//! ```
//!
//! ## When to ignore
//! When the member belongs to another structure.
//!
//! ## Source
//! HIP 7 changes document; `hip/hip_runtime_api.h` of ROCm 6.4.

use crate::rules::prelude::*;

/// Reports the comparison.
pub static RULE: Rule = Rule {
    code: "CASS607",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["memoryType", "type"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(object) = doc
        .prev(index)
        .filter(|&index| matches!(doc.bytes(index), b"." | b"->"))
        .and_then(|index| doc.prev(index))
    else {
        return;
    };
    let number = doc
        .next(index)
        .filter(|&index| matches!(doc.bytes(index), b"==" | b"!="))
        .and_then(|index| doc.next(index))
        .filter(|&index| doc.tokens[index].kind == TokenKind::Number);
    let (Some(number), true) = (number, is_pointer_attributes(doc, object)) else {
        return;
    };
    let finding = RULE
        .finding(cx.range(number), "memory types have other values in HIP")
        .help("compare with `hipMemoryTypeHost`, `hipMemoryTypeDevice`, `hipMemoryTypeManaged` or `hipMemoryTypeUnregistered`");
    cx.report(finding);
}

/// Whether `cudaPointerAttributes name` is declared in the file.
fn is_pointer_attributes(doc: &Document<'_>, object: TokenIndex) -> bool {
    let name = doc.bytes(object);
    let declared = |at| {
        let next = doc.next(at)?;
        let is_pointer = matches!(doc.bytes(next), b"*" | b"&");
        doc.tokens
            .get(next + usize::from(is_pointer))
            .map(|token| doc.source.slice(token.range()))
    };
    doc.all("cudaPointerAttributes")
        .any(|at| declared(at) == Some(name))
}
