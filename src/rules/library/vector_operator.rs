//! An arithmetic operator that the project defines for a vector type (`float3 *= float3`) and HIP's vector types have already.
//!
//! ## Why on AMD
//! CUDA's vector types have no operators, so programs bring their own, often in a copy of `helper_math.h`. HIP's have them, element
//! by element. A second `*`, `/`, `+=`, `-=`, `*=` or `/=` for host and device between two vectors of the same type makes every
//! use ambiguous; other operators of the project are preferred over HIP's and stay. Of halves and their pairs HIP's cannot be
//! defined again at all.
//!
//! ## Example
//! ```cuda
//! inline __host__ __device__ void operator*=(float2 &a, float2 b) { a.x *= b.x; a.y *= b.y; }
//! ```
//! becomes
//! ```hip
//! #ifndef __HIP_PLATFORM_AMD__
//! inline __host__ __device__ void operator*=(float2 &a, float2 b) { a.x *= b.x; a.y *= b.y; }
//! #endif
//! ```
//!
//! In the text of a macro the definition is marked, so that clang prefers it: `CASS_PREFERRED type operator op(type a, type b) { … }`. A
//! template for any two types cannot be preferred: HIP's operators are for vectors alone, and clang takes what is more special, also where
//! the project's `uchar4 * float` is a `float4` and HIP's an `uchar4`.
//!
//! ## When to ignore
//! Never. An operator that does something else than HIP's, such as a complex product of `float2` or `cuComplex`, stays, and is marked
//! so that clang prefers it: `CASS_PREFERRED float2 operator*(float2 a, float2 b) { … }`.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_vector_types.h` of ROCm 6.4; every operator and form was compiled with it.

use crate::analysis::include_place::next_line;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::{FunctionScope, Space, split_arguments};
use crate::text::keywords::is_qualifier;
use crate::text::line_start;

