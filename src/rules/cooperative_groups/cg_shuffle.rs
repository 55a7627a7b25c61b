//! A shuffle of a vector or structure among the members of a cooperative group.
//!
//! ## Why on AMD
//! `shfl`, `shfl_up`, `shfl_down` and `shfl_xor` of CUDA's groups take any trivially copyable type. HIP 6.4 takes integers, `float` and
//! `double`, and refuses everything else, halves, enumerations and pointers among it, by a `static_assert`.
//!
//! ## Example
//! ```cuda
//! float4 other = tile.shfl_xor(value, 8);
//! ```
//! becomes
//! ```hip
//! float4 other = cass_cg_shfl_xor(tile, value, 8);
//! ```
//!
//! ## When to ignore
//! When the object is of a class of the project.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_cooperative_groups.h` of ROCm 6.4; CUDA C++ Programming Guide, cooperative groups.

use std::ops::Range;

use crate::analysis::helpers::through_helper;
use crate::cpp::arithmetic::is_vector;
use crate::cpp::cooperative_groups::Kind;
use crate::cpp::cooperative_groups::{Object, is_of_template_parameter, object};
use crate::cpp::declarations;
use crate::cpp::short_floats::short_float;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::text::keywords::is_type_key;

/// Calls the helper that takes any type.
pub static RULE: Rule = Rule {
    code: "CASS232",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Idents(
        &["shfl", "shfl_up", "shfl_down", "shfl_xor"],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let call = cx.doc.call(index).filter(|call| {
        cx.doc.prev_is(index, ".") && call.arguments.len() == 2 && call.open == index + 1
    });
    let Some((call, object)) = call.zip(object(cx.doc, index)) else {
        return;
    };
    let is_group = matches!(object.kind, Some(Kind::Tile | Kind::Coalesced));
    let is_generic = object.kind.is_none() && is_of_template_parameter(cx.doc, &object);
    let refused = refused_type(cx, call.arguments[0].clone());
    if let Some(ty) = refused.filter(|_| is_group || is_generic) {
        let finding = finding(cx, &call, &object, &ty);
        cx.report(finding);
    }
}

fn finding(cx: &Context<'_, '_>, call: &Call, object: &Object, ty: &str) -> Finding {
    let name = cx.text(call.name);
    let message = format!("`{name}` of HIP's cooperative groups takes no `{ty}`");
    let finding = RULE.finding(cx.range(call.name), message);
    let helper = match &*name {
        "shfl" => "cass_cg_shfl",
        "shfl_up" => "cass_cg_shfl_up",
        "shfl_down" => "cass_cg_shfl_down",
        _ => "cass_cg_shfl_xor",
    };
    if cx.options().compat == CompatMode::None {
        return finding
            .severity(Severity::Error)
            .help("exchange its elements one by one, as integers, float or double");
    }
    let edits = through_helper(cx, call, object, helper);
    let finding = finding.helper(helper);
    match object.kind {
        Some(_) => finding.fix(Fix::safe(edits)),
        None => finding
            .severity(Severity::Warning)
            .help("the helper takes tiles and coalesced groups; check that no caller passes another type")
            .fix(Fix::review(edits)),
    }
}

/// The type of a value, if it is certainly one that HIP's groups do not exchange.
fn refused_type(cx: &Context<'_, '_>, value: Range<TokenIndex>) -> Option<String> {
    let doc = cx.doc;
    let name = doc.bytes(value.start);
    let made = name.strip_prefix(b"make_").unwrap_or(name);
    let opens = matches!(doc.bytes(value.start + 1), b"(" | b"{");
    let is_whole = doc.matching_bracket(value.start + 1) == Some(value.end - 1);
    let ty = if opens && is_whole && (is_refused(cx, made) || made != name) {
        made
    } else {
        if let Some(pointer) = pointer(doc, value.clone()) {
            return Some(pointer);
        }
        let found = declarations::of_value(doc, value)?;
        // What a template names with its parameters may be a structure.
        let before = std::iter::successors(doc.prev(found.name), |it| doc.prev(*it));
        let ends = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"{" | b"}" | b"(");
        let is_dependent = before
            .take_while(|&at| !ends(at))
            .any(|at| doc.is(at, "typename"));
        if let Some(last) = found.words.last().filter(|_| is_dependent) {
            return Some(String::from_utf8_lossy(last).into_owned());
        }
        let mut words = found.words.iter().copied();
        words.find(|word| is_refused(cx, word))?
    };
    is_refused(cx, ty).then(|| String::from_utf8_lossy(ty).into_owned())
}

/// The type of a value that is a pointer by its declaration: `p` or `list[i]` of `T *p, **list`.
fn pointer(doc: &Document<'_>, value: Range<TokenIndex>) -> Option<String> {
    let is_element = value.len() > 1;
    let is_whole = || {
        doc.is(value.start + 1, "[") && doc.matching_bracket(value.start + 1) == Some(value.end - 1)
    };
    if is_element && !is_whole() {
        return None;
    }
    let found = declarations::declared(doc, value.start)?;
    let last = found.words.last()?;
    (found.pointers > usize::from(is_element))
        .then(|| format!("{} *", String::from_utf8_lossy(last)))
}

/// A vector, a half, a structure that this file defines, or an enumeration that a file of the tree does.
fn is_refused(cx: &Context<'_, '_>, ty: &[u8]) -> bool {
    const COMPLEX: &[&[u8]] = &[b"cuComplex", b"cuFloatComplex", b"cuDoubleComplex"];
    is_vector(ty) && !cx.is_own(ty)
        || short_float(ty).is_some()
        || COMPLEX.contains(&ty)
        || is_class(cx.doc, ty)
        || cx.project.names().is_enumeration(ty)
}

/// Whether the file defines a structure or enumeration of this name, and nothing else of it.
fn is_class(doc: &Document<'_>, name: &[u8]) -> bool {
    let defines = |at: TokenIndex| {
        matches!(doc.bytes(at + 1), b"{" | b":") && at > 0 && is_type_key(doc.bytes(at - 1))
    };
    let ends_typedef = |at: TokenIndex| doc.is_before(at, "}") && doc.is(at + 1, ";");
    let found = doc.noted_of("class", name, |at| {
        defines(at) || ends_typedef(at) && is_typedef(doc, at - 1)
    });
    !found.is_empty()
}

/// Whether the `}` closes a `typedef struct { … }`.
fn is_typedef(doc: &Document<'_>, close: TokenIndex) -> bool {
    let open = doc.matching_bracket(close);
    let start =
        open.and_then(|open| (open.saturating_sub(3)..open).find(|&at| doc.is(at, "typedef")));
    start.is_some()
}
