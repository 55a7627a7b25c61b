//! Calls that do not show how many arguments they have: a macro, a parameter pack or an `#if` stands among them.

use crate::analysis::unit::Unit;
use crate::mapping::{ApiEntry, Kind};
use crate::syntax::{Call, Document, TokenIndex, TokenKind};

/// Advice where the arguments of a use cannot be changed as HIP's declaration needs it.
pub(super) fn help(cx: &Unit<'_, '_>, name: TokenIndex, are_hidden: bool) -> &'static str {
    if are_hidden {
        "HIP takes other arguments here, and a macro, a parameter pack or a directive hides those of this call: write them out, or compare them with HIP's declaration"
    } else if cx.doc.next_is(name, "(") {
        "HIP takes other arguments here, and this call lacks some of CUDA's declaration: compare it with HIP's"
    } else {
        "HIP's function has other parameters: where it is called by way of this use, pass the arguments of HIP's declaration"
    }
}

/// Whether the entry treats calls by their arguments, and this one does not show them. `call` is the call as it reads, if it can be read.
pub(super) fn are_hidden(
    cx: &Unit<'_, '_>,
    name: TokenIndex,
    entry: &ApiEntry,
    call: Option<&Call>,
) -> bool {
    if entry.kind != Kind::Function || entry.args.is_empty() && entry.forms.is_empty() {
        return false;
    }
    match call {
        // Parentheses that a directive tears apart, or that hold statements.
        None => cx.doc.next_is(name, "(") && !cx.doc.is_before(name, "define"),
        Some(call) if call.split_by_directive => true,
        Some(call) => {
            let arity = call.arguments.len();
            // What stands for several makes a call shorter; one that is longer gives a parameter that HIP has a value for.
            let is_odd = entry.plain_arity().is_some_and(|plain| {
                arity < plain
                    && entry
                        .forms
                        .iter()
                        .all(|form| usize::from(form.arity) != arity)
            });
            top_level(cx.doc, call)
                .any(|at| stands_for_several(cx, at) || is_odd && reads_like_a_macro(cx.doc, at))
        }
    }
}

/// The tokens of a call's arguments that stand in no brackets of their own.
fn top_level<'c>(doc: &'c Document<'_>, call: &'c Call) -> impl Iterator<Item = TokenIndex> + 'c {
    let mut next = call.open + 1;
    std::iter::from_fn(move || {
        let at = next;
        next = doc
            .matching_bracket(at)
            .filter(|&close| close > at)
            .unwrap_or(at)
            + 1;
        (at < call.close).then_some(at)
    })
}

/// `args...`, `__VA_ARGS__`, and macros of the tree with a comma in their text.
fn stands_for_several(cx: &Unit<'_, '_>, at: TokenIndex) -> bool {
    let word = cx.doc.bytes(at);
    word == b"__VA_ARGS__"
        // The dots of an ellipsis are a token each.
        || word == b"." && cx.doc.is_before(at, ".")
        || cx.doc.tokens[at].kind == TokenKind::Ident && cx.own.is_list(word)
}

/// A word in capitals: outside the tree, nobody knows what it stands for.
fn reads_like_a_macro(doc: &Document<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    doc.is_ident(at)
        && word.len() > 1
        && word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_tree};
    use crate::options::Options;

    /// Whether the first call of a function hides its arguments, in a file with a header beside it.
    fn hidden(function: &str, text: &str) -> bool {
        let text = format!("#include \"lists.h\"\n{text}\n");
        let files = [
            ("a.cu", text.as_str()),
            ("lists.h", "#define PAIR a, b\n#define ONE (a, b)\n"),
        ];
        of_tree(&files, Options::default(), |cx| {
            let name = first(cx, function);
            let entry = cx
                .table()
                .get(function.as_bytes())
                .expect("it is in the tables")
                .entry;
            are_hidden(cx, name, entry, cx.doc.call(name).as_ref())
        })
    }

    #[test]
    fn arguments_hide_behind_macros_packs_and_directives() {
        for (call, expected) in [
            ("cudaGraphGetEdges(a, b, c, d, e);", false),
            ("cudaGraphGetEdges(a, b, c);", false),
            ("cudaGraphGetEdges(a, PAIR, c);", true),
            ("cudaGraphGetEdges(a, f(PAIR), c);", false),
            ("cudaGraphGetEdges(a, ONE, c, d);", false),
            ("cudaGraphGetEdges(args...);", true),
            ("cudaGraphGetEdges(a, f(args...), c);", false),
            ("#define G(...) cudaGraphGetEdges(__VA_ARGS__)", true),
            (
                "cudaGraphGetEdges(a, b,\r\n#ifdef X\r\n c,\r\n#endif\r\n d);",
                true,
            ),
            // Nobody knows what a word in capitals stands for where the number of arguments fits none.
            ("cudaGraphGetEdges(a, REST);", true),
            ("cudaGraphGetEdges(REST);", true),
            ("cudaGraphGetEdges(rest);", false),
            ("auto f = cudaGraphGetEdges;", false),
            ("cudaGraphGetEdges(a, /* PAIR */ b, c);", false),
        ] {
            assert_eq!(hidden("cudaGraphGetEdges", call), expected, "{call}");
        }
        assert!(
            !hidden("cudaFree", "cudaFree(PAIR);"),
            "its arguments stay as they are"
        );
    }

    #[test]
    fn advice_follows_what_is_wrong() {
        for (text, are_hidden, expected) in [
            (
                "cudaGraphGetEdges(a);",
                true,
                "a macro, a parameter pack or a directive hides",
            ),
            ("cudaGraphGetEdges(a);", false, "this call lacks some"),
            (
                "auto f = cudaGraphGetEdges;",
                false,
                "where it is called by way of this use",
            ),
        ] {
            let said = of_tree(&[("a.cu", text)], Options::default(), |cx| {
                help(cx, first(cx, "cudaGraphGetEdges"), are_hidden)
            });
            assert!(said.contains(expected), "{said}");
        }
    }
}
