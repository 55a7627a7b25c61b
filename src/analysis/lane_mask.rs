//! Lane masks as far as the tokens of one file show them: shared by the rules of warps and atomics.

use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::cpp::expressions::without_casts;
use crate::syntax::{Document, Space, TokenIndex, flags};
use crate::text::keywords::is_no_part_of_type;
use crate::text::number::integer;

/// The mask of all 32 lanes of a warp of CUDA.
const ALL_LANES: u64 = 0xffff_ffff;

/// What an argument is known to be as a lane mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// All lanes, or the lanes that are active here: the call means the same without it.
    Whole,
    /// What the caller of a function gives: where lanes part is to be seen there.
    Callers,
    /// Some lanes, or not known.
    Other,
}

/// What the tokens of a mask argument say.
pub(crate) fn mask(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>) -> Mask {
    if is_whole(cx, tokens.clone(), 0) {
        Mask::Whole
    } else if is_parameter(cx.doc, without_casts(cx.doc, tokens)) {
        Mask::Callers
    } else {
        Mask::Other
    }
}

/// Whether the tokens are the name of a parameter that the function around them passes on as it is.
fn is_parameter(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let Some(function) = doc
        .scopes()
        .enclosing(tokens.start)
        .filter(|_| tokens.len() == 1)
    else {
        return false;
    };
    let name = doc.bytes(tokens.start);
    let mut head = doc.occurrences(name, function.head.clone());
    let is_set = || {
        values_in(doc, name, function.body.clone(), Some(tokens.start))
            .iter()
            .any(|_| true)
    };
    doc.is_ident(tokens.start)
        && function.space == Space::Device
        && head.any(|at| is_declared_here(doc, at))
        && !is_set()
}

fn is_whole(cx: &Unit<'_, '_>, tokens: Range<TokenIndex>, depth: usize) -> bool {
    let tokens = without_casts(cx.doc, tokens);
    let texts: Vec<&[u8]> = tokens.clone().map(|at| cx.doc.bytes(at)).collect();
    match texts[..] {
        [b"~", zero] | [b"~", b"(", zero, b")"] => integer(zero) == Some(0),
        [b"-", one] => integer(one) == Some(1),
        [b"UINT_MAX" | b"UINT32_MAX" | b"ULONG_MAX" | b"UINT64_MAX"] => true,
        [b"__activemask", b"(", b")"] => true,
        [b"__ballot_sync", b"(", ..] => {
            cx.doc.matching_bracket(tokens.start + 1) == Some(tokens.end - 1)
        }
        [b"0", b"-", one] => integer(one) == Some(1),
        [one] if cx.doc.is_ident(tokens.start) => is_whole_name(cx, one, tokens.start, depth),
        [one] => integer(one).is_some_and(|value| value & ALL_LANES == ALL_LANES),
        _ => false,
    }
}

/// A macro, constant or variable all of whose values in sight are whole masks.
fn is_whole_name(cx: &Unit<'_, '_>, name: &[u8], at: TokenIndex, depth: usize) -> bool {
    // Three steps follow `mask` to `FULL_MASK` to `(unsigned)~0`; deeper chains were not seen.
    if depth > 3 {
        return false;
    }
    let values = values_of(cx.doc, name, at);
    if values.is_empty() {
        return cx
            .constant(name)
            .or_else(|| cx.project.names().constant(name))
            .is_some_and(|value| value & ALL_LANES == ALL_LANES);
    }
    values
        .into_iter()
        .all(|value| value.is_some_and(|tokens| is_whole(cx, tokens, depth + 1)))
}

/// What a name is set to: in the function around `at` if it is set there, else anywhere in the file. `None` for a value that
/// cannot be read off, such as that of a parameter or of `name &= …`.
fn values_of(doc: &Document<'_>, name: &[u8], at: TokenIndex) -> Vec<Option<Range<TokenIndex>>> {
    let inner = doc
        .scopes()
        .enclosing(at)
        .filter(|_| !doc.tokens[at].has(flags::DIRECTIVE))
        .map(|function| function.head.start..function.body.end);
    if let Some(inner) = inner {
        let found = values_in(doc, name, inner, Some(at));
        if !found.is_empty() {
            return found;
        }
    }
    let mut found = values_in(doc, name, 0..doc.tokens.len(), None);
    for define in doc.macros_called(name) {
        let value = define.operands().start + 1..define.tokens.end;
        found.push((!value.is_empty()).then_some(value));
    }
    found
}

