//! A math function of the project's that takes `__half`, under a name that HIP promotes.
//!
//! ## Why on AMD
//! For `fma`, `pow`, `max` and the like HIP has templates of any types, which work out what two numbers promote to. `__half` is of no
//! namespace, so that a call with one looks there too, and to ask what `__half` promotes to is an error by itself: it converts to each
//! number. The project's function, which fits, is never chosen. A call that names the namespace does not look further.
//!
//! ## Example
//! ```cuda
//! namespace my {
//! __device__ vec2 fma(__half a, const vec2 &b, const vec2 &c);
//! __device__ vec2 twice(__half w, vec2 v) { return fma(w, v, v); }
//! }
//! ```
//! becomes
//! ```hip
//! namespace my {
//! __device__ vec2 fma(__half a, const vec2 &b, const vec2 &c);
//! __device__ vec2 twice(__half w, vec2 v) { return my::fma(w, v, v); }
//! }
//! ```
//!
//! ## When to ignore
//! When no caller of a template passes `__half`. A function of the class around the call is found first, and left alone.
//!
//! ## Source
//! `__clang_hip_cmath.h` of clang 19: "call to '__test' is ambiguous" in `__numeric_type`.

use crate::cpp::declarations::declared;
use crate::cpp::definitions::declares;
use crate::cpp::namespaces::{around, is_of_class_around};
use crate::cpp::template_parameters::is_template_parameter;
use crate::rules::prelude::*;

/// Names the namespace of the project's function.
pub static RULE: Rule = Rule {
    code: "CASS524",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// What HIP promotes, and how many arguments it takes (`__HIP_OVERLOAD2`, `fma`, `remquo`).
const PROMOTED: &[(&str, usize)] = &[
    ("atan2", 2),
    ("copysign", 2),
    ("fdim", 2),
    ("fma", 3),
    ("fmax", 2),
    ("fmin", 2),
    ("fmod", 2),
    ("hypot", 2),
    ("isgreater", 2),
    ("isgreaterequal", 2),
    ("isless", 2),
    ("islessequal", 2),
    ("islessgreater", 2),
    ("isunordered", 2),
    ("max", 2),
    ("min", 2),
    ("nextafter", 2),
    ("pow", 2),
    ("remainder", 2),
    ("remquo", 3),
];

/// Types of no namespace that turn into several numbers.
const HALVES: &[&str] = &[
    "__half",
    "half",
    "__nv_bfloat16",
    "nv_bfloat16",
    "__hip_bfloat16",
];

const ELSEWHERE: &str =
    "put the function into a namespace and name that in the call, or give it another name";

fn check(cx: &mut Context<'_, '_>) {
    if cx.doc.all_of(HALVES).is_empty() {
        return;
    }
    for &(name, arguments) in PROMOTED {
        if !cx.is_own(name.as_bytes()) {
            continue;
        }
        for at in cx.doc.all(name).collect::<Vec<_>>() {
            if let Some(sureness) = takes_half(cx, at, arguments) {
                report(cx, at, sureness);
            } else if specializes_for_half(cx, at, arguments) {
                let message = format!(
                    "a specialization of `{name}` for a half: HIP's templates of that name are tried as well, and end in an error"
                );
                let finding = RULE
                    .finding(cx.range(at), message)
                    .severity(Severity::Error);
                cx.report(finding.help(ELSEWHERE));
            }
        }
    }
}

/// Whether a call with so many arguments passes `__half`, surely or by the choice of a template's caller; `None` of anything else.
fn takes_half(cx: &Context<'_, '_>, at: TokenIndex, arguments: usize) -> Option<Applicability> {
    let doc = cx.doc;
    let is_other = ["::", ".", "->"].iter().any(|sign| doc.prev_is(at, sign)) || declares(doc, at);
    let call = doc.call(at).filter(|call| {
        !is_other
            && call.arguments.len() == arguments
            && call.template_arguments.is_none()
            && !call.split_by_directive
    })?;
    if doc.tokens[at].has(flags::DIRECTIVE) || !cx.may_be_device(at) {
        return None;
    }
    let known = call.arguments.iter().filter_map(|words| {
        let found = declared(doc, words.start)?;
        let is_element = words.len() > 1 && doc.is(words.start + 1, "[");
        let is_whole = words.len() == 1
            || is_element && doc.matching_bracket(words.start + 1) == Some(words.end - 1);
        (is_whole && found.pointers == usize::from(is_element)).then_some(found)
    });
    let sureness = known.filter_map(|found| {
        if found.is_any(HALVES) {
            return Some(Applicability::Safe);
        }
        is_template_parameter(doc, &found).then_some(Applicability::Review)
    });
    sureness.max().filter(|_| !is_of_class_around(doc, at))
}

/// Whether `template <> T name(__half a, …)` stands there outside of any namespace, where HIP's templates are.
fn specializes_for_half(cx: &Context<'_, '_>, at: TokenIndex, arguments: usize) -> bool {
    let doc = cx.doc;
    let mut functions = doc.scopes().iter();
    let head = functions.find(|function| function.name == Some(at));
    let head = head.map(|function| function.head.clone());
    let is_specialization = head.is_some_and(|head| {
        let first: Vec<&[u8]> = head.take(3).map(|it| doc.bytes(it)).collect();
        first == [&b"template"[..], b"<", b">"]
    });
    let call = doc.call(at).filter(|call| {
        is_specialization && call.arguments.len() == arguments && call.template_arguments.is_none()
    });
    call.is_some_and(|call| {
        let is_half = |words: &std::ops::Range<TokenIndex>| {
            words.len() == 2 && HALVES.contains(&&*cx.text(words.start))
        };
        call.arguments.iter().any(is_half) && around(doc, at).is_empty()
    })
}

fn report(cx: &mut Context<'_, '_>, at: TokenIndex, sureness: Applicability) {
    let message = format!(
        "HIP's templates of `{}` are looked up for `__half`, and end in an error",
        cx.text(at)
    );
    let finding = RULE.finding(cx.range(at), message);
    let spaces = around(cx.doc, at);
    let space = spaces
        .into_iter()
        .find(|space| cx.has_in_namespace(cx.doc.bytes(at), space));
    let Some(space) = space else {
        if sureness == Applicability::Safe {
            cx.report(finding.severity(Severity::Error).help(ELSEWHERE));
        }
        return;
    };
    let qualifier = format!("{}::", String::from_utf8_lossy(space));
    let edits = vec![Edit::insert(cx.range(at).start, qualifier)];
    cx.report(match sureness {
        Applicability::Safe => finding.fix(Fix::safe(edits)),
        _ => finding
            .severity(Severity::Warning)
            .help("check that no overload of another namespace is meant for the types of other callers")
            .fix(Fix::review(edits)),
    });
}
