//! The function around a token.

use rustc_hash::FxHashSet;

use crate::cpp::declarations::declaration;
use crate::mapping::{ApiTable, Kind};
use crate::syntax::{Document, FunctionScope, Include, Space, TokenIndex, flags};

/// The innermost function with a name around a token; lambdas count as part of it.
pub(crate) fn named_function<'d>(
    doc: &'d Document<'_>,
    index: TokenIndex,
) -> Option<&'d FunctionScope> {
    doc.scopes()
        .around(index)
        .find(|function| function.body.contains(&index) && function.name.is_some())
}

/// Whether a token is code that only the device runs: in a kernel or a `__device__` function, not in a macro.
pub(crate) fn is_device_only(doc: &Document<'_>, index: TokenIndex) -> bool {
    !doc.tokens[index].has(flags::DIRECTIVE)
        && named_function(doc, index)
            .is_some_and(|function| matches!(function.space, Space::Kernel | Space::Device))
}

/// Whether a token names a function that device code passes on, `combine(p, umin)`, as far as the file tells: it declares nothing of
/// that name, and nothing is put into it.
pub(crate) fn is_passed(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_front = ["(", ",", "=", "&", "return"];
    let is_behind = [")", ",", ";"];
    let is_lone = is_front.iter().any(|text| doc.prev_is(at, text))
        && is_behind.iter().any(|text| doc.next_is(at, text));
    let is_value = |use_of: TokenIndex| {
        let assigns = ["=", "+=", "-=", "[", ".", "->"];
        // A function of the name is asked for elsewhere.
        (!doc.next_is(use_of, "(") && declaration(doc, use_of).is_some())
            || doc.prev_is(use_of, ".")
            || doc.prev_is(use_of, "->")
            || assigns.iter().any(|text| doc.next_is(use_of, text))
    };
    is_lone
        && doc.scopes().may_be_device(doc, at)
        && doc.noted("values", doc.bytes(at), is_value).is_empty()
}

/// Whether the name of a declaration stands behind this type: `uint3 name`, and which token that name is.
pub fn declares(doc: &Document<'_>, name: &[u8], of_type: &[u8], within: &FunctionScope) -> bool {
    (within.head.start..within.body.end).any(|at| {
        doc.bytes(at) == of_type && doc.next(at).is_some_and(|next| doc.bytes(next) == name)
    })
}

/// The name of the function in whose declaration a token stands, in front of its body.
pub(crate) fn declared_with(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    if doc.tokens[at].has(flags::DIRECTIVE) {
        return None;
    }
    let scope = doc.scopes().around(at).find(|it| it.name.is_some());
    match scope {
        Some(function) if function.head.contains(&at) => function.name,
        Some(_) => None,
        None => {
            let (first, last) = prototype(doc, at)?;
            let open = (first..last).find(|&it| doc.is(it, "("))?;
            Some(open - 1)
        }
    }
}

/// The names of functions that some tokens declare, where nothing else in the file declares an overload of them.
pub(crate) fn declared_nowhere_else(
    doc: &Document<'_>,
    names: &FxHashSet<TokenIndex>,
) -> FxHashSet<Box<[u8]>> {
    let words: FxHashSet<&[u8]> = names.iter().map(|&at| doc.bytes(at)).collect();
    let all = doc.all_that(|word| words.contains(word)).into_iter();
    let others = all.filter(|at| !names.contains(at));
    // What stands behind the parenthesis is in the head of what the name declares; in a call it is in none of that name.
    let others = others.filter(|&at| doc.is(at + 1, "(") && declared_with(doc, at + 2) == Some(at));
    let overloaded: FxHashSet<&[u8]> = others.map(|at| doc.bytes(at)).collect();
    let alone = words.difference(&overloaded);
    alone.map(|word| Box::from(*word)).collect()
}

/// The first and the last token of the declaration of a function without a body that a token stands in.
pub(crate) fn prototype(doc: &Document<'_>, at: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let ends = |it: TokenIndex| {
        doc.tokens[it].has(flags::DIRECTIVE) || matches!(doc.bytes(it), b";" | b"{" | b"}")
    };
    let first = (0..at).rev().find(|&it| ends(it)).map_or(0, |it| it + 1);
    let last = (at..doc.tokens.len()).find(|&it| ends(it))?;
    let open = (first..last).find(|&it| doc.is(it, "("))?;
    let is_function = open > first && doc.is_ident(open - 1) && doc.is_before(last, ")");
    (doc.is(last, ";") && is_function).then_some((first, last))
}

/// Whether a file uses CUDA, rather than mention it: only such a file changes its compiler.
pub(crate) fn uses_cuda(doc: &Document<'_>, table: &ApiTable) -> bool {
    let path = doc.source.path.as_str();
    let is_header = |include: &Include| table.header(doc.source.slice(include.path)).is_some();
    let is_name = |word: &[u8]| {
        let hit = table.get(word);
        hit.is_some_and(|hit| !hit.entry.context && hit.entry.kind != Kind::Namespace)
    };
    path.ends_with(".cu")
        || path.ends_with(".cuh")
        || doc.includes.iter().any(is_header)
        || doc.has_word(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn lambdas_belong_to_the_function_around_them() {
        for (text, name, is_device) in [
            ("__global__ void k() { x; }", Some("k"), true),
            ("__device__ int d() { return x; }", Some("d"), true),
            (
                "__host__ __device__ int b() { return x; }",
                Some("b"),
                false,
            ),
            ("void h() { x; }", Some("h"), false),
            (
                "__global__ void k() { auto l = [&] { x; }; }",
                Some("k"),
                true,
            ),
            ("int x;", None, false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let at = doc.all("x").next().expect("it is there");
            let function = named_function(&doc, at).and_then(|function| function.name);
            let found = function.map(|at| doc.bytes(at));
            assert_eq!(found, name.map(str::as_bytes), "{text}");
            assert_eq!(is_device_only(&doc, at), is_device, "{text}");
        }
    }

    #[test]
    fn a_file_that_mentions_cuda_uses_it_not() {
        let table = ApiTable::builtin();
        for (path, text, expected) in [
            ("a.cu", "int f();", true),
            ("a.cpp", "int f();", false),
            ("a.cpp", "#include <cuda_runtime.h>\n", true),
            ("a.cpp", "int f() { return cudaFree(0); }", true),
            ("a.cpp", "// cudaFree\nconst char *s = \"cudaFree\";", false),
        ] {
            let source = SourceFile::new(path, text.as_bytes().to_vec());
            assert_eq!(
                uses_cuda(&Document::new(&source), &table),
                expected,
                "{path} {text}"
            );
        }
    }
}