/// Hides operators that repeat HIP's.
pub static RULE: Rule = Rule {
    code: "CASS510",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 15,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// A definition of an operator between two vectors of one type.
struct Operator {
    sign: TokenIndex,
    first: TokenIndex,
    last: TokenIndex,
    repeats_hips: bool,
    is_of_halves: bool,
}

fn check(cx: &mut Context<'_, '_>) {
    if cx.doc.all("operator").next().is_none() {
        return;
    }
    let operators: Vec<Operator> = cx
        .doc
        .scopes()
        .iter()
        .filter(|function| {
            let first = cx.doc.tokens[function.head.start];
            !first.has(flags::DIRECTIVE) && cx.doc.vendor_at(first.start) == Vendor::Any
        })
        .filter_map(|function| operator(cx, function))
        .collect();
    report_prototypes(cx);
    report_in_macros(cx);
    report_templates(cx);
    let mut at = 0;
    while at < operators.len() {
        if !operators[at].repeats_hips {
            report_other(cx, &operators[at]);
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < operators.len()
            && operators[end].repeats_hips
            && operators[end].first == operators[end - 1].last + 1
        {
            end += 1;
        }
        report_repeated(cx, &operators[at..end]);
        at = end;
    }
}

/// The definition if it is of an operator that is ambiguous beside HIP's.
fn operator(cx: &Context<'_, '_>, function: &FunctionScope) -> Option<Operator> {
    let doc = cx.doc;
    let sign = function.head.clone().find(|&at| doc.is(at, "operator"))? + 1;
    let text = doc.bytes(sign);
    if !doc.is(sign + 1, "(") {
        return None;
    }
    let close = doc.matching_bracket(sign + 1)?;
    let parameters: Vec<(&[u8], TokenIndex)> = split_arguments(doc, sign + 2..close)
        .into_iter()
        .map(|tokens| parameter(doc, tokens))
        .collect::<Option<_>>()?;
    let [(left, a), (right, b)] = parameters[..] else {
        return None;
    };
    let is_settled = |at: TokenIndex| {
        doc.is(at, "template") || doc.is(at, "CASS_PREFERRED") || doc.is(at, "enable_if")
    };
    if left != right || function.head.clone().any(is_settled) {
        return None;
    }
    let lanes = if is_complex(left) {
        (is_ambiguous(doc, function, text) && !cx.is_own(left)).then_some(2)?
    } else if is_half(left) {
        (has_half_operators(doc, text) && !cx.is_own(left)).then_some(0)?
    } else {
        lanes(left).filter(|_| is_ambiguous(doc, function, text) && !cx.is_own(left))?
    };
    Some(Operator {
        sign,
        first: function.head.start,
        last: function.body.end - 1,
        repeats_hips: lanes > 0 && is_by_element(doc, function, sign, (a, b), lanes),
        is_of_halves: lanes == 0,
    })
}

/// Whether HIP declares this operator of halves: it does for both sides, and clang rejects a second one for the device.
fn has_half_operators(doc: &Document<'_>, sign: &[u8]) -> bool {
    let switches = ["__CUDA_NO_HALF_OPERATORS__", "__HIP_NO_HALF_OPERATORS__"];
    doc.all_of(&switches).is_empty()
        && matches!(
            sign,
            b"+" | b"-" | b"*" | b"/" | b"+=" | b"-=" | b"*=" | b"/="
        )
}

fn is_half(ty: &[u8]) -> bool {
    matches!(ty, b"half" | b"__half" | b"half2" | b"__half2")
}

/// Complex numbers of CUDA are pairs, and so vectors in HIP.
fn is_complex(ty: &[u8]) -> bool {
    matches!(ty, b"cuComplex" | b"cuFloatComplex" | b"cuDoubleComplex")
}

/// clang prefers a function for one side over HIP's, which is for both; a compiler that knows no sides does not.
fn is_ambiguous(doc: &Document<'_>, function: &FunctionScope, sign: &[u8]) -> bool {
    if !meets_hips(sign) {
        return false;
    }
    let plain = ["cpp", "cc", "cxx"]
        .iter()
        .any(|extension| doc.source.path.ends_with(&format!(".{extension}")));
    function.space == Space::HostDevice || (plain && function.space == Space::Host)
}

/// Whether HIP has an operator for two vectors of one type that is no template: one of the project's is no better to clang.
fn meets_hips(sign: &[u8]) -> bool {
    matches!(sign, b"*" | b"/" | b"+=" | b"-=" | b"*=" | b"/=")
}

/// Type and name of a parameter of a plain or referenced type.
fn parameter<'d>(
    doc: &Document<'d>,
    tokens: std::ops::Range<TokenIndex>,
) -> Option<(&'d [u8], TokenIndex)> {
    let words: Vec<TokenIndex> = tokens
        .filter(|&at| !is_qualifier(doc.bytes(at)) && !doc.is(at, "&"))
        .collect();
    match words[..] {
        [ty, name] if doc.is_ident(ty) && doc.is_ident(name) => Some((doc.bytes(ty), name)),
        _ => None,
    }
}

/// How many elements one of CUDA's vector types has, if it has more than one.
fn lanes(ty: &[u8]) -> Option<usize> {
    crate::cpp::arithmetic::element(ty)?;
    let lanes = usize::from(ty.last()?.wrapping_sub(b'0'));
    (2..=4).contains(&lanes).then_some(lanes)
}

/// Whether the body combines each element of the one with the same element of the other, in order, and does nothing else.
fn is_by_element(
    doc: &Document<'_>,
    function: &FunctionScope,
    sign: TokenIndex,
    (a, b): (TokenIndex, TokenIndex),
    lanes: usize,
) -> bool {
    let same = |at: TokenIndex, other: TokenIndex| doc.bytes(at) == doc.bytes(other);
    let pair = |at: TokenIndex| {
        (same(at, a) && doc.is(at + 1, ".") && same(at + 3, sign) && same(at + 4, b))
            .then(|| (doc.is(at + 5, ".") && same(at + 2, at + 6)).then(|| doc.bytes(at + 2)))
            .flatten()
    };
    let body = function.body.start + 1..function.body.end - 1;
    let pairs: Vec<&[u8]> = body.clone().filter_map(pair).collect();
    let wanted: [&[u8]; 4] = [b"x", b"y", b"z", b"w"];
    // Nothing else: every dot belongs to a pair, and there are no other operators, branches or stores.
    let dots = body.clone().filter(|&at| doc.is(at, ".")).count();
    let others = body.clone().any(|at| {
        matches!(
            doc.bytes(at),
            b"+" | b"-" | b"*" | b"/" | b"=" | b"+=" | b"-=" | b"*=" | b"/=" | b"if" | b"?" | b"->"
        ) && !same(at, sign)
    });
    let signs = body.filter(|&at| same(at, sign)).count();
    pairs == wanted[..lanes] && dots == 2 * lanes && signs == lanes && !others
}

fn report_repeated(cx: &mut Context<'_, '_>, run: &[Operator]) {
    let (first, last) = (run[0].first, run[run.len() - 1].last);
    let message = if run.len() == 1 {
        format!(
            "HIP's vector types define this `operator{}`",
            cx.text(run[0].sign)
        )
    } else {
        format!("HIP's vector types define these {} operators", run.len())
    };
    let finding = RULE.finding(cx.doc.range(run[0].sign - 1, run[0].sign), message);
    let starts_line = |at: TokenIndex| {
        cx.doc
            .tokens
            .get(at)
            .is_none_or(|token| token.has(flags::LINE_START))
    };
    if !starts_line(first) || !starts_line(last + 1) {
        cx.report(finding.severity(Severity::Error).help(
            "hide the definition from AMD with `#ifndef __HIP_PLATFORM_AMD__`, or delete it: HIP's own does the same",
        ));
        return;
    }
    let bytes = &cx.doc.source.bytes;
    let (start, end) = (cx.range(first).start as usize, cx.range(last).end as usize);
    let line = line_start(bytes, start as u32);
    // A comment behind the last operator may go on over several lines.
    let next = next_line(cx.doc, end as u32);
    let is_open = next as usize == bytes.len() && !bytes.ends_with(b"\n");
    let ending = if is_open { "\n#endif" } else { "#endif\n" };
    let edits = vec![
        Edit::insert(line, "#ifndef __HIP_PLATFORM_AMD__\n"),
        Edit::insert(next, ending),
    ];
    let hidden = TextRange::new(line, next);
    cx.report(finding.fix(Fix::safe(edits)).hides(hidden));
}

fn report_other(cx: &mut Context<'_, '_>, operator: &Operator) {
    if operator.is_of_halves {
        let message = format!(
            "HIP's half types define this `operator{}`",
            cx.text(operator.sign)
        );
        let finding = RULE
            .finding(cx.doc.range(operator.sign - 1, operator.sign), message)
            .severity(Severity::Error)
            .help("hide the definition from AMD with `#ifndef __HIP_PLATFORM_AMD__`, or HIP's own with `__HIP_NO_HALF_OPERATORS__`");
        cx.report(finding);
        return;
    }
    let message = format!(
        "HIP's vector types define an `operator{}` that does something else",
        cx.text(operator.sign)
    );
    let finding = RULE.finding(cx.doc.range(operator.sign - 1, operator.sign), message);
    let start = cx.range(operator.first).start;
    cx.report(if cx.options().compat == CompatMode::None {
        let edit = Edit::insert(start, "__attribute__((enable_if(true, \"\"))) ");
        finding.fix(Fix::safe(vec![edit]))
    } else {
        let edit = Edit::insert(start, "CASS_PREFERRED ");
        finding.helper("CASS_PREFERRED").fix(Fix::safe(vec![edit]))
    });
}

/// The same operators where they are only declared: declaration and definition have to be marked alike.
fn report_prototypes(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let prototypes: Vec<Operator> = doc
        .all("operator")
        .filter(|&at| doc.vendor_at(doc.tokens[at].start) == Vendor::Any)
        .filter_map(|at| prototype(cx, at + 1))
        .collect();
    prototypes
        .iter()
        .for_each(|operator| report_other(cx, operator));
}

/// `__host__ __device__ cuComplex operator*(cuComplex, cuComplex);`
fn prototype(cx: &Context<'_, '_>, sign: TokenIndex) -> Option<Operator> {
    let doc = cx.doc;
    let open = doc.next(sign).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    let last = doc.next(close).filter(|&last| doc.is(last, ";"))?;
    let types: Vec<&[u8]> = split_arguments(doc, open + 1..close)
        .into_iter()
        .map(|tokens| {
            let mut words = tokens.filter(|&at| doc.is_ident(at) && !doc.is(at, "const"));
            words.next().map(|at| doc.bytes(at))
        })
        .collect::<Option<_>>()?;
    // A directive ends what stands in front of the declaration as well.
    let starts = |at: &TokenIndex| {
        doc.tokens[*at].has(flags::DIRECTIVE) || matches!(doc.bytes(*at), b";" | b"{" | b"}")
    };
    let first = (0..sign).rev().find(starts).map_or(0, |at| at + 1);
    let has = |word: &str| (first..sign).any(|at| doc.is(at, word));
    let is_meant = types.len() == 2 && types[0] == types[1] && is_complex(types[0]);
    let is_marked = has("CASS_PREFERRED") || has("enable_if");
    (is_meant
        && !is_marked
        && !cx.is_own(types[0])
        && doc.space_of(first..sign) == Space::HostDevice
        && doc.is_ident(sign - 1))
    .then_some(Operator {
        sign,
        first,
        last,
        repeats_hips: false,
        is_of_halves: false,
    })
}

/// A function in the text of a macro, as far as it is an operator.
struct InMacro<'d> {
    /// The name of the macro.
    name: TokenIndex,
    /// The names of its parameters.
    parameters: Vec<&'d [u8]>,
    first: TokenIndex,
    operator: TokenIndex,
    sign: Vec<TokenIndex>,
    types: Vec<Vec<TokenIndex>>,
}

