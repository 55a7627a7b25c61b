//! Pointers to bytes in place of what clang does not count with: the casts that arithmetic on a `void *` needs.

use std::ops::Range;

use crate::analysis::unit::Unit;
use crate::cpp::calls::enclosing_parenthesis;
use crate::edit::{Edit, Fix};
use crate::syntax::{Document, TokenIndex, TokenKind};
use crate::text::keywords;

/// Whether something is added to, or taken from, the operand that consists of these tokens.
pub(crate) fn is_pointer_arithmetic(doc: &Document<'_>, operand: &Range<TokenIndex>) -> bool {
    let (Some(prev), Some(next)) = (doc.prev(operand.start), doc.next(operand.end - 1)) else {
        return false;
    };
    if matches!(
        doc.bytes(prev),
        b"." | b"->" | b"::" | b"*" | b"&" | b"!" | b"~"
    ) || doc.is(prev, ")") && !is_branch(doc, prev)
    {
        return false;
    }
    let is_binary = |sign: TokenIndex| {
        let left = doc.prev(sign);
        matches!(doc.bytes(sign), b"+" | b"-")
            && left.is_some_and(|at| {
                matches!(doc.bytes(at), b")" | b"]")
                    || matches!(doc.tokens[at].kind, TokenKind::Ident | TokenKind::Number)
                        && !keywords::is_no_part_of_type(doc.bytes(at))
            })
    };
    matches!(doc.bytes(next), b"+" | b"-" | b"+=" | b"-=" | b"++" | b"--")
        || matches!(doc.bytes(prev), b"++" | b"--")
        || is_binary(prev) && !matches!(doc.bytes(next), b"[" | b"(" | b"." | b"->")
}

/// Counts bytes from a pointer to something without a size; `None` where the type of what comes out matters to what is around it.
pub(crate) fn fix(cx: &Unit<'_, '_>, operand: Range<TokenIndex>, is_const: bool) -> Option<Fix> {
    let doc = cx.doc;
    let (place, last) = (operand.start, operand.end - 1);
    let (prev, next) = (doc.prev(place)?, doc.next(last)?);
    let range = doc.range(place, last);
    let name = cx.text_of(range);
    let bytes = as_bytes(cx, &name, is_const);
    let steps = |at: TokenIndex| matches!(doc.bytes(at), b"++" | b"--");
    if steps(next) {
        return stepped(doc, place..next + 1, next, &format!("{name} = {bytes}"));
    }
    if steps(prev) {
        return stepped(doc, prev..last + 1, prev, &format!("{name} = {bytes}"));
    }
    if matches!(doc.bytes(next), b"+=" | b"-=") {
        return assigned(cx, next, &bytes);
    }
    let initialised = doc.prev(prev).filter(|_| doc.is(prev, "="));
    let is_deduced = initialised.is_some_and(|at| {
        let ty = doc.prev(at).filter(|&star| doc.is(star, "*"));
        doc.prev_is(ty.unwrap_or(at), "auto")
    });
    // What has no type of its own would get another one.
    let is_printed = doc.is(prev, "<") && doc.is_before(prev, "<");
    if is_deduced || is_printed {
        return None;
    }
    Some(in_expression(cx, place, Edit::replace(range, bytes)))
}

/// `p++` as `p = bytes + 1`, where nothing reads its value.
fn stepped(doc: &Document<'_>, all: Range<TokenIndex>, step: TokenIndex, to: &str) -> Option<Fix> {
    let sign = if doc.is(step, "++") { '+' } else { '-' };
    let (first, last) = (all.start, all.end - 1);
    is_value_unused(doc, first, last).then(|| {
        let edit = Edit::replace(doc.range(first, last), format!("{to} {sign} 1"));
        Fix::safe(vec![edit])
    })
}

/// The fix of an operand with what takes its value: a cast that has to reinterpret now, a call whose parameter is not known.
fn in_expression(cx: &Unit<'_, '_>, place: TokenIndex, edit: Edit) -> Fix {
    let doc = cx.doc;
    let mut edits = vec![edit];
    let before = enclosing_parenthesis(doc, place).and_then(|open| doc.prev(open));
    let Some(before) = before else {
        return Fix::safe(edits);
    };
    if let Some(cast) = static_cast(doc, before) {
        let mut of = cast + 2..before;
        if !of.any(|at| matches!(doc.bytes(at), b"void" | b"char")) {
            edits.push(Edit::replace(cx.range(cast), "reinterpret_cast"));
        }
        return Fix::safe(edits);
    }
    let is_call = doc.is_ident(before) || doc.is(before, ">");
    if is_call && !takes_bytes(cx, before) {
        Fix::review(edits)
    } else {
        Fix::safe(edits)
    }
}

