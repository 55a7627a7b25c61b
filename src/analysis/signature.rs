//! What a definition declares, in one spelling for CUDA and one for AMD: two of one spelling cannot stand side by side.

use std::fmt::Write as _;
use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::cpp::names::is_members_name;
use crate::cpp::signature::Signature;
use crate::mapping::name_lists;
use crate::mapping::{ApiEntry, Kind};
use crate::syntax::{Document, FunctionScope, TokenIndex, flags};
use crate::text::{line_start, next_line};

/// A definition of a function, or of a specialised class.
pub(crate) struct Definition<'d> {
    /// The first token.
    pub first: TokenIndex,
    /// The last token, the `;` of a class included.
    pub last: TokenIndex,
    /// The first token of its name.
    pub name: TokenIndex,
    /// The `{` and the `}`.
    pub body: Range<TokenIndex>,
    /// Scope, name and types of parameters as CUDA has them.
    pub cuda: String,
    /// The same as AMD's headers have them.
    pub hip: String,
    /// What a function returns, as AMD has it.
    pub result: String,
    /// The names of its parameters.
    pub parameters: Vec<&'d [u8]>,
    /// The types of CUDA in the spelling, with what they become.
    pub types: Vec<(String, &'static str)>,
}

impl<'d> Definition<'d> {
    /// A function with a name, an operator or a constructor; `None` for lambdas and heads that are not understood.
    pub(crate) fn of_function(cx: &Unit<'d, '_>, function: &FunctionScope) -> Option<Self> {
        Signature::of_function(cx.doc, function).map(|found| Self::new(cx, found))
    }

    /// `template <…> struct X<CUresult> { … };`
    pub(crate) fn of_class(cx: &Unit<'d, '_>, template: TokenIndex) -> Option<Self> {
        Signature::of_class(cx.doc, template).map(|found| Self::new(cx, found))
    }

    fn new(cx: &Unit<'d, '_>, signature: Signature<'d>) -> Self {
        let (hip, types) = on_amd(cx, &signature.spelling);
        Self {
            first: signature.first,
            last: signature.last,
            name: signature.name,
            body: signature.body,
            hip: signature.scope.clone() + &hip,
            result: on_amd(cx, &signature.result).0,
            cuda: signature.scope + &signature.spelling,
            parameters: signature.parameters,
            types,
        }
    }

    /// The body as AMD has it, with the parameters by their position: two that do the same read the same.
    pub(crate) fn body_on_amd(&self, cx: &Unit<'_, '_>) -> String {
        let mut text = String::new();
        for at in self.body.clone() {
            let word = cx.doc.bytes(at);
            let position = self.parameters.iter().position(|name| *name == word);
            let renamed = target(cx, at);
            let result = match (position, renamed) {
                (Some(position), _) => write!(text, "${position} "),
                (None, Some(name)) => write!(text, "{name} "),
                (None, None) => write!(text, "{} ", cx.text(at)),
            };
            result.unwrap_or_default();
        }
        text
    }

    /// Where the lines of a definition start and end, if it has them for itself.
    pub(crate) fn lines(&self, doc: &Document<'_>) -> Option<(u32, u32)> {
        let starts_line = |at: TokenIndex| {
            let token = doc.tokens.get(at);
            token.is_none_or(|token| token.has(flags::LINE_START))
        };
        if !starts_line(self.first) || !starts_line(self.last + 1) {
            return None;
        }
        let bytes = &doc.source.bytes;
        let start = doc.tokens[self.first].start as usize;
        let end = doc.tokens[self.last].end() as usize;
        let line = line_start(bytes, start as u32) as usize;
        let behind = next_line(bytes, end as u32)? as usize;
        let in_comment = |at: usize| {
            let mut comments = doc.comments.iter();
            comments.any(|comment| (comment.start as usize) < at && at < comment.end() as usize)
        };
        (!in_comment(line) && !in_comment(behind)).then_some((line as u32, behind as u32))
    }
}

/// The type of AMD's headers that a type of CUDA becomes.
pub(crate) fn spelling(cx: &Unit<'_, '_>, entry: &ApiEntry) -> Option<&'static str> {
    let target = entry.target(&cx.options().choices, cx.options().rocm, None)?;
    (entry.kind == Kind::Type).then(|| pointer_or(target.name))
}

