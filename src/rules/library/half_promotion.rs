//! A math function of the project's that takes `__half`, under a name that HIP promotes.
//!
//! ## Why on AMD
//! For `fma`, `pow`, `max` and the like HIP has templates of any types, which work out what two numbers promote to. `__half` is of no
//! namespace, so that a call with one looks there too, and to ask what `__half` promotes to is an error by itself: it converts to each
//! number. The project's function, which fits, is never chosen. The helper header says that `__half` and bfloat16 promote to nothing, which
//! keeps HIP's templates out. Without it (`--compat none`) calls name the namespace, so that nothing else is looked up.
//!
//! ## Example
//! ```cuda
//! __device__ half max(half a, half b) { return __hmax(a, b); }
//! __device__ half positive(half a) { return max(a, half(0)); }
//! ```
//! becomes
//! ```hip
//! #include "cass_hip_compat.hpp"
//! __device__ half max(half a, half b) { return __hmax(a, b); }
//! __device__ half positive(half a) { return max(a, half(0)); }
//! ```
//!
//! ## When to ignore
//! When no caller of a template passes `__half`. A function of the class around the call is found first, and left alone.
//!
//! ## Source
//! `__clang_hip_cmath.h` of clang 19: "call to '__test' is ambiguous" in `__numeric_type`.

use crate::cpp::declarations::declared;
use crate::cpp::definitions::declares;
use crate::cpp::namespaces::{around, is_in_file, is_of_class_around};
use crate::cpp::short_floats::is_bfloat16;
use crate::cpp::template_parameters::is_template_parameter;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Brings the helper, or names the namespace of the project's function.
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
    if cx.options().compat == CompatMode::None {
        return check_calls(cx);
    }
    let functions = PROMOTED
        .iter()
        .filter(|(name, _)| cx.is_own(name.as_bytes()));
    let places = functions.flat_map(|&(name, arguments)| {
        let doc = cx.doc;
        let is_one = move |at: &TokenIndex| is_function_for_half(doc, *at, arguments);
        doc.all(name).filter(is_one)
    });
    let calls = || {
        PROMOTED
            .iter()
            .filter(|(name, _)| cx.is_own(name.as_bytes()))
            .flat_map(|&(name, arguments)| {
                let passes = |at: &TokenIndex| takes_half(cx, *at, arguments).is_some();
                cx.doc.all(name).filter(passes).collect::<Vec<_>>()
            })
    };
    if let Some(first) = places.min().or_else(|| calls().min()) {
        let finding = with_helper(cx, first);
        cx.report(finding);
    }
}

/// The finding that brings the helpers for the types of the file.
fn with_helper(cx: &Context<'_, '_>, at: TokenIndex) -> Finding {
    let doc = cx.doc;
    let message = format!(
        "HIP's templates of `{}` are tried for halves too, and end in an error: the helper header keeps them out",
        cx.text(at)
    );
    let finding = RULE
        .finding(cx.range(at), message)
        .fix(Fix::safe(Vec::new()));
    let (bfloat16, half): (Vec<&str>, Vec<&str>) = HALVES
        .iter()
        .filter(|word| doc.all(word).next().is_some())
        .partition(|word| is_bfloat16(word.as_bytes()));
    let finding = match half.is_empty() {
        true => finding,
        false => finding.helper("CASS_HALF_OVERLOADS"),
    };
    match bfloat16.is_empty() {
        true => finding,
        false => finding.helper("CASS_BFLOAT16_OVERLOADS"),
    }
}

/// Whether a function of so many parameters, in no class, is declared there that takes a half, or what the caller of a template chooses.
fn is_function_for_half(doc: &Document<'_>, at: TokenIndex, parameters: usize) -> bool {
    let call = doc.call(at).filter(|call| {
        call.arguments.len() == parameters && declares(doc, at) && is_in_file(doc, at)
    });
    call.is_some_and(|call| {
        call.arguments.iter().any(|words| {
            words.clone().any(|word| {
                let is_pointer = doc.next_is(word, "*");
                let name = doc.bytes(word);
                let is_half = HALVES.iter().any(|half| half.as_bytes() == name);
                !is_pointer && (is_half || is_parameter_of_template(doc, at, name))
            })
        })
    })
}

/// Whether the function at a place is a template with such a parameter.
fn is_parameter_of_template(doc: &Document<'_>, function: TokenIndex, name: &[u8]) -> bool {
    // Between `template <…>` and the name stand the type and words like `__device__`.
    const LONGEST_HEAD: TokenIndex = 40;
    let starts = (function.saturating_sub(LONGEST_HEAD)..function).rev();
    let mut starts = starts.take_while(|&at| !matches!(doc.bytes(at), b";" | b"{" | b"}"));
    let template = starts.find(|&at| doc.is(at, "template"));
    template.is_some_and(|at| {
        let close = doc.next(at).and_then(|open| doc.template_close(open));
        close.is_some_and(|close| doc.occurrences(name, at..close).next().is_some())
    })
}

/// Without a helper header: the namespace in front of each call, or what is to be done by hand.
fn check_calls(cx: &mut Context<'_, '_>) {
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
