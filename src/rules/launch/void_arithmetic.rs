//! Arithmetic on a `void *`.
//!
//! ## Why on AMD
//! g++, and nvcc with it, counts bytes where something is added to a `void *`, and takes `sizeof(void)` for 1. In C++ that is an error
//! of clang, which HIP is built on.
//!
//! ## Example
//! ```cuda
//! void *rest = buffer + offset;
//! buffer += offset;
//! ```
//! becomes
//! ```hip
//! void *rest = static_cast<char *>(buffer) + offset;
//! buffer = static_cast<char *>(buffer) + offset;
//! ```
//!
//! ## When to ignore
//! When the file is compiled as C.
//!
//! ## Source
//! GCC manual, arithmetic on void- and function-pointers; compiled with g++ 12 and clang 19: "arithmetic on a pointer to void".

use super::declared;
use super::prelude::*;

/// Names the bytes that are counted.
pub static RULE: Rule = Rule {
    code: "CASS121",
    name: "void-arithmetic",
    group: Group::Launch,
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    since: "0.1.0",
    priority: 40,
    triggers: &[Trigger::Idents(&["void"])],
    check,
};

const HELP: &str = "write `static_cast<char *>(pointer)` where bytes are counted";

/// A variable or parameter that is a `void *`.
struct Pointer<'d> {
    name: TokenIndex,
    word: &'d [u8],
    is_const: bool,
}

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(void) = at else { return };
    if cx.doc.tokens[void].has(flags::DIRECTIVE) || cx.doc.source.path.ends_with(".c") {
        return;
    }
    if cx.doc.is_before(void, "(") && cx.doc.is(void + 1, ")") && void > 1 {
        if cx.doc.is_before(void - 1, "sizeof") {
            let whole = cx.doc.range(void - 2, void + 1);
            let finding = RULE.finding(whole, "`sizeof(void)` is 1 for g++ and an error of clang");
            cx.report(finding.fix(Fix::safe(vec![Edit::replace(whole, "1")])));
        }
        return;
    }
    let doc = cx.doc;
    for pointer in pointers(doc, void) {
        let uses = doc.occurrences(pointer.word, pointer.name + 1..doc.tokens.len());
        for place in uses.filter(|&at| counts(doc, at) && means(doc, at, &pointer)) {
            let finding = finding(cx, place, &pointer);
            cx.report(finding);
        }
    }
}

/// The names of `void *name, *other`, where they are variables or parameters.
fn pointers<'d>(doc: &Document<'d>, void: TokenIndex) -> Vec<Pointer<'d>> {
    let behind = |at: TokenIndex| doc.next(at).unwrap_or(at);
    let mut star = behind(void);
    let mut is_const = doc.prev_is(void, "const");
    if doc.is(star, "const") {
        (is_const, star) = (true, behind(star));
    }
    let mut found = Vec::new();
    while let Some(name) = declarator(doc, star) {
        found.push(Pointer {
            name,
            word: doc.bytes(name),
            is_const,
        });
        let end = if enclosing_parenthesis(doc, void).is_none() {
            end_of_expression(doc, name)
        } else {
            None
        };
        match end.filter(|&end| doc.is(end, ",")) {
            Some(comma) => star = behind(comma),
            None => break,
        }
    }
    found
}

/// The name in `*name`, `* const name`.
fn declarator(doc: &Document<'_>, star: TokenIndex) -> Option<TokenIndex> {
    let mut name = doc.next(star).filter(|_| doc.is(star, "*"))?;
    while matches!(
        doc.bytes(name),
        b"const" | b"__restrict__" | b"__restrict" | b"restrict"
    ) {
        name = doc.next(name)?;
    }
    let next = doc.next(name).filter(|_| doc.is_ident(name))?;
    matches!(doc.bytes(next), b"=" | b";" | b"," | b")" | b"{").then_some(name)
}

/// The `;`, `,` or `)` behind an expression.
fn end_of_expression(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let mut end = start;
    while !matches!(doc.bytes(end), b";" | b"," | b")") {
        end = match doc.bytes(end) {
            b"(" | b"[" | b"{" => doc.next(doc.partner(end)?)?,
            _ => doc.next(end)?,
        };
    }
    Some(end)
}

/// Whether something is added to, or taken from, the name at a place.
fn counts(doc: &Document<'_>, place: TokenIndex) -> bool {
    let (Some(prev), Some(next)) = (doc.prev(place), doc.next(place)) else {
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
                        && !declared::is_statement_word(doc.bytes(at))
            })
    };
    matches!(doc.bytes(next), b"+" | b"-" | b"+=" | b"-=" | b"++" | b"--")
        || matches!(doc.bytes(prev), b"++" | b"--")
        || is_binary(prev) && !matches!(doc.bytes(next), b"[" | b"(" | b"." | b"->")
}

