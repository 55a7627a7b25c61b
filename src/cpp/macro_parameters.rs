//! The parameters of macros.

use crate::syntax::{Directive, Document, TokenIndex, split_arguments};

/// The parameters of a macro. A parenthesis behind a blank is of the text: `#define F (x)`.
pub(super) fn parameters(doc: &Document<'_>, directive: &Directive) -> Vec<TokenIndex> {
    let is_joined = |open: TokenIndex| doc.tokens[open - 1].end() == doc.tokens[open].start;
    let open = directive
        .operands()
        .nth(1)
        .filter(|&open| doc.is(open, "(") && is_joined(open));
    let Some((open, close)) = open.and_then(|open| Some((open, doc.matching_bracket(open)?)))
    else {
        return Vec::new();
    };
    let arguments = split_arguments(doc, open + 1..close).into_iter();
    arguments.map(|argument| argument.start).collect()
}

/// Whether a word of a macro's text is one of its parameters.
pub(crate) fn is_parameter(doc: &Document<'_>, at: TokenIndex) -> bool {
    let directive = doc.directive_of(at).map(|it| &doc.directives[it]);
    let define = directive.filter(|it| it.defined_macro().is_some());
    define.is_some_and(|directive| {
        let mut names = parameters(doc, directive).into_iter();
        names.any(|name| doc.bytes(name) == doc.bytes(at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_last_x;

    #[test]
    fn a_word_of_a_macros_text_may_be_its_parameter() {
        for (text, expected) in [
            ("#define F(x) cub::x()", true),
            ("#define F(a, x) g(a, x)", true),
            ("#define F(a) cub::x(a)", false),
            ("#define F cub::x()", false),
            ("#define F (x)", false),
            ("#if x", false),
            ("void f(int x) { g(x); }", false),
        ] {
            assert_eq!(at_last_x(text, is_parameter), expected, "{text}");
        }
    }
}
