//! A `#pragma unroll` that clang does not take.
//!
//! ## Why on AMD
//! nvcc ignores with a warning what it cannot use: a count that is no constant, a pragma in front of something that is no loop. clang
//! makes an error of both. Without the pragma the compiler decides by itself. All other forms mean the same to clang: with or without
//! parentheses, with a constant or a template parameter.
//!
//! ## Example
//! ```cuda
//! __global__ void k(float *x, int n) {
//! #pragma unroll n
//!   for (int i = 0; i < n; i++) x[i] = 0;
//! }
//! ```
//! becomes
//! ```hip
//! __global__ void k(float *x, int n) {
//!   for (int i = 0; i < n; i++) x[i] = 0;
//! }
//! ```
//!
//! ## When to ignore
//! Never: such a pragma has no effect with nvcc either.
//!
//! ## Source
//! Compiled with clang 19; CUDA programming guide, "#pragma unroll".

use crate::analysis::helpers::header_for;
use crate::analysis::inline_asm::KEYWORDS;
use crate::cpp::deletion::delete_lines;
use crate::rules::prelude::*;
use crate::syntax::FunctionScope;
use crate::text::keywords::{is_keyword, starts_loop};

/// Deletes pragmas that cannot have an effect.
pub static RULE: Rule = Rule {
    code: "CASS104",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Directive(check)],
};

fn check(directive: &Directive, cx: &mut Context<'_, '_>) {
    if !is_unroll(cx.doc, directive) {
        return;
    }
    let message = if let Some(name) = variable_count(cx, directive) {
        format!("`{name}` is a variable: clang requires a constant unroll count")
    } else if !may_be_loop(cx, directive) {
        "clang takes `#pragma unroll` before loops only".to_owned()
    } else {
        return;
    };
    let finding = RULE
        .finding(directive.range, message)
        .fix(Fix::safe(vec![delete_lines(cx.doc, directive.range)]));
    cx.report(finding);
}

fn is_unroll(doc: &Document<'_>, directive: &Directive) -> bool {
    directive.kind == DirectiveKind::Pragma && doc.is(directive.operands().start, "unroll")
}

/// Whether a directive includes a header, of the system, of CUDA or of its samples, and no piece of this code.
fn includes_no_loop(cx: &Context<'_, '_>, directive: &Directive) -> bool {
    let mut includes = cx.doc.includes.iter();
    let include = includes.find(|include| include.directive == directive.range);
    include.is_some_and(|include| {
        let path = cx.text_of(include.path);
        include.angled
            || cx.table().header(path.as_bytes()).is_some()
            || header_for(cx, include).is_some()
    })
}

/// The count of a pragma when it is a parameter or variable of the function around it.
fn variable_count(cx: &Context<'_, '_>, directive: &Directive) -> Option<String> {
    let names: Vec<TokenIndex> = directive
        .operands()
        .skip(1)
        .filter(|&at| !matches!(cx.doc.bytes(at), b"(" | b")"))
        .collect();
    let [count] = names[..] else { return None };
    let function = cx.doc.scopes().enclosing(count)?;
    let variable = cx.doc.is_ident(count) && is_variable(cx, count, function);
    variable.then(|| cx.text(count).into_owned())
}

/// Whether `int name` or the like, neither constant nor a template parameter, is declared in the function.
fn is_variable(cx: &Context<'_, '_>, count: TokenIndex, function: &FunctionScope) -> bool {
    let doc = cx.doc;
    let parameters = function
        .name
        .and_then(|name| doc.next(name))
        .unwrap_or(function.body.start);
    let declares = |at: TokenIndex| {
        doc.bytes(at) == doc.bytes(count)
            && !doc.tokens[at].has(flags::DIRECTIVE)
            && doc.prev(at).is_some_and(|before| {
                matches!(
                    doc.bytes(before),
                    b"int" | b"unsigned" | b"size_t" | b"long" | b"uint32_t" | b"int32_t"
                ) && !is_constant(doc, before)
            })
    };
    let declared: Vec<TokenIndex> = (parameters..count).filter(|&at| declares(at)).collect();
    let others = (function.head.start..count).filter(|&at| {
        doc.bytes(at) == doc.bytes(count)
            && doc.prev(at).is_some_and(|before| is_constant(doc, before))
    });
    !declared.is_empty() && others.count() == 0
}

/// Whether the type at `at` belongs to `const int`, `constexpr unsigned int`.
fn is_constant(doc: &Document<'_>, at: TokenIndex) -> bool {
    let mut word = Some(at);
    for _ in 0..4 {
        match word {
            Some(at) if matches!(doc.bytes(at), b"const" | b"constexpr") || doc.is(at, "enum") => {
                return true;
            }
            Some(at) if doc.is_ident(at) => word = doc.prev(at),
            _ => return false,
        }
    }
    false
}

/// Whether a loop can stand behind the pragma. A name may be a macro that begins with a loop, so only what is certain counts.
fn may_be_loop(cx: &Context<'_, '_>, directive: &Directive) -> bool {
    let doc = cx.doc;
    let Some(next) =
        (directive.tokens.end..doc.tokens.len()).find(|&at| !doc.tokens[at].has(flags::DIRECTIVE))
    else {
        return true;
    };
    // Between the two stands an `#if` or a pragma of another kind: it may make the difference.
    let is_between =
        |other: &&Directive| (directive.tokens.end..next).contains(&other.tokens.start);
    let mut between = doc.directives.iter().filter(is_between);
    if !between.all(|other| is_unroll(doc, other) || includes_no_loop(cx, other)) {
        return true;
    }
    let word = doc.bytes(next);
    let assembly = KEYWORDS.iter().any(|asm| asm.as_bytes() == word);
    let plain = matches!(word, b"{" | b"}") || is_keyword(word) && !starts_loop(word);
    let assigned = doc.is_ident(next)
        && word.iter().any(u8::is_ascii_lowercase)
        && doc
            .next(next)
            .is_some_and(|at| matches!(doc.bytes(at), b"=" | b"[" | b"+=" | b"->" | b"." | b"::"));
    !(plain || assembly || assigned)
}
