//! A `return` without a value in a function for the device that has to return one.
//!
//! ## Why on AMD
//! nvcc warns and gives back whatever stands in the register; clang, which HIP is built on, does not compile it. g++ refuses it as well, so
//! it is found in functions for the device alone.
//!
//! ## Example
//! ```cuda
//! __device__ bool push(int *queue, int *size, int item) {
//!     if (item < 0) return;
//!     queue[atomicAdd(size, 1)] = item;
//! }
//! ```
//! becomes
//! ```hip
//! __device__ bool push(int *queue, int *size, int item) {
//!     if (item < 0) return false;
//!     queue[atomicAdd(size, 1)] = item;
//! }
//! ```
//!
//! ## When to ignore
//! Never; who uses the result wants to know what it should be.
//!
//! ## Source
//! C++17 [stmt.return]; clang 19: "non-void function should return a value [-Wreturn-mismatch]".

use crate::cpp::arithmetic::Number;
use crate::cpp::signature::Signature;
use crate::rules::prelude::*;
use crate::syntax::{FunctionScope, Space};

/// Writes the value that an object without one has.
pub static RULE: Rule = Rule {
    code: "CASS706",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["return"], check)],
};

/// Blocks in blocks, more than anybody writes: looking at all of them for each `return` would cost the square of their depth.
const DEEPEST: usize = 64;

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if !doc.next_is(index, ";") || doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let start = cx.range(index).start;
    let is_read = doc.vendor_at(start) == Vendor::Any && !cx.is_inactive(start);
    let function = doc.scopes().enclosing(index);
    let Some(function) = function.filter(|it| is_read && it.space == Space::Device) else {
        return;
    };
    // `[=] { return; }` has no head.
    let mut blocks = doc.braces_around(index).take(DEEPEST);
    if blocks.any(|brace| doc.prev_is(brace, "]")) {
        return;
    }
    let Some(value) = value_of_nothing(doc, function) else {
        return;
    };
    let range = cx.range(index);
    let message =
        "a function that returns something does not return a value here: clang refuses it";
    let edit = Edit::insert(range.end, format!(" {value}"));
    cx.report(RULE.finding(range, message).fix(Fix::safe(vec![edit])));
}

/// What a function returns that says nothing: `false`, `0`, `nullptr`, `{}`; no answer where it returns nothing, or what nobody can make.
fn value_of_nothing(doc: &Document<'_>, function: &FunctionScope) -> Option<&'static str> {
    let signature = Signature::of_function(doc, function)?;
    // A macro in front of the type names the execution space.
    let is_macro = |word: &&str| word.bytes().all(|it| !it.is_ascii_lowercase()) && word.len() > 1;
    let words = signature.result.split_whitespace();
    let words: Vec<&[u8]> = words
        .filter(|word| !is_macro(word) && *word != "const")
        .map(str::as_bytes)
        .collect();
    match (words.as_slice(), Number::of_words(&words)) {
        ([b"bool"], _) => Some("false"),
        (_, Some(_)) => Some("0"),
        ([_, .., b"*"], _) => Some("nullptr"),
        // What a type of a template is nobody knows, `void` it may be.
        ([b"void" | b"auto"], _) => None,
        ([_], _) if !doc.is(function.head.start, "template") => Some("{}"),
        _ => None,
    }
}
