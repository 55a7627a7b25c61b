//! A texture or surface object that is used as a number, or as the other of the two.
//!
//! ## Why on AMD
//! `cudaTextureObject_t` and `cudaSurfaceObject_t` are one number of 64 bits. In HIP they are pointers to two classes: their bits cannot be
//! shifted, masked or put together, none is made in a variable that is declared as the other or as a number, and none is read by
//! `tex2D<float>(number, x, y)`.
//!
//! ## Example
//! ```cuda
//! unsigned low(cudaTextureObject_t texture) { return texture & 0xffffffff; }
//! struct Plane { cudaSurfaceObject_t texture; };    // cudaCreateTextureObject(&plane.texture, …)
//! ```
//! becomes
//! ```hip
//! unsigned low(hipTextureObject_t texture) { return reinterpret_cast<unsigned long long>(texture) & 0xffffffff; }
//! struct Plane { hipTextureObject_t texture; };
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `texture_types.h` of CUDA 13.0; `hip/texture_types.h` and `hip/surface_types.h` of ROCm 6.4.

use crate::cpp::declarations::{declaration, declared};
use crate::cpp::texture_objects::{Object, ObjectNames};
use crate::cpp::windows::DECLARATION;
use crate::mapping::name_lists;
use crate::rules::prelude::*;

/// Reads the bits as a number; reports where an object is made of bits.
pub static RULE: Rule = Rule {
    code: "CASS409",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[],
    checks: &[
        Check::Source(check),
        Check::Listed(|| &name_lists().image_instructions, check_fetch),
    ],
};

/// Types of numbers that programs keep an object in.
const NUMBERS: &[&str] = &["uint64_t", "size_t", "uintptr_t", "unsigned", "long"];

const TYPES: &[&str] = &[
    "cudaTextureObject_t",
    "cudaSurfaceObject_t",
    "CUtexObject",
    "CUsurfObject",
];
const OPERATORS: &[&str] = &["&", "|", "^", "%"];

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let types = doc.all_of(TYPES);
    if types.is_empty() {
        return;
    }
    let mut names: Vec<&[u8]> = Vec::new();
    let own = ObjectNames::new(doc);
    for at in types {
        if is_cast(doc, at) {
            check_cast(cx, at);
        }
        check_declaration(cx, &own, at);
        let name = doc.next(at).filter(|&name| doc.is_ident(name));
        names.extend(name.map(|name| doc.bytes(name)));
    }
    for at in doc.all_called(names) {
        check_operand(cx, at);
    }
}

/// `cudaSurfaceObject_t texture;` where some file makes a texture in it.
fn check_declaration(cx: &mut Context<'_, '_>, own: &ObjectNames, at: TokenIndex) {
    let doc = cx.doc;
    let name = doc.next(at).filter(|&name| doc.is_ident(name));
    let is_one = |&name: &TokenIndex| {
        let behind = doc.next(name).map(|behind| doc.bytes(behind));
        matches!(behind, Some(b";" | b"=" | b"{" | b"["))
    };
    let Some(name) = name.filter(is_one) else {
        return;
    };
    let made = |names: &ObjectNames| names.made_in(doc.bytes(name));
    let made = made(&cx.project.names().objects).or_else(|| made(own));
    let (other, what) = match (made, doc.bytes(at)) {
        (Some(Object::Texture), b"cudaSurfaceObject_t") => ("cudaTextureObject_t", "texture"),
        (Some(Object::Texture), b"CUsurfObject") => ("CUtexObject", "texture"),
        (Some(Object::Surface), b"cudaTextureObject_t") => ("cudaSurfaceObject_t", "surface"),
        (Some(Object::Surface), b"CUtexObject") => ("CUsurfObject", "surface"),
        _ => return,
    };
    let message = format!(
        "a {what} is made in `{}`: HIP has a type of its own for that",
        String::from_utf8_lossy(doc.bytes(name))
    );
    // PyTorch's build renames the type itself.
    let entry = cx.table().get(other.as_bytes()).filter(|_| !cx.is_torch());
    let written = entry.and_then(|it| it.entry.hip).unwrap_or(other);
    let edit = Edit::replace(cx.range(at), written);
    cx.report(
        RULE.finding(cx.range(at), message)
            .fix(Fix::safe(vec![edit])),
    );
}

