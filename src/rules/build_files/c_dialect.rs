//! A C source that a build compiles with a `-std=` of C++.
//!
//! ## Why on AMD
//! nvcc takes `-std=c++17` for a `.c` file as well, whose compiler warns at most. clang, and so hipcc, refuses it:
//! "invalid argument '-std=c++17' not allowed with 'C'".
//!
//! ## Example
//! ```make
//! NVCC = nvcc
//! CFLAGS = -O2 -std=c++17
//! %.o: %.c
//!     $(NVCC) $(CFLAGS) -c $< -o $@
//! ```
//! becomes
//! ```make
//! NVCC = hipcc
//! CFLAGS = -O2 -std=c++17
//! %.o: %.c
//!     $(NVCC) $(filter-out -std=c++% -std=gnu++%,$(CFLAGS)) -c $< -o $@
//! ```
//!
//! ## When to ignore
//! Never: the file does not compile.
//!
//! ## Source
//! hipcc 7.0.2, clang 19.

use crate::build::deletion::deletion;
use crate::build::make::{arguments, is_device_compiler, is_read, is_told, prerequisites};
use crate::build::words::{fix, is_in_prose, is_joined, words};
use crate::rules::prelude::*;

/// Leaves the dialect out for C.
pub static RULE: Rule = Rule {
    code: "CASS637",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    if !matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell) {
        return;
    }
    let compilers: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| calls_device_compiler(cx.doc, at) && !is_in_prose(cx.doc, at))
        .collect();
    for compiler in compilers {
        let told = arguments(cx.doc, compiler);
        if !compiles_c(cx.doc, compiler, &told) {
            continue;
        }
        for &at in &told {
            if let Some((range, edit)) = dialect(cx.doc, at).or_else(|| filtered(cx.doc, at)) {
                report(cx, range, edit);
            }
        }
    }
}

fn report(cx: &mut BuildContext<'_, '_>, range: TextRange, edit: Edit) {
    let message = format!(
        "clang rejects a C++ `-std=` for C sources: `{}`",
        cx.text_of(range)
    );
    let finding = RULE
        .finding(range, message)
        .help("leave it out for C sources");
    cx.report(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    });
}

/// Whether a word is the device compiler, or a variable that the file sets to it: `CC = nvcc`.
fn calls_device_compiler(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let is_one = |at: TokenIndex| is_device_compiler(doc, at);
    is_one(at) || is_read(doc, at) && doc.bytes(at) == b"CC" && is_told(doc, &[at], &is_one)
}

/// Whether a command compiles a C source: named, or the first prerequisite of its rule.
fn compiles_c(doc: &BuildFile<'_>, compiler: TokenIndex, told: &[TokenIndex]) -> bool {
    let is_c = |at: TokenIndex| doc.is_ident(at) && doc.bytes(at).ends_with(b".c");
    let takes_first = told
        .iter()
        .any(|&at| doc.is(at, "$") && doc.is(at + 1, "<"));
    let is_object = told.iter().any(|&at| doc.is(at, "-c"));
    let named = || told.iter().any(|&at| is_c(at) && !doc.is_before(at, "-o"));
    let of_rule = || {
        takes_first
            && prerequisites(doc, compiler)
                .first()
                .is_some_and(|&at| is_c(at))
    };
    is_object && (named() || of_rule())
}

/// `-std=c++17`, and the edit that takes it out.
fn dialect(doc: &BuildFile<'_>, at: TokenIndex) -> Option<(TextRange, Edit)> {
    let is_option = matches!(doc.bytes(at), b"-std" | b"--std") && doc.is(at + 1, "=");
    (is_option && is_of_cpp(doc, at + 2)).then(|| {
        let range = doc.range(at, at + 2);
        (range, deletion(doc, range))
    })
}

/// Whether a word is such a dialect; `c++%` is a pattern of make that takes them out.
fn is_of_cpp(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_dialect = word.starts_with(b"c++") || word.starts_with(b"gnu++");
    doc.is_ident(at) && is_dialect && !word.ends_with(b"%")
}

/// `$(CFLAGS)` that says so, without it.
fn filtered(doc: &BuildFile<'_>, at: TokenIndex) -> Option<(TextRange, Edit)> {
    let says = |at: TokenIndex| is_of_cpp(doc, at) && doc.is_before(at, "=");
    let is_whole = is_read(doc, at) && doc.is(at + 1, ")") && !is_joined(doc, at - 2);
    let is_told = is_whole && doc.tool == BuildTool::Make && is_told(doc, &[at], &says);
    is_told.then(|| {
        let range = doc.range(at - 2, at + 1);
        let text = format!(
            "$(filter-out -std=c++% -std=gnu++%,{})",
            doc.source.text(range)
        );
        (range, Edit::replace(range, text))
    })
}
