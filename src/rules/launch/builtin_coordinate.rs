//! A built-in coordinate that is used as a `uint3`.
//!
//! ## Why on AMD
//! `threadIdx` and the like are `uint3` or `dim3` in CUDA. In HIP each is a type of its own that turns into `dim3` only, so that
//! `uint3 t = threadIdx;` does not compile, nor does `return gridDim;` where a class is made of a `dim3`: that takes one step more than
//! C++ goes by itself. In `blockIdx * size + threadIdx`, with the operators of a `helper_math.h`, HIP's own operators of vectors fit better,
//! for any type beside a vector, and make none of a coordinate: "no matching constructor for initialization of 'HIP_vector_type'".
//! A template that takes what it is given takes the type of HIP, whose members nobody can write to ("no setter defined for property 'x'"), of
//! which nothing is made, and which is another one for each coordinate.
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

use std::ops::Range;

use crate::cpp::coordinates::{
    initialises, is_bound, is_cast, is_changed, is_deduced, is_for_device, is_returned,
    of_alternatives, takes_uint3, type_in_cuda,
};
use crate::cpp::declarations::declaration;
use crate::cpp::operators;
use crate::rules::prelude::*;
use crate::syntax::{Space, split_arguments};

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
    if cx.doc.next_is(index, ".") {
        return;
    }
    let Some((call, what)) = vector_for(cx, index) else {
        return;
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

/// What makes the vector that a coordinate has to be where it stands, and what is said of that.
fn vector_for(cx: &Context<'_, '_>, index: TokenIndex) -> Option<(&'static str, &'static str)> {
    let doc = cx.doc;
    let alone = doc
        .next(index)
        .is_some_and(|next| matches!(doc.bytes(next), b";" | b"," | b")" | b"}" | b"]" | b":"));
    if alone {
        let is_class = |ty: &[u8]| is_made_of_vectors(cx, index, ty);
        if takes_uint3(doc, index) {
            return Some(("make_uint3", "to `uint3`"));
        }
        if initialises(doc, index, &["="], is_class) || is_returned(doc, index, is_class) {
            return Some((type_in_cuda(doc, index), "to a class"));
        }
        if is_bound(doc, index) {
            return Some(("dim3", "to three variables"));
        }
        if let Some(call) = of_alternatives(doc, index) {
            return Some((call, "to the type of the other value"));
        }
        let ty = type_in_cuda(doc, index);
        if is_for_device(doc, index) && (is_deduced(doc, index) || is_changed(doc, index)) {
            return Some((
                ty,
                if ty == "dim3" {
                    "to `dim3`"
                } else {
                    "to `uint3`"
                },
            ));
        }
    }
    (is_operand(cx, index) || is_cast(doc, index)).then_some(("make_uint3", "to `uint3`"))
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
    const SIGNS: &[&[u8]] = &[
        b"+", b"-", b"*", b"/", b"%", b"==", b"!=", b"<", b">", b"<=", b">=",
    ];
    let doc = cx.doc;
    if !is_for_device(doc, index) || declaration(doc, index).is_some() {
        return false;
    }
    let behind = operators::behind(doc, index).map(|it| (it.text, 0));
    let before = operators::before(doc, index).map(|it| (it.text, 1));
    let around = [before, behind].into_iter().flatten();
    let mut around = around.filter(|(sign, _)| SIGNS.contains(sign));
    let takes_vector = |(sign, place): (&[u8], usize)| !is_of_dim3(cx, sign, place);
    around.any(takes_vector) || assigning(doc, index).is_some_and(|sign| takes_vector((sign, 1)))
}

/// `sum += threadIdx;`: the sign.
fn assigning<'d>(doc: &Document<'d>, index: TokenIndex) -> Option<&'d [u8]> {
    let sign = doc.bytes(doc.prev(index)?);
    matches!(sign, b"+=" | b"-=" | b"*=" | b"/=" | b"%=").then_some(sign)
}

/// Whether an operator of the project takes a `dim3` at a place, and none a `uint3`: `dim3 operator*(dim3 a, dim3 b)`.
fn is_of_dim3(cx: &Context<'_, '_>, sign: &[u8], place: usize) -> bool {
    let operators = cx.doc.fact(|doc| Operators::new(doc, cx));
    let types = operators.0.iter().filter(|it| it.sign == sign);
    let mut is_dim3 = false;
    for operator in types {
        let ty = operator.types.get(place).map_or("", |ty| ty.as_str());
        if ty.contains("uint3") {
            return false;
        }
        is_dim3 |= ty.contains("dim3");
    }
    is_dim3
}

/// The operators that a file and those around it declare.
struct Operators(Vec<Overload>);

struct Overload {
    sign: Vec<u8>,
    types: Vec<String>,
}

impl Operators {
    fn new(doc: &Document<'_>, cx: &Context<'_, '_>) -> Self {
        let own = doc.all("operator").filter_map(|at| {
            let sign = doc.next(at)?;
            let open = doc.next(sign).filter(|&it| doc.is(it, "("))?;
            let close = doc.matching_bracket(open)?;
            let types = split_arguments(doc, open + 1..close);
            let text = |tokens: Range<TokenIndex>| {
                let words = tokens.map(|at| String::from_utf8_lossy(doc.bytes(at)));
                words.collect::<Vec<_>>().join(" ")
            };
            Some(Overload {
                sign: doc.bytes(sign).to_vec(),
                types: types.into_iter().map(text).collect(),
            })
        });
        let mut all: Vec<Overload> = own.collect();
        let around = cx.project.placed_around(&doc.source.path);
        let others = around.values().flatten().map(|(_, placed)| placed);
        all.extend(others.filter_map(|placed| {
            let (_, sign) = placed.key.rsplit_once("operator")?;
            let sign = sign.split_whitespace().next()?;
            Some(Overload {
                sign: sign.as_bytes().to_vec(),
                types: types_of(&placed.types),
            })
        }));
        Self(all)
    }
}

/// The types of parameters as a declaration in another file has them.
fn types_of(written: &str) -> Vec<String> {
    let all = written.split(',').map(|it| it.trim().to_owned());
    all.filter(|it| !it.is_empty()).collect()
}
