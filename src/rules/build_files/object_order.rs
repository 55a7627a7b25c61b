//! An object behind a source in a command of nvcc.
//!
//! ## Why on AMD
//! hipcc puts `-x hip` in front of a source, which holds for all that follows: it reads an object or archive behind it as source code
//! and says `expected unqualified-id`. `-x none` ends that.
//!
//! ## Example
//! ```make
//! x: main.cu lib.o
//!     hipcc -o x main.cu lib.o
//! ```
//! becomes
//! ```make
//! x: main.cu lib.o
//!     hipcc -o x main.cu -x none lib.o
//! ```
//!
//! ## When to ignore
//! Never: the link fails.
//!
//! ## Source
//! hipcc 7.0.2 with HIPCC_VERBOSE=1; clang's `-x`.

use crate::cpp::build_file::{fix, is_in_prose, is_joined, line_of, tool, words};
use crate::rules::prelude::*;

/// Ends the language of sources in front of the first object.
pub static RULE: Rule = Rule {
    code: "CASS631",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::BuildFile],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    if !matches!(tool(cx.doc), BuildTool::Make | BuildTool::Shell) {
        return;
    }
    let compilers: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| is_compiler(cx.doc, at) && !is_in_prose(cx.doc, at))
        .collect();
    for compiler in compilers {
        if let Some(object) = object_behind_source(cx.doc, compiler) {
            report(cx, object);
        }
    }
}

fn report(cx: &mut Context<'_, '_>, object: TokenIndex) {
    let range = cx.range(object);
    let message = format!(
        "hipcc reads `{}` behind a source as source code",
        cx.text(object)
    );
    let finding = RULE
        .finding(range, message)
        .help("objects first, or `-x none` before them");
    let edit = Edit::insert(range.start, "-x none ");
    cx.report(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    });
}

/// `nvcc`, `hipcc`, `$(NVCC)`.
fn is_compiler(doc: &Document<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_program = word == b"nvcc" || word == b"hipcc" || word.ends_with(b"/nvcc");
    is_program || word == b"NVCC" && (doc.is_before(at, "(") || doc.is_before(at, "{"))
}

/// The first object or archive behind a source in the command of a compiler, if it links.
fn object_behind_source(doc: &Document<'_>, compiler: TokenIndex) -> Option<TokenIndex> {
    let line = line_of(doc, compiler);
    let ends = |at: &TokenIndex| {
        line_of(doc, *at) == line && !matches!(doc.bytes(*at), b";" | b"&" | b"|" | b"=")
    };
    let rest: Vec<TokenIndex> = (compiler + 1..doc.tokens.len()).take_while(ends).collect();
    let has = |ending: &[&str], at: TokenIndex| {
        let word = doc.bytes(at);
        doc.is_ident(at)
            && !is_joined(doc, at)
            && ending
                .iter()
                .any(|ending| word.ends_with(ending.as_bytes()))
    };
    if rest
        .iter()
        .any(|&at| doc.is(at, "-c") || doc.is(at, "-dc") || doc.is(at, "-x"))
    {
        return None;
    }
    let source = rest
        .iter()
        .position(|&at| has(&[".cu", ".cpp", ".cc", ".cxx"], at))?;
    rest[source..]
        .iter()
        .copied()
        .find(|&at| has(&[".o", ".a", ".so", ".obj"], at) && !doc.is_before(at, "-o"))
}
