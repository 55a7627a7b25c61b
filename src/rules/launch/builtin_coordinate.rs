//! A built-in coordinate that is used as a `uint3`.
//!
//! ## Why on AMD
//! `threadIdx` and the like are `uint3` or `dim3` in CUDA. In HIP each is a type of its own that turns into `dim3` only, so that
//! `uint3 t = threadIdx;` does not compile, nor does `return gridDim;` where a class is made of a `dim3`: that takes one step more than
//! C++ goes by itself. In `blockIdx * size + threadIdx`, with the operators of a `helper_math.h`, HIP's own operators of vectors fit better,
//! for any type beside a vector, and make none of a coordinate: "no matching constructor for initialization of 'HIP_vector_type'".
//!
//! ## Example
//! ```cuda
//! uint3 t = threadIdx;
//! ```
//! becomes
//! ```hip
//! uint3 t = make_uint3(threadIdx.x, threadIdx.y, threadIdx.z);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_runtime.h` of ROCm 6.4, compiled with clang 19.

use crate::cpp::calls::enclosing_call;
use crate::cpp::declarations::declaration;
use crate::cpp::functions::{declares, named_function};
use crate::cpp::operators;
use crate::cpp::signature::Signature;
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Writes the vector out.
pub static RULE: Rule = Rule {
    code: "CASS105",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(
        &["threadIdx", "blockIdx", "blockDim", "gridDim"],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let alone = cx
        .doc
        .next(index)
        .is_some_and(|next| matches!(cx.doc.bytes(next), b";" | b"," | b")" | b"}"));
    let takes_uint3 = || {
        initialises(cx, index, &["=", "(", "{"], |ty| ty == b"uint3")
            || is_returned(cx, index, |ty| ty == b"uint3")
            || is_assigned(cx, index)
            || is_passed(cx, index)
    };
    let is_class = |ty: &[u8]| is_made_of_vectors(cx, index, ty);
    let takes_class =
        || initialises(cx, index, &["="], is_class) || is_returned(cx, index, is_class);
    let (call, what) = match alone {
        true if takes_uint3() => ("make_uint3", "to `uint3`"),
        true if takes_class() => (type_in_cuda(cx, index), "to a class"),
        _ if is_operand(cx, index) => ("make_uint3", "to `uint3`"),
        _ => return,
    };
    let name = cx.text(index);
    let vector = format!("{call}({name}.x, {name}.y, {name}.z)");
    let finding = RULE
        .finding(
            cx.range(index),
            format!("`{name}` does not convert {what} implicitly"),
        )
        .fix(Fix::safe(vec![Edit::replace(cx.range(index), vector)]));
    cx.report(finding);
}

/// What makes the type that a coordinate has in CUDA.
fn type_in_cuda(cx: &Context<'_, '_>, index: TokenIndex) -> &'static str {
    match cx.doc.bytes(index) {
        b"blockDim" | b"gridDim" => "dim3",
        _ => "make_uint3",
    }
}

/// Whether a type is a class of the file, in code for the device: elsewhere a member of that name, `size_t gridDim`, may be meant, and another
/// name of `dim3` would not be made of a `uint3`.
fn is_made_of_vectors(cx: &Context<'_, '_>, index: TokenIndex, ty: &[u8]) -> bool {
    let doc = cx.doc;
    let is_declared = |at: TokenIndex| doc.is_before(at, "struct") || doc.is_before(at, "class");
    let mut around = doc.scopes().around(index);
    around.any(|function| function.space != Space::Host)
        && doc.all_called(vec![ty]).into_iter().any(is_declared)
}

/// `blockIdx * size + threadIdx` in code for the device, or in the text of a macro: a coordinate as a whole is an operand of operators of
/// vectors alone. Those that the file defines for `dim3` take coordinates as they are; a variable of that name is something else.
fn is_operand(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    const SIGNS: &[&[u8]] = &[b"+", b"-", b"*", b"/", b"%", b"==", b"!="];
    let doc = cx.doc;
    if doc.next_is(index, ".") {
        return false;
    }
    let is_for_device = doc.tokens[index].has(flags::DIRECTIVE) || {
        let mut around = doc.scopes().around(index);
        around.any(|function| function.space != Space::Host && function.body.contains(&index))
    };
    if !is_for_device || declaration(doc, index).is_some() {
        return false;
    }
    let around = [operators::before(doc, index), operators::behind(doc, index)];
    let mut around = around.into_iter().flatten();
    around.any(|operator| SIGNS.contains(&operator.text) && !is_of_dim3(doc, operator.text))
}

