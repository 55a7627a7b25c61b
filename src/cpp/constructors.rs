//! Classes whose objects get values where they are made without arguments.

use rustc_hash::FxHashMap;

use crate::mapping::name_lists;
use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::{is_behind_parameters, is_class_key, is_of_no_object};

/// Classes by their names, and whether an object of each gets values where it is made without arguments: by a constructor that does something,
/// or by what stands behind a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MadeWithValues(FxHashMap<Box<[u8]>, Values>);

/// What an object of a class gets where it is made without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Values {
    /// Whether it gets values, from its own class or from a member's.
    has: bool,
    /// Whether it gets them in HIP alone: it is or holds a state of hipRAND or a pair.
    in_hip_alone: bool,
}

impl MadeWithValues {
    /// The classes that a file defines, and the names that it gives to the states of cuRAND.
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let mut all = Self::default();
        for key in doc.all_that(is_class_key) {
            if let Some((name, values)) = class(doc, key) {
                all.add(name, values);
            }
        }
        for at in doc.all_that(is_state) {
            if let Some(name) = alias(doc, at) {
                let values = Values {
                    has: true,
                    in_hip_alone: true,
                };
                all.add(doc.bytes(name), values);
            }
        }
        all
    }

    fn add(&mut self, name: &[u8], values: Values) {
        let known = self.0.entry(name.into()).or_insert(values);
        known.has &= values.has;
        known.in_hip_alone &= values.in_hip_alone;
    }

    /// Takes those of another file as well; of classes of one name all have to give values.
    #[expect(clippy::iter_over_hash_type, reason = "each class stands for itself")]
    pub(crate) fn extend(&mut self, other: &Self) {
        for (name, values) in &other.0 {
            self.add(name, *values);
        }
    }

    /// Whether objects of a class get values; `None` of a class that is not among them.
    pub(crate) fn of(&self, class: &[u8]) -> Option<bool> {
        self.0.get(class).map(|values| values.has)
    }

    /// Whether objects of a class get values in HIP alone; `None` of a class that is not among them.
    pub(crate) fn of_in_hip_alone(&self, class: &[u8]) -> Option<bool> {
        self.0.get(class).map(|values| values.in_hip_alone)
    }
}

/// Whether a type of CUDA has no constructor, and its counterpart one that gives values: `curandState`, `thrust::pair`.
pub(crate) fn is_given_by_hip(ty: &[u8]) -> bool {
    let types = &name_lists().made_with_values;
    types.iter().any(|it| it.as_bytes() == ty)
}

/// Whether a type is of a library whose constructors give values, `Eigen::Matrix3f`.
pub(crate) fn is_given_by_library(ty: &[u8]) -> bool {
    let types = &name_lists().made_with_values_everywhere;
    types.iter().any(|it| match it.strip_suffix('*') {
        Some(namespace) => ty.starts_with(namespace.as_bytes()),
        None => it.as_bytes() == ty,
    })
}

/// A type's name with the namespaces in front, `thrust::pair` of `thrust::pair<int, float>`, and its last token but for arguments.
pub(crate) fn type_name(doc: &Document<'_>, first: TokenIndex) -> Option<(Vec<u8>, TokenIndex)> {
    let (mut name, mut last) = (doc.bytes(first).to_vec(), first);
    while let Some(colons) = doc.next(last).filter(|&at| doc.is(at, "::")) {
        last = doc.next(colons)?;
        name.extend_from_slice(b"::");
        name.extend_from_slice(doc.bytes(last));
    }
    doc.is_ident(last).then_some((name, last))
}

/// Whether a word is a state of cuRAND.
fn is_state(word: &[u8]) -> bool {
    word.starts_with(b"curandState") && is_given_by_hip(word)
}

/// The name that `typedef X name;` or `using name = X;` gives to the type at a place.
fn alias(doc: &Document<'_>, ty: TokenIndex) -> Option<TokenIndex> {
    let (before, next) = (doc.prev(ty)?, doc.next(ty)?);
    if doc.is(before, "typedef") {
        return (doc.is_ident(next) && doc.next_is(next, ";")).then_some(next);
    }
    let name = doc.prev(before).filter(|_| doc.is(before, "="))?;
    (doc.is(next, ";") && doc.prev_is(name, "using")).then_some(name)
}

/// The class that a `class` or `struct` defines, and what its objects get.
fn class<'d>(doc: &'d Document<'_>, key: TokenIndex) -> Option<(&'d [u8], Values)> {
    let name = doc.next(key).filter(|&name| doc.is_ident(name))?;
    let open = body_of(doc, name)?;
    let close = doc.matching_bracket(open)?;
    let by_itself = gives_values(doc, name, open, close);
    let in_hip_alone = holds(doc, open, close, is_given_by_hip);
    let is_given = |ty: &[u8]| ty == b"dim3" || is_given_by_library(ty);
    let by_member = in_hip_alone || holds(doc, open, close, is_given);
    let values = Values {
        has: by_itself || by_member,
        in_hip_alone,
    };
    Some((doc.bytes(name), values))
}

/// Whether a class has a member, no pointer and no `static`, of a type.
fn holds(
    doc: &Document<'_>,
    open: TokenIndex,
    close: TokenIndex,
    is_type: impl Fn(&[u8]) -> bool,
) -> bool {
    let is_member = |first: TokenIndex| {
        let (_, last) = type_name(doc, first).filter(|(name, _)| is_type(name))?;
        let arguments = doc.next(last).filter(|&at| doc.is(at, "<"));
        let end = match arguments {
            Some(open) => doc.template_close(open)?,
            None => last,
        };
        let variable = doc.next(end).filter(|&it| doc.is_ident(it))?;
        let behind = doc.next(variable)?;
        matches!(doc.bytes(behind), b";" | b"[" | b",").then_some(())
    };
    let mut at = open + 1;
    while at < close {
        let begins = || {
            let before = doc.prev(at);
            before.is_some_and(|it| matches!(doc.bytes(it), b";" | b"{" | b"}" | b":"))
        };
        match doc.bytes(at) {
            b"(" | b"[" | b"{" => at = doc.matching_bracket(at).unwrap_or(at),
            _ if doc.is_ident(at) && begins() && is_member(at).is_some() => return true,
            _ => {}
        }
        at += 1;
    }
    false
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
            ("curandState state; float a;", true),
            ("int a;\npublic: dim3 grid, block;", true),
            (
                "curandState *state; curandState get(); static curandState of;",
                false,
            ),
            ("void f() { dim3 grid; } int a;", false),
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
        for text in [
            "typedef curandStatePhilox4_32_10_t A;",
            "using A = curandState;",
            "struct A { int a; curandState_t state[4]; };",
            "struct A { thrust::pair<int, float> best; };",
        ] {
            let source = SourceFile::new("a.cu", text.into());
            let found = MadeWithValues::new(&Document::new(&source));
            assert_eq!(found.of_in_hip_alone(b"A"), Some(true), "{text}");
        }
        let none = SourceFile::new(
            "a.cu",
            b"struct A; struct A f(); template <class A> int g();\n".to_vec(),
        );
        assert_eq!(MadeWithValues::new(&Document::new(&none)).of(b"A"), None);
    }
}
