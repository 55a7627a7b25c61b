//! A function that CUDA overloads for the host as well: `min`, `max`, the mathematical functions of `float`.
//!
//! ## Why on AMD
//! In host code clang's headers for HIP have `min` and `max` of `int` alone in the global namespace: `max(0.5f, x)` is 1 of an `x` of 1.5,
//! and a `size_t` above 2147483647 is cut off, without a word. CUDA's headers have them for all numbers. They also include `<math.h>`, by which
//! `log(x)` of a `float` is a `float`; HIP's include `<cmath>` alone, behind which the host's `log` is that of C, of `double`: templates no longer
//! compile, and numbers differ from those of the device.
//!
//! ## Example
//! ```cuda
//! float limit(float x) { return max(x, 0.5f) + log(x); }
//! ```
//! becomes
//! ```hip
//! #include "cass_hip_compat.hpp"
//! #include <math.h>
//! float limit(float x) { return max(x, 0.5f) + log(x); }
//! ```
//!
//! ## When to ignore
//! When both arguments of `min` or `max` are `int` in all calls, which the file may not show.
//!
//! ## Source
//! `crt/math_functions.hpp` of CUDA 13.0; `__clang_hip_math.h` of clang 19, and of clang 21, where `__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__` asks for
//! all of them; <https://github.com/llvm/llvm-project/pull/133590>.

use std::ops::Range;

use crate::cpp::argument_type::argument_type;
use crate::cpp::calls::trusted_call;
use crate::cpp::declarations::declared;
use crate::cpp::names::{is_members_name, is_qualified};
use crate::cpp::namespaces::is_of_class_around;
use crate::cpp::std_names::opens_std;
use crate::cpp::template_parameters::is_template_parameter;
use crate::mapping::host_overloads;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Brings the overloads.
pub static RULE: Rule = Rule {
    code: "CASS708",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort, Fact::NotForRtc],
    checks: &[
        Check::Idents(&["min", "max"], check_choice),
        Check::Listed(host_overloads, check_math),
    ],
};

/// The helper with `min` and `max` of all numbers.
const CHOICES: &str = "cass_host_min_max";

/// The macro that says that its text is there.
const THERE: &str = "CASS_HELPER_CASS_HOST_MIN_MAX";

fn check_choice(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let call = call_on_host(cx, index).filter(|call| call.arguments.len() == 2);
    // The text of the helper stands in the file where a person asked for that.
    let Some(call) = call.filter(|_| cx.doc.all(THERE).next().is_none()) else {
        return;
    };
    let types = call.arguments.iter();
    let types: Vec<Option<String>> = types.map(|it| type_of(cx.doc, it.clone(), 0)).collect();
    let are_ints = types.iter().all(|ty| ty.as_deref() == Some("int"));
    let differ = types.iter().all(Option::is_some) && types[0] != types[1];
    // The template of the library takes two of one type before the function of `int` does.
    let has_template = opens_std(cx.doc) || is_let_in(cx.doc, index);
    if are_ints || has_template && !differ {
        return;
    }
    let name = cx.text(index).into_owned();
    let message = format!("in host code HIP has `{name}` of `int` alone, CUDA of all numbers");
    let finding = RULE.finding(cx.range(index), message);
    cx.report(match cx.options().compat {
        CompatMode::None => finding.severity(Severity::Error).help(format!(
            "call `std::{name}` with a type: `std::{name}<float>(a, b)`"
        )),
        _ => finding.helper(CHOICES).fix(Fix::safe(Vec::new())),
    });
}

