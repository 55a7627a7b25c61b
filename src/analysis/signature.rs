//! What a definition declares, in one spelling for CUDA and one for AMD: two of one spelling cannot stand side by side.

use std::fmt::Write as _;
use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::cpp::names::is_members_name;
use crate::mapping::{ApiEntry, Kind};
use crate::syntax::{Document, FunctionScope, TokenIndex, flags, split_arguments};
use crate::text::keywords::{
    is_access, is_class_key, is_cv, is_keyword, is_reserved_form, is_specifier, is_type_key,
};

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
    pub types: Vec<(&'d [u8], &'static str)>,
}

/// AMD's handles and descriptors that are all `void *`: HIP 6.4, hipBLAS, hipBLASLt, hipSPARSE, hipSOLVER.
const ANY_POINTER: &[&str] = &[
    "hipDeviceptr_t",
    "hipExternalMemory_t",
    "hipExternalSemaphore_t",
    "hipblasHandle_t",
    "hipblasLtHandle_t",
    "hipsolverDnHandle_t",
    "hipsolverDnParams_t",
    "hipsolverGesvdjInfo_t",
    "hipsolverHandle_t",
    "hipsolverRfHandle_t",
    "hipsolverSpHandle_t",
    "hipsolverSyevjInfo_t",
    "hipsparseColorInfo_t",
    "hipsparseDnMatDescr_t",
    "hipsparseDnVecDescr_t",
    "hipsparseHandle_t",
    "hipsparseHybMat_t",
    "hipsparseMatDescr_t",
    "hipsparseSpMatDescr_t",
    "hipsparseSpVecDescr_t",
];

impl<'d> Definition<'d> {
    /// A function with a name, an operator or a constructor; `None` for lambdas and heads that are not understood.
    pub(crate) fn of_function(cx: &Unit<'d, '_>, function: &FunctionScope) -> Option<Self> {
        let doc = cx.doc;
        let head = function.head.clone();
        if doc.tokens[head.start].has(flags::DIRECTIVE) {
            return None;
        }
        let open = parameters_of(doc, function)?;
        let close = doc.matching_bracket(open)?;
        let name = name_start(doc, open, head.start)?;
        let mut spelling = Spelling::new(cx, scope_of(doc, head.start));
        let template = template_head(doc, head.start);
        spelling.add(head.start..template);
        spelling.add(name..open);
        for parameter in split_arguments(doc, open + 1..close) {
            spelling.parameter(parameter)?;
        }
        let behind = (close + 1..head.end).take_while(|&at| !matches!(doc.bytes(at), b":" | b"->"));
        behind
            .filter(|&at| doc.is(at, "const"))
            .for_each(|at| spelling.add(at..at + 1));
        let mut result = Spelling::new(cx, String::new());
        (template..name)
            .filter(|&at| !is_no_part_of_signature(doc.bytes(at)))
            .for_each(|at| result.add(at..at + 1));
        Some(Self {
            first: head.start,
            last: function.body.end - 1,
            name,
            body: function.body.clone(),
            cuda: spelling.cuda,
            hip: spelling.hip,
            result: result.hip,
            parameters: spelling.names,
            types: spelling.types,
        })
    }

    /// `template <…> struct X<CUresult> { … };`
    pub(crate) fn of_class(cx: &Unit<'d, '_>, template: TokenIndex) -> Option<Self> {
        let doc = cx.doc;
        let key = template_head(doc, template);
        if doc.tokens[template].has(flags::DIRECTIVE) || !is_class_key(doc.bytes(key)) {
            return None;
        }
        let open = (key..key + 60).find(|&at| matches!(doc.bytes(at), b"{" | b";" | b":"))?;
        if !doc.is_before(open, ">") {
            return None;
        }
        let brace = (open..open + 60).find(|&at| matches!(doc.bytes(at), b"{" | b";"))?;
        let close = doc.matching_bracket(brace).filter(|_| doc.is(brace, "{"))?;
        let mut spelling = Spelling::new(cx, scope_of(doc, template));
        spelling.add(template..key);
        spelling.add(key + 1..open);
        Some(Self {
            first: template,
            last: doc.next(close).filter(|&end| doc.is(end, ";"))?,
            name: key + 1,
            body: brace..close + 1,
            cuda: spelling.cuda,
            hip: spelling.hip,
            result: String::new(),
            parameters: Vec::new(),
            types: spelling.types,
        })
    }

