//! A global variable or type that is called like something of `std`, beside `using namespace std`.
//!
//! ## Why on AMD
//! Clang reads a header of its own in front of every file of HIP, which includes `<algorithm>` and `<complex>`, and HIP's runtime header
//! includes `<thread>` and more. Where all of `std` is let in, `count`, `real` or `left` is the program's and the library's: "reference to
//! 'count' is ambiguous". CUDA's headers bring few names of `std`, and a program that includes no more of it compiles.
//!
//! ## Example
//! ```cuda
//! using namespace std;
//! int count;
//! __global__ void k(int *p) { *p = 0; }
//! void add() { count++; }
//! ```
//! becomes
//! ```hip
//! using namespace std;
//! int count;
//! __global__ void k(int *p) { *p = 0; }
//! void add() { ::count++; }
//! ```
//!
//! ## When to ignore
//! Where no compiler for AMD reads the file.
//!
//! ## Source
//! `__clang_hip_runtime_wrapper.h` of clang 19, `hip/hip_runtime.h` of ROCm 6.4; every name was compiled with both.

use crate::cpp::declarations::{Declared, declaration, declared};
use crate::cpp::std_names::{declares_global, is_std_name, opens_std};
use crate::rules::prelude::*;
use crate::syntax::Space;
use crate::text::keywords::{introduces_name, takes_operand};

/// Says which of the two is meant.
pub static RULE: Rule = Rule {
    code: "CASS703",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let path = &doc.source.path;
    if !doc.has_word(is_std_name) || !(opens_std(doc) || cx.project.sees_std(path)) {
        return;
    }
    let is_for_device = path.ends_with(".cu")
        || path.ends_with(".cuh")
        || doc.scopes().iter().any(|it| it.space != Space::Host);
    if !is_for_device {
        return;
    }
    let words = doc.each_word().filter(|(word, _)| is_std_name(word));
    let mut names: Vec<&[u8]> = words.map(|(word, _)| word).collect();
    names.sort_unstable();
    for name in names {
        let places: Vec<TokenIndex> = doc.all_called(vec![name]);
        let is_global =
            places.iter().any(|at| declares_global(doc, *at)) || cx.project.sees_global(path, name);
        if let Some(finding) = is_global.then(|| finding(cx, &places)).flatten() {
            cx.report(finding);
        }
    }
}

/// The finding about a name at its first use, if it is used.
fn finding(cx: &Context<'_, '_>, places: &[TokenIndex]) -> Option<Finding> {
    let doc = cx.doc;
    let inner = inner_scopes(doc, places);
    let is_inner = |at: TokenIndex| doc.braces_around(at).any(|brace| inner.contains(&brace));
    let uses = places.iter().copied();
    let uses: Vec<TokenIndex> = uses
        .filter(|at| is_use(doc, *at) && !is_inner(*at))
        .collect();
    let first = *uses.first()?;
    let name = cx.text(first);
    let message = format!(
        "`{name}` is the program's and `std::{name}`, which HIP's headers bring: it is ambiguous"
    );
    let finding = RULE.finding(cx.range(first), message);
    let is_parameter =
        |at: &TokenIndex| doc.is_before(*at, "typename") || doc.is_before(*at, "class");
    if !inner.is_empty() || places.iter().any(is_parameter) {
        return Some(finding.help(format!(
            "write `::{name}` where the global is meant, or `using std::…` for the names that are needed in place of `using namespace std`"
        )));
    }
    let edits = uses.iter();
    let edits = edits.map(|at| Edit::insert(cx.range(*at).start, "::".to_owned()));
    let fix = Fix::safe(edits.collect());
    Some(finding.severity(Severity::Info).fix(fix))
}

/// The braces of classes and namespaces that give a name to something of their own: within them it is that, and in functions of theirs that
/// stand elsewhere.
fn inner_scopes(doc: &Document<'_>, places: &[TokenIndex]) -> Vec<TokenIndex> {
    let is_own = |at: &TokenIndex| {
        declaration(doc, *at).is_some()
            && doc.scopes().enclosing(*at).is_none()
            && !declares_global(doc, *at)
    };
    let own = places.iter().copied().filter(is_own);
    own.filter_map(|at| doc.braces_around(at).next()).collect()
}

/// Whether a place names what is looked up: no member, no declaration, nothing that is local or qualified, no function.
fn is_use(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_told_apart = |it: TokenIndex| {
        matches!(doc.bytes(it), b"::" | b"." | b"->" | b"goto") || introduces_name(doc.bytes(it))
    };
    // `int count(int)` declares a function, `return real(1)` makes a value.
    let declares_function = || {
        doc.next_is(at, "(")
            && doc
                .prev(at)
                .is_some_and(|it| doc.is_ident(it) && !takes_operand(doc.bytes(it)))
    };
    let is_local = |found: Declared<'_>| {
        !declares_global(doc, found.name) && doc.scopes().enclosing(found.name).is_some()
    };
    !doc.tokens[at].has(flags::DIRECTIVE)
        && !doc.prev(at).is_some_and(is_told_apart)
        && !doc.next_is(at, "::")
        && !declares_function()
        && !declares_global(doc, at)
        && declaration(doc, at).is_none()
        && !declared(doc, at).is_some_and(is_local)
}
