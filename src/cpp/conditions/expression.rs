//! The value of an `#if` condition where CUDA's own macros are undefined, as on AMD, and where they are as the author expected.

use std::ops::Range;

use crate::cpp::conditions::cuda_macros::{CudaMacro, Family, cuda_macro};
use crate::cpp::value;
use crate::syntax::{Document, TokenIndex, is_too_deep};

/// Where a condition is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// On AMD as the text stands.
    AsWritten,
    /// In the host pass, with the macros as the author expects them.
    Host,
    /// In the device pass, with the macros as the author expects them.
    Device,
}

/// The number that a macro or constant of the tree stands for.
pub(crate) type Constant<'c> = dyn Fn(&[u8]) -> Option<u64> + 'c;

/// A condition as a tree over its tokens.
#[derive(Debug)]
pub(crate) enum Expr {
    /// `a || b`
    Or(Vec<Expr>),
    /// `a && b`
    And(Vec<Expr>),
    /// `!a`
    Not(Box<Expr>),
    /// Something that is not taken apart further.
    Atom(Atom),
}

/// The smallest part of a condition that is true or false.
#[derive(Debug)]
pub(crate) struct Atom {
    /// Its tokens.
    pub tokens: Range<TokenIndex>,
    /// What it asks.
    pub kind: AtomKind,
    /// The macro of CUDA that it speaks of, if it speaks of one.
    pub about: Option<&'static CudaMacro>,
}

/// What an atom asks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    /// `defined(X)`
    Defined,
    /// `X >= 700`: the operator.
    Compare(TokenIndex),
    /// An arithmetic value that counts as true unless it is 0.
    Value,
}

impl Expr {
    /// The condition of an `#if`, `#ifdef`, `#ifndef` or `#elif` whose operands these are.
    pub(crate) fn parse(
        document: &Document<'_>,
        keyword: &[u8],
        operands: Range<TokenIndex>,
    ) -> Self {
        // Where a parenthesis lacks its partner, nobody knows what belongs together.
        let is_torn = |at: TokenIndex| {
            matches!(document.bytes(at), b"(" | b")")
                && document
                    .matching_bracket(at)
                    .is_none_or(|partner| !operands.contains(&partner))
        };
        let words = || operands.clone().map(|at| document.bytes(at));
        if is_too_deep(words()) || operands.clone().any(is_torn) {
            return Self::Atom(Atom {
                tokens: operands,
                kind: AtomKind::Value,
                about: None,
            });
        }
        match keyword {
            b"ifdef" | b"elifdef" => Self::Atom(defined(document, operands)),
            b"ifndef" | b"elifndef" => Self::Not(Box::new(Self::Atom(defined(document, operands)))),
            _ => any_of(document, operands),
        }
    }

    /// The atoms, left to right.
    pub(crate) fn atoms(&self) -> Vec<&Atom> {
        match self {
            Self::Or(parts) | Self::And(parts) => parts.iter().flat_map(Self::atoms).collect(),
            Self::Not(part) => part.atoms(),
            Self::Atom(atom) => vec![atom],
        }
    }

    /// The value when the atoms have these values, left to right.
    pub(crate) fn value(&self, values: &mut impl Iterator<Item = bool>) -> bool {
        match self {
            // Every part takes its values, so nothing is cut short.
            Self::Or(parts) => parts
                .iter()
                .fold(false, |any, part| part.value(values) | any),
            Self::And(parts) => parts
                .iter()
                .fold(true, |all, part| part.value(values) & all),
            Self::Not(part) => !part.value(values),
            Self::Atom(_) => values.next().unwrap_or(false),
        }
    }
}

impl Atom {
    /// Its truth in a world, with the numbers of the tree as told by `constant`; `None` when that depends on something else than CUDA's
    /// macros, or asks for one exact chip or version.
    pub(crate) fn truth_with(
        &self,
        doc: &Document<'_>,
        constant: &Constant<'_>,
        world: World,
    ) -> Option<bool> {
        let Some(about) = self.about else {
            return self.literal(doc);
        };
        let number = |tokens| arithmetic(doc, constant, tokens, world);
        match self.kind {
            AtomKind::Defined => Some(lookup(about, world).is_some()),
            AtomKind::Value => Some(number(self.tokens.clone())? != 0),
            AtomKind::Compare(operator) => {
                let left = number(self.tokens.start..operator)?;
                let right = number(operator + 1..self.tokens.end)?;
                let exact = matches!(doc.bytes(operator), b"==" | b"!=");
                // `== 700` wants that chip, which AMD is not; the other values of the macro are no help in choosing.
                (!exact || world == World::AsWritten)
                    .then(|| compare(doc.bytes(operator), left, right))
            }
        }
    }

