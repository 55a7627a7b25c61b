//! A function that CUDA has for more types, or for more sides, than HIP.
//!
//! ## Why on AMD
//! The name is there, so that nothing looks amiss until the compiler finds no function for these arguments, or cannot choose among those
//! that it finds: `__ffsll` of an `int` or a `size_t`, `sincos` with results of type `float`, atomics of bits on `long long`, saturating
//! sums of bfloat16, conversions between integers and half on the host, `max(x, 0.1)` of an `at::Half`. One case compiles and is wrong: `min` and `max` of a signed and
//! an unsigned integer convert both to unsigned in CUDA; HIP computes them as `double`, which cannot index an array and loses the low
//! bits of 64-bit numbers without a word.
//!
//! ## Example
//! ```cuda
//! int bit = __ffsll(mask);                  // uint64_t mask
//! sincos(angle, &s, &c);                    // float s, c
//! x[min(n - 1, i + blockDim.x)] = 0;        // int n
//! atomicAnd(flags, mask);                   // long long *flags
//! ```
//! becomes
//! ```hip
//! int bit = __ffsll((unsigned long long)mask);
//! sincosf(angle, &s, &c);
//! x[min((unsigned int)(n - 1), i + blockDim.x)] = 0;
//! atomicAnd(reinterpret_cast<unsigned long long *>(flags), mask);
//! ```
//!
//! ## When to ignore
//! Never; arguments whose types are not in sight are left alone.
//!
//! ## Source
//! `mappings/overloads.toml` has the list; the headers of CUDA 13.0, HIP 6.4 and clang 19, compared by `tests/rocm/accepts.py`.

use std::cell::OnceCell;
use std::ops::Range;

