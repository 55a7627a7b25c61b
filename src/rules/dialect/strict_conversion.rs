//! A conversion of a float to an integer whose result C++ leaves undefined where the float does not fit.
//!
//! ## Why on AMD
//! NVIDIA's instructions limit a float to the range of the integer and give 0, or the upper bit of 64, for what is no number; nvcc
//! converts to 8 and 16 bits by way of 32. Clang for AMD takes the same conversion for undefined where the float does not fit:
//! `(unsigned char)-1.5f` is 0 on NVIDIA and may be seen as -1, `(long long)x` of an infinity is some number.
//!
//! With `--strict-math` casts in code for the device go through a helper that gives CUDA's result, and so do assignments, results and
//! arguments whose types the file shows. Where the compiler can prove that the value fits, or where AMD's instruction does the same, the
//! helper costs nothing. Without the option nothing is changed or said. Other conversions without a cast (to functions of other files, in
//! overloads and members) stay; clang's `-fno-strict-float-cast-overflow` limits them to the range.
//!
//! ## Example
//! ```cuda
//! // options: --strict-math
//! __global__ void k(unsigned char *out, const double *in, float gain) {
//!   out[0] = (unsigned char)(in[0] * gain);
//!   long long bin = (long long)in[1];
//! }
//! ```
//! becomes
//! ```hip
//! // options: --strict-math
//! __global__ void k(unsigned char *out, const double *in, float gain) {
//!   out[0] = cass_to<unsigned char>(in[0] * gain);
//!   long long bin = cass_to<long long>(in[1]);
//! }
//! ```
//!
//! ## When to ignore
//! When no such value occurs: leave `--strict-math` out.
//!
//! ## Source
//! PTX ISA 8.7, cvt; C++20, `[conv.fpint]`; measured on an H100, `emulator/tools/surface.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::cpp::arithmetic::{self, Number};
use crate::cpp::declarations::{declaration, declared};
use crate::cpp::operators;
use crate::cpp::signature::Signature;
use crate::cpp::template_parameters::is_type_parameter;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::{Space, split_arguments};

const HELPER: &str = "cass_to";

/// Casts through the helper.
pub static RULE: Rule = Rule {
    code: "CASS678",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    if !cx.options().strict_math {
        return;
    }
    // The same edit twice is one, so that of two conversions with one end the inner waits for the next round.
    let mut ends = BTreeSet::new();
    let callees = callees(cx.doc);
    for at in 0..cx.doc.tokens.len() {
        let found = match cx.doc.bytes(at) {
            b"(" => bracketed(cx.doc, at),
            b"static_cast" => named(cx.doc, at),
            b"=" => assigned(cx.doc, at),
            b"return" => returned(cx.doc, at),
            _ => called(cx.doc, at),
        };
        let arguments = callees.get(cx.doc.bytes(at));
        let passed = arguments.map(|takes| passed(cx.doc, at, takes));
        for conversion in found.into_iter().chain(passed.into_iter().flatten()) {
            if is_for_device(cx, at) && ends.insert(conversion.whole.end) {
                report(cx, conversion);
            }
        }
    }
}

/// A conversion that may be of a float that does not fit.
struct Conversion {
    /// The whole of it.
    whole: TextRange,
    edits: Vec<Edit>,
}

fn report(cx: &mut Context<'_, '_>, conversion: Conversion) {
    let finding = RULE.finding(
        conversion.whole,
        "a float that does not fit into the integer has a result on NVIDIA and none on AMD",
    );
    let finding = match cx.options().compat {
        CompatMode::None => finding
            .severity(Severity::Warning)
            .help("use `--compat header`: `--strict-math` needs the helper header"),
        _ => finding.helper(HELPER).fix(Fix::safe(conversion.edits)),
    };
    cx.report(finding);
}

/// Whether a token stands in code of the device that both vendors read; a macro may be anybody's.
fn is_for_device(cx: &Context<'_, '_>, at: TokenIndex) -> bool {
    let doc = cx.doc;
    let function = doc.scopes().enclosing(at);
    doc.directive_of(at).is_none()
        && doc.vendor_at(doc.tokens[at].start) == Vendor::Any
        && function.is_some_and(|function| function.space != Space::Host || cx.may_be_device(at))
}

/// `(T)x`.
fn bracketed(doc: &Document<'_>, open: TokenIndex) -> Option<Conversion> {
    let close = doc
        .matching_bracket(open)
        .filter(|&close| close > open + 1)?;
    let to = Target::of(doc, open, open + 1..close).filter(|_| begins_operand(doc, open))?;
    let start = doc.next(close)?;
    let end = operators::primary_end(doc, open)?;
    // Where the parentheses are not taken for a cast they end the operand.
    if end <= close || matches!(doc.bytes(start), b"{" | b"&") || !to.may_lose(doc, start..end + 1)
    {
        return None;
    }
    let mut edits = vec![
        Edit::replace(doc.range(open, open), format!("{HELPER}<")),
        Edit::replace(doc.range(close, close), ">"),
    ];
    // Parentheses around all of the operand are those of the call.
    if !(doc.is(start, "(") && doc.matching_bracket(start) == Some(end)) {
        edits[1] = Edit::replace(doc.range(close, close), ">(");
        edits.push(Edit::insert(doc.range(end, end).end, ")"));
    }
    Some(Conversion {
        whole: doc.range(open, end),
        edits,
    })
}

