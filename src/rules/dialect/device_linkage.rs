//! A variable of the device that another file defines.
//!
//! ## Why on AMD
//! `extern __device__` and `extern __constant__` need device code that is linked across files: `-rdc=true` for nvcc, `-fgpu-rdc` for
//! hipcc, there also where the objects are linked, with `--hip-link`. Without it clang makes each file's variable one of its own, or
//! the linker misses it.
//!
//! ## Example
//! ```cuda
//! extern __constant__ float weights[64];   // defined in another file
//! ```
//!
//! ## When to ignore
//! When the build links device code, or the file is included by the one that defines the variable.
//!
//! ## Source
//! clang 19, "HIP Support" (`-fgpu-rdc`); issue 3201 of ROCm's HIP.

use crate::cpp::windows::DECLARATION;
use crate::rules::prelude::*;

/// Reports the first variable that the file does not define, with how many more there are.
pub static RULE: Rule = Rule {
    code: "CASS612",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

/// What the compilers have without a declaration.
const BUILT_IN: &[&[u8]] = &[
    b"threadIdx",
    b"blockIdx",
    b"blockDim",
    b"gridDim",
    b"warpSize",
];

fn check(cx: &mut Context<'_, '_>) {
    let all = cx.doc.all_that(|word| word == b"extern").into_iter();
    let mut linked = all.filter_map(|at| Some((at, linked_variable(cx.doc, at)?)));
    let Some((first, name)) = linked.next() else {
        return;
    };
    let message = match linked.count() {
        0 => format!("`{}` is device code that other files link", cx.text(name)),
        1 => format!(
            "`{}` and one more variable are device code that other files link",
            cx.text(name)
        ),
        more => format!(
            "`{}` and {more} more variables are device code that other files link",
            cx.text(name)
        ),
    };
    let finding = RULE
        .finding(cx.doc.range(first, name), message)
        .help("compile and link with -fgpu-rdc, and link with --hip-link; or define it in the file that uses it");
    cx.report(finding);
}

/// The name of the variable of the device that an `extern` declares and the file does not define.
fn linked_variable(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let name = variable(doc, at).filter(|_| !doc.tokens[at].has(flags::DIRECTIVE))?;
    // A header for NVRTC declares these, which no file defines.
    let is_built_in = BUILT_IN.contains(&doc.bytes(name));
    (!is_built_in && !is_defined(doc, at, name)).then_some(name)
}

/// The name that `extern __constant__ float name[64];` declares, if it is a variable of the device.
fn variable(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let end = (start..doc.tokens.len())
        .take(DECLARATION)
        .find(|&at| matches!(doc.bytes(at), b";" | b"=" | b"(" | b"{" | b"["))?;
    let of_device = |at: TokenIndex| doc.is(at, "__device__") || doc.is(at, "__constant__");
    let is_variable = doc.is(end, ";") || doc.is(end, "[");
    let name = end.checked_sub(1).filter(|&name| doc.is_ident(name))?;
    (is_variable && (start..name).any(of_device)).then_some(name)
}

/// Whether the file defines the variable as well, or declared it before.
fn is_defined(doc: &Document<'_>, start: TokenIndex, name: TokenIndex) -> bool {
    let of_device = |at: TokenIndex| doc.is(at, "__device__") || doc.is(at, "__constant__");
    let line = |at: TokenIndex| {
        (0..at)
            .rev()
            .take(12)
            .take_while(|&at| !matches!(doc.bytes(at), b";" | b"}"))
    };
    doc.occurrences(doc.bytes(name), 0..doc.tokens.len())
        .filter(|&at| at != name)
        .any(|at| {
            let is_extern = line(at).any(|at| doc.is(at, "extern"));
            line(at).any(of_device) && (!is_extern || at < start)
        })
}