/// Marks the operators that a macro defines, where one of its uses makes them of two vectors of one type.
fn report_in_macros(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_seen = |found: &InMacro<'_>| {
        let start = doc.tokens[found.operator].start;
        doc.vendor_at(start) == Vendor::Any && !cx.is_inactive(start)
    };
    let found: Vec<Operator> = doc
        .macros()
        .flat_map(|(name, directive)| operators_of(doc, name, directive))
        .filter(|found| is_seen(found) && is_used_for_vectors(cx, found))
        .map(|found| Operator {
            sign: found.operator + 1,
            first: found.first,
            last: found.operator,
            repeats_hips: false,
            is_of_halves: false,
        })
        .collect();
    found.iter().for_each(|operator| report_other(cx, operator));
}

/// The operators with two parameters, for host and device, that a macro's text defines.
fn operators_of<'d>(
    doc: &Document<'d>,
    name: TokenIndex,
    directive: &Directive,
) -> Vec<InMacro<'d>> {
    let all: Vec<TokenIndex> = directive.operands().collect();
    if !all.iter().any(|&at| doc.is(at, "operator")) {
        return Vec::new();
    }
    let open = doc
        .next(name)
        .filter(|&at| doc.is(at, "(") && doc.tokens[at].start == doc.tokens[name].end());
    let close = open.and_then(|open| doc.matching_bracket(open));
    let listed = open.unwrap_or(name)..close.unwrap_or(name);
    let parameters = listed.filter(|&at| doc.is_ident(at) && at != name);
    let parameters: Vec<&[u8]> = parameters.map(|at| doc.bytes(at)).collect();
    let text = close.unwrap_or(name) + 1..directive.tokens.end;
    let found = text.clone().filter(|&at| doc.is(at, "operator"));
    found
        .filter_map(|operator| {
            let mut before = text.start..operator;
            let ends = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"{" | b"}");
            let first = before.rfind(|&at| ends(at)).map_or(text.start, |at| at + 1);
            let has = |word: &str| (first..operator).any(|at| doc.is(at, word));
            let is_settled = ["template", "CASS_PREFERRED", "enable_if"]
                .into_iter()
                .any(has);
            if is_settled || doc.space_of(first..operator) != Space::HostDevice {
                return None;
            }
            let open = (operator + 1..text.end).find(|&at| doc.is(at, "("))?;
            let close = doc.matching_bracket(open)?;
            let types: Vec<Vec<TokenIndex>> = split_arguments(doc, open + 1..close)
                .into_iter()
                .map(|tokens| type_in_macro(doc, tokens))
                .collect();
            let sign = operator + 1..open;
            (types.len() == 2 && !sign.is_empty()).then(|| InMacro {
                name,
                parameters: parameters.clone(),
                first,
                operator,
                sign: sign.filter(|&at| !doc.is(at, "##")).collect(),
                types,
            })
        })
        .collect()
}