    /// The body as AMD has it, with the parameters by their position: two that do the same read the same.
    pub(crate) fn body_on_amd(&self, cx: &Unit<'_, '_>) -> String {
        let mut text = String::new();
        for at in self.body.clone() {
            let word = cx.doc.bytes(at);
            let position = self.parameters.iter().position(|name| *name == word);
            let renamed = target(cx, at, |_| true);
            let result = match (position, renamed) {
                (Some(position), _) => write!(text, "${position} "),
                (None, Some(name)) => write!(text, "{name} "),
                (None, None) => write!(text, "{} ", cx.text(at)),
            };
            result.unwrap_or_default();
        }
        text
    }
}

/// The type of AMD's headers that a type of CUDA becomes.
pub(crate) fn spelling(cx: &Unit<'_, '_>, entry: &ApiEntry) -> Option<&'static str> {
    let target = entry.target(&cx.options().choices, cx.options().rocm, None)?;
    (entry.kind == Kind::Type).then(|| pointer_or(target.name))
}

fn pointer_or(name: &'static str) -> &'static str {
    match ANY_POINTER.contains(&name) {
        true => "void *",
        false => name,
    }
}

/// Text that grows in both spellings.
struct Spelling<'c, 'd, 's> {
    cx: &'c Unit<'d, 's>,
    cuda: String,
    hip: String,
    types: Vec<(&'d [u8], &'static str)>,
    names: Vec<&'d [u8]>,
}

impl<'c, 'd, 's> Spelling<'c, 'd, 's> {
    fn new(cx: &'c Unit<'d, 's>, scope: String) -> Self {
        Self {
            cx,
            cuda: scope.clone(),
            hip: scope,
            types: Vec::new(),
            names: Vec::new(),
        }
    }

    fn add(&mut self, tokens: Range<TokenIndex>) {
        let doc = self.cx.doc;
        for at in tokens {
            let text = self.cx.text(at);
            if is_type_key(text.as_bytes()) || text == "typename" {
                continue;
            }
            let target = target(self.cx, at, |kind| kind == Kind::Type);
            self.types
                .extend(target.map(|target| (doc.bytes(at), target)));
            let hip = target.map_or(&*text, |name| pointer_or(name));
            self.cuda.push_str(&format!("{text} "));
            self.hip.push_str(&format!("{hip} "));
        }
    }

    /// One parameter without its name, its value and the `const` that callers do not see. `None` for functions as parameters.
    fn parameter(&mut self, tokens: Range<TokenIndex>) -> Option<()> {
        let doc = self.cx.doc;
        let value = tokens.clone().find(|&at| doc.is(at, "="));
        let all = tokens.start..value.unwrap_or(tokens.end);
        if all.clone().any(|at| doc.is(at, "(")) {
            return None;
        }
        let bracket = all.clone().find(|&at| doc.is(at, "["));
        let mut end = bracket.unwrap_or(all.end);
        if is_name(doc, all.start..end) {
            end -= 1;
            self.names.push(doc.bytes(end));
        } else {
            self.names.push(b"");
        }
        let star = (all.start..end).rfind(|&at| matches!(doc.bytes(at), b"*" | b"&" | b"&&"));
        for at in all.start..end {
            let is_seen = star.is_some_and(|star| at < star) || bracket.is_some();
            if is_seen || !is_cv(doc.bytes(at)) {
                self.add(at..at + 1);
            }
        }
        let end = if bracket.is_some() { "* , " } else { ", " };
        self.cuda.push_str(end);
        self.hip.push_str(end);
        Some(())
    }
}

/// What the tables make of a name of CUDA, if it is of a wanted kind.
fn target(
    cx: &Unit<'_, '_>,
    at: TokenIndex,
    is_wanted: impl Fn(Kind) -> bool,
) -> Option<&'static str> {
    let word = cx.doc.bytes(at);
    if !cx.doc.is_ident(at) || cx.is_own(word) || is_members_name(cx.doc, at) {
        return None;
    }
    let entry = cx.table().get(word)?.entry;
    let target = entry.target(&cx.options().choices, cx.options().rocm, None);
    target
        .filter(|_| is_wanted(entry.kind))
        .map(|target| target.name)
}