/// Whether an operand may begin with these parentheses: behind a name they are a call or belong to it, behind a cast they are another.
fn begins_operand(doc: &Document<'_>, open: TokenIndex) -> bool {
    let Some(before) = doc.prev(open) else {
        return false;
    };
    let cast = doc.matching_bracket(before).filter(|_| doc.is(before, ")"));
    if let Some(outer) = cast {
        let words: Vec<&[u8]> = (outer + 1..before).map(|at| doc.bytes(at)).collect();
        let is_type = Number::of_words(&words).is_some()
            || words.len() == 1 && is_type_parameter(doc, open, words[0]);
        return is_type && begins_operand(doc, outer);
    }
    !operators::ends_operand(doc, before)
        && !matches!(
            doc.bytes(before),
            b">" | b"sizeof" | b"alignof" | b"decltype"
        )
}

/// `static_cast<T>(x)`.
fn named(doc: &Document<'_>, cast: TokenIndex) -> Option<Conversion> {
    let angle = doc.next(cast)?;
    let end = doc.template_close(angle)?;
    let open = doc.next(end).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    let to = Target::of(doc, cast, angle + 1..end)?;
    to.may_lose(doc, open + 1..close).then(|| Conversion {
        whole: doc.range(cast, close),
        edits: vec![Edit::replace(doc.range(cast, cast), HELPER)],
    })
}

/// `int(x)` where an operand may stand.
fn called(doc: &Document<'_>, ty: TokenIndex) -> Option<Conversion> {
    let open = doc
        .next(ty)
        .filter(|&open| doc.is_ident(ty) && doc.is(open, "("))?;
    let before = doc.prev(ty)?;
    let is_operand = matches!(
        doc.bytes(before),
        b"=" | b"("
            | b","
            | b"+"
            | b"-"
            | b"*"
            | b"/"
            | b"%"
            | b"&"
            | b"|"
            | b"^"
            | b"?"
            | b":"
            | b"["
            | b"return"
    );
    let close = doc
        .matching_bracket(open)
        .filter(|&close| close > open + 1)?;
    let to = Target::of(doc, ty, ty..ty + 1).filter(|_| is_operand)?;
    to.may_lose(doc, open + 1..close).then(|| Conversion {
        whole: doc.range(ty, close),
        edits: vec![Edit::replace(
            doc.range(ty, ty),
            format!("{HELPER}<{}>", String::from_utf8_lossy(doc.bytes(ty))),
        )],
    })
}

/// `out[i] = x * 255.f;` and `long n = x;` where the file shows both types.
fn assigned(doc: &Document<'_>, sign: TokenIndex) -> Option<Conversion> {
    let value = operators::left_operand(doc, sign, operators::ALONE)?;
    let start = doc.next(sign)?;
    let given = operators::right_operand(doc, start, operators::LOWEST - 1)?;
    let is_whole =
        doc.tokens.len() > given.end && matches!(doc.bytes(given.end), b";" | b"," | b")");
    let to = type_of(doc, value).filter(|_| is_whole)?;
    converted(doc, to, given)
}

/// `return x * 255.f;` in a function whose type is an integer.
fn returned(doc: &Document<'_>, at: TokenIndex) -> Option<Conversion> {
    let start = doc.next(at)?;
    let given = operators::right_operand(doc, start, operators::LOWEST - 1)?;
    // The type of a lambda's result is that of what it gives.
    let function = doc.scopes().enclosing(at)?;
    let result = Signature::of_function(doc, function)?.result;
    let words: Vec<&[u8]> = result.split_ascii_whitespace().map(str::as_bytes).collect();
    let to = function.name.and(Number::of_words(&words))?;
    (doc.tokens.len() > given.end && doc.is(given.end, ";"))
        .then(|| converted(doc, to, given))
        .flatten()
}

/// What the parameters of a function are, as far as they are numbers.
type Parameters = Vec<Option<Number>>;

/// The functions that the file declares with the same parameters wherever it does.
fn callees<'d>(doc: &Document<'d>) -> BTreeMap<&'d [u8], Parameters> {
    let mut found: BTreeMap<&[u8], Option<Parameters>> = BTreeMap::new();
    for at in 0..doc.tokens.len() {
        let is_declared = doc.next_is(at, "(")
            && doc.is_ident(at)
            && doc.directive_of(at).is_none()
            && declaration(doc, at).is_some_and(|found| found.pointers == 0)
            && !doc
                .scopes()
                .around(at)
                .any(|function| function.body.contains(&at));
        let Some(parameters) = is_declared.then(|| parameters(doc, at)).flatten() else {
            continue;
        };
        let name = doc.bytes(at);
        let kept = found
            .entry(name)
            .or_insert_with(|| Some(parameters.clone()));
        if kept.as_ref().is_some_and(|kept| *kept != parameters)
            || doc.macros_called(name).next().is_some()
        {
            *kept = None;
        }
    }
    found
        .into_iter()
        .filter_map(|(name, kept)| Some((name, kept?)))
        .collect()
}