/// The `;`, `,` or `)` behind an expression.
pub(crate) fn end_of_expression(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let mut end = start;
    while !matches!(doc.bytes(end), b";" | b"," | b")") {
        end = match doc.bytes(end) {
            b"(" | b"[" | b"{" => doc.next(doc.matching_bracket(end)?)?,
            _ => doc.next(end)?,
        };
    }
    Some(end)
}

/// The word of a `static_cast<…>` that ends here.
fn static_cast(doc: &Document<'_>, angle: TokenIndex) -> Option<TokenIndex> {
    let words = doc.occurrences(b"static_cast", angle.saturating_sub(12)..angle);
    let mut words = words.rev();
    words.find(|&at| doc.template_close(at + 1) == Some(angle))
}

/// Whether `++p` or `p--` is a statement or the step of a loop.
fn is_value_unused(doc: &Document<'_>, first: TokenIndex, last: TokenIndex) -> bool {
    let (Some(prev), Some(next)) = (doc.prev(first), doc.next(last)) else {
        return false;
    };
    match doc.bytes(prev) {
        b";" | b"{" | b"}" | b"else" | b"do" => matches!(doc.bytes(next), b";" | b")" | b","),
        b")" => doc.is(next, ";") && is_branch(doc, prev),
        b"," => enclosing_parenthesis(doc, first).is_some_and(|open| doc.prev_is(open, "for")),
        _ => false,
    }
}

/// Whether a statement of its own stands behind this `)`.
fn is_branch(doc: &Document<'_>, close: TokenIndex) -> bool {
    let word = doc.matching_bracket(close).and_then(|open| doc.prev(open));
    word.is_some_and(|at| keywords::takes_condition(doc.bytes(at)))
}

/// `p += n` as `p = static_cast<char *>(p) + n`.
fn assigned(cx: &Unit<'_, '_>, sign: TokenIndex, bytes: &str) -> Option<Fix> {
    let doc = cx.doc;
    let first = doc.next(sign)?;
    let end = end_of_expression(doc, first)?;
    let last = doc.prev(end)?;
    let is_one =
        first == last || doc.is(first + 1, "(") && doc.matching_bracket(first + 1) == Some(last);
    let operator = if doc.is(sign, "+=") { '+' } else { '-' };
    let mut edits = vec![Edit::replace(
        cx.range(sign),
        format!("= {bytes} {operator}"),
    )];
    if !is_one {
        edits.push(Edit::insert(cx.range(first).start, "("));
        edits.push(Edit::insert(cx.range(last).end, ")"));
    }
    Some(Fix::safe(edits))
}

/// The pointer as one to bytes; headers may be read by C as well.
fn as_bytes(cx: &Unit<'_, '_>, name: &str, is_const: bool) -> String {
    let ty = if is_const { "const char *" } else { "char *" };
    match cx.doc.source.path.ends_with(".h") {
        true => format!("({ty}){name}"),
        false => format!("static_cast<{ty}>({name})"),
    }
}

/// Functions with a `void *` for their parameter, and words that look like calls: the type of what they are given does not matter.
fn takes_bytes(cx: &Unit<'_, '_>, callee: TokenIndex) -> bool {
    let word = cx.doc.bytes(callee);
    let is_control = keywords::takes_condition(word) || word == b"return";
    let is_of_c = [
        &b"mem"[..],
        b"fread",
        b"fwrite",
        b"read",
        b"write",
        b"free",
        b"printf",
        b"fprintf",
    ];
    is_control
        || is_of_c.iter().any(|start| word.starts_with(start))
        || cx.table().get(word).is_some() && !cx.is_own(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn at_x<T>(text: &str, ask: impl FnOnce(&Document<'_>, TokenIndex) -> T) -> T {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let at = doc.all("x").next().expect("the text has it");
        ask(&doc, at)
    }

    #[test]
    fn pointers_that_are_counted_with_have_a_sum_or_a_step() {
        for (text, expected) in [
            ("f(x + 1);", true),
            ("f(1 + x);", true),
            ("f(y - x);", true),
            ("{ x += 4; }", true),
            ("++x;", true),
            ("if (a) x++;", true),
            ("f(x);", false),
            ("f(-x);", false),
            ("f(*x + 1);", false),
            ("f(a.x + 1);", false),
            ("f((char *)x + 1);", false),
            ("f(1 + x[2]);", false),
            ("return -x;", false),
        ] {
            let found = at_x(text, |doc, at| is_pointer_arithmetic(doc, &(at..at + 1)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn expressions_end_where_their_brackets_and_statements_do() {
        for (text, end) in [
            ("f(x + g(1, 2), 3);", ","),
            ("y = x + g(1, 2);", ";"),
            ("f(g(1), x[a, b] + 1)", ")"),
            ("{ x; }", ";"),
        ] {
            at_x(text, |doc, at| {
                let found = end_of_expression(doc, at).map(|end| doc.bytes(end));
                assert_eq!(found, Some(end.as_bytes()), "{text}");
            });
        }
    }
}