fn values_in(
    doc: &Document<'_>,
    name: &[u8],
    tokens: Range<TokenIndex>,
    seen_from: Option<TokenIndex>,
) -> Vec<Option<Range<TokenIndex>>> {
    let mut found = Vec::new();
    let start = tokens.start;
    let changes = doc.noted_of("mask", name, |at| {
        !doc.tokens[at].has(flags::DIRECTIVE) && may_change(doc, at)
    });
    let first = changes.partition_point(|&at| at < tokens.start);
    let inside = changes[first..].iter().copied();
    for at in inside.take_while(|&at| at < tokens.end) {
        if seen_from.is_some_and(|user| is_another(doc, start, at, user)) {
            continue;
        }
        let Some(next) = doc.next(at) else { continue };
        match doc.bytes(next) {
            b"=" => found.push(Some(next + 1..end_of_value(doc, next + 1))),
            b"{" => found.push(doc.matching_bracket(next).map(|close| next + 1..close)),
            b"&=" | b"|=" | b"^=" | b"+=" | b"-=" | b"++" | b"--" | b"*=" | b"/=" | b"%=" => {
                found.push(None);
            }
            b"<" | b">" if doc.is(next + 1, "<=") || doc.is(next + 1, ">=") => found.push(None),
            b"," | b")" if is_declared_here(doc, at) => found.push(None),
            _ if doc.prev_is(at, "&") && takes_address(doc, at) => found.push(None),
            _ => {}
        }
    }
    found
}

/// Whether something stands around a name that could give it a value: most uses of a mask only read it.
fn may_change(doc: &Document<'_>, at: TokenIndex) -> bool {
    let writes = doc.next(at).is_some_and(|next| {
        let text = doc.bytes(next);
        matches!(text, b"{" | b"++" | b"--" | b"<" | b">")
            || text.ends_with(b"=") && !matches!(text, b"==" | b"!=" | b"<=" | b">=")
            || matches!(text, b"," | b")") && is_declared_here(doc, at)
    });
    writes || doc.prev_is(at, "&")
}

/// Whether the name at `at` is declared behind `user` or in a block that does not hold it: a variable of the same name, not the same one.
fn is_another(doc: &Document<'_>, start: TokenIndex, at: TokenIndex, user: TokenIndex) -> bool {
    let declares = doc
        .prev(at)
        .is_some_and(|prev| doc.is_ident(prev) && !is_no_part_of_type(doc.bytes(prev)));
    let block = doc
        .braces_around(at)
        .next()
        .filter(|&open| start <= open)
        .and_then(|open| doc.matching_bracket(open));
    declares && (at > user || block.is_some_and(|close| user > close))
}

/// `f(…, &name …`: somebody else may set it.
fn takes_address(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.prev(at)
        .and_then(|amp| doc.prev(amp))
        .is_some_and(|before| matches!(doc.bytes(before), b"(" | b"," | b"="))
}

fn is_declared_here(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.prev(at).is_some_and(|prev| {
        let word = doc.bytes(prev);
        (doc.is_ident(prev) && !is_no_part_of_type(word)) || word == b"&"
    }) && doc
        .scopes()
        .enclosing(at)
        .is_some_and(|function| at < function.body.start)
}

