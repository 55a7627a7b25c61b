//! How far the lexer is in a preprocessor directive.

/// How far the lexer is in a preprocessor directive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive {
    No,
    /// `#` seen, the name comes next.
    Hash,
    /// In `#include` and its like: a `<…>` is one token.
    Include,
    /// In `#define`: the macro's name comes next.
    Define,
    /// Directly behind the macro's name: a `(` opens parameters.
    DefineName,
    /// Within the parameters of a function-like macro.
    DefineParams,
    Body,
    Other,
}

pub(super) fn directive_named(name: &[u8]) -> Directive {
    match name {
        b"include" | b"include_next" | b"import" => Directive::Include,
        b"define" => Directive::Define,
        _ => Directive::Other,
    }
}