/// The words that make the type of a parameter, pasted or not.
fn type_in_macro(doc: &Document<'_>, tokens: std::ops::Range<TokenIndex>) -> Vec<TokenIndex> {
    let is_part =
        |at: &TokenIndex| !is_qualifier(doc.bytes(*at)) && !matches!(doc.bytes(*at), b"&" | b"##");
    let mut words: Vec<TokenIndex> = tokens.filter(is_part).collect();
    words.pop();
    words
}

/// Whether a use of the macro makes an operator of two vectors of one type that HIP has as well.
fn is_used_for_vectors(cx: &Context<'_, '_>, found: &InMacro<'_>) -> bool {
    let doc = cx.doc;
    let is_meant = |arguments: &[std::ops::Range<TokenIndex>]| {
        let text = |words: &[TokenIndex]| -> Vec<u8> {
            let mut text = Vec::new();
            for &at in words {
                let place = found.parameters.iter().position(|it| *it == doc.bytes(at));
                match place.and_then(|place| arguments.get(place)) {
                    Some(argument) => argument.clone().for_each(|at| text.extend(doc.bytes(at))),
                    None => text.extend(doc.bytes(at)),
                }
            }
            text
        };
        let (left, right) = (text(&found.types[0]), text(&found.types[1]));
        left == right
            && meets_hips(&text(&found.sign))
            && (lanes(&left).is_some() || is_complex(&left))
            && !cx.is_own(&left)
    };
    if found.parameters.is_empty() {
        return is_meant(&[]);
    }
    let uses = doc.noted("macro uses", doc.bytes(found.name), |_| true);
    uses.iter().any(|&at| {
        let open = doc
            .next(at)
            .filter(|&open| at != found.name && doc.is(open, "("));
        let close = open.and_then(|open| doc.matching_bracket(open));
        let arguments = open
            .zip(close)
            .map(|(open, close)| split_arguments(doc, open + 1..close));
        arguments.is_some_and(|arguments| is_meant(&arguments))
    })
}

