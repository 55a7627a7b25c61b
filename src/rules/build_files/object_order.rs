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

use crate::build::make::{arguments, is_device_compiler, is_read, is_told, prerequisites};
use crate::build::words::{fix, is_in_prose, is_joined, words};
use crate::rules::prelude::*;

/// Ends the language of sources in front of the first object.
pub static RULE: Rule = Rule {
    code: "CASS631",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

const SOURCES: &[&str] = &[".cu", ".cpp", ".cc", ".cxx"];
const OBJECTS: &[&str] = &[".o", ".a", ".so", ".obj"];
/// Objects first, in the words of GNU make.
const SORTED: &str = "$(filter %.o %.a %.so,$^) $(filter-out %.o %.a %.so,$^)";

fn check(cx: &mut BuildContext<'_, '_>) {
    if !matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell) {
        return;
    }
    let compilers: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| is_device_compiler(cx.doc, at) && !is_in_prose(cx.doc, at))
        .collect();
    for compiler in compilers {
        let told = arguments(cx.doc, compiler);
        let is_no_link = |&at: &TokenIndex| NO_LINK.contains(&cx.doc.bytes(at));
        if told.iter().any(is_no_link) {
            continue;
        }
        if let Some(object) = behind_source(cx.doc, &told) {
            report(
                cx,
                object,
                Edit::insert(cx.doc.tokens[object].start, "-x none "),
            );
        } else if let Some(all) = mixed_prerequisites(cx.doc, compiler, &told) {
            let range = cx.doc.range(all, all + 1);
            report(cx, all, Edit::replace(range, SORTED));
        }
    }
}

/// What says that a command does not link, or names the language itself.
const NO_LINK: &[&[u8]] = &[
    b"-c",
    b"-dc",
    b"-dlink",
    b"-x",
    b"-lib",
    b"--emit-static-lib",
    b"-M",
    b"-MM",
    b"-E",
];

fn report(cx: &mut BuildContext<'_, '_>, object: TokenIndex, edit: Edit) {
    let range = edit.range.cover(cx.range(object));
    let message = format!(
        "hipcc reads `{}` behind a source as source code",
        cx.text_of(range)
    );
    let finding = RULE
        .finding(range, message)
        .help("objects first, or `-x none` before them");
    cx.report(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    });
}

/// Whether a word is a file of such a kind, or a variable of the file that says one.
fn is_one(doc: &BuildFile<'_>, at: TokenIndex, endings: &[&str]) -> bool {
    let ends = |at: TokenIndex| {
        let word = doc.bytes(at);
        endings
            .iter()
            .any(|ending| word.ends_with(ending.as_bytes()))
    };
    let is_file = |at: TokenIndex| doc.is_ident(at) && !is_joined(doc, at) && ends(at);
    is_file(at) || is_read(doc, at) && is_told(doc, &[at], &|at| doc.is_ident(at) && ends(at))
}

/// The first object or archive behind a source, or the `$` of the variable that says it.
fn behind_source(doc: &BuildFile<'_>, told: &[TokenIndex]) -> Option<TokenIndex> {
    let source = told.iter().position(|&at| is_one(doc, at, SOURCES))?;
    let is_object = |at: &TokenIndex| {
        let is_output = doc.is_before(*at, "-o");
        !is_output && is_one(doc, *at, OBJECTS) && !is_one(doc, *at, SOURCES)
    };
    let object = told[source..].iter().copied().find(is_object)?;
    match is_read(doc, object) {
        true => (!is_joined(doc, object - 2)).then_some(object - 2),
        false => Some(object),
    }
}

/// The `$` of `$^`, where the prerequisites are sources and, behind them, objects.
fn mixed_prerequisites(
    doc: &BuildFile<'_>,
    compiler: TokenIndex,
    told: &[TokenIndex],
) -> Option<TokenIndex> {
    let is_all = |at: &TokenIndex| doc.is(*at, "$") && doc.is(*at + 1, "^");
    let all = told.iter().copied().find(is_all)?;
    let files = prerequisites(doc, compiler);
    let is_sorted = told.iter().any(|&at| doc.is(at, "filter"));
    (doc.tool == BuildTool::Make && !is_sorted && behind_source(doc, &files).is_some())
        .then_some(all)
}
