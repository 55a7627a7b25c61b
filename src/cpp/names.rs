//! Names: keywords, members, qualified names.

use crate::syntax::{Document, TokenIndex, flags};
use crate::text::keywords::{is_behind_parameters, is_no_name};

/// The token at which the qualified name that ends at `last` starts, if it reads `name`.
pub(crate) fn qualified_start(
    doc: &Document<'_>,
    last: TokenIndex,
    name: &str,
) -> Option<TokenIndex> {
    let parts: Vec<&str> = name.split("::").collect();
    let start = last.checked_sub(2 * (parts.len() - 1))?;
    let fits = parts.iter().enumerate().all(|(at, part)| {
        doc.is(start + 2 * at, part) && (at == 0 || doc.is(start + 2 * at - 1, "::"))
    });
    fits.then_some(start)
}

/// Whether the identifier is somebody's member, or qualified by a namespace that is not CUDA's: `x.cudaFree`, `My::cudaFree`.
pub(crate) fn is_members_name(document: &Document<'_>, name: TokenIndex) -> bool {
    let Some(prev) = document.prev(name) else {
        return false;
    };
    if crate::cpp::definitions::declares_member(document, name) {
        return true;
    }
    match document.bytes(prev) {
        b"." => true,
        b"->" => !is_trailing_type(document, prev, name),
        b"::" => document.prev(prev).is_some_and(|at| {
            let qualifier = document.bytes(at);
            let is_name = document.is_ident(at) || qualifier == b">";
            let keyword = is_no_name(qualifier);
            let is_enumerator = is_cuda_enum(qualifier) && !document.next_is(name, "(");
            is_name && !keyword && !is_cuda_namespace(qualifier) && !is_enumerator
        }),
        _ => false,
    }
}

/// Whether a qualifier has the form of a type of CUDA, whose enumerators may stand behind it: `cudaError_t::cudaSuccess`. A class of a
/// project's with such a name has functions, which are called.
fn is_cuda_enum(qualifier: &[u8]) -> bool {
    const PREFIXES: [&[u8]; 11] = [
        b"cuda",
        b"cudnn",
        b"cublas",
        b"cufft",
        b"curand",
        b"cusparse",
        b"cusolver",
        b"nccl",
        b"nvrtc",
        b"nvjpeg",
        b"npp",
    ];
    let goes_on = |rest: &[u8], fits: fn(&u8) -> bool| rest.first().is_some_and(fits);
    let is_of = |prefix: &&[u8]| {
        let rest = qualifier.strip_prefix(*prefix);
        rest.is_some_and(|rest| goes_on(rest, u8::is_ascii_uppercase))
    };
    let of_driver = qualifier.strip_prefix(b"CU");
    PREFIXES.iter().any(is_of)
        || of_driver.is_some_and(|rest| goes_on(rest, u8::is_ascii_lowercase))
}

/// Whether the type of a function's result stands behind its parameters: `auto f() -> cudaError_t`, `[](int) -> cudaError_t {`.
fn is_trailing_type(document: &Document<'_>, arrow: TokenIndex, name: TokenIndex) -> bool {
    let is_word = |at| is_behind_parameters(document.bytes(at));
    let Some(before) = document.prev(arrow) else {
        return false;
    };
    if is_word(before) || document.next_is(name, "{") {
        return true;
    }
    let open = document
        .matching_bracket(before)
        .filter(|_| document.is(before, ")"));
    let Some(mut callee) = open.and_then(|open| document.prev(open)) else {
        return false;
    };
    while document.prev_is(callee, "::") {
        let Some(outer) = document.prev(callee).and_then(|at| document.prev(at)) else {
            return false;
        };
        callee = outer;
    }
    // `[=](…)` begins an expression, `table[i](…)` goes on with one.
    let is_lambda = || {
        let bracket = document
            .matching_bracket(callee)
            .and_then(|open| document.prev(open));
        document.is(callee, "]")
            && bracket.is_none_or(|at| !document.is_ident(at) || is_no_name(document.bytes(at)))
    };
    document.is(callee, "auto")
        || is_lambda()
        || is_word(callee)
        || document.prev_is(callee, "auto")
}

/// Whether a name stands in front of the `::` before the identifier, whatever it means.
pub(crate) fn is_qualified(document: &Document<'_>, name: TokenIndex) -> bool {
    let colons = document.prev(name).filter(|&at| document.is(at, "::"));
    colons
        .and_then(|at| document.prev(at))
        .is_some_and(|at| document.is_ident(at) && !is_no_name(document.bytes(at)))
}