use crate::cpp::argument_type::argument_type;
use crate::cpp::arithmetic::Number;
use crate::cpp::calls::trusted_call;
use crate::cpp::declarations::declared;
use crate::cpp::names::{is_members_name, is_qualified};
use crate::cpp::template_parameters::is_template_parameter;
use crate::mapping::{Overload, OverloadSide, OverloadTable};
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Casts, calls the function of the other name, or says what to call.
pub static RULE: Rule = Rule {
    code: "CASS126",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[
        Fact::NvccReadsResult,
        Fact::TookOver(&[
            ("CASS511", "mixed-min-max"),
            ("CASS513", "first-set-bit"),
            ("CASS516", "float-sincos"),
        ]),
    ],
    checks: &[Check::Listed(OverloadTable::names, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_other = is_members_name(doc, index) || is_qualified(doc, index);
    if is_other || cx.is_own_at(index) || is_defined(doc, index) {
        return;
    }
    let call = trusted_call(doc, index).filter(|call| call.template_arguments.is_none());
    let Some(call) = call else {
        return;
    };
    let types = vec![OnceCell::new(); call.arguments.len()];
    let ty = |at: usize| -> &Option<String> {
        types[at].get_or_init(|| {
            let argument = &call.arguments[at];
            match is_of_template(doc, argument) && has_short_floats(doc) {
                true => Some("template".to_owned()),
                false => argument_type(doc, argument.clone()),
            }
        })
    };
    let holds = |row: &&Overload| {
        let takes = |(at, pattern): (usize, &String)| {
            pattern == "_"
                || ty(at)
                    .as_ref()
                    .is_some_and(|ty| Overload::takes(pattern, ty))
        };
        (row.arguments.is_empty() || row.arguments.len() == types.len())
            && row.arguments.iter().enumerate().all(takes)
            && row.side.is_none_or(|side| is_on(cx, index, side))
    };
    let name = cx.text(index);
    if let Some(row) = OverloadTable::builtin().rows(&name).find(holds) {
        let finding = finding(cx, &call, row);
        cx.report(finding);
    }
}

/// Whether the file has 16-bit floats, by their types or by a dispatch over them: `AT_DISPATCH_FLOATING_TYPES_AND_HALF`. A template that
/// is given `float` and `double` alone needs no cast.
fn has_short_floats(doc: &Document<'_>) -> bool {
    const PARTS: &[&str] = &["half", "bfloat16", "_types_and"];
    let is_one = |word: &[u8]| {
        let word = word.to_ascii_lowercase();
        PARTS
            .iter()
            .any(|part| memchr::memmem::find(&word, part.as_bytes()).is_some())
    };
    doc.fact(|doc| ShortFloats(doc.has_word(is_one))).0
}

/// What [`has_short_floats`] found out of a file.
struct ShortFloats(bool);

/// Whether an argument is a sum or product of what the template around is given, as far as the file shows.
fn is_of_template(doc: &Document<'_>, argument: &Range<TokenIndex>) -> bool {
    const OPERATORS: &[&str] = &["+", "-", "*", "/", "(", ")"];
    let mut is_any = false;
    let is_part = |at: TokenIndex| {
        if !doc.is_ident(at) {
            return OPERATORS.iter().any(|it| doc.is(at, it));
        }
        let found = declared(doc, at).filter(|found| found.pointers == 0 && !doc.next_is(at, "("));
        found.is_some_and(|found| {
            let of_template = is_template_parameter(doc, &found);
            is_any |= of_template;
            of_template || Number::of_words(&found.words).is_some()
        })
    };
    argument.clone().all(is_part) && is_any
}

/// Whether a place is surely, or for the device perhaps, on a side.
fn is_on(cx: &Context<'_, '_>, index: TokenIndex, side: OverloadSide) -> bool {
    if side == OverloadSide::Device {
        return cx.may_be_device(index);
    }
    let function = cx.doc.scopes().enclosing(index);
    let is_host = function.is_some_and(|function| {
        let is_template = function.head.clone().any(|at| cx.doc.is(at, "template"));
        function.name.is_some() && function.space == Space::Host && !is_template
    });
    is_host && !cx.may_be_device(index)
}

/// Whether the file has a function or macro of that name itself.
fn is_defined(doc: &Document<'_>, index: TokenIndex) -> bool {
    let word = doc.bytes(index);
    let is_it = |at: TokenIndex| doc.is_ident(at) && doc.bytes(at) == word;
    let mut functions = doc.scopes().iter();
    doc.macros_called(word).next().is_some()
        || functions.any(|function| function.name.is_some_and(is_it))
}

fn finding(cx: &Context<'_, '_>, call: &Call, row: &'static Overload) -> Finding {
    let (name, range) = (cx.text(call.name), cx.range(call.name));
    let finding = RULE.finding(range, row.message(&name));
    let mut edits = Vec::new();
    for (argument, ty) in call.arguments.iter().zip(&row.cast) {
        if !ty.is_empty() {
            edits.extend(cast(cx.doc, argument, ty));
        }
    }
    let renamed = row
        .rename
        .as_ref()
        .map(|rename| rename.replace("{}", &name));
    edits.extend(renamed.map(|renamed| Edit::replace(range, renamed)));
    match edits.is_empty() {
        true => finding.severity(Severity::Error).help(row.help.as_str()),
        false => finding.fix(Fix::safe(edits)),
    }
}

/// The cast of an argument; only a pointer needs to be read as something else.
fn cast(doc: &Document<'_>, argument: &Range<TokenIndex>, ty: &str) -> Vec<Edit> {
    let range = doc.range(argument.start, argument.end - 1);
    let (before, after) = match (ty.ends_with('*'), argument.len()) {
        (true, _) => (format!("reinterpret_cast<{ty}>("), ")"),
        (false, 1) => (format!("({ty})"), ""),
        (false, _) => (format!("({ty})("), ")"),
    };
    let mut edits = vec![Edit::insert(range.start, before)];
    edits.extend((!after.is_empty()).then(|| Edit::insert(range.end, after)));
    edits
}
