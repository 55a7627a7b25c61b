//! How many arguments a function takes.

use crate::syntax::{Document, TokenIndex};

/// The fewest and the most arguments of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arity {
    fewest: usize,
    most: usize,
}

impl Arity {
    /// What the function that is declared or defined at `name` takes; `None` where its parameters do not tell, as behind `...` or among
    /// the commas of templates.
    pub(super) fn of_declaration(document: &Document<'_>, name: TokenIndex) -> Option<Self> {
        let declaration = document.call(name).filter(|it| !it.split_by_directive)?;
        let mut inside = declaration.open + 1..declaration.close;
        if inside.any(|at| document.is(at, "<") || is_pack(document, at)) {
            return None;
        }
        let most = count(document, name)?;
        let has_default = |parameter: &&std::ops::Range<TokenIndex>| {
            let mut words = (**parameter).clone();
            words.any(|at| document.is(at, "="))
        };
        let optional = declaration.arguments.iter().filter(has_default).count();
        let fewest = most.saturating_sub(optional);
        Some(Self { fewest, most })
    }

    /// Whether a call with so many arguments may be meant.
    pub(in crate::project) fn admits(self, count: usize) -> bool {
        (self.fewest..=self.most).contains(&count)
    }
}

/// How many arguments stand behind the name at `at`, if it is called or declared there: `f(void)` has none.
pub(crate) fn count(document: &Document<'_>, at: TokenIndex) -> Option<usize> {
    let call = document.call(at).filter(|it| !it.split_by_directive)?;
    let mut inside = call.open + 1..call.close;
    // What a macro puts there may be several.
    if inside.any(|at| document.is(at, "__VA_ARGS__") || is_pack(document, at)) {
        return None;
    }
    Some(match &call.arguments[..] {
        [only] if only.len() == 1 && document.is(only.start, "void") => 0,
        [only] if only.is_empty() => 0,
        all => all.len(),
    })
}

/// Whether `...` stands at a token: the lexer may give three.
fn is_pack(document: &Document<'_>, at: TokenIndex) -> bool {
    document.is(at, "...") || document.is(at, ".") && document.is(at + 1, ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;

    #[test]
    fn parameters_tell_how_many_arguments_a_function_takes() {
        for (text, admitted) in [
            ("void x();", Some(&[0][..])),
            ("void x(void) { }", Some(&[0])),
            ("void x(int a, int b);", Some(&[2])),
            (
                "void x(int a, int b = 3, int c = f(1, 2)) { }",
                Some(&[1, 2, 3]),
            ),
            ("void x(int a, ...);", None),
            ("void x(std::map<int, int> a);", None),
            ("int x = 3;", None),
        ] {
            let found = at_first_x(text, Arity::of_declaration);
            let counts = found.map(|arity| (0..9).filter(|&n| arity.admits(n)).collect::<Vec<_>>());
            assert_eq!(counts.as_deref(), admitted, "{text}");
        }
    }
}
