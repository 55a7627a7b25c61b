//! Device code of several units in a Makefile or script.
//!
//! ## Why on AMD
//! Objects that were compiled with `-fgpu-rdc` hold device code that is not linked yet. hipcc links it when it links the program, if it is
//! told `-fgpu-rdc` there as well; without that, or with `g++`, the link ends with undefined `__hip_fatbin`. There is no step of its own
//! as `nvcc -dlink` is: an empty object takes the place of what that made, so that rules and lists of objects stay as they are.
//!
//! ## Example
//! ```make
//! x: a.o b.o
//!     $(NVCC) -dlink -o dlink.o a.o b.o
//!     g++ -o x a.o b.o dlink.o -lcudart
//! %.o: %.cu
//!     $(NVCC) -dc -o $@ $<
//! ```
//! becomes
//! ```make
//! x: a.o b.o
//!     $(NVCC) -c -x hip /dev/null -x none -o dlink.o a.o b.o
//!     hipcc -fgpu-rdc --hip-link -o x a.o b.o dlink.o -lamdhip64
//! %.o: %.cu
//!     $(NVCC) -fgpu-rdc -c -o $@ $<
//! ```
//!
//! ## When to ignore
//! When the link is done elsewhere, with these options.
//!
//! ## Source
//! clang 19, "HIP Support", `-fgpu-rdc` and `--hip-link`; built with hipcc 7.0.2 in `tests/build/`.

use crate::build::make::{DEVICE_LINK, arguments, is_device_compiler, is_read, is_told};
use crate::build::words::{fix, is_in_prose, words};
use crate::rules::prelude::*;

/// Links device code where the program is linked.
pub static RULE: Rule = Rule {
    code: "CASS632",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 40,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

/// What a command makes that does not link a program.
const NO_LINK: &[&[u8]] = &[
    b"-c",
    b"--compile",
    b"-dc",
    b"--device-c",
    b"-dw",
    b"-ptx",
    b"--ptx",
    b"-cubin",
    b"--cubin",
    b"-fatbin",
    b"--fatbin",
    b"-lib",
    b"--lib",
    b"-E",
    b"-M",
    b"-MM",
    b"--version",
    b"-V",
    b"-S",
    b"-r",
    b"--emit-static-lib",
    b"--genco",
];
/// By which a command makes device code that is linked later.
const SEPARATE: &[&[u8]] = &[b"-dc", b"--device-c", b"-fgpu-rdc"];
const HOST_COMPILERS: &[&[u8]] = &[
    b"g++", b"gcc", b"c++", b"cc", b"clang++", b"clang", b"mpicxx", b"mpic++", b"ld",
];
const HOST_VARIABLES: &[&[u8]] = &[
    b"CXX",
    b"CC",
    b"LD",
    b"LINK",
    b"LINKER",
    b"HOST_COMPILER",
    b"HOSTCC",
    b"GCC",
    b"GXX",
    b"CPP",
    b"MPICXX",
];

fn check(cx: &mut BuildContext<'_, '_>) {
    if !matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell) {
        return;
    }
    let all: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    let steps: Vec<TokenIndex> = all
        .iter()
        .copied()
        .filter(|&at| DEVICE_LINK.contains(&cx.doc.bytes(at)))
        .collect();
    if steps.is_empty() && !all.iter().any(|&at| is_separate(cx.doc, at)) {
        return;
    }
    for &step in &steps {
        let edit = Edit::replace(cx.range(step), "-c -x hip /dev/null -x none");
        let message = "there is no device link step on AMD: an empty object stands in its place";
        report(cx, step, message, edit);
    }
    for &at in &all {
        let is_host = !steps.is_empty() && is_host_compiler(cx.doc, at);
        if !(is_device_compiler(cx.doc, at) || is_host) || !links(cx.doc, at) {
            continue;
        }
        if is_host {
            link_by_hipcc(cx, at);
        } else if !is_told(cx.doc, &arguments(cx.doc, at), &|at| {
            is_separate(cx.doc, at)
        }) {
            let end = end_of(cx.doc, at);
            let message = "device code of several units is linked here";
            report(cx, at, message, Edit::insert(end, " -fgpu-rdc"));
        }
    }
}

fn report(cx: &mut BuildContext<'_, '_>, at: TokenIndex, message: &'static str, edit: Edit) {
    let finding = RULE
        .finding(cx.range(at), message)
        .help("hipcc links device code with the program: `-fgpu-rdc --hip-link`");
    cx.report(match fix(cx.doc, Applicability::Review, vec![edit]) {
        Some(fix) => finding.fix(fix),
        None => finding,
    });
}

/// The host's compiler cannot link what `nvcc -dlink` had linked before.
fn link_by_hipcc(cx: &mut BuildContext<'_, '_>, at: TokenIndex) {
    let range = match is_read(cx.doc, at) {
        true => cx.doc.range(at - 2, at + 1),
        false => cx.range(at),
    };
    let message = "device code of several units is linked here, which the host's compiler cannot";
    let edit = Edit::replace(range, "hipcc -fgpu-rdc --hip-link");
    report(cx, at, message, edit);
}

/// The end of a program's name, the `)` of a variable with it.
fn end_of(doc: &BuildFile<'_>, at: TokenIndex) -> u32 {
    let last = if is_read(doc, at) { at + 1 } else { at };
    doc.tokens[last].end()
}

/// Whether a word asks for device code that is linked later: `-dc`, `-rdc=true`.
fn is_separate(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_rdc = matches!(word, b"-rdc" | b"--relocatable-device-code");
    SEPARATE.contains(&word)
        || is_rdc && (at + 1..(at + 3).min(doc.tokens.len())).any(|at| doc.is(at, "true"))
}

fn is_host_compiler(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let names = if is_read(doc, at) {
        HOST_VARIABLES
    } else {
        HOST_COMPILERS
    };
    let first = if is_read(doc, at) { at - 2 } else { at };
    let starts = doc.tokens[first].has(flags::LINE_START) || first > 0 && doc.is(first - 1, "@");
    starts && names.contains(&word)
}

/// Whether the command links: it has something to link, and says nothing of another end.
fn links(doc: &BuildFile<'_>, program: TokenIndex) -> bool {
    let told = arguments(doc, program);
    let is_one =
        |words: &'static [&'static [u8]]| told.iter().any(|&at| words.contains(&doc.bytes(at)));
    told.iter().any(|&at| doc.is(at, "-o")) && !is_one(NO_LINK) && !is_one(DEVICE_LINK)
}
