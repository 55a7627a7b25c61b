//! Macros that are called like what the headers behind HIP's runtime header use.

use crate::syntax::{Directive, DirectiveKind, Document, TokenIndex};
use crate::text::TextRange;

/// The directive that first defines a macro called like a function of C++'s library.
pub(crate) fn first_clashing_macro(document: &Document<'_>) -> Option<TextRange> {
    let mut defines = document.directives.iter();
    let found = defines.find(|directive| {
        let is_define = directive.kind == DirectiveKind::Define;
        let name = directive.operands().next().filter(|_| is_define);
        name.is_some_and(|name| {
            let start = document.tokens[name].start as usize;
            clashes(&document.source.bytes[start..])
        })
    });
    found.map(|directive| directive.range)
}

/// The name that a directive defines, if it is one of a parameter in HIP's headers.
pub(crate) fn parameter_macro(
    document: &Document<'_>,
    directive: &Directive,
) -> Option<TokenIndex> {
    let name = directive.operands().next()?;
    let is_parameter =
        directive.kind == DirectiveKind::Define && PARAMETERS.contains(&document.bytes(name));
    is_parameter.then_some(name)
}

/// Whether the text behind `#define` makes a macro of a function that the C++ headers behind HIP's runtime header have.
pub(super) fn clashes(definition: &[u8]) -> bool {
    const FUNCTIONS: [&[u8]; 3] = [b"max(", b"min(", b"swap("];
    let word = definition
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let word = &definition[..word.count()];
    FUNCTIONS.iter().any(|name| definition.starts_with(name)) || PARAMETERS.contains(&word)
}

/// Names of parameters in `hip/hip_runtime.h` 6.4: macros called so stop its compilation for gfx90a, each tried with clang 19.
pub(super) const PARAMETERS: &[&[u8]] = &[
    b"T", b"U", b"F", b"V", b"size", b"rank", b"width", b"x", b"y", b"z",
];
