//! Where a built-in coordinate such as `threadIdx` stands as a whole, and which vector it has to be there.

use std::ops::Range;

use crate::cpp::calls::begun_argument;
use crate::cpp::declarations::{Declared, all_declared, declaration};
use crate::cpp::functions::{declares, named_function};
use crate::cpp::operators;
use crate::cpp::signature::Signature;
use crate::cpp::template_parameters::is_type_parameter;
use crate::syntax::{Document, Space, TokenIndex, flags};

/// Whether a coordinate, or a variable that holds one, stands where a `uint3` is meant.
pub(crate) fn takes_uint3(doc: &Document<'_>, index: TokenIndex) -> bool {
    initialises(doc, index, &["=", "(", "{"], |ty| ty == b"uint3")
        || is_returned(doc, index, |ty| ty == b"uint3")
        || is_assigned(doc, index)
        || is_passed(doc, index)
        || is_cast(doc, index)
        || makes_member(doc, index)
        || is_element(doc, index)
}

/// What makes the type that a coordinate has in CUDA.
pub(crate) fn type_in_cuda(doc: &Document<'_>, index: TokenIndex) -> &'static str {
    match doc.bytes(index) {
        b"blockDim" | b"gridDim" => "dim3",
        _ => "make_uint3",
    }
}

/// Whether a token is code for the device, or the text of a macro.
pub(crate) fn is_for_device(doc: &Document<'_>, index: TokenIndex) -> bool {
    doc.tokens[index].has(flags::DIRECTIVE) || {
        let mut around = doc.scopes().around(index);
        around.any(|function| function.space != Space::Host && function.body.contains(&index))
    }
}

/// `return threadIdx;` in a function whose result has such a type.
pub(crate) fn is_returned(
    doc: &Document<'_>,
    index: TokenIndex,
    is_type: impl Fn(&[u8]) -> bool,
) -> bool {
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
pub(crate) fn initialises(
    doc: &Document<'_>,
    index: TokenIndex,
    signs: &[&str],
    is_type: impl Fn(&[u8]) -> bool,
) -> bool {
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
fn is_assigned(doc: &Document<'_>, index: TokenIndex) -> bool {
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
    starts && declares(doc, doc.bytes(name), b"uint3", function)
}

/// `f(threadIdx)` where the file defines `f` with a `uint3` at that place.
fn is_passed(doc: &Document<'_>, index: TokenIndex) -> bool {
    let Some((callee, position)) = call_around(doc, index) else {
        return false;
    };
    let places = parameters_at(doc, callee, position);
    !places.is_empty()
        && places.iter().all(|place| {
            let mut tokens = place.iter().cloned().flatten();
            tokens.any(|at| doc.is(at, "uint3"))
        })
}

/// The name of the call around an argument and the argument's position.
fn call_around(doc: &Document<'_>, index: TokenIndex) -> Option<(TokenIndex, usize)> {
    let (callee, position) = begun_argument(doc, index)?;
    let argument = doc.call(callee)?.arguments.into_iter().nth(position)?;
    (argument.len() == 1).then_some((callee, position))
}

/// Of each function of the file that is called like the callee the parameter at a position, if it has one.
fn parameters_at(
    doc: &Document<'_>,
    callee: TokenIndex,
    position: usize,
) -> Vec<Option<Range<TokenIndex>>> {
    let name = doc.bytes(callee);
    let functions = doc.scopes().iter();
    let same = functions.filter(|it| it.name.is_some_and(|at| doc.bytes(at) == name));
    same.map(|function| {
        let parameters = function.name.and_then(|at| doc.call(at))?;
        parameters.arguments.get(position).cloned()
    })
    .collect()
}

/// `f(threadIdx)`, `f<1>(threadIdx)`: whether a template takes the type that it is given, and does more with it than read its members.
pub(crate) fn is_deduced(doc: &Document<'_>, index: TokenIndex) -> bool {
    let Some((callee, position)) = call_around(doc, index) else {
        return false;
    };
    let mut places = parameters_at(doc, callee, position).into_iter().peekable();
    places.peek().is_some()
        && places.all(|place| place.is_some_and(|place| is_of_any_type(doc, place)))
}

/// Whether a parameter has the type that a template is given, and is more than read by its members.
fn is_of_any_type(doc: &Document<'_>, parameter: Range<TokenIndex>) -> bool {
    let Some(name) = parameter.end.checked_sub(1) else {
        return false;
    };
    let mut words = parameter.filter(|&at| doc.is_ident(at) && at != name && !doc.is(at, "const"));
    let (Some(ty), None) = (words.next(), words.next()) else {
        return false;
    };
    if !is_type_parameter(doc, name, doc.bytes(ty)) {
        return false;
    }
    let Some(function) = doc.scopes().enclosing(name) else {
        return false;
    };
    let in_function = |word: TokenIndex, from: TokenIndex| {
        doc.occurrences(doc.bytes(word), from..function.body.end)
    };
    let is_named = in_function(ty, function.head.start).any(|at| at != ty && is_type_used(doc, at));
    is_named || in_function(name, name + 1).any(|at| !is_read(doc, at))
}

/// Whether the type of a template's parameter is named otherwise than where it is declared.
fn is_type_used(doc: &Document<'_>, at: TokenIndex) -> bool {
    !doc.is_before(at, "class") && !doc.is_before(at, "typename")
}

/// `t.x` whose value is read.
fn is_read(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(member) = doc.next(at).filter(|&dot| doc.is(dot, ".")) else {
        return false;
    };
    let is_write = |it: TokenIndex| {
        let sign = doc.bytes(it);
        let compares = matches!(sign, b"==" | b"!=" | b"<=" | b">=");
        sign.ends_with(b"=") && !compares || matches!(sign, b"++" | b"--")
    };
    let behind = doc.next(member + 1);
    let before = doc.prev(at);
    let is_address = before.is_some_and(|it| doc.is(it, "&") && operators::is_prefix(doc, it));
    let is_stepped = before.is_some_and(|it| matches!(doc.bytes(it), b"++" | b"--"));
    !(behind.is_some_and(is_write) || is_stepped || is_address)
}

/// `auto t = threadIdx;`, `[t = threadIdx]`: whether the variable is written to below, or stands where a `uint3` is meant.
pub(crate) fn is_changed(doc: &Document<'_>, index: TokenIndex) -> bool {
    let sign = doc.prev(index).filter(|&at| doc.is(at, "="));
    let name = sign
        .and_then(|at| doc.prev(at))
        .filter(|&at| doc.is_ident(at));
    let (Some(name), Some(function)) = (name, named_function(doc, index)) else {
        return false;
    };
    let is_made = doc
        .prev(name)
        .is_some_and(|at| matches!(doc.bytes(at), b"auto" | b"[" | b","));
    let is_index = matches!(doc.bytes(index), b"threadIdx" | b"blockIdx");
    let mut uses = doc.occurrences(doc.bytes(name), index + 1..function.body.end);
    is_made
        && uses.any(|at| match doc.next_is(at, ".") {
            true => !is_read(doc, at),
            false => is_index && takes_uint3(doc, at),
        })
}

/// `auto [x, y, z] = threadIdx;`
pub(crate) fn is_bound(doc: &Document<'_>, index: TokenIndex) -> bool {
    let sign = doc.prev(index).filter(|&at| doc.is(at, "="));
    let close = sign
        .and_then(|at| doc.prev(at))
        .filter(|&at| doc.is(at, "]"));
    let open = close.and_then(|at| doc.matching_bracket(at));
    open.is_some_and(|at| doc.is_before(at, "auto"))
}

/// `c ? threadIdx : blockIdx`: the vector that both values are.
pub(crate) fn of_alternatives(doc: &Document<'_>, index: TokenIndex) -> Option<&'static str> {
    let before = doc.prev(index)?;
    let (question, other) = match doc.bytes(before) {
        b"?" => (
            before,
            doc.next(doc.next(index).filter(|&at| doc.is(at, ":"))?)?,
        ),
        b":" => (question_of(doc, before)?, doc.prev(before)?),
        _ => return None,
    };
    let is_same = doc.bytes(other) == doc.bytes(index) && !doc.next_is(other, ".");
    let is_dim3 = matches!(doc.bytes(index), b"blockDim" | b"gridDim");
    let is_other_dim3 = matches!(doc.bytes(other), b"blockDim" | b"gridDim");
    if is_same || is_dim3 && !is_other_dim3 {
        return None;
    }
    match is_dim3 || is_for_dim3(doc, question) {
        true => Some("dim3"),
        false => Some("make_uint3"),
    }
}

/// The `?` of a `:`.
fn question_of(doc: &Document<'_>, colon: TokenIndex) -> Option<TokenIndex> {
    // Longer expressions nobody writes.
    const LONGEST: usize = 60;
    let mut at = colon;
    for _ in 0..LONGEST {
        at = doc.prev(at)?;
        match doc.bytes(at) {
            b"?" => return Some(at),
            b")" | b"]" => at = doc.matching_bracket(at)?,
            b";" | b"{" | b"}" | b"(" | b"case" | b":" => return None,
            _ => {}
        }
    }
    None
}

/// `dim3 t = c ? …`
fn is_for_dim3(doc: &Document<'_>, question: TokenIndex) -> bool {
    const LONGEST: usize = 60;
    let ends = |at: &TokenIndex| matches!(doc.bytes(*at), b";" | b"{" | b"}");
    let first = question.saturating_sub(LONGEST);
    let first = (first..question).rev().find(ends).unwrap_or(first);
    (first..question).any(|at| doc.is(at, "dim3") && doc.is_ident(at + 1) && doc.is(at + 2, "="))
}

/// `uint3(threadIdx)`, `(uint3)threadIdx`, `static_cast<uint3>(threadIdx)`
pub(crate) fn is_cast(doc: &Document<'_>, index: TokenIndex) -> bool {
    let Some(before) = doc.prev(index) else {
        return false;
    };
    let word = before.checked_sub(1);
    match doc.bytes(before) {
        b"(" | b"{" => word.is_some_and(|at| {
            let is_whole = doc.next(index) == doc.matching_bracket(before);
            let is_angled = doc.is(at, ">") && doc.is_before(at, "uint3");
            is_whole && (doc.is(at, "uint3") || is_angled && doc.is_before(at - 1, "<"))
        }),
        b")" => word.is_some_and(|at| doc.is(at, "uint3") && doc.is_before(at, "(")),
        _ => false,
    }
}

/// `T() : place(threadIdx)` where the file declares the member as a `uint3`.
fn makes_member(doc: &Document<'_>, index: TokenIndex) -> bool {
    let open = doc.prev(index).filter(|&at| {
        matches!(doc.bytes(at), b"(" | b"{") && doc.matching_bracket(at) == doc.next(index)
    });
    let name = open
        .and_then(|at| doc.prev(at))
        .filter(|&at| doc.is_ident(at));
    name.is_some_and(|name| {
        let follows = doc
            .prev(name)
            .is_some_and(|at| matches!(doc.bytes(at), b":" | b","));
        let is_uint3 = |it: &Declared<'_>| it.is_any(&["uint3"]) && it.pointers == 0;
        let declared = || all_declared(doc, name).is_some_and(|all| all.iter().all(is_uint3));
        // Nothing calls a variable of that type.
        follows && declared()
    })
}

/// `uint3 both[] = {threadIdx, blockIdx}`, `Place place{threadIdx, 1}` with a `uint3` as that member.
fn is_element(doc: &Document<'_>, index: TokenIndex) -> bool {
    let Some((open, position)) = list_around(doc, index) else {
        return false;
    };
    let Some(mut before) = doc.prev(open) else {
        return false;
    };
    if doc.is(before, "=") {
        before = before.saturating_sub(1);
    }
    let is_array = doc.is(before, "]");
    if let Some(bracket) = doc.matching_bracket(before).filter(|_| is_array) {
        let name = doc.prev(bracket);
        return name.is_some_and(|name| doc.is_before(name, "uint3"));
    }
    let of_class = |at: TokenIndex| member_is_uint3(doc, doc.bytes(at), position);
    let ty = doc.prev(before).filter(|&at| doc.is_ident(at));
    doc.is_ident(before) && (of_class(before) || ty.is_some_and(of_class))
}

/// The `{` of a list in which a token is one whole value, and at which position.
fn list_around(doc: &Document<'_>, index: TokenIndex) -> Option<(TokenIndex, usize)> {
    const LONGEST: usize = 60;
    let (mut at, mut position) = (doc.prev(index)?, 0);
    if !matches!(doc.bytes(at), b"{" | b",") {
        return None;
    }
    for _ in 0..LONGEST {
        match doc.bytes(at) {
            b"{" => return Some((at, position)),
            b"," => position += 1,
            b")" | b"]" | b"}" => at = doc.matching_bracket(at)?,
            b";" | b"(" | b"[" => return None,
            _ => {}
        }
        at = doc.prev(at)?;
    }
    None
}

/// Whether a structure of the file has a `uint3` as its member at a position.
fn member_is_uint3(doc: &Document<'_>, class: &[u8], position: usize) -> bool {
    let mut classes = doc.occurrences(class, 0..doc.tokens.len());
    let Some(name) = classes.find(|&at| {
        (doc.is_before(at, "struct") || doc.is_before(at, "class")) && doc.next_is(at, "{")
    }) else {
        return false;
    };
    let Some(close) = doc.matching_bracket(name + 1) else {
        return false;
    };
    let mut at = name + 2;
    let mut members = Vec::new();
    while at < close && members.len() <= position {
        match doc.bytes(at) {
            // Functions, bodies and values are no members.
            b"(" => return false,
            b"{" | b"[" => at = doc.matching_bracket(at).unwrap_or(at),
            _ if doc.is_ident(at) => members.extend(declaration(doc, at)),
            _ => {}
        }
        at += 1;
    }
    members
        .get(position)
        .is_some_and(|it| it.is_any(&["uint3"]) && it.pointers == 0)
}
