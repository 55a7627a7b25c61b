//! Classes whose objects get values where they are made without arguments.

use rustc_hash::FxHashMap;

use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::{is_behind_parameters, is_class_key, is_of_no_object};

/// Classes by their names, and whether an object of each gets values where it is made without arguments: by a constructor that does something,
/// or by what stands behind a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MadeWithValues(FxHashMap<Box<[u8]>, bool>);

impl MadeWithValues {
    /// The classes that a file defines.
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let mut all = Self::default();
        for key in doc.all_that(is_class_key) {
            if let Some((name, has_values)) = class(doc, key) {
                all.add(name, has_values);
            }
        }
        all
    }

    fn add(&mut self, name: &[u8], has_values: bool) {
        *self.0.entry(name.into()).or_insert(true) &= has_values;
    }

    /// Takes those of another file as well; of classes of one name all have to give values.
    #[expect(clippy::iter_over_hash_type, reason = "each class stands for itself")]
    pub(crate) fn extend(&mut self, other: &Self) {
        for (name, has_values) in &other.0 {
            self.add(name, *has_values);
        }
    }

    /// Whether objects of a class get values; `None` of a class that is not among them.
    pub(crate) fn of(&self, class: &[u8]) -> Option<bool> {
        self.0.get(class).copied()
    }
}

/// The class that a `class` or `struct` defines, and whether its objects get values.
fn class<'d>(doc: &'d Document<'_>, key: TokenIndex) -> Option<(&'d [u8], bool)> {
    let name = doc.next(key).filter(|&name| doc.is_ident(name))?;
    let open = body_of(doc, name)?;
    let close = doc.matching_bracket(open)?;
    Some((doc.bytes(name), gives_values(doc, name, open, close)))
}

/// The `{` of a class, `struct X final : Y<Z> {`.
pub(super) fn body_of(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    // A head with more words than this is of no class that anybody writes.
    const LONGEST: usize = 60;
    let mut words = std::iter::successors(doc.next(name), |&at| doc.next(at)).take(LONGEST);
    let end = words.find(|&at| matches!(doc.bytes(at), b"{" | b";" | b"(" | b")" | b"="))?;
    doc.is(end, "{").then_some(end)
}

/// Whether the objects of a class get values. Where its constructor is also `= default`, for newer compilers, clang takes that.
fn gives_values(doc: &Document<'_>, name: TokenIndex, open: TokenIndex, close: TokenIndex) -> bool {
    let (mut by_member, mut by_constructor, mut is_defaulted) = (false, false, false);
    let mut first = open + 1;
    let mut at = first;
    while at < close {
        match doc.bytes(at) {
            b"(" if is_constructor(doc, name, at) => {
                let Some(end) = doc.matching_bracket(at) else {
                    return false;
                };
                if takes_nothing(doc, at, end) {
                    match does(doc, end) {
                        Does::Default => is_defaulted = true,
                        Does::Something => by_constructor = true,
                        Does::Nothing => {}
                    }
                }
                at = end;
            }
            b"=" => by_member |= gives_member(doc, first, at),
            b"(" | b"[" | b"{" => at = doc.matching_bracket(at).unwrap_or(at),
            _ => {}
        }
        if matches!(doc.bytes(at), b";" | b"}" | b":") {
            first = at + 1;
        }
        at += 1;
    }
    by_member || by_constructor && !is_defaulted
}

/// What a constructor does.
enum Does {
    Nothing,
    /// Statements, members that it makes, or a body elsewhere.
    Something,
    /// `= default`, or it is deleted.
    Default,
}

/// Whether a `(` opens the parameters of a constructor of the class.
fn is_constructor(doc: &Document<'_>, name: TokenIndex, open: TokenIndex) -> bool {
    let before = doc.prev(open);
    before.is_some_and(|at| doc.bytes(at) == doc.bytes(name) && !doc.prev_is(at, "~"))
}

/// Whether a function may be called without arguments: the first parameter has a default, or there is none.
fn takes_nothing(doc: &Document<'_>, open: TokenIndex, close: TokenIndex) -> bool {
    let first = (open + 1..close).take_while(|&at| !doc.is(at, ","));
    let mut first = first.filter(|&at| !doc.is(at, "void")).peekable();
    first.peek().is_none() || first.any(|at| doc.is(at, "="))
}

fn does(doc: &Document<'_>, close: TokenIndex) -> Does {
    let behind = std::iter::successors(doc.next(close), |&at| doc.next(at));
    let mut behind = behind.skip_while(|&at| is_behind_parameters(doc.bytes(at)));
    let Some(at) = behind.next() else {
        return Does::Nothing;
    };
    match doc.bytes(at) {
        b"{" if doc.matching_bracket(at) == doc.next(at) => Does::Nothing,
        b"{" | b":" | b";" => Does::Something,
        b"=" => Does::Default,
        _ => Does::Nothing,
    }
}

/// Whether a `=` gives a member of each object a value: `int count = 0;`.
fn gives_member(doc: &Document<'_>, first: TokenIndex, at: TokenIndex) -> bool {
    let is_name = doc
        .prev(at)
        .is_some_and(|it| doc.is_ident(it) || doc.is(it, "]"));
    is_name && !(first..at).any(|it| is_of_no_object(doc.bytes(it)) || doc.is(it, ")"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn classes_say_whether_their_objects_get_values() {
        for (body, expected) in [
            ("__device__ A() : a(0) {} int a;", true),
            ("__device__ A() { a = 0; } int a;", true),
            ("__device__ A(); int a;", true),
            ("__device__ A(int of = 0) : a(of) {} int a;", true),
            ("int a = 0;", true),
            ("A() = default;\n__device__ A();\nint a;", false),
            ("A() = default;\nint a = 0;", true),
            ("float a[2] = {0, 1};", true),
            ("__device__ A() {} int a;", false),
            (
                "A() = default; __device__ A(int of) : a(of) {} int a;",
                false,
            ),
            ("A() noexcept {} ~A() { release(); } int a;", false),
            (
                "static constexpr int n = 4; using T = int; int a[n];",
                false,
            ),
            (
                "__device__ A &operator=(const A &of) { a = of.a; return *this; } int a;",
                false,
            ),
            (
                "__device__ int get(int of = 1) const { int b = of; return b; }",
                false,
            ),
        ] {
            let text = format!("struct A {{ {body} }};\n");
            let source = SourceFile::new("a.cu", text.clone().into_bytes());
            let found = MadeWithValues::new(&Document::new(&source));
            assert_eq!(found.of(b"A"), Some(expected), "{text}");
        }
        let none = SourceFile::new(
            "a.cu",
            b"struct A; struct A f(); template <class A> int g();\n".to_vec(),
        );
        assert_eq!(MadeWithValues::new(&Document::new(&none)).of(b"A"), None);
    }
}