    /// The truth of what holds literals alone: `0` in `#if 0 && defined(__CUDA_ARCH__)`.
    fn literal(&self, doc: &Document<'_>) -> Option<bool> {
        let number = |tokens| arithmetic(doc, &|_| None, tokens, World::AsWritten);
        match self.kind {
            AtomKind::Defined => None,
            AtomKind::Value => Some(number(self.tokens.clone())? != 0),
            AtomKind::Compare(operator) => {
                let left = number(self.tokens.start..operator)?;
                let right = number(operator + 1..self.tokens.end)?;
                Some(compare(doc.bytes(operator), left, right))
            }
        }
    }
}

/// What a comparison of two numbers says.
pub(super) fn compare(operator: &[u8], left: i64, right: i64) -> bool {
    match operator {
        b"==" => left == right,
        b"!=" => left != right,
        b"<" => left < right,
        b"<=" => left <= right,
        b">" => left > right,
        _ => left >= right,
    }
}

fn lookup(known: &CudaMacro, world: World) -> Option<i64> {
    let defined = match world {
        World::AsWritten => false,
        World::Host => known.family != Family::Arch,
        World::Device => true,
    };
    defined.then_some(known.value)
}

fn any_of(document: &Document<'_>, tokens: Range<TokenIndex>) -> Expr {
    let mut parts = split(document, tokens, b"||");
    match parts.len() {
        1 => all_of(document, parts.remove(0)),
        _ => Expr::Or(
            parts
                .into_iter()
                .map(|part| all_of(document, part))
                .collect(),
        ),
    }
}

fn all_of(document: &Document<'_>, tokens: Range<TokenIndex>) -> Expr {
    let mut parts = split(document, tokens, b"&&");
    match parts.len() {
        1 => unary(document, parts.remove(0)),
        _ => Expr::And(
            parts
                .into_iter()
                .map(|part| unary(document, part))
                .collect(),
        ),
    }
}

fn unary(document: &Document<'_>, tokens: Range<TokenIndex>) -> Expr {
    let first = tokens.start;
    if tokens.len() > 1 && document.is(first, "!") && find_comparison(document, &tokens).is_none() {
        return Expr::Not(Box::new(unary(document, first + 1..tokens.end)));
    }
    if tokens.len() > 2
        && document.is(first, "(")
        && document.matching_bracket(first) == Some(tokens.end - 1)
    {
        return any_of(document, first + 1..tokens.end - 1);
    }
    Expr::Atom(atom(document, tokens))
}

fn atom(document: &Document<'_>, tokens: Range<TokenIndex>) -> Atom {
    if document.is(tokens.start, "defined") {
        return Atom {
            tokens: tokens.clone(),
            ..defined(document, tokens.start + 1..tokens.end)
        };
    }
    let about = tokens
        .clone()
        .filter_map(|at| cuda_macro(document.bytes(at)))
        .max_by_key(|known| known.family);
    let kind = find_comparison(document, &tokens).map_or(AtomKind::Value, AtomKind::Compare);
    Atom {
        tokens,
        kind,
        about,
    }
}

fn defined(document: &Document<'_>, tokens: Range<TokenIndex>) -> Atom {
    let about = tokens
        .clone()
        .find(|&at| document.is_ident(at))
        .and_then(|at| cuda_macro(document.bytes(at)));
    Atom {
        tokens,
        kind: AtomKind::Defined,
        about,
    }
}

/// The tokens between operators that stand outside parentheses.
fn split(
    document: &Document<'_>,
    tokens: Range<TokenIndex>,
    operator: &[u8],
) -> Vec<Range<TokenIndex>> {
    let (mut parts, mut start, mut at) = (Vec::new(), tokens.start, tokens.start);
    let word: &[u8] = match operator {
        b"||" => b"or",
        _ => b"and",
    };
    while at < tokens.end {
        if document.bytes(at) == operator || document.bytes(at) == word {
            parts.push(start..at);
            start = at + 1;
        }
        at = inside(document, at, tokens.end) + 1;
    }
    parts.push(start..tokens.end);
    parts
}

/// The closing parenthesis if one opens at `at`, else `at` itself.
fn inside(document: &Document<'_>, at: TokenIndex, end: TokenIndex) -> TokenIndex {
    document
        .matching_bracket(at)
        .filter(|&close| close > at && close < end)
        .unwrap_or(at)
}

fn find_comparison(document: &Document<'_>, tokens: &Range<TokenIndex>) -> Option<TokenIndex> {
    let mut at = tokens.start;
    while at < tokens.end {
        if matches!(
            document.bytes(at),
            b"<" | b"<=" | b">" | b">=" | b"==" | b"!="
        ) {
            return Some(at);
        }
        at = inside(document, at, tokens.end) + 1;
    }
    None
}