fn end_of_value(doc: &Document<'_>, start: TokenIndex) -> TokenIndex {
    let mut at = start;
    while at < doc.tokens.len() {
        match doc.bytes(at) {
            b";" | b"," | b")" | b"}" => return at,
            b"(" | b"[" | b"{" => at = doc.matching_bracket(at).map_or(at, |close| close),
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_tree};
    use crate::options::Options;

    /// What the first argument of the call of `vote` in a device function is.
    fn of(head: &str, body: &str) -> Mask {
        let text =
            format!("#include \"m.h\"\n{head}\n__device__ int f(unsigned given) {{\n{body}\n}}\n");
        let files = [
            ("a.cu", text.as_str()),
            (
                "m.h",
                "#define FROM_HEADER 0xffffffffu\n#define HALF 0xffff\n",
            ),
        ];
        of_tree(&files, Options::default(), |cx| {
            let call = cx.doc.call(first(cx, "vote")).expect("it is called");
            mask(cx, call.arguments[0].clone())
        })
    }

    #[test]
    fn a_mask_of_all_lanes_is_known_in_many_spellings() {
        for whole in [
            "0xffffffff",
            "0xFFFFFFFFu",
            "0xffffffffffffffffULL",
            "4294967295",
            "-1",
            "~0",
            "~0u",
            "~(0)",
            "(unsigned)-1",
            "static_cast<unsigned>(-1)",
            "UINT_MAX",
            "0 - 1",
            "__activemask()",
            "__ballot_sync(0xffffffff, p)",
            "FROM_HEADER",
            "/* all */ 0xffffffff",
        ] {
            assert_eq!(
                of("", &format!("return vote({whole}, p);")),
                Mask::Whole,
                "{whole}"
            );
        }
        for other in [
            "0xffff",
            "1",
            "HALF",
            "__activemask() & 1",
            "1u << lane",
            "unknown",
            "0xffffffff >> 1",
            "~1",
        ] {
            assert_eq!(
                of("", &format!("return vote({other}, p);")),
                Mask::Other,
                "{other}"
            );
        }
    }

    #[test]
    fn a_name_is_a_whole_mask_if_all_its_values_are() {
        for (head, body, expected) in [
            (
                "#define FULL 0xffffffff",
                "return vote(FULL, p);",
                Mask::Whole,
            ),
            (
                "#define FULL ALL\n#define ALL (~0u)",
                "return vote(FULL, p);",
                Mask::Whole,
            ),
            (
                "#ifdef X\n#define FULL 0xffffffff\n#else\n#define FULL 0xffff\n#endif",
                "return vote(FULL, p);",
                Mask::Other,
            ),
            (
                "constexpr unsigned FULL = 0xffffffff;",
                "return vote(FULL, p);",
                Mask::Whole,
            ),
            (
                "constexpr unsigned FULL{0xffffffff};",
                "return vote(FULL, p);",
                Mask::Whole,
            ),
            (
                "",
                "unsigned m = 0xffffffff; return vote(m, p);",
                Mask::Whole,
            ),
            (
                "",
                "unsigned m = 0xffffffff; m &= 1; return vote(m, p);",
                Mask::Other,
            ),
            (
                "",
                "unsigned m = 0xffffffff; set(&m); return vote(m, p);",
                Mask::Other,
            ),
            (
                "",
                "unsigned m = 0xffffffff; if (p) m = 1; return vote(m, p);",
                Mask::Other,
            ),
            (
                "",
                "unsigned m = 0xffffffff; // m = 1;\nreturn vote(m, p);",
                Mask::Whole,
            ),
            // Another variable of this name, in a block of its own or behind.
            (
                "",
                "{ unsigned m = 1; } unsigned m = ~0u; return vote(m, p);",
                Mask::Whole,
            ),
            ("", "unsigned m; return vote(m, p);", Mask::Other),
        ] {
            assert_eq!(of(head, body), expected, "{head} {body}");
        }
    }

    #[test]
    fn a_parameter_that_is_passed_on_is_the_callers() {
        for (body, expected) in [
            ("return vote(given, p);", Mask::Callers),
            ("return vote((unsigned)given, p);", Mask::Callers),
            ("given = 1; return vote(given, p);", Mask::Other),
            ("return vote(given & 1, p);", Mask::Other),
        ] {
            assert_eq!(of("", body), expected, "{body}");
        }
    }
}
