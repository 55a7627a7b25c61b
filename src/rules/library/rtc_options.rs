//! Options of NVRTC in an array that hiprtc does not take: `char **`, or one of constant pointers.
//!
//! ## Why on AMD
//! `nvrtcCompileProgram` takes `const char *const *`, to which arrays of `char *` and of `const char *const` convert.
//! `hiprtcCompileProgram` takes `const char **` in ROCm 6.4, to which neither does: the call does not compile. It only reads them.
//!
//! ## Example
//! ```cuda
//! char *options[] = {architecture, standard};
//! nvrtcCompileProgram(program, 2, options);
//! ```
//! becomes
//! ```hip
//! char *options[] = {architecture, standard};
//! hiprtcCompileProgram(program, 2, (const char **)options);
//! ```
//!
//! ## When to ignore
//! Never; newer releases take CUDA's type, and the cast is right there as well.
//!
//! ## Source
//! `hip/hiprtc.h` of ROCm 6.4, declarations of ROCm 7 (`const char *const *`); `nvrtc.h` of CUDA 13.0.

use crate::cpp::declarations::{Declared, declared};
use crate::cpp::names::is_members_name;
use crate::rules::prelude::*;

/// Casts the array of options.
pub static RULE: Rule = Rule {
    code: "CASS519",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[],
    checks: &[Check::Idents(&["nvrtcCompileProgram"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) || cx.is_own(cx.doc.bytes(index)) {
        return;
    }
    let call = cx.doc.call(index);
    let Some(options) = call.and_then(|call| call.arguments.get(2).cloned()) else {
        return;
    };
    // An expression has a type that the text does not show.
    if options.len() != 1 || !cx.doc.is_ident(options.start) {
        return;
    }
    if declared(cx.doc, options.start).is_some_and(|found| needs_cast(cx.doc, &found)) {
        let range = cx.range(options.start);
        let message = format!(
            "`{}` does not convert to the `const char **` of hiprtc",
            cx.text(options.start)
        );
        let cast = Edit::insert(range.start, "(const char **)");
        cx.report(RULE.finding(range, message).fix(Fix::safe(vec![cast])));
    }
}

/// Whether the type is `char **` or `const char *const *`, whatever of it is an array.
fn needs_cast(doc: &Document<'_>, found: &Declared<'_>) -> bool {
    let before = std::iter::successors(doc.prev(found.name), |&at| doc.prev(at));
    let words = before.map(|at| doc.bytes(at));
    let mut of_type = words.take_while(|word| matches!(*word, b"*" | b"const" | b"char"));
    let behind_char = of_type.by_ref().take_while(|word| *word != b"char");
    let has_constant_pointers = behind_char.filter(|word| *word == b"const").count() > 0;
    let has_constant_text = of_type.any(|word| word == b"const");
    let is_array_of_text = found.is_any(&["char"]) && found.pointers == 2;
    is_array_of_text && (has_constant_pointers || !has_constant_text)
}
