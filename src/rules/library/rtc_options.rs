//! Options of NVRTC that hiprtc does not take: a chip of NVIDIA's, and an array of `char **` or of constant pointers.
//!
//! ## Why on AMD
//! `nvrtcCompileProgram` takes `const char *const *`, to which arrays of `char *` and of `const char *const` convert.
//! `hiprtcCompileProgram` takes `const char **` in ROCm 6.4, to which neither does: the call does not compile. It only reads them.
//!
//! Neither does it take a chip of NVIDIA's, `--gpu-architecture=compute_80`, also where the number is joined to it when the program runs.
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
//! Never; newer releases take CUDA's type, and the cast is right there as well. Of the chip where a condition keeps the text from AMD.
//!
//! ## Source
//! `hip/hiprtc.h` and `hiprtcInternal.cpp` of ROCm 6.4, declarations of ROCm 7 (`const char *const *`); `nvrtc.h` of CUDA 13.0.

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
    checks: &[
        Check::Idents(&["nvrtcCompileProgram"], check),
        Check::Source(check_texts),
    ],
};

/// How a text begins that names a chip of NVIDIA's to the compiler, the rest of which may be joined when the program runs.
const CHIPS: &[&str] = &[
    "--gpu-architecture=",
    "-gpu-architecture=",
    "--arch=",
    "-arch=",
    "--gpu-code=",
    "-gencode=",
];

/// Reports the first text of a file that names a chip of NVIDIA's to NVRTC: `"--gpu-architecture=compute_" + std::to_string(cc)`.
fn check_texts(cx: &mut Context<'_, '_>) {
    // A file that only hands options on may be about nvcc.
    if !cx.doc.has_word(|word| word.starts_with(b"nvrtc")) {
        return;
    }
    let option = |at: &TokenIndex| {
        let is_text = matches!(cx.doc.tokens[*at].kind, TokenKind::Str | TokenKind::RawStr);
        let text = is_text.then(|| cx.text(*at))?;
        let (_, text) = text.split_once('"')?;
        let option = CHIPS.iter().find(|it| text.starts_with(**it))?;
        let rest = text[option.len()..].trim_end_matches('"');
        let is_nvidias = rest.is_empty()
            || ["sm_", "compute_", "%", "{"]
                .iter()
                .any(|it| rest.starts_with(it));
        let start = cx.range(*at).start;
        let is_open = cx.doc.vendor_at(start) != Vendor::NotHip && !cx.is_inactive(start);
        (is_nvidias && is_open).then_some(*option)
    };
    let mut texts = 0..cx.doc.tokens.len();
    let found = texts.find_map(|at| Some((at, option(&at)?)));
    if let Some((at, option)) = found {
        let message = format!(
            "hiprtc takes no chip of NVIDIA's behind `{}`",
            option.trim_end_matches('=')
        );
        let finding = RULE.finding(cx.range(at), message);
        cx.report(finding.severity(Severity::Warning).help(CHIP));
    }
}

const CHIP: &str = "leave the option out on AMD: hiprtc compiles for the GPU that is current; for another one it is `--offload-arch=gfx90a`, with the name that `hipDeviceProp_t::gcnArchName` has";

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