/// The `(` of a function's parameters.
fn parameters_of(doc: &Document<'_>, function: &FunctionScope) -> Option<TokenIndex> {
    let mut head = function.head.clone();
    // The first parentheses of `operator()(…)` are its name.
    let operator = head.clone().find(|&at| doc.is(at, "operator"));
    if let Some(operator) = operator {
        let call = doc.is(operator + 1, "(") && doc.is(operator + 2, ")");
        let from = operator + if call { 3 } else { 1 };
        return (from..head.end).find(|&at| doc.is(at, "("));
    }
    if let Some(name) = function.name {
        return doc.next(name).filter(|&open| doc.is(open, "("));
    }
    head.find(|&at| doc.is(at, "(") && doc.is_before(at, ">"))
}

/// The first token of a name with what qualifies it: `X<T>::f`, `operator ==`, `~X`.
fn name_start(doc: &Document<'_>, open: TokenIndex, first: TokenIndex) -> Option<TokenIndex> {
    let operator = (first..open).find(|&at| doc.is(at, "operator"));
    let mut at = operator.unwrap_or(open.checked_sub(1)?);
    loop {
        if doc.is(at, ">") {
            at = (first..at).rfind(|&open| doc.template_close(open) == Some(at))? - 1;
        }
        if at > first && doc.is_before(at, "~") {
            at -= 1;
        }
        if at < first + 2 || !doc.is_before(at, "::") {
            return (at >= first).then_some(at);
        }
        at -= 2;
    }
}

/// The token behind `template <…>`, of which there may be several.
fn template_head(doc: &Document<'_>, first: TokenIndex) -> TokenIndex {
    let mut at = first;
    while doc.is(at, "template") {
        match doc.template_close(at + 1) {
            Some(close) => at = close + 1,
            None if doc.is(at + 1, "<") && doc.is(at + 2, ">") => at += 3,
            None => break,
        }
    }
    at
}

/// The words in front of the braces around a definition, outermost last.
fn scope_of(doc: &Document<'_>, index: TokenIndex) -> String {
    let mut text = String::new();
    for brace in doc.braces_around(index) {
        let mut start = brace;
        while let Some(prev) = doc.prev(start)
            && !matches!(doc.bytes(prev), b";" | b"{" | b"}")
            && brace - prev < 40
        {
            start = prev;
        }
        let words = (start..brace).map(|at| String::from_utf8_lossy(doc.bytes(at)));
        words.for_each(|word| text.push_str(&format!("{word} ")));
        text.push_str("{ ");
    }
    text
}

/// Whether the last token of a parameter is its name.
fn is_name(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let Some(last) = tokens.end.checked_sub(1).filter(|&at| at > tokens.start) else {
        return false;
    };
    let is_type = |at: TokenIndex| {
        let word = doc.bytes(at);
        doc.is_ident(at) && !is_cv(word) && !is_type_key(word) && word != b"typename"
    };
    doc.is_ident(last)
        && !is_keyword(doc.bytes(last))
        && !doc.is_before(last, "::")
        && (tokens.start..last).any(is_type)
}

/// Whether a word in front of a function or behind its parameters is none of those that tell it from another.
fn is_no_part_of_signature(word: &[u8]) -> bool {
    is_reserved_form(word) || is_specifier(word) || is_access(word) || word == b":"
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
    fn callers_see_scope_name_and_types() {
        let both = |text: &str| of(&format!("{text} {{ here; }}\n")).map(|found| found.0);
        for (text, expected) in [
            ("void f(int a, float *b)", "f int , float * , "),
            ("void f(int, float *)", "f int , float * , "),
            (
                "void f(const int a, const float *b)",
                "f int , const float * , ",
            ),
            ("void f(int a[4], int b = 3)", "f int * , int , "),
            ("void f(struct S s)", "f S , "),
            ("void S::f() const", "S :: f const "),
            ("template <class T> void f(T t)", "template < T > f T , "),
            (
                "template <> void f<int>(int t)",
                "template < > f < int > int , ",
            ),
            ("S::S(int a) : a(a)", "S :: S int , "),
            (
                "bool operator==(const S &a, const S &b)",
                "operator == const S & , const S & , ",
            ),
            (
                "void f(int /* a */ a,\r\n unsigned long b)",
                "f int , unsigned long , ",
            ),
        ] {
            assert_eq!(both(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(
            both("void f(int (*g)(int))"),
            None,
            "functions as parameters"
        );
        let lambda = "auto f = [](int a) { here; };\n";
        assert_eq!(of(lambda), None);
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