/// The `::` in front of a name that begins at the global namespace, `::cub::x`; else where the name starts.
pub(crate) fn start_with_colons(document: &Document<'_>, start: TokenIndex) -> TokenIndex {
    let colons = document.prev(start).filter(|&at| document.is(at, "::"));
    colons.unwrap_or(start)
}

/// The library of image functions that AMD has no counterpart of, as the tables call it.
pub(crate) const NPP: &str = "npp";

/// Whether a file says `nvcuda` or `wmma`, the namespaces of what `<mma.h>` declares.
pub(crate) fn names_wmma(document: &Document<'_>) -> bool {
    document.has_word(|word| matches!(word, b"nvcuda" | b"wmma"))
}

/// Whether a condition of the preprocessor asks for the name.
pub(crate) fn is_asked_for(document: &Document<'_>, name: TokenIndex) -> bool {
    let directive = document.directive_of(name);
    directive.is_some_and(|it| document.directives[it].kind.is_condition())
}

/// Whether the identifier is in a directive but not in the body of a macro: `#ifdef __shfl_sync`.
pub(crate) fn is_for_preprocessor(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.tokens[at].has(flags::DIRECTIVE) && !doc.tokens[at].has(flags::MACRO_BODY)
}

/// Namespaces of CUDA's own headers, and the alias that everybody gives to cooperative groups.
fn is_cuda_namespace(name: &[u8]) -> bool {
    matches!(
        name,
        b"cub"
            | b"hipcub"
            | b"thrust"
            | b"cuda"
            | b"cooperative_groups"
            | b"cg"
            | b"nvcuda"
            | b"wmma"
            | b"nvtx3"
    )
}

/// The words of a name in small letters: `lane` and `id` of `laneId` and of `LANE_ID`.
pub(crate) fn name_words(name: &[u8]) -> impl Iterator<Item = String> {
    let begins = |at: usize| {
        let is_upper = |at: usize| name[at].is_ascii_uppercase();
        at == 0 || is_upper(at) && !is_upper(at - 1) || name[at - 1] == b'_'
    };
    let starts: Vec<usize> = (0..name.len()).filter(|&at| begins(at)).collect();
    let ends = starts.iter().copied().skip(1).chain([name.len()]);
    let words: Vec<String> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| String::from_utf8_lossy(&name[start..end]).to_ascii_lowercase())
        .map(|word| word.trim_matches('_').to_owned())
        .filter(|word| !word.is_empty())
        .collect();
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;

    #[test]
    fn members_are_somebodys() {
        for (text, expected) in [
            ("a.x();", true),
            ("a->x();", true),
            ("My::x();", true),
            ("e == cudaError_t::x;", false),
            ("e == CUresult::x;", false),
            ("e == CudaError::x;", true),
            ("cudaApi::x();", true),
            ("A<int>::x();", true),
            ("x();", false),
            ("::x();", false),
            ("return ::x();", false),
            ("cub::x();", false),
            ("cg::x();", false),
            ("(x)();", false),
            ("auto f() -> x;", false),
            ("auto S::f(int) const -> x;", false),
            ("auto f() noexcept(true) -> x;", false),
            ("auto g = [](int) -> x { };", false),
            ("auto g = [] (int) mutable -> x;", false),
            ("function<auto(int) -> x>", false),
            ("return [](int) -> x;", false),
            ("table[i](1)->x();", true),
            ("f()->x();", true),
            ("S::f()->x();", true),
            ("a[f()]->x = 1;", true),
        ] {
            assert_eq!(at_first_x(text, is_members_name), expected, "{text}");
        }
    }

    #[test]
    fn qualified_names_start_at_their_first_part() {
        for (text, name, expected) in [
            ("a::b::x", "b::x", Some("b")),
            ("a::b::x", "a::b::x", Some("a")),
            ("a::b::x", "c::x", None),
            ("x", "x", Some("x")),
            ("x", "a::x", None),
        ] {
            let found = at_first_x(text, |doc, at| {
                qualified_start(doc, at, name)
                    .map(|at| doc.source.text(doc.tokens[at].range()).into_owned())
            });
            assert_eq!(found.as_deref(), expected, "{text} {name}");
        }
        assert!(at_first_x("a::x", is_qualified) && !at_first_x("return ::x", is_qualified));
    }
}
