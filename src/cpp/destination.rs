//! What the value of an expression goes into, as far as the tokens of one file show it.

use crate::cpp::arithmetic::Number;
use crate::cpp::declarations::{self, Declared};
use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::is_no_part_of_type;

/// What a variable or a cast holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// `int`, `size_t` and the like.
    Integer,
    /// A pointer.
    Pointer,
}

/// What the sum around the operand at `at` is assigned to, initializes or is cast to; `None` where that is something else, as a
/// parameter, or not in sight. `pointers` are types that hold pointers by another name.
pub(crate) fn of_sum(doc: &Document<'_>, at: TokenIndex, pointers: &[&str]) -> Option<Holds> {
    let mut at = doc.prev(at)?;
    loop {
        at = match doc.bytes(at) {
            b"=" | b"+=" | b"-=" => return of_target(doc, doc.prev(at)?, pointers),
            b")" | b"]" => doc.prev(doc.matching_bracket(at)?)?,
            b"(" => match doc.prev(at)? {
                cast if doc.is(cast, ")") => return of_cast(doc, cast, pointers),
                before if is_grouping(doc, before) => before,
                _ => return None,
            },
            b"+" | b"-" | b"*" | b"." | b"->" | b"::" => doc.prev(at)?,
            word if is_no_part_of_type(word) => return None,
            _ if doc.is_ident(at) || doc.tokens[at].kind == crate::syntax::TokenKind::Number => {
                doc.prev(at)?
            }
            _ => return None,
        };
    }
}

/// Whether a `(` behind this token only groups.
fn is_grouping(doc: &Document<'_>, before: TokenIndex) -> bool {
    matches!(
        doc.bytes(before),
        b"=" | b"+=" | b"-=" | b"(" | b"+" | b"-" | b"*"
    )
}

fn of_target(doc: &Document<'_>, mut name: TokenIndex, pointers: &[&str]) -> Option<Holds> {
    let is_element = doc.is(name, "]");
    if is_element {
        name = doc.prev(doc.matching_bracket(name)?)?;
    }
    let found =
        declarations::declaration(doc, name).or_else(|| declarations::declared(doc, name))?;
    of_declared(&found, usize::from(is_element), pointers)
}

fn of_declared(found: &Declared<'_>, elements: usize, pointers: &[&str]) -> Option<Holds> {
    if found.pointers > elements || found.is_any(pointers) {
        return Some(Holds::Pointer);
    }
    let number = Number::of_words(&found.words).filter(|number| !number.is_float);
    number
        .filter(|_| found.pointers == elements)
        .map(|_| Holds::Integer)
}

/// `(int)(…)`: the `)` of the type.
fn of_cast(doc: &Document<'_>, close: TokenIndex, pointers: &[&str]) -> Option<Holds> {
    let words: Vec<&[u8]> = (doc.matching_bracket(close)? + 1..close)
        .map(|at| doc.bytes(at))
        .collect();
    match words.last() {
        Some(&b"*") => Some(Holds::Pointer),
        Some(word) if pointers.iter().any(|name| name.as_bytes() == *word) => Some(Holds::Pointer),
        _ => Number::of_words(&words).map(|_| Holds::Integer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_last_x;

    #[test]
    fn a_sum_goes_into_what_stands_in_front_of_it() {
        use Holds::{Integer, Pointer};
        for (text, expected) in [
            ("int y = x;", Some(Integer)),
            ("const size_t y = 4 + x;", Some(Integer)),
            ("size_t y; y = (4 - x);", Some(Integer)),
            ("long y[2]; y[0] = x;", Some(Integer)),
            ("uintptr_t y; y += x;", Some(Integer)),
            ("g((int)(1 + x));", Some(Integer)),
            ("char *y = x;", Some(Pointer)),
            ("char *y[2]; y[1] = x;", Some(Pointer)),
            ("g((void *)(x));", Some(Pointer)),
            ("Place y = x;", Some(Pointer)),
            ("g((Place)(x));", Some(Pointer)),
            ("auto y = x;", None),
            ("float y = x;", None),
            ("bool y = 4 < x;", None),
            ("g(x);", None),
            ("int y = g(x);", None),
            ("return x;", None),
        ] {
            let text = format!("void f() {{ {text} }}");
            let found = at_last_x(&text, |doc, at| of_sum(doc, at, &["Place"]));
            assert_eq!(found, expected, "{text}");
        }
    }
}
