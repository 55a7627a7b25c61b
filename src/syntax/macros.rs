//! What directives say of macros: which are defined, where, and which keep a header from being read twice.

use rustc_hash::FxHashMap;

use super::lexed::Lexed;
use super::{Directive, DirectiveKind, Token, TokenIndex};
use crate::text::TextRange;

impl Directive {
    /// The name that a `#define` gives a meaning to.
    pub(crate) fn defined_macro(&self) -> Option<TokenIndex> {
        let name = self.operands().next();
        name.filter(|_| self.kind == DirectiveKind::Define)
    }

    /// The name that a `#define` or `#undef` gives another meaning to.
    pub(crate) fn changed_macro(&self) -> Option<TokenIndex> {
        let name = self.operands().next();
        name.filter(|_| matches!(self.kind, DirectiveKind::Define | DirectiveKind::Undef))
    }

    /// Whether it is `#pragma once` or the like: `word` stands behind `#pragma`.
    pub(crate) fn is_pragma(&self, document: &Lexed<'_>, word: &str) -> bool {
        let first = self.operands().next();
        self.kind == DirectiveKind::Pragma && first.is_some_and(|at| document.is(at, word))
    }
}

/// The `#define`s of a file: where each starts, and the name that it gives a meaning to.
struct DefinesInOrder(Vec<(u32, TokenIndex)>);

/// The numbers of the `#define`s among the directives, by name.
struct DefinesByName(FxHashMap<Box<[u8]>, Vec<usize>>);

impl Lexed<'_> {
    /// The `#define`s in order, each with the token of its name.
    pub(crate) fn macros(&self) -> impl Iterator<Item = (TokenIndex, &Directive)> {
        let defines = self.directives.iter();
        defines.filter_map(|directive| Some((directive.defined_macro()?, directive)))
    }

    /// Whether a directive asks for a macro to unset it, and for nothing else: `#ifdef X`, `#undef X`, `#endif`.
    pub(crate) fn only_unsets(&self, condition: usize) -> bool {
        let end = self.directives.len().min(condition + 3);
        let [asks, unset, close] = &self.directives[condition..end] else {
            return false;
        };
        let names = |it: &Directive| it.operands().last().map(|at| self.bytes(at));
        asks.kind == DirectiveKind::Ifdef
            && unset.kind == DirectiveKind::Undef
            && close.kind == DirectiveKind::Endif
            && names(asks) == names(unset)
            && asks.tokens.end == unset.tokens.start
            && unset.tokens.end == close.tokens.start
    }

    /// The `#define`s of one name, in order.
    pub(crate) fn macros_called(&self, name: &[u8]) -> impl Iterator<Item = &Directive> {
        let by_name = self.facts.get(|| self.defines_by_name());
        let found = by_name.0.get(name).cloned().unwrap_or_default();
        found.into_iter().map(|at| &self.directives[at])
    }

    fn defines_by_name(&self) -> DefinesByName {
        let mut by_name = FxHashMap::<Box<[u8]>, Vec<usize>>::default();
        for (at, directive) in self.directives.iter().enumerate() {
            if let Some(name) = directive.defined_macro() {
                by_name.entry(self.bytes(name).into()).or_default().push(at);
            }
        }
        DefinesByName(by_name)
    }

    /// The names of the macros that are defined between some bytes, in order.
    pub(crate) fn macros_within(
        &self,
        range: TextRange,
    ) -> impl Iterator<Item = TokenIndex> + use<> {
        // Branches lie in each other: to look through the directives of each takes as long as their square.
        let all = self.facts.get(|| self.defines_in_order());
        let before = |end: u32| all.0.partition_point(|(start, _)| *start < end);
        (before(range.start)..before(range.end)).map(move |at| all.0[at].1)
    }

    fn defines_in_order(&self) -> DefinesInOrder {
        let directives = self.directives.iter();
        let named = directives.filter_map(|it| Some((it.range.start, it.defined_macro()?)));
        DefinesInOrder(named.collect())
    }

    /// The place of the directive that a token is part of among those of the file.
    pub(crate) fn directive_of(&self, token: TokenIndex) -> Option<usize> {
        let behind = self
            .directives
            .partition_point(|directive| directive.tokens.start <= token);
        let last = behind.checked_sub(1)?;
        self.directives[last]
            .tokens
            .contains(&token)
            .then_some(last)
    }

    /// The name that the directive at `index` and the one behind it keep a header from being read twice by.
    pub(crate) fn include_guard(&self, index: usize) -> Option<TokenIndex> {
        include_guard(&self.source.bytes, &self.tokens, &self.directives, index)
    }
}