/// `tex2D<float>(number, x, y)`, where the number holds an object.
fn check_fetch(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let call = doc
        .call(index)
        .filter(|call| call.template_arguments.is_some() && !call.split_by_directive);
    let Some(first) = call.and_then(|call| call.arguments.first().cloned()) else {
        return;
    };
    let is_own = doc.is(first.start, "this") && first.len() == 3;
    let name = if is_own { first.end - 1 } else { first.start };
    // A member may be declared behind the functions of its class.
    let declared_behind = |name: TokenIndex| {
        let mut others = doc.occurrences(doc.bytes(name), name + 1..doc.tokens.len());
        others.find_map(|at| declaration(doc, at))
    };
    let is_number = |name: TokenIndex| {
        let found = declared(doc, name).or_else(|| declared_behind(name));
        found.is_some_and(|found| found.pointers == 0 && found.is_any(NUMBERS))
    };
    if !(is_own || first.len() == 1) || cx.is_own_at(index) || !is_number(name) {
        return;
    }
    let object = match doc.bytes(index).starts_with(b"tex") {
        true => "cudaTextureObject_t",
        false => "cudaSurfaceObject_t",
    };
    // nvcc reads the code as it was, so that the name is HIP's for every build.
    let entry = cx.table().get(object.as_bytes());
    let written = entry.and_then(|it| it.entry.hip).unwrap_or(object);
    let range = doc.range(first.start, first.end - 1);
    let message = format!(
        "a number holds the object: HIP's `{}` takes a pointer",
        cx.text(index)
    );
    let edits = vec![
        Edit::insert(range.start, format!("reinterpret_cast<{written}>(")),
        Edit::insert(range.end, ")"),
    ];
    cx.report(RULE.finding(range, message).fix(Fix::safe(edits)));
}

/// `object & 1`, `object >> 32`.
fn check_operand(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let doc = cx.doc;
    let is_object =
        || declared(doc, at).is_some_and(|found| found.pointers == 0 && found.is_any(TYPES));
    if !is_computed_with(doc, at + 1) || doc.is_before(at, ".") || !is_object() {
        return;
    }
    let range = cx.range(at);
    let finding = RULE
        .finding(
            range,
            "the object is a pointer in HIP: integer arithmetic on it does not compile",
        )
        .fix(Fix::safe(vec![
            Edit::insert(range.start, "reinterpret_cast<unsigned long long>("),
            Edit::insert(range.end, ")"),
        ]));
    cx.report(finding);
}

/// `(cudaTextureObject_t)low | …`: what is put together has to be a number until it is whole.
fn check_cast(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let doc = cx.doc;
    let ends = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"," | b"}" | b"{");
    let behind = (at + 2..doc.tokens.len())
        .take(DECLARATION)
        .take_while(|&at| !ends(at));
    let is_put_together = behind
        .filter(|&at| !doc.is(at, "&"))
        .any(|at| is_computed_with(doc, at));
    if is_put_together {
        let finding = RULE
            .finding(
                cx.range(at),
                "the object is a pointer in HIP and cannot be constructed from an integer",
            )
            .severity(Severity::Error)
            .help("compute with `unsigned long long` and `reinterpret_cast` the result");
        cx.report(finding);
    }
}

fn is_cast(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is_before(at, "(") && doc.is(at + 1, ")")
}

/// Whether an operator on bits stands at `at`; `<<` and `>>` are two tokens.
fn is_computed_with(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_shift = |sign: &str| doc.is(at, sign) && doc.is(at + 1, sign) && !doc.is(at + 2, sign);
    OPERATORS.iter().any(|sign| doc.is(at, sign)) || is_shift("<") || is_shift(">")
}