/// Reports operators that are templates for any two types: HIP's own are more special.
fn report_templates(cx: &mut Context<'_, '_>) {
    let found: Vec<TokenIndex> = cx
        .doc
        .all("operator")
        .filter(|&at| is_template_for_any(cx, at))
        .collect();
    for operator in found {
        let message = "HIP's own operator of vector types is chosen in front of this template";
        let finding = RULE
            .finding(cx.range(operator), message)
            .severity(Severity::Warning)
            .help("HIP's gives the type of its vector operand, element by element; where that is not meant, write the operator for the vector types, or call a function");
        cx.report(finding);
    }
}

/// `template <class T, class U> __device__ auto operator*(T a, U b) { … a.x … }`
fn is_template_for_any(cx: &Context<'_, '_>, operator: TokenIndex) -> bool {
    let doc = cx.doc;
    let start = doc.tokens[operator].start;
    let ends = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"{" | b"}");
    // Longer heads than this nobody writes.
    let nearest = operator.saturating_sub(80)..operator;
    let Some(template) = nearest.clone().rfind(|&at| doc.is(at, "template")) else {
        return false;
    };
    let Some(end) = doc.template_close(template + 1) else {
        return false;
    };
    let open = (operator + 1..operator + 6).find(|&at| at < doc.tokens.len() && doc.is(at, "("));
    let Some((open, close)) = open.and_then(|open| Some((open, doc.matching_bracket(open)?)))
    else {
        return false;
    };
    let is_parameter = |ty: &[u8]| {
        (template..end).any(|at| {
            doc.bytes(at) == ty && (doc.is_before(at, "typename") || doc.is_before(at, "class"))
        })
    };
    let arguments = split_arguments(doc, open + 1..close);
    let types = arguments
        .iter()
        .map(|tokens| type_in_macro(doc, tokens.clone()));
    let mut types = types.map(|words| words.len() == 1 && is_parameter(doc.bytes(words[0])));
    let body = body_behind(doc, close).and_then(|open| doc.matching_bracket(open));
    let has_elements = |body: TokenIndex| {
        (close..body).any(|at| doc.is(at, ".") && matches!(doc.bytes(at + 1), b"x" | b"y"))
    };
    arguments.len() == 2
        && types.all(|is_any| is_any)
        && !(end..operator).any(ends)
        && doc.space_of(end + 1..operator) != Space::Host
        && body.is_some_and(has_elements)
        && doc.vendor_at(start) == Vendor::Any
        && !cx.is_inactive(start)
}

/// The `{` behind the parameters of a function, or behind `-> T`.
fn body_behind(doc: &Document<'_>, close: TokenIndex) -> Option<TokenIndex> {
    // Longer types nobody writes.
    const LONGEST: usize = 100;
    let mut at = doc.next(close)?;
    let is_typed = doc.is(at, "->");
    for _ in 0..LONGEST {
        match doc.bytes(at) {
            b"{" => return Some(at),
            _ if !is_typed => return None,
            b";" | b"}" => return None,
            b"(" | b"[" => at = doc.matching_bracket(at)?,
            _ => {}
        }
        at = doc.next(at)?;
    }
    None
}