/// The name of an include guard whose first line is the directive at `index`: `#ifndef X` or `#if !defined(X)`, with `#define X` directly
/// behind it.
pub(super) fn include_guard(
    source: &[u8],
    tokens: &[Token],
    directives: &[Directive],
    index: usize,
) -> Option<TokenIndex> {
    let text = |at: TokenIndex| &source[tokens[at].range().as_usize()];
    let (guard, define) = (directives.get(index)?, directives.get(index + 1)?);
    let name = define.defined_macro()?;
    let is_negative = match guard.kind {
        DirectiveKind::Ifndef => true,
        DirectiveKind::If => guard.operands().next().is_some_and(|at| text(at) == b"!"),
        _ => false,
    };
    let asks = guard.operands().any(|at| text(at) == text(name));
    (is_negative && asks && define.tokens.start == guard.tokens.end).then_some(name)
}

#[cfg(test)]
mod tests {
    use crate::syntax::Document;
    use crate::text::{SourceFile, TextRange};

    fn about<T>(text: &str, ask: impl FnOnce(&Document<'_>) -> T) -> T {
        let source = SourceFile::new("a.h", text.as_bytes().to_vec());
        ask(&Document::new(&source))
    }

    #[test]
    fn macros_are_found_by_their_names() {
        let text =
            "#define A 1\n#ifdef A\n#undef A\n#define A(x) x\n#endif\n#define B A\n#define\n";
        let found = about(text, |doc| {
            let names: Vec<_> = doc.macros().map(|(at, _)| doc.bytes(at).to_vec()).collect();
            (
                names,
                doc.macros_called(b"A").count(),
                doc.macros_called(b"C").count(),
            )
        });
        assert_eq!(
            found,
            (vec![b"A".to_vec(), b"A".to_vec(), b"B".to_vec()], 2, 0)
        );
        let changed = about(text, |doc| {
            doc.directives
                .iter()
                .filter(|it| it.changed_macro().is_some())
                .count()
        });
        assert_eq!(changed, 4);
        let within = |from: &str, to: &str| {
            let at = |word: &str| text.find(word).expect("it is there") as u32;
            about(text, |doc| {
                doc.macros_within(TextRange::new(at(from), at(to))).count()
            })
        };
        assert_eq!(
            (
                within("#define A 1", "#define B"),
                within("#undef", "#define B")
            ),
            (2, 1)
        );
    }

    #[test]
    fn tokens_are_part_of_one_directive() {
        about("int a;\n#define X 1\nint b;\n#pragma once\n", |doc| {
            let found: Vec<_> = (0..doc.tokens.len())
                .map(|at| doc.directive_of(at))
                .collect();
            let expected = [
                vec![None; 3],
                vec![Some(0); 4],
                vec![None; 3],
                vec![Some(1); 3],
            ];
            assert_eq!(found, expected.concat());
            assert!(doc.directives[1].is_pragma(doc, "once"));
            assert!(
                !doc.directives[1].is_pragma(doc, "unroll")
                    && !doc.directives[0].is_pragma(doc, "X")
            );
        });
    }

    #[test]
    fn include_guards_are_told_from_settings() {
        for (text, expected) in [
            ("#ifndef A\n#define A\n", true),
            ("#if !defined(A)\n#define A 1\n", true),
            ("// words\n#ifndef A\n// words\n#define A\n", true),
            ("#ifndef A\nint x;\n#define A\n", false),
            ("#ifdef A\n#define A\n", false),
            ("#if defined(A)\n#define A 2\n", false),
            ("#ifndef A\n#define B\n", false),
            ("#ifndef A\n#undef A\n", false),
            ("#ifndef A\n", false),
        ] {
            let found = about(text, |doc| doc.include_guard(0).is_some());
            assert_eq!(found, expected, "{text}");
        }
    }
}