/// The value of integer arithmetic over literals, macros of CUDA and constants of the tree; `None` for everything else.
fn arithmetic(
    doc: &Document<'_>,
    constant: &Constant<'_>,
    tokens: Range<TokenIndex>,
    world: World,
) -> Option<i64> {
    let names = |word: &[u8]| match cuda_macro(word) {
        Some(known) => u64::try_from(lookup(known, world).unwrap_or(0)).ok(),
        None => constant(word),
    };
    value::value(&value::words(doc, tokens), &names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::conditions::groups::groups;
    use crate::text::SourceFile;

    /// Asks about the condition of a directive.
    fn about<T>(condition: &str, ask: impl FnOnce(&Document<'_>, &Expr) -> T) -> T {
        let text = format!("{condition}\nint a;\n#endif\n");
        let source = SourceFile::new("a.cu", text.into_bytes());
        let doc = Document::new(&source);
        let groups = groups(&doc);
        let branch = &groups.iter().next().expect("there is a group").branches[0];
        ask(&doc, branch.condition.as_ref().expect("it is no `#else`"))
    }

    /// The condition as it was read: `|`, `&`, `!` and atoms, `d` for `defined`, `c` for comparisons, `v` for values; with `*` about CUDA.
    fn shape(expr: &Expr) -> String {
        let all = |parts: &[Expr], sign: &str| {
            let parts: Vec<String> = parts.iter().map(shape).collect();
            format!("({})", parts.join(sign))
        };
        match expr {
            Expr::Or(parts) => all(parts, "|"),
            Expr::And(parts) => all(parts, "&"),
            Expr::Not(part) => format!("!{}", shape(part)),
            Expr::Atom(atom) => {
                let kind = match atom.kind {
                    AtomKind::Defined => "d",
                    AtomKind::Compare(_) => "c",
                    AtomKind::Value => "v",
                };
                format!("{kind}{}", if atom.about.is_some() { "*" } else { "" })
            }
        }
    }

    #[test]
    fn conditions_are_read_as_the_preprocessor_does() {
        for (condition, expected) in [
            ("#ifdef A", "d"),
            ("#ifndef __CUDACC__", "!d*"),
            ("#if A", "v"),
            ("#if defined A && !defined(B)", "(d&!d)"),
            ("#if A || B && C || D", "(v|(v&v)|v)"),
            ("#if (A || B) && C", "((v|v)&v)"),
            ("#if ((A))", "v"),
            ("#if !(A && B)", "!(v&v)"),
            ("#if !A == B", "c"),
            ("#if __CUDA_ARCH__ >= 700 && A < 3", "(c*&c)"),
            ("#if (__CUDA_ARCH__ + 1) * 2", "v*"),
            ("#if A /* || B */ && \\\n  C", "(v&v)"),
            // Where a parenthesis lacks its partner, nobody knows what belongs together.
            ("#if (A && B", "v"),
        ] {
            assert_eq!(
                about(condition, |_, expr| shape(expr)),
                expected,
                "{condition}"
            );
        }
    }

    #[test]
    fn the_value_follows_from_those_of_the_atoms() {
        for (condition, values, expected) in [
            ("#if A || B && C", [false, true, true], true),
            ("#if A || B && C", [false, true, false], false),
            ("#if !(A || B) && C", [false, false, true], true),
            ("#if A && B || C", [false, true, true], true),
        ] {
            let value = about(condition, |_, expr| expr.value(&mut values.into_iter()));
            assert_eq!(value, expected, "{condition}");
        }
    }

    #[test]
    fn an_atom_about_cuda_has_a_truth_in_each_world() {
        const YES: Option<bool> = Some(true);
        const NO: Option<bool> = Some(false);
        for (condition, expected) in [
            ("#if defined(__CUDA_ARCH__)", [NO, NO, YES]),
            ("#if __CUDACC__", [NO, YES, YES]),
            ("#if CUDNN_MAJOR >= 7", [NO, YES, YES]),
            ("#if CUDART_VERSION / 1000 > 11", [NO, YES, YES]),
            ("#if __CUDA_ARCH__ == 800", [NO, None, None]),
            ("#if __CUDA_ARCH__ != 800", [YES, None, None]),
            ("#if 700 <= __CUDA_ARCH__", [NO, NO, YES]),
            ("#if __CUDA_ARCH__ >= FOUR", [NO, NO, YES]),
            ("#if __CUDA_ARCH__ >= OTHER", [None, None, None]),
            // What is not about CUDA is known where it is a literal.
            ("#if 0", [NO, NO, NO]),
            ("#if 2 > 1", [YES, YES, YES]),
            ("#if FOUR", [None, None, None]),
            ("#if defined(A)", [None, None, None]),
        ] {
            let truths = about(condition, |doc, expr| {
                let constant = |name: &[u8]| (name == b"FOUR").then_some(4);
                let atom = expr.atoms()[0];
                [World::AsWritten, World::Host, World::Device]
                    .map(|world| atom.truth_with(doc, &constant, world))
            });
            assert_eq!(truths, expected, "{condition}");
        }
    }

    #[test]
    fn deep_parentheses_are_no_reason_to_stop() {
        let condition = format!("#if {}A{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(about(&condition, |_, expr| shape(expr)), "v");
    }
}
