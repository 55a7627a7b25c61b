//! A function of an extension's own, called like a type of CUDA that PyTorch's build for ROCm renames.
//!
//! ## Why on AMD
//! PyTorch writes `hipError_t` for each `cudaError` and each `cudaError_t` alike. A function `cudaError` beside the type is right in C++;
//! one called `hipError_t` is not: "redefinition of 'hipError_t' as different kind of symbol".
//!
//! ## Example
//! ```cuda
//! void cudaError(cudaError_t code, const char *file) { report(cudaGetErrorString(code), file); }
//! #define CHECK(call) cudaError(call, __FILE__)
//! ```
//! becomes
//! ```hip
//! void cudaError_(cudaError_t code, const char *file) { report(cudaGetErrorString(code), file); }
//! #define CHECK(call) cudaError_(call, __FILE__)
//! ```
//!
//! ## When to ignore
//! When PyTorch's build does not read the file.
//!
//! ## Source
//! `torch/utils/hipify/cuda_to_hip_mappings.py` of PyTorch 2.11; clang 19.

use crate::mapping::TorchTable;
use crate::rules::prelude::*;
use crate::text::Language;
use crate::text::keywords::is_class_key;

/// Gives the function a name that PyTorch leaves alone; in a header it is for a person, since other files call it.
pub static RULE: Rule = Rule {
    code: "CASS677",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let doc = cx.doc;
    let is_renamed = |at: &TokenIndex| {
        let word = doc.bytes(*at);
        cx.table().is_type(word) && TorchTable::builtin().renames(word)
    };
    // A member function has the scope of its class: there the two names do not meet.
    let functions = doc.scopes().iter().filter_map(|function| function.name);
    let functions = functions.filter(|at| !doc.is_before(*at, "::") && !is_in_class(doc, *at));
    let named: Vec<TokenIndex> = functions.filter(is_renamed).collect();
    for name in named {
        let word = cx.text(name).into_owned();
        let message =
            format!("PyTorch's build for ROCm gives `{word}` the name of one of HIP's types");
        let finding = RULE.finding(cx.range(name), message);
        cx.report(match is_header(&doc.source.path) {
            true => finding.help("give the function another name, here and where it is called"),
            false => {
                let calls = doc.all(&word).filter(|&at| doc.next_is(at, "("));
                let edits = calls.map(|at| Edit::insert(cx.range(at).end, "_"));
                finding
                    .severity(Severity::Info)
                    .fix(Fix::safe(edits.collect()))
            }
        });
    }
}

/// Whether the innermost braces around a token are those of a class.
fn is_in_class(doc: &Document<'_>, at: TokenIndex) -> bool {
    let brace = doc.braces_around(at).next();
    brace.is_some_and(|brace| {
        let head = (0..brace)
            .rev()
            .take_while(|&it| ![";", "{", "}"].iter().any(|end| doc.is(it, end)));
        let mut head = head.filter(|&it| doc.is_ident(it));
        head.any(|it| is_class_key(doc.bytes(it)))
    })
}

/// Whether other files include a file.
fn is_header(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    Language::of_path(path).is_cpp() && !matches!(ending, "cu" | "c" | "cc" | "cpp" | "cxx")
}
