//! What a definition declares, in CUDA's spelling: two of one spelling cannot stand side by side.

use std::ops::Range;

use crate::cpp::windows::DECLARATION;
use crate::syntax::{Document, FunctionScope, TokenIndex, flags, split_arguments};
use crate::text::keywords::{
    is_access, is_class_key, is_cv, is_keyword, is_reserved_form, is_specifier, is_type_key,
};

/// A definition of a function, or of a specialised class.
pub(crate) struct Signature<'d> {
    /// The first token.
    pub first: TokenIndex,
    /// The last token, the `;` of a class included.
    pub last: TokenIndex,
    /// The first token of its name.
    pub name: TokenIndex,
    /// The `{` and the `}`.
    pub body: Range<TokenIndex>,
    /// The words in front of the braces around it.
    pub scope: String,
    /// Name and types of parameters, the words with a blank behind each.
    pub spelling: String,
    /// What a function returns, in the same way.
    pub result: String,
    /// The names of its parameters.
    pub parameters: Vec<&'d [u8]>,
}

impl<'d> Signature<'d> {
    /// A function with a name, an operator or a constructor; `None` for lambdas and heads that are not understood.
    pub(crate) fn of_function(doc: &Document<'d>, function: &FunctionScope) -> Option<Self> {
        let head = function.head.clone();
        if doc.tokens[head.start].has(flags::DIRECTIVE) {
            return None;
        }
        let open = parameters_of(doc, function)?;
        let close = doc.matching_bracket(open)?;
        let name = name_start(doc, open, head.start)?;
        let mut spelling = Spelling::new(doc);
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
        let mut result = Spelling::new(doc);
        (template..name)
            .filter(|&at| !is_no_part_of_signature(doc.bytes(at)))
            .for_each(|at| result.add(at..at + 1));
        Some(Self {
            first: head.start,
            last: function.body.end - 1,
            name,
            body: function.body.clone(),
            scope: scope_of(doc, head.start),
            spelling: spelling.text,
            result: result.text,
            parameters: spelling.names,
        })
    }

    /// `template <…> struct X<CUresult> { … };`
    pub(crate) fn of_class(doc: &Document<'d>, template: TokenIndex) -> Option<Self> {
        let key = template_head(doc, template);
        if doc.tokens[template].has(flags::DIRECTIVE) || !is_class_key(doc.bytes(key)) {
            return None;
        }
        let open =
            (key..key + DECLARATION).find(|&at| matches!(doc.bytes(at), b"{" | b";" | b":"))?;
        if !doc.is_before(open, ">") {
            return None;
        }
        let brace = (open..open + DECLARATION).find(|&at| matches!(doc.bytes(at), b"{" | b";"))?;
        let close = doc.matching_bracket(brace).filter(|_| doc.is(brace, "{"))?;
        let mut spelling = Spelling::new(doc);
        spelling.add(template..key);
        spelling.add(key + 1..open);
        Some(Self {
            first: template,
            last: doc.next(close).filter(|&end| doc.is(end, ";"))?,
            name: key + 1,
            body: brace..close + 1,
            scope: scope_of(doc, template),
            spelling: spelling.text,
            result: String::new(),
            parameters: Vec::new(),
        })
    }
}

/// Text that grows.
struct Spelling<'c, 'd> {
    doc: &'c Document<'d>,
    text: String,
    names: Vec<&'d [u8]>,
}

impl<'c, 'd> Spelling<'c, 'd> {
    fn new(doc: &'c Document<'d>) -> Self {
        Self {
            doc,
            text: String::new(),
            names: Vec::new(),
        }
    }

    fn add(&mut self, tokens: Range<TokenIndex>) {
        for at in tokens {
            let word = self.doc.bytes(at);
            if is_type_key(word) || word == b"typename" {
                continue;
            }
            self.text.push_str(&String::from_utf8_lossy(word));
            self.text.push(' ');
        }
    }

    /// One parameter without its name, its value and the `const` that callers do not see. `None` for functions as parameters.
    fn parameter(&mut self, tokens: Range<TokenIndex>) -> Option<()> {
        let doc = self.doc;
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
        self.text
            .push_str(if bracket.is_some() { "* , " } else { ", " });
        Some(())
    }
}

/// The types of parameters between two parentheses, and how many there are; `None` where one of them is a function.
pub(super) fn types_of_parameters(
    doc: &Document<'_>,
    tokens: Range<TokenIndex>,
) -> Option<(String, usize)> {
    let mut spelling = Spelling::new(doc);
    for parameter in split_arguments(doc, tokens) {
        spelling.parameter(parameter)?;
    }
    Some((spelling.text, spelling.names.len()))
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
pub(super) fn name_start(
    doc: &Document<'_>,
    open: TokenIndex,
    first: TokenIndex,
) -> Option<TokenIndex> {
    let operator = (first..open).find(|&at| doc.is(at, "operator"));
    let mut at = operator.unwrap_or(open.checked_sub(1)?);
    loop {
        if doc.is(at, ">") {
            // Brackets without a name in front of them qualify nothing.
            let mut before = first + 1..at;
            at = before.rfind(|&open| doc.template_close(open) == Some(at))? - 1;
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
    use crate::text::SourceFile;

    /// What the function around `here` declares.
    fn of(text: &str) -> Option<String> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let here = doc.all("here").next().expect("it is there");
        let function = doc.scopes().enclosing(here)?;
        Signature::of_function(&doc, function).map(|found| found.spelling)
    }

    #[test]
    fn callers_see_scope_name_and_types() {
        let both = |text: &str| of(&format!("{text} {{ here; }}\n"));
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
}
