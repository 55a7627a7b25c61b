//! `__restrict__` that stands in front of the `*`, or on a parameter that is an array or a number.
//!
//! ## Why on AMD
//! The word qualifies the type that it stands beside: in `float __restrict__ *x` and `__restrict__ float x[]` that is `float`, and clang says
//! "restrict requires a pointer or reference ('float' is invalid)". nvcc takes it where the type is a template's or, before CUDA 13, any,
//! and makes nothing of it.
//!
//! ## Example
//! ```cuda
//! __global__ void k(float __restrict__ *x, int n);
//! ```
//! becomes
//! ```hip
//! __global__ void k(float *x, int n);
//! ```
//! Where no other pointer of the function reaches what `x` points to, `float *__restrict__ x` is what was meant.
//!
//! ## When to ignore
//! Where the type in front is an alias of a pointer, which may be qualified.
//!
//! ## Source
//! clang 19 with the HIP 6.4 headers; nvcc 13.0, whose code of `T __restrict__ x[]` has no load that a qualified pointer gets.

use crate::cpp::arithmetic::{Number, is_vector};
use crate::cpp::deletion::delete_word;
use crate::rules::prelude::*;
use crate::text::keywords::{is_builtin_type, is_cv, is_restrict, may_name_type};

/// Deletes the word.
pub static RULE: Rule = Rule {
    code: "CASS129",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__restrict__", "__restrict"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let in_front = type_in_front(doc, index).map(|of| (of, index));
    let behind = || type_behind(doc, index).map(|of| (of, of));
    let Some((of, end)) = in_front.or_else(behind) else {
        return;
    };
    if !is_refused(doc, of, end) {
        return;
    }
    let message = format!(
        "`{}` qualifies `{}`, which clang refuses: restrict requires a pointer or reference",
        cx.text(index),
        cx.text(of)
    );
    let help = "write it behind the `*` if no other pointer reaches what this one points to";
    let finding = RULE.finding(cx.range(index), message).help(help);
    cx.report(finding.fix(Fix::safe(vec![delete_word(doc, index)])));
}

/// More qualifiers in a row than this nobody writes.
const QUALIFIERS: usize = 8;

fn is_qualifier(word: &[u8]) -> bool {
    is_cv(word) || is_restrict(word)
}

/// The last word of the type that stands in front of the qualifiers.
fn type_in_front(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let at = before_qualifiers(doc, index)?;
    (doc.is_ident(at) && may_name_type(doc.bytes(at))).then_some(at)
}

/// What stands in front of the qualifiers.
fn before_qualifiers(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let before = std::iter::successors(doc.prev(index), |&at| doc.prev(at));
    let mut before = before.take(QUALIFIERS);
    before.find(|&at| !is_qualifier(doc.bytes(at)))
}

/// The last word of the type that stands behind the qualifiers, where they begin a parameter or a member: `const __restrict__ float x[8]`.
fn type_behind(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let begins = before_qualifiers(doc, index)
        .is_some_and(|at| matches!(doc.bytes(at), b"(" | b"," | b";" | b"{"));
    let behind = std::iter::successors(doc.next(index), |&at| doc.next(at));
    let words = behind.filter(|&at| !is_qualifier(doc.bytes(at)));
    let mut last = None;
    for at in words.take_while(|_| begins).take(QUALIFIERS) {
        let may_go_on = match last {
            None => doc.is_ident(at) && may_name_type(doc.bytes(at)),
            Some(last) => doc.is(at, "::") || doc.is(last, "::") || is_builtin_type(doc.bytes(at)),
        };
        if !may_go_on {
            break;
        }
        last = Some(at);
    }
    last
}

/// Whether the type, behind whose last word or qualifier `index` the declaration goes on, is none of a pointer: by its name, or since a
/// pointer to it or an array of it is declared.
fn is_refused(doc: &Document<'_>, of: TokenIndex, index: TokenIndex) -> bool {
    let word = doc.bytes(of);
    if word == b"auto" || is_pointer_by_name(word) {
        return false;
    }
    let is_number = is_builtin_type(word) || Number::of_words(&[word]).is_some() || is_vector(word);
    is_number || declares_pointer(doc, index)
}

/// Whether a `*`, also of `(*rows)[8]`, or a name with `[` stands behind the qualifiers.
fn declares_pointer(doc: &Document<'_>, index: TokenIndex) -> bool {
    let behind = std::iter::successors(doc.next(index), |&at| doc.next(at));
    let mut behind = behind.take(QUALIFIERS);
    let next = behind.find(|&at| !is_qualifier(doc.bytes(at)));
    next.is_some_and(|at| {
        let is_name = doc.is_ident(at);
        doc.is(at, "*")
            || doc.is(at, "(") && doc.next_is(at, "*")
            || is_name && doc.next_is(at, "[")
    })
}

/// `float_ptr`, `PtrType`: what people call aliases of pointers.
fn is_pointer_by_name(word: &[u8]) -> bool {
    let lower = word.to_ascii_lowercase();
    [&b"ptr"[..], b"pointer"]
        .iter()
        .any(|part| lower.windows(part.len()).any(|window| window == *part))
}