/// The parameters of a function that is declared here.
fn parameters(doc: &Document<'_>, name: TokenIndex) -> Option<Parameters> {
    let open = doc.next(name)?;
    let close = doc.matching_bracket(open)?;
    let of = |tokens: Range<TokenIndex>| {
        let is_plain = !tokens
            .clone()
            .any(|at| matches!(doc.bytes(at), b"&" | b"&&" | b"("));
        let value = tokens
            .clone()
            .find(|&at| doc.is(at, "="))
            .unwrap_or(tokens.end);
        let words: Vec<&[u8]> = (tokens.start..value).map(|at| doc.bytes(at)).collect();
        let nameless = words.split_last().map(|(_, words)| words);
        let number = nameless
            .and_then(Number::of_words)
            .or_else(|| Number::of_words(&words));
        number.filter(|_| is_plain)
    };
    Some(
        split_arguments(doc, open + 1..close)
            .into_iter()
            .map(of)
            .collect(),
    )
}

/// Arguments of `f(x, y)` that are floats where the function takes integers.
fn passed(doc: &Document<'_>, name: TokenIndex, takes: &Parameters) -> Vec<Conversion> {
    let open = doc.next(name).filter(|&open| doc.is(open, "("));
    let is_of_another = [".", "->", "::"].iter().any(|sign| doc.prev_is(name, sign));
    let Some((open, close)) = open
        .filter(|_| !is_of_another)
        .and_then(|open| Some((open, doc.matching_bracket(open)?)))
    else {
        return Vec::new();
    };
    let given = split_arguments(doc, open + 1..close);
    let pairs = given.into_iter().zip(takes);
    pairs
        .filter_map(|(given, to)| converted(doc, (*to)?, given))
        .collect()
}

/// A variable value that the integer may not hold.
fn converted(doc: &Document<'_>, to: Number, given: Range<TokenIndex>) -> Option<Conversion> {
    let from = arithmetic::value(doc, given.clone())?;
    let is_lossy = from.ty.is_float && from.varies && !to.is_float && to.bits > 1;
    let is_lossy = is_lossy && Target::Number(to).may_lose(doc, given.clone());
    is_lossy.then(|| Conversion {
        whole: doc.range(given.start, given.end - 1),
        edits: vec![
            Edit::insert(
                doc.range(given.start, given.start).start,
                format!("{HELPER}<{}>(", to.name()),
            ),
            Edit::insert(doc.range(given.end - 1, given.end - 1).end, ")"),
        ],
    })
}

/// The type of what is assigned to, also where it is declared there.
fn type_of(doc: &Document<'_>, value: Range<TokenIndex>) -> Option<Number> {
    let here = declaration(doc, value.start).filter(|_| value.len() == 1);
    match here {
        Some(found) if found.pointers == 0 => Number::of_words(&found.words),
        Some(_) => None,
        None => arithmetic::value(doc, value).map(|value| value.ty),
    }
}

/// What is converted to.
enum Target {
    Number(Number),
    /// A parameter of the template around.
    Parameter,
}

impl Target {
    /// The integer that these words name, or a parameter of the template that may be one.
    fn of(doc: &Document<'_>, at: TokenIndex, words: Range<TokenIndex>) -> Option<Self> {
        let spelled: Vec<&[u8]> = words.clone().map(|at| doc.bytes(at)).collect();
        match Number::of_words(&spelled) {
            Some(number) => (!number.is_float && number.bits > 1).then_some(Self::Number(number)),
            None => (spelled.len() == 1 && is_type_parameter(doc, at, spelled[0]))
                .then_some(Self::Parameter),
        }
    }

    /// Whether the value may be a float that this does not hold, and for which AMD's instruction is no answer: the one for 32 bits limits
    /// a float as NVIDIA's does.
    fn may_lose(&self, doc: &Document<'_>, value: Range<TokenIndex>) -> bool {
        let given = arithmetic::value(doc, value.clone()).map(|value| value.ty);
        match (given, self) {
            (Some(given), _) if !given.is_float => false,
            (Some(given), Self::Number(number)) => number.bits != 32 || given.bits != 32,
            (Some(_), Self::Parameter) => true,
            (None, _) => !is_no_number(doc, value),
        }
    }
}

/// Whether a value is plainly a pointer, a size or a boolean.
fn is_no_number(doc: &Document<'_>, value: Range<TokenIndex>) -> bool {
    const NONE: &[&str] = &[
        "&", "sizeof", "!", "true", "false", "nullptr", "NULL", "this",
    ];
    let is_pointer =
        declared(doc, value.start).is_some_and(|found| value.len() == 1 && found.pointers > 0);
    is_pointer || NONE.iter().any(|word| doc.is(value.start, word))
}
