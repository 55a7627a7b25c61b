//! The function around a token.

use crate::mapping::{ApiTable, Kind};
use crate::syntax::{Document, FunctionScope, Include, Space, TokenIndex, flags};

/// The innermost function with a name around a token; lambdas count as part of it.
pub fn named_function<'d>(doc: &'d Document<'_>, index: TokenIndex) -> Option<&'d FunctionScope> {
    doc.scopes()
        .around(index)
        .find(|function| function.body.contains(&index) && function.name.is_some())
}

/// Whether a token is code that only the device runs: in a kernel or a `__device__` function, not in a macro.
pub fn is_device_only(doc: &Document<'_>, index: TokenIndex) -> bool {
    !doc.tokens[index].has(flags::DIRECTIVE)
        && named_function(doc, index)
            .is_some_and(|function| matches!(function.space, Space::Kernel | Space::Device))
}

/// Whether the name of a declaration stands behind this type: `uint3 name`, and which token that name is.
pub fn declares(doc: &Document<'_>, name: &[u8], of_type: &[u8], within: &FunctionScope) -> bool {
    (within.head.start..within.body.end).any(|at| {
        doc.bytes(at) == of_type && doc.next(at).is_some_and(|next| doc.bytes(next) == name)
    })
}

/// Whether a file uses CUDA, rather than mention it: only such a file changes its compiler.
pub fn uses_cuda(doc: &Document<'_>, table: &ApiTable) -> bool {
    let path = doc.source.path.as_str();
    let is_header = |include: &Include| table.header(doc.source.slice(include.path)).is_some();
    let is_name = |word: &[u8]| {
        let hit = table.get(word);
        hit.is_some_and(|hit| !hit.entry.context && hit.entry.kind != Kind::Namespace)
    };
    path.ends_with(".cu")
        || path.ends_with(".cuh")
        || doc.includes.iter().any(is_header)
        || doc.has_word(is_name)
}