/// Whether the name at a place is that pointer, in every build.
fn means(doc: &Document<'_>, place: TokenIndex, pointer: &Pointer<'_>) -> bool {
    let found = declared::declared(doc, place);
    let (declared, used) = (doc.tokens[pointer.name].start, doc.tokens[place].start);
    let is_parameter = |function: &crate::syntax::FunctionScope| {
        function
            .head
            .contains(&pointer.name)
            .then(|| function.body.clone())
    };
    let parameters = doc.scopes().around(pointer.name).find_map(is_parameter);
    let reach = parameters.or_else(|| {
        let open = doc.braces_around(pointer.name).next()?;
        Some(open..doc.partner(open)?)
    });
    found.is_some_and(|found| found.name == pointer.name && found.pointers == 1)
        && doc.branches.dominates(declared, used)
        && reach.is_none_or(|reach| reach.contains(&place))
}

fn finding(cx: &Context<'_, '_>, place: TokenIndex, pointer: &Pointer<'_>) -> Finding {
    let name = cx.text(place);
    let message = format!("clang does not count on a `void *`, as g++ does with `{name}`");
    let finding = RULE.finding(cx.range(place), message);
    match edits(cx, place, pointer) {
        Some(fix) if fix.applicability == Applicability::Review => finding
            .severity(Severity::Warning)
            .help("what is passed is a `char *` now; see that the function takes it as a `void *`")
            .fix(fix),
        Some(fix) => finding.fix(fix),
        None => finding.severity(Severity::Error).help(HELP),
    }
}

fn edits(cx: &Context<'_, '_>, place: TokenIndex, pointer: &Pointer<'_>) -> Option<Fix> {
    let doc = cx.doc;
    let (prev, next) = (doc.prev(place)?, doc.next(place)?);
    let name = cx.text(place);
    let bytes = as_bytes(cx, pointer, &name);
    let steps = |at: TokenIndex| matches!(doc.bytes(at), b"++" | b"--");
    if steps(next) || steps(prev) {
        let (first, last) = if steps(next) {
            (place, next)
        } else {
            (prev, place)
        };
        let sign = if doc.is(if steps(next) { next } else { prev }, "++") {
            '+'
        } else {
            '-'
        };
        let text = format!("{name} = {bytes} {sign} 1");
        return is_value_unused(doc, first, last)
            .then(|| Fix::safe(vec![Edit::replace(doc.range(first, last), text)]));
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
    let mut edits = vec![Edit::replace(cx.range(place), bytes)];
    let Some(open) = enclosing_parenthesis(doc, place) else {
        return Some(Fix::safe(edits));
    };
    let before = doc.prev(open)?;
    if let Some(cast) = static_cast(doc, before) {
        let mut of = cast + 2..before;
        if !of.any(|at| matches!(doc.bytes(at), b"void" | b"char")) {
            edits.push(Edit::replace(cx.range(cast), "reinterpret_cast"));
        }
        return Some(Fix::safe(edits));
    }
    let is_call = doc.is_ident(before) || doc.is(before, ">");
    Some(if is_call && !takes_bytes(cx, before) {
        Fix::review(edits)
    } else {
        Fix::safe(edits)
    })
}

/// The `(` around a token that nothing else closes before.
fn enclosing_parenthesis(doc: &Document<'_>, place: TokenIndex) -> Option<TokenIndex> {
    let mut at = place;
    loop {
        at = doc.prev(at)?;
        match doc.bytes(at) {
            b")" | b"]" | b"}" => at = doc.partner(at)?,
            b"(" => return Some(at),
            b"{" => return None,
            _ => {}
        }
    }
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
    let word = doc.partner(close).and_then(|open| doc.prev(open));
    word.is_some_and(|at| matches!(doc.bytes(at), b"if" | b"for" | b"while"))
}

/// `p += n` as `p = static_cast<char *>(p) + n`.
fn assigned(cx: &Context<'_, '_>, sign: TokenIndex, bytes: &str) -> Option<Fix> {
    let doc = cx.doc;
    let first = doc.next(sign)?;
    let end = end_of_expression(doc, first)?;
    let last = doc.prev(end)?;
    let is_one = first == last || doc.is(first + 1, "(") && doc.partner(first + 1) == Some(last);
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
fn as_bytes(cx: &Context<'_, '_>, pointer: &Pointer<'_>, name: &str) -> String {
    let ty = if pointer.is_const {
        "const char *"
    } else {
        "char *"
    };
    match cx.doc.source.path.ends_with(".h") {
        true => format!("({ty}){name}"),
        false => format!("static_cast<{ty}>({name})"),
    }
}

/// Functions with a `void *` for their parameter, and words that look like calls: the type of what they are given does not matter.
fn takes_bytes(cx: &Context<'_, '_>, callee: TokenIndex) -> bool {
    let word = cx.doc.bytes(callee);
    let is_control = matches!(word, b"if" | b"while" | b"for" | b"switch" | b"return");
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
