//! What a file calls a device pointer without naming its type where it is used: functions that return one, variables declared `auto`.

use std::ops::Range;

use crate::cpp::declarations;
use crate::syntax::{Document, TokenIndex};
use crate::text::keywords;

/// The places where such a pointer stands, each with the tokens of the whole operand: `range.Ptr()`, `p`.
pub(crate) fn operands(doc: &Document<'_>, types: &[&str]) -> Vec<Range<TokenIndex>> {
    let functions = functions(doc, types);
    let calls = doc.all_called(functions.clone()).into_iter();
    let calls: Vec<Range<TokenIndex>> = calls.filter_map(|at| call(doc, at)).collect();
    let variables = variables(doc, types, &calls);
    let names = variables.iter().map(|&at| doc.bytes(at)).collect();
    let is_meant = |at: &TokenIndex| {
        let found = declarations::declared(doc, *at);
        found.is_some_and(|found| found.name != *at && variables.contains(&found.name))
    };
    let uses = doc.all_called(names).into_iter().filter(is_meant);
    let mut all: Vec<Range<TokenIndex>> = uses.map(|at| at..at + 1).chain(calls).collect();
    all.sort_by_key(|operand| operand.start);
    all
}

/// The names of functions of this file that return a device pointer, and of no others.
fn functions<'d>(doc: &Document<'d>, types: &[&str]) -> Vec<&'d [u8]> {
    let named = doc.all_of(types).into_iter().map(|ty| ty + 1);
    let deduced = doc.all("auto").map(|auto| auto + 1);
    let is_function = |name: TokenIndex| doc.is_ident(name) && doc.is(name + 1, "(");
    let mut heads: Vec<TokenIndex> = named.filter(|&name| is_function(name)).collect();
    let deduced = deduced.filter(|&name| is_function(name) && returns_pointer(doc, name, types));
    heads.extend(deduced);
    let is_only = |name: &TokenIndex| {
        let others = doc.all_called(vec![doc.bytes(*name)]).into_iter();
        let mut others = others.filter(|&at| is_function(at) && is_declared(doc, at));
        others.all(|at| heads.contains(&at))
    };
    heads
        .iter()
        .filter(|name| is_only(name))
        .map(|&name| doc.bytes(name))
        .collect()
}

/// Whether a name in front of a bracket is declared there, not called.
fn is_declared(doc: &Document<'_>, name: TokenIndex) -> bool {
    let Some(before) = doc.prev(name) else {
        return false;
    };
    let is_type = doc.is_ident(before) && !keywords::is_no_part_of_type(doc.bytes(before));
    is_type || matches!(doc.bytes(before), b"*" | b"&" | b">")
}

/// Whether the body of a function with the type `auto` is `return pointer;`, its name declared as a device pointer.
fn returns_pointer(doc: &Document<'_>, name: TokenIndex, types: &[&str]) -> bool {
    let behind = |close: TokenIndex| {
        let body = close + 1..close + 5;
        body.into_iter()
            .find(|&at| !keywords::is_keyword(doc.bytes(at)))
    };
    let body = doc.matching_bracket(name + 1).and_then(behind);
    let Some(open) = body.filter(|&at| doc.is(at, "{") && doc.is(at + 1, "return")) else {
        return false;
    };
    let last = (open + 2..open + 12).find(|&at| doc.is(at + 1, ";"));
    last.is_some_and(|last| is_pointer(doc, open + 2, last, types))
}

/// Whether some tokens are a chain of members, or a name, that ends with one declared as a device pointer.
fn is_pointer(doc: &Document<'_>, first: TokenIndex, last: TokenIndex, types: &[&str]) -> bool {
    let is_chain =
        (first..=last).all(|at| doc.is_ident(at) || matches!(doc.bytes(at), b"." | b"->"));
    let found =
        || declarations::declared(doc, last).or_else(|| declarations::declared_below(doc, last));
    is_chain && doc.is_ident(last) && found().is_some_and(|it| it.pointers == 0 && it.is_any(types))
}

/// The tokens of a call by its name, what it is a member of included; none where something else stands in front.
fn call(doc: &Document<'_>, name: TokenIndex) -> Option<Range<TokenIndex>> {
    let end = doc
        .matching_bracket(name + 1)
        .filter(|_| doc.is(name + 1, "("))?
        + 1;
    let mut start = name;
    while start >= 2 && matches!(doc.bytes(start - 1), b"." | b"->" | b"::") {
        start -= 2;
        if doc.is(start, ")") || doc.is(start, "]") {
            let open = doc.matching_bracket(start)?;
            start = open.checked_sub(1).filter(|&at| doc.is_ident(at))?;
        }
        if !doc.is_ident(start) {
            return None;
        }
    }
    (!is_declared(doc, start)).then_some(start..end)
}

/// The names of `auto p = base;`, `auto const p = range.Ptr();`.
fn variables(doc: &Document<'_>, types: &[&str], calls: &[Range<TokenIndex>]) -> Vec<TokenIndex> {
    let named = |auto: TokenIndex| {
        let name = if doc.is(auto + 1, "const") {
            auto + 2
        } else {
            auto + 1
        };
        let value = name + 2;
        if !doc.is_ident(name) || !doc.is(name + 1, "=") {
            return None;
        }
        let is_call = || {
            calls
                .iter()
                .any(|call| call.start == value && doc.is(call.end, ";"))
        };
        let last = (value..value + 10).find(|&at| doc.is(at + 1, ";"));
        let is_name = last.is_some_and(|last| is_pointer(doc, value, last, types));
        (is_name || is_call()).then_some(name)
    };
    doc.all("auto").filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn pointers_are_known_by_what_gives_them() {
        for (text, expected) in [
            (
                "CUdeviceptr get();\nvoid f() { use(get() + 1); }\n",
                "get()",
            ),
            (
                "struct R { CUdeviceptr b; auto Ptr() const { return b; } };\nvoid f(R &r) { auto p = r.Ptr() + 1; }\n",
                "r.Ptr()",
            ),
            (
                "struct R { CUdeviceptr b; };\nvoid f(R &r) { auto p = r.b; use(p + 1); }\n",
                "p",
            ),
            // Another one of the name returns something else.
            (
                "CUdeviceptr get();\nstruct S { int get(); };\nvoid f() { use(get() + 1); }\n",
                "",
            ),
            (
                "auto get() { return 1; }\nvoid f() { use(get() + 1); }\n",
                "",
            ),
            ("void f(int q) { auto p = q; use(p + 1); }\n", ""),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let found = operands(&doc, &["CUdeviceptr"]).into_iter();
            let found: Vec<_> = found
                .map(|it| source.text(doc.range(it.start, it.end - 1)).into_owned())
                .collect();
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }
}