fn pointer_or(name: &'static str) -> &'static str {
    match name_lists().void_handles.contains(&name) {
        true => "void *",
        false => name,
    }
}

/// A spelling as AMD's headers have it, and the types of CUDA in it with what they become.
pub(crate) fn on_amd(cx: &Unit<'_, '_>, spelling: &str) -> (String, Vec<(String, &'static str)>) {
    let (mut hip, mut types, mut before) = (String::new(), Vec::new(), ["", ""]);
    for word in spelling.split_terminator(' ') {
        let is_member = before[1] == "::" && before[0].ends_with(|it: char| it.is_alphanumeric());
        let target = type_target(cx, word).filter(|_| !is_member);
        types.extend(target.map(|target| (word.to_owned(), target)));
        match target {
            Some(target) => hip.push_str(pointer_or(target)),
            None => hip.push_str(word),
        }
        hip.push(' ');
        before = [before[1], word];
    }
    (hip, types)
}

/// What the tables make of a type of CUDA.
fn type_target(cx: &Unit<'_, '_>, word: &str) -> Option<&'static str> {
    if cx.is_own(word.as_bytes()) {
        return None;
    }
    let entry = cx.table().get(word.as_bytes())?.entry;
    let target = entry.target(&cx.options().choices, cx.options().rocm, None)?;
    (entry.kind == Kind::Type).then_some(target.name)
}

/// What the tables make of a name of CUDA.
fn target(cx: &Unit<'_, '_>, at: TokenIndex) -> Option<&'static str> {
    let word = cx.doc.bytes(at);
    if !cx.doc.is_ident(at) || cx.is_own(word) || is_members_name(cx.doc, at) {
        return None;
    }
    let entry = cx.table().get(word)?.entry;
    let target = entry.target(&cx.options().choices, cx.options().rocm, None)?;
    Some(target.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_file};

    /// What the definition around `here` declares for CUDA and for AMD, and what it returns there.
    fn of(text: &str) -> Option<(String, String, String)> {
        of_file(text, |cx| {
            let function = cx.doc.scopes().enclosing(first(cx, "here"))?;
            let found = Definition::of_function(cx, function)?;
            Some((found.cuda, found.hip, found.result))
        })
    }

    #[test]
    fn types_are_those_of_amds_headers() {
        for (text, hip, result) in [
            (
                "cudaError_t f(cudaStream_t s) { here; }\n",
                "f hipStream_t , ",
                "hipError_t ",
            ),
            // Handles that are all `void *` cannot be told apart.
            (
                "void f(cublasHandle_t h) { here; }\n",
                "f void * , ",
                "void ",
            ),
            (
                "void f(cusparseHandle_t h) { here; }\n",
                "f void * , ",
                "void ",
            ),
            ("static inline __device__ int f() { here; }\n", "f ", "int "),
            (
                "namespace n { void f(int a) { here; } }\n",
                "namespace n { f int , ",
                "void ",
            ),
        ] {
            let found = of(text).map(|found| (found.1, found.2));
            assert_eq!(found, Some((hip.to_owned(), result.to_owned())), "{text}");
        }
    }

    #[test]
    fn specialised_classes_are_definitions() {
        let of = |text: &str| {
            of_file(text, |cx| {
                Definition::of_class(cx, first(cx, "template")).map(|found| found.hip)
            })
        };
        for (text, expected) in [
            (
                "template <> struct X<CUresult> { int a; };\n",
                Some("template < > X < hipError_t > "),
            ),
            (
                "template <> class X<int> : Y { int a; };\n",
                Some("template < > X < int > "),
            ),
            ("template <class T> struct X { T a; };\n", None),
            ("template <> struct X<int>;\n", None),
            ("#define D template <> struct X<int> { };\n", None),
        ] {
            assert_eq!(of(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn bodies_that_do_the_same_read_the_same() {
        let body = |text: &str| {
            of_file(text, |cx| {
                let function = cx
                    .doc
                    .scopes()
                    .enclosing(first(cx, "here"))
                    .expect("it is in one");
                Definition::of_function(cx, function).map(|found| found.body_on_amd(cx))
            })
        };
        let (a, b, c) = (
            "int f(CUresult a) { /* why */ return here(a, CUDA_SUCCESS); }\n",
            "int f(cudaError_t b) { return here(b, cudaSuccess); }\n",
            "int f(cudaError_t b) { return here(c, cudaSuccess); }\n",
        );
        assert_eq!(body(a), body(b));
        assert_ne!(body(a), body(c));
    }
}
