//! Arithmetic on a `void *`.
//!
//! ## Why on AMD
//! g++, and nvcc with it, counts bytes where something is added to a `void *`, and takes `sizeof(void)` for 1. In C++ that is an error
//! of clang, which HIP is built on.
//!
//! ## Example
//! ```cuda
//! void *rest = buffer + offset;
//! buffer += offset;
//! ```
//! becomes
//! ```hip
//! void *rest = static_cast<char *>(buffer) + offset;
//! buffer = static_cast<char *>(buffer) + offset;
//! ```
//!
//! ## When to ignore
//! When the file is compiled as C.
//!
//! ## Source
//! GCC manual, arithmetic on void- and function-pointers; compiled with g++ 12 and clang 19: "arithmetic on a pointer to void".

use std::ops::Range;

use crate::analysis::byte_pointer::{self, end_of_expression};
use crate::cpp::calls::enclosing_parenthesis;
use crate::cpp::declarations;
use crate::rules::prelude::*;
use crate::text::keywords::{is_cv, is_restrict};

/// Names the bytes that are counted.
pub static RULE: Rule = Rule {
    code: "CASS121",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["void"], check)],
};

const HELP: &str = "compute with `static_cast<char *>(pointer)`";

/// A variable or parameter that is a `void *`.
struct Pointer<'d> {
    name: TokenIndex,
    word: &'d [u8],
    is_const: bool,
}

fn check(void: TokenIndex, cx: &mut Context<'_, '_>) {
    if cx.doc.tokens[void].has(flags::DIRECTIVE) || cx.doc.source.path.ends_with(".c") {
        return;
    }
    if cx.doc.is_before(void, "(") && cx.doc.is(void + 1, ")") && void > 1 {
        if cx.doc.is_before(void - 1, "sizeof") {
            let whole = cx.doc.range(void - 2, void + 1);
            let finding = RULE.finding(whole, "`sizeof(void)` is 1 in g++ and an error in clang");
            cx.report(finding.fix(Fix::safe(vec![Edit::replace(whole, "1")])));
        }
        return;
    }
    let doc = cx.doc;
    for pointer in pointers(doc, void) {
        let reach = reach(doc, &pointer);
        let uses = doc.occurrences(pointer.word, reach.start.max(pointer.name + 1)..reach.end);
        for place in uses.filter(|&void| {
            byte_pointer::is_pointer_arithmetic(doc, &(void..void + 1))
                && means(doc, void, &pointer)
        }) {
            let finding = finding(cx, place, &pointer);
            cx.report(finding);
        }
    }
}

/// The names of `void *name, *other`, where they are variables or parameters.
fn pointers<'d>(doc: &Document<'d>, void: TokenIndex) -> Vec<Pointer<'d>> {
    let behind = |at: TokenIndex| doc.next(at).unwrap_or(at);
    let mut star = behind(void);
    let mut is_const = doc.prev_is(void, "const");
    if doc.is(star, "const") {
        (is_const, star) = (true, behind(star));
    }
    let mut found = Vec::new();
    while let Some(name) = declarator(doc, star) {
        found.push(Pointer {
            name,
            word: doc.bytes(name),
            is_const,
        });
        let end = if enclosing_parenthesis(doc, void).is_none() {
            end_of_expression(doc, name)
        } else {
            None
        };
        match end.filter(|&end| doc.is(end, ",")) {
            Some(comma) => star = behind(comma),
            None => break,
        }
    }
    found
}

/// The name in `*name`, `* const name`.
fn declarator(doc: &Document<'_>, star: TokenIndex) -> Option<TokenIndex> {
    let mut name = doc.next(star).filter(|_| doc.is(star, "*"))?;
    while is_cv(doc.bytes(name)) || is_restrict(doc.bytes(name)) {
        name = doc.next(name)?;
    }
    let next = doc.next(name).filter(|_| doc.is_ident(name))?;
    matches!(doc.bytes(next), b"=" | b";" | b"," | b")" | b"{").then_some(name)
}

/// The tokens in which the name can be that pointer: a function of which it is a parameter, or the braces around it; nothing for a
/// parameter of a mere declaration.
fn reach(doc: &Document<'_>, pointer: &Pointer<'_>) -> Range<TokenIndex> {
    let is_parameter = |function: &crate::syntax::FunctionScope| {
        function
            .head
            .contains(&pointer.name)
            .then(|| function.body.clone())
    };
    let function = doc.scopes().around(pointer.name).find_map(is_parameter);
    let nothing = pointer.name..pointer.name + 1;
    if function.is_some() || enclosing_parenthesis(doc, pointer.name).is_some() {
        return function.unwrap_or(nothing);
    }
    match doc.braces_around(pointer.name).next() {
        Some(open) => open..doc.matching_bracket(open).unwrap_or(doc.tokens.len()),
        None => nothing.start..doc.tokens.len(),
    }
}

/// Whether the name at a place is that pointer, in every build.
fn means(doc: &Document<'_>, place: TokenIndex, pointer: &Pointer<'_>) -> bool {
    let found = declarations::declared(doc, place);
    let (declared, used) = (doc.tokens[pointer.name].start, doc.tokens[place].start);
    found.is_some_and(|found| found.name == pointer.name && found.pointers == 1)
        && doc.branches.dominates(declared, used)
}

fn finding(cx: &Context<'_, '_>, place: TokenIndex, pointer: &Pointer<'_>) -> Finding {
    let name = cx.text(place);
    let message =
        format!("arithmetic on `void *{name}`: a g++ extension that clang rejects in C++");
    let finding = RULE.finding(cx.range(place), message);
    match byte_pointer::fix(cx, place..place + 1, pointer.is_const) {
        Some(fix) if fix.applicability == Applicability::Review => finding
            .severity(Severity::Warning)
            .help("a `char *` is passed now; check that the parameter is a `void *`")
            .fix(fix),
        Some(fix) => finding.fix(fix),
        None => finding.severity(Severity::Error).help(HELP),
    }
}
