//! Macros that are called like what the headers behind HIP's runtime header use.

use crate::mapping::name_lists;
use crate::syntax::{Directive, Document, TokenIndex};
use crate::text::TextRange;

/// The directive that first defines a macro called like a function of C++'s library.
pub(crate) fn first_clashing_macro(document: &Document<'_>) -> Option<TextRange> {
    let mut macros = document.macros();
    let found = macros.find(|(name, _)| {
        let start = document.tokens[*name].start as usize;
        clashes(&document.source.bytes[start..])
    });
    found.map(|(_, directive)| directive.range)
}

/// The name that a directive defines, if it is one of a parameter in HIP's headers.
pub(crate) fn parameter_macro(
    document: &Document<'_>,
    directive: &Directive,
) -> Option<TokenIndex> {
    let name = directive.defined_macro()?;
    PARAMETERS.contains(&document.bytes(name)).then_some(name)
}

/// Whether the text behind `#define` makes a macro of a function that the C++ headers behind HIP's runtime header have, or one that the
/// header would define anew with another value.
pub(super) fn clashes(definition: &[u8]) -> bool {
    const FUNCTIONS: [&[u8]; 3] = [b"max(", b"min(", b"swap("];
    let word = definition
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let word = &definition[..word.count()];
    let mut replaced = name_lists().hip_macros.iter();
    FUNCTIONS.iter().any(|name| definition.starts_with(name))
        || PARAMETERS.contains(&word)
        || replaced.any(|name| name.as_bytes() == word)
}

/// Names of parameters in `hip/hip_runtime.h` 6.4: macros called so stop its compilation for gfx90a, each tried with clang 19; of all
/// letters, and of words that programs give to macros.
pub(super) const PARAMETERS: &[&[u8]] = &[
    b"B", b"F", b"T", b"U", b"V", b"a", b"b", b"c", b"i", b"n", b"p", b"q", b"r", b"s", b"t", b"u",
    b"w", b"x", b"y", b"z", b"count", b"dim", b"height", b"index", b"mask", b"rank", b"size",
    b"type", b"value", b"width",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn macros_that_stop_hips_header_are_found() {
        for (text, clashing, parameter) in [
            ("#define T float\n", Some("T"), Some("T")),
            ("#define max(a, b) a\n", Some("max"), None),
            ("#define swap(a, b)\n", Some("swap"), None),
            // An object-like macro of that name replaces no call of the library.
            ("#define max 3\n", None, None),
            ("#define maximum(a) a\n", None, None),
            ("#define TT 3\n", None, None),
            ("#define MASK1 0x55555555\n", Some("MASK1"), None),
            ("#ifdef T\n#endif\n", None, None),
            ("#undef T\n", None, None),
            ("#define N 3\n#define width 4\n", Some("width"), None),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let document = Document::new(&source);
            let found = first_clashing_macro(&document).map(|range| {
                let name = source.text(range).into_owned();
                let name = name.split_whitespace().nth(1).map(str::to_owned);
                let name = name.unwrap_or_default();
                name.split('(').next().map(str::to_owned)
            });
            assert_eq!(found.flatten().as_deref(), clashing, "{text}");
            let first = document.directives.first();
            let found = first.and_then(|first| parameter_macro(&document, first));
            let found = found.map(|at| document.bytes(at));
            assert_eq!(found, parameter.map(str::as_bytes), "{text}");
        }
    }
}