/// Whether the file defines an operator with a `dim3`: `dim3 operator*(dim3 a, dim3 b)`.
fn is_of_dim3(doc: &Document<'_>, sign: &[u8]) -> bool {
    doc.all("operator").any(|at| {
        let written = doc.next(at).filter(|&it| doc.bytes(it) == sign);
        let open = written.and_then(|it| doc.next(it));
        let close = open.and_then(|open| doc.matching_bracket(open));
        open.zip(close)
            .is_some_and(|(open, close)| (open..close).any(|it| doc.is(it, "dim3")))
    })
}

/// `return threadIdx;` in a function whose result has such a type.
fn is_returned(cx: &Context<'_, '_>, index: TokenIndex, is_type: impl Fn(&[u8]) -> bool) -> bool {
    let doc = cx.doc;
    let function = doc.scopes().enclosing(index);
    let is_whole = doc.prev_is(index, "return") && doc.next_is(index, ";");
    // The type of a lambda's result is that of what it gives.
    let function = function.filter(|it| is_whole && it.name.is_some());
    let signature = function.and_then(|it| Signature::of_function(doc, it));
    signature.is_some_and(|it| {
        let last = it.result.split_ascii_whitespace().next_back();
        last.is_some_and(|ty| !ty.ends_with(['>', ')', '&', '*']) && is_type(ty.as_bytes()))
    })
}

/// `uint3 t = threadIdx`, `uint3 t(threadIdx)`, `uint3 t{threadIdx}`, `const uint3 &t = threadIdx`
fn initialises(
    cx: &Context<'_, '_>,
    index: TokenIndex,
    signs: &[&str],
    is_type: impl Fn(&[u8]) -> bool,
) -> bool {
    let doc = cx.doc;
    let Some(before) = doc
        .prev(index)
        .filter(|&at| signs.iter().any(|sign| doc.is(at, sign)))
    else {
        return false;
    };
    let name = doc.prev(before).filter(|&at| doc.is_ident(at));
    let ty = name.and_then(|at| doc.prev(at));
    let ty = ty.and_then(|at| {
        if doc.is(at, "&") {
            doc.prev(at)
        } else {
            Some(at)
        }
    });
    ty.is_some_and(|at| doc.is_ident(at) && is_type(doc.bytes(at)))
}

/// `t = threadIdx;` where `uint3 t` is declared in the function.
fn is_assigned(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let name = doc
        .prev(index)
        .filter(|&at| doc.is(at, "="))
        .and_then(|at| doc.prev(at))
        .filter(|&at| doc.is_ident(at));
    let (Some(name), Some(function)) = (name, named_function(doc, index)) else {
        return false;
    };
    let starts = doc
        .prev(name)
        .is_some_and(|at| matches!(doc.bytes(at), b";" | b"{" | b"}"));
    starts && declares(cx.doc, doc.bytes(name), b"uint3", function)
}

/// `f(threadIdx)` where the file defines `f` with a `uint3` at that place.
fn is_passed(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let doc = cx.doc;
    let alone = doc
        .prev(index)
        .is_some_and(|at| matches!(doc.bytes(at), b"(" | b","));
    let Some((callee, position)) = alone.then(|| call_around(doc, index)).flatten() else {
        return false;
    };
    let name = doc.bytes(callee);
    let mut same = doc
        .scopes()
        .iter()
        .filter(|function| function.name.is_some_and(|at| doc.bytes(at) == name))
        .peekable();
    same.peek().is_some()
        && same.all(|function| {
            let parameters = function.name.and_then(|at| doc.call(at));
            parameters
                .and_then(|call| call.arguments.get(position).cloned())
                .is_some_and(|mut tokens| tokens.any(|at| doc.is(at, "uint3")))
        })
}

/// The name of the call around an argument and the argument's position.
fn call_around(doc: &Document<'_>, index: TokenIndex) -> Option<(TokenIndex, usize)> {
    let callee = enclosing_call(doc, index)?;
    let mut arguments = doc.call(callee)?.arguments.into_iter();
    let position = arguments.position(|tokens| tokens == (index..index + 1))?;
    Some((callee, position))
}
