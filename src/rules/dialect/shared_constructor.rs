//! A `__shared__` variable of a type with a constructor, or with an initialiser.
//!
//! ## Why on AMD
//! Shared memory is not initialised, so clang refuses what would have to be: an initialiser, and `dim3`, whose constructor sets 1.
//!
//! ## Example
//! ```cuda
//! __shared__ dim3 offset;
//! ```
//! becomes
//! ```hip
//! __shared__ uint3 offset;   // assign offset.x, offset.y, offset.z
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! clang 19: "initialization is not supported for __shared__ variables".

use crate::rules::prelude::*;
use crate::text::keywords::{is_attribute, is_class_key};

/// Reports the declaration.
pub static RULE: Rule = Rule {
    code: "CASS111",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["__shared__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let mut at = index;
    let mut words = Vec::new();
    while let Some(next) = doc.next(at) {
        match doc.bytes(next) {
            b";" => break,
            word if is_class_key(word) => return,
            // A type and a name stand in front, or it is no declaration.
            b"=" | b"{" if words.len() < 2 => return,
            b"=" | b"{" => {
                report(
                    cx,
                    index,
                    next,
                    "a `__shared__` variable cannot have an initializer",
                    "let one thread assign the value, followed by `__syncthreads()`",
                );
                return;
            }
            b"." | b"->" => return,
            b"(" if !is_attribute(doc.bytes(at)) => return,
            b"(" | b"[" | b"<" => at = doc.matching_bracket(next).unwrap_or(next),
            _ => at = next,
        }
        words.push(next);
        // A declaration of shared memory is never longer.
        if words.len() > 60 {
            return;
        }
    }
    let is_object = words.first().is_some_and(|&first| doc.is(first, "dim3"))
        && words.get(1).is_some_and(|&name| doc.is_ident(name));
    if is_object {
        report(
            cx,
            index,
            words[1],
            "`dim3` has a constructor in HIP, which a `__shared__` variable cannot have",
            "declare a `uint3` and assign its three members",
        );
    }
}

fn report(
    cx: &mut Context<'_, '_>,
    first: TokenIndex,
    last: TokenIndex,
    message: &'static str,
    help: &'static str,
) {
    let range = cx.doc.range(first, last);
    cx.report(RULE.finding(range, message).help(help));
}