/// The type of an argument; `max(a, b)` has that of both, where they have one.
fn type_of(doc: &Document<'_>, argument: Range<TokenIndex>, depth: usize) -> Option<String> {
    /// Calls within each other that are followed.
    const DEEPEST: usize = 4;
    let is_choice = matches!(doc.bytes(argument.start), b"min" | b"max") && depth < DEEPEST;
    let call = is_choice
        .then(|| trusted_call(doc, argument.start))
        .flatten();
    let Some(call) = call.filter(|call| call.close + 1 == argument.end) else {
        return argument_type(doc, argument);
    };
    let mut types = call.arguments.iter();
    let first = type_of(doc, types.next()?.clone(), depth + 1)?;
    let are_same = types.all(|it| type_of(doc, it.clone(), depth + 1).as_ref() == Some(&first));
    are_same.then_some(first)
}

fn check_math(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = call_on_host(cx, index) else {
        return;
    };
    let is_of_float = call.arguments.iter().any(|argument| {
        let found =
            declared(cx.doc, argument.start).filter(|it| argument.len() == 1 && it.pointers == 0);
        found.is_some_and(|found| is_template_parameter(cx.doc, &found))
            || argument_type(cx.doc, argument.clone()).as_deref() == Some("float")
    });
    if !is_of_float || opens_std(cx.doc) || is_let_in(cx.doc, index) || brings_math(cx) {
        return;
    }
    let message = format!(
        "behind HIP's headers `{}` of the host is that of `double`, CUDA's include `<math.h>`",
        cx.text(index)
    );
    let finding = RULE.finding(cx.range(index), message);
    cx.report(finding.header("math.h").fix(Fix::safe(Vec::new())));
}

/// Whether the file comes to the header of C, of which the library's of C++ makes overloads.
fn brings_math(cx: &Context<'_, '_>) -> bool {
    let reached = cx.project.reached(cx.doc, cx.table(), false);
    reached.brings("math.h", |path| {
        matches!(path, "math.h" | "complex.h" | "bits/stdc++.h")
    })
}

/// The call of a function of CUDA's in code that hipcc compiles for the host.
fn call_on_host(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Call> {
    let doc = cx.doc;
    let is_other = is_members_name(doc, index) || is_qualified(doc, index);
    if is_other || !is_for_hipcc(doc) || doc.vendor_at(cx.range(index).start) != Vendor::Any {
        return None;
    }
    let call = trusted_call(doc, index).filter(|call| call.template_arguments.is_none());
    let is_own = cx.is_own_at(index) || is_of_class_around(doc, index);
    call.filter(|_| !is_own && runs_on_host(cx, index))
}

/// Whether the file says `using std::max;`.
fn is_let_in(doc: &Document<'_>, index: TokenIndex) -> bool {
    let let_in = doc.noted("let in by using", doc.bytes(index), |at| {
        let colons = doc.prev(at).filter(|&it| doc.is(it, "::"));
        let space = colons.and_then(|colons| doc.prev(colons));
        space.is_some_and(|space| doc.prev_is(space, "using"))
    });
    !let_in.is_empty()
}

/// Whether nvcc gives the file to its front end of CUDA: other compilers have none of its headers in front.
fn is_for_hipcc(doc: &Document<'_>) -> bool {
    let path = doc.source.path.as_str();
    path.ends_with(".cu")
        || path.ends_with(".cuh")
        || doc.has_word(|word| matches!(word, b"__global__" | b"__device__"))
}

/// Whether a place, or a use of the macro that it is in the text of, lies in a function of the host.
fn runs_on_host(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    /// Uses of a macro that are looked at.
    const MOST: usize = 32;
    let doc = cx.doc;
    let is_on_host = |at: TokenIndex| {
        let mut around = doc.scopes().around(at).peekable();
        around.peek().is_some()
            && around.all(|it| matches!(it.space, Space::Host | Space::HostDevice))
    };
    if !doc.tokens[index].has(flags::MACRO_BODY) {
        return is_on_host(index);
    }
    let directive = doc.directive_of(index).map(|at| &doc.directives[at]);
    let name = directive.and_then(Directive::defined_macro);
    name.is_some_and(|name| {
        let mut uses = doc
            .occurrences(doc.bytes(name), name + 1..doc.tokens.len())
            .take(MOST);
        uses.any(is_on_host)
    })
}
