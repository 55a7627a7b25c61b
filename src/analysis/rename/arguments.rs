//! What the tables say about the arguments of a call, as edits.

use crate::analysis::unit::Unit;
use crate::cpp::declarations::{Declared, all_declared, declared};
use crate::edit::Edit;
use crate::mapping::{ArgEdit, Verb};
use crate::syntax::{Call, TokenIndex, TokenKind};
use crate::text::TextRange;

pub(super) fn fits(cx: &Unit<'_, '_>, call: &Call, edit: &ArgEdit<'_>) -> bool {
    let arity = call.arguments.len();
    let at = usize::from(edit.at);
    // What is computed twice must do nothing else.
    let calls_nothing = |position: usize| {
        let mut tokens = call.arguments[position].clone();
        tokens.all(|at| !matches!(cx.doc.bytes(at), b"(" | b"{" | b"=" | b"++" | b"--"))
    };
    match edit.verb {
        Verb::Insert(_) => at <= arity,
        Verb::Copy(from) => {
            at <= arity && usize::from(from) < arity && calls_nothing(usize::from(from))
        }
        Verb::Move(to) => at < arity && usize::from(to) <= arity,
        _ => at < arity,
    }
}

/// Puts an opening in front of a range and a parenthesis behind it.
fn wrapped(range: TextRange, open: String) -> [Edit; 2] {
    [
        Edit::insert(range.start, open),
        Edit::insert(range.end, ")"),
    ]
}

pub(super) fn argument(
    cx: &Unit<'_, '_>,
    call: &Call,
    all: &[ArgEdit<'static>],
    edit: &ArgEdit<'static>,
    edits: &mut Vec<Edit>,
) {
    let at = usize::from(edit.at);
    let range = call.argument(cx.doc, at);
    match (&edit.verb, range) {
        (Verb::Insert(text), _) => edits.push(insertion(cx, call, at, text).0),
        (Verb::Copy(from), _) => {
            if let Some(range) = call.argument(cx.doc, usize::from(*from)) {
                edits.push(moved(cx, call, at, range));
            }
        }
        (Verb::Cast(ty), Some(range))
            if !is_cast(&cx.text_of(range), ty) && !is_declared_as(cx, &call.arguments[at], ty) =>
        {
            let open = match cx.doc.source.path.ends_with(".c") {
                true => format!("({ty})("),
                false => format!("reinterpret_cast<{ty}>("),
            };
            edits.extend(wrapped(range, open));
        }
        (Verb::Wrap(with), Some(range)) if needs_wrap(cx, call, at, with, range) => {
            edits.extend(wrapped(range, format!("{with}(")));
        }
        (Verb::Drop, _) => edits.push(deleted_argument(cx, call, all, at)),
        (Verb::Replace { text, when, of }, Some(range))
            if when.is_none_or(|when| {
                let asked = of.map_or(Some(range), |of| call.argument(cx.doc, usize::from(of)));
                asked.is_some_and(|asked| reads_the_same(&cx.text_of(asked), when))
            }) =>
        {
            edits.push(Edit::replace(range, *text).without(range));
        }
        (Verb::Move(to), Some(range)) => {
            let moved = moved(cx, call, usize::from(*to), range);
            let is_carried = !moved.moved().is_empty();
            edits.push(moved);
            edits.push(match is_carried {
                true => deleted_argument(cx, call, all, at),
                false => Edit::delete(dropped(cx, call, all, at)),
            });
        }
        _ => {}
    }
}

/// Puts an argument in front of the one at a position, or behind the last; and where its text starts in what is inserted.
fn insertion(cx: &Unit<'_, '_>, call: &Call, at: usize, text: &str) -> (Edit, usize) {
    match (
        call.argument(cx.doc, at),
        call.arguments.last().filter(|last| !last.is_empty()),
    ) {
        (Some(range), _) => {
            let edit = Edit::insert(lead(cx, range.start), format!("{text}, "));
            (edit, 0)
        }
        (None, Some(last)) => {
            let edit = Edit::insert(cx.range(last.end - 1).end, format!(", {text}"));
            (edit, 2)
        }
        (None, None) => (Edit::insert(cx.range(call.close).start, text.to_owned()), 0),
    }
}

/// Puts the argument in `from` in front of the one at a position, with whatever other rules make of it.
fn moved(cx: &Unit<'_, '_>, call: &Call, to: usize, from: TextRange) -> Edit {
    let text = cx.text_of(from);
    let (edit, at) = insertion(cx, call, to, &text);
    // Bytes that are no text have another length as text.
    match text.len() == from.len() as usize {
        true => edit.moving(at, from),
        false => edit,
    }
}

/// Takes an argument out, whatever other rules make of it.
fn deleted_argument(cx: &Unit<'_, '_>, call: &Call, all: &[ArgEdit<'_>], at: usize) -> Edit {
    let range = dropped(cx, call, all, at);
    let edit = Edit::delete(range);
    match call.argument(cx.doc, at) {
        Some(code) if range.contains(code) => edit.without(code),
        _ => edit,
    }
}

/// The bytes of an argument that goes, with the comma that goes with it: the one behind it, or the one in front if nothing behind it stays.
fn dropped(cx: &Unit<'_, '_>, call: &Call, all: &[ArgEdit<'_>], at: usize) -> TextRange {
    let goes = |position: usize| {
        all.iter().any(|edit| {
            usize::from(edit.at) == position && matches!(edit.verb, Verb::Drop | Verb::Move(_))
        })
    };
    let stays_behind = (at + 1..call.arguments.len()).any(|position| !goes(position));
    let start_of = |position: usize| lead(cx, cx.range(call.arguments[position].start).start);
    let end_of = |position: usize| cx.range(call.arguments[position].end - 1).end;
    if stays_behind {
        TextRange::new(start_of(at), start_of(at + 1))
    } else {
        TextRange::new(
            if at == 0 { start_of(0) } else { end_of(at - 1) },
            end_of(at),
        )
    }
}

/// Where an argument begins with the comments that stand in front of it on its line: `/*format=*/NCHW`.
fn lead(cx: &Unit<'_, '_>, argument: u32) -> u32 {
    let bytes = &cx.doc.source.bytes;
    let mut start = argument;
    loop {
        let blanks = bytes[..start as usize].iter().rev();
        let blanks = blanks.take_while(|byte| matches!(byte, b' ' | b'\t'));
        let end = start - blanks.count() as u32;
        let before = cx.doc.comments.partition_point(|it| it.end() <= end);
        match before.checked_sub(1).map(|at| &cx.doc.comments[at]) {
            Some(comment) if comment.end() == end && comment.kind != TokenKind::LineComment => {
                start = comment.start;
            }
            _ => return start,
        }
    }
}

fn is_cast(argument: &str, ty: &str) -> bool {
    let bare: String = argument.chars().filter(|c| !c.is_whitespace()).collect();
    let wanted: String = ty.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = wanted.replace("const", "");
    // `((void*)k)` in a macro is one as well.
    let inner = bare.trim_start_matches('(');
    [&wanted, &plain]
        .iter()
        .any(|ty| bare.starts_with('(') && inner.starts_with(&format!("{ty})")))
        || bare.starts_with(&format!("reinterpret_cast<{wanted}>"))
        || matches!(bare.as_str(), "NULL" | "nullptr" | "0")
}

/// Whether this file declares the variable or member that an argument is, or is the address of, with the very type that it is to be
/// cast to, which may have a const more.
fn is_declared_as(cx: &Unit<'_, '_>, argument: &std::ops::Range<TokenIndex>, ty: &str) -> bool {
    let doc = cx.doc;
    let is_address = doc.is(argument.start, "&");
    let (first, last) = (argument.start + usize::from(is_address), argument.end - 1);
    let is_part = |at| doc.is_ident(at) || doc.is(at, ".") || doc.is(at, "->");
    if first > last || !doc.is_ident(last) || !(first..=last).all(is_part) {
        return false;
    }
    let of_type = |found: &Declared<'_>| {
        let is_const = |word: &&&[u8]| **word == b"const";
        let (words, stars) = ty.split_at(ty.find('*').unwrap_or(ty.len()));
        let wanted: Vec<&[u8]> = words.split_whitespace().map(str::as_bytes).collect();
        let bare = |words: &[&[u8]]| -> Vec<Vec<u8>> {
            let plain = words.iter().filter(|word| !is_const(word));
            plain.map(|word| word.to_vec()).collect()
        };
        let adds_const_alone = wanted.iter().any(|word| is_const(&word))
            || !found.words.iter().any(|word| is_const(&word));
        bare(&found.words) == bare(&wanted)
            && adds_const_alone
            && found.pointers + usize::from(is_address) == stars.trim().len()
    };
    match first == last {
        true => declared(doc, last).is_some_and(|found| of_type(&found)),
        false => match all_declared(doc, last) {
            Some(all) => all.iter().all(of_type),
            None => ty.ends_with('*') && is_void_member(cx, first, last, ty, is_address),
        },
    }
}

/// Whether `spec.kernel`, or its address, is what the tree says of that class: a pointer to anything.
fn is_void_member(
    cx: &Unit<'_, '_>,
    object: TokenIndex,
    member: TokenIndex,
    ty: &str,
    is_address: bool,
) -> bool {
    let doc = cx.doc;
    let stars = ty.bytes().filter(|&byte| byte == b'*').count();
    let is_direct = member == object + 2 && stars == 1 + usize::from(is_address);
    let class = declared(doc, object).and_then(|found| found.words.last().copied());
    let members = &cx.project.names().void_members;
    let is_const = class.and_then(|class| members.of(class, doc.bytes(member)));
    is_direct && is_const.is_some_and(|is_const| !is_const || ty.starts_with("const "))
}

/// Whether an argument is not written so already, and a cast from const is not about a variable without.
fn needs_wrap(cx: &Unit<'_, '_>, call: &Call, at: usize, with: &str, range: TextRange) -> bool {
    let text = cx.text_of(range);
    let is_free =
        || is_cast(&text, &with[1..with.len() - 1]) || is_variable(cx, &call.arguments[at]);
    !(text.starts_with(with) || takes_const_away(with) && is_free())
}

/// Whether a cast is for pointers to what is const: `(void*)`.
fn takes_const_away(with: &str) -> bool {
    with.starts_with('(') && with.ends_with("*)") && !with.starts_with("(const ")
}

/// Whether an argument is a pointer to, or the address of, what this file is seen to declare without const.
fn is_variable(cx: &Unit<'_, '_>, argument: &std::ops::Range<TokenIndex>) -> bool {
    let doc = cx.doc;
    let is_address = doc.is(argument.start, "&");
    let name = argument.start + usize::from(is_address);
    if argument.end != name + 1 || !doc.is_ident(name) {
        return false;
    }
    let is_const = |word: &&[u8]| matches!(*word, b"const" | b"constexpr" | b"auto");
    declared(doc, name).is_some_and(|found| {
        is_address == (found.pointers == 0) && !found.words.iter().any(is_const)
    })
}

fn reads_the_same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{applied, first, of_tree};
    use crate::options::Options;

    /// The call of `f` in a text with one edit of its arguments made; `None` if the edit does not fit it.
    fn made(path: &str, text: &str, at: u8, verb: Verb<'static>) -> Option<String> {
        of_tree(&[(path, text)], Options::default(), |cx| {
            let call = cx.doc.call(first(cx, "f")).expect("it is called");
            let all = [ArgEdit { at, verb }];
            let is_fitting = fits(cx, &call, &all[0]);
            let mut edits = Vec::new();
            if is_fitting {
                argument(cx, &call, &all, &all[0], &mut edits);
            }
            is_fitting.then(|| applied(cx, &edits))
        })
    }

    #[test]
    fn arguments_come_in_front_of_their_place_or_last() {
        for (text, at, expected) in [
            ("f(a, b);", 0, Some("f(0, a, b);")),
            ("f(a, b);", 1, Some("f(a, 0, b);")),
            ("f(a, b);", 2, Some("f(a, b, 0);")),
            ("f(a, b);", 3, None),
            ("f();", 0, Some("f(0);")),
            ("f(a,\r\n  b);", 1, Some("f(a,\r\n  0, b);")),
            // A comment goes on speaking of what it stands in front of.
            ("f(a, /* size */ b);", 1, Some("f(a, 0, /* size */ b);")),
            ("f(g(a, b), c);", 1, Some("f(g(a, b), 0, c);")),
        ] {
            let found = made("a.cu", text, at, Verb::Insert("0"));
            assert_eq!(found.as_deref(), expected, "{text} {at}");
        }
    }

    #[test]
    fn arguments_go_with_one_comma() {
        for (text, at, expected) in [
            ("f(a, b, c);", 0, Some("f(b, c);")),
            ("f(a, b, c);", 1, Some("f(a, c);")),
            ("f(a, b, c);", 2, Some("f(a, b);")),
            ("f(a);", 0, Some("f();")),
            ("f(a, /* size */ b, c);", 1, Some("f(a, c);")),
            ("f(a, b, /* size */ c);", 1, Some("f(a, /* size */ c);")),
            ("f(a, b);", 2, None),
        ] {
            let found = made("a.cu", text, at, Verb::Drop);
            assert_eq!(found.as_deref(), expected, "{text} {at}");
        }
    }

    #[test]
    fn arguments_are_written_another_way() {
        for (path, text, verb, expected) in [
            (
                "a.cu",
                "f(k);",
                Verb::Cast("const void*"),
                "f(reinterpret_cast<const void*>(k));",
            ),
            (
                "a.c",
                "f(k);",
                Verb::Cast("const void*"),
                "f((const void*)(k));",
            ),
            (
                "a.cu",
                "f((const void *)k);",
                Verb::Cast("const void*"),
                "f((const void *)k);",
            ),
            (
                "a.cu",
                "f((void*) k);",
                Verb::Cast("const void*"),
                "f((void*) k);",
            ),
            (
                "a.cu",
                "f(((void*)k<T, 3>));",
                Verb::Cast("const void*"),
                "f(((void*)k<T, 3>));",
            ),
            (
                "a.cu",
                "void *k; f(k);",
                Verb::Cast("const void*"),
                "void *k; f(k);",
            ),
            (
                "a.cu",
                "float *k; f(k);",
                Verb::Cast("const void*"),
                "float *k; f(reinterpret_cast<const void*>(k));",
            ),
            (
                "a.cu",
                "void *k; f(&k);",
                Verb::Cast("void**"),
                "void *k; f(&k);",
            ),
            (
                "a.cu",
                "const void *k; f(&k);",
                Verb::Cast("void**"),
                "const void *k; f(reinterpret_cast<void**>(&k));",
            ),
            (
                "a.cu",
                "struct S { void *k; }; f(s.k);",
                Verb::Cast("const void*"),
                "struct S { void *k; }; f(s.k);",
            ),
            (
                "a.cu",
                "struct S { void *k; }; struct R { int *k; }; f(s.k);",
                Verb::Cast("const void*"),
                "struct S { void *k; }; struct R { int *k; }; f(reinterpret_cast<const void*>(s.k));",
            ),
            (
                "a.cu",
                "f(nullptr);",
                Verb::Cast("const void*"),
                "f(nullptr);",
            ),
            (
                "a.cu",
                "f((int)k);",
                Verb::Cast("const void*"),
                "f(reinterpret_cast<const void*>((int)k));",
            ),
            (
                "a.cu",
                "f(s);",
                Verb::Wrap("HIP_SYMBOL"),
                "f(HIP_SYMBOL(s));",
            ),
            (
                "a.cu",
                "f(HIP_SYMBOL(s));",
                Verb::Wrap("HIP_SYMBOL"),
                "f(HIP_SYMBOL(s));",
            ),
            (
                "a.cu",
                "f(a + b);",
                Verb::Replace {
                    text: "c",
                    when: None,
                    of: None,
                },
                "f(c);",
            ),
            (
                "a.cu",
                "f(a  + b);",
                Verb::Replace {
                    text: "c",
                    when: Some("a + b"),
                    of: None,
                },
                "f(c);",
            ),
            (
                "a.cu",
                "f(a - b);",
                Verb::Replace {
                    text: "c",
                    when: Some("a + b"),
                    of: None,
                },
                "f(a - b);",
            ),
        ] {
            assert_eq!(
                made(path, text, 0, verb).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn const_is_taken_from_what_may_be_const() {
        for (text, expected) in [
            ("f(a);", "f((void*)(a));"),
            (
                "const float a = 1; f(&a);",
                "const float a = 1; f((void*)(&a));",
            ),
            ("float a = 1; f(&a);", "float a = 1; f(&a);"),
            ("float *a; f(a);", "float *a; f(a);"),
            ("const float *a; f(a);", "const float *a; f((void*)(a));"),
            ("f((void *)a);", "f((void *)a);"),
        ] {
            let found = made(
                "a.cu",
                &format!("void g() {{ {text} }}"),
                0,
                Verb::Wrap("(void*)"),
            );
            assert_eq!(found, Some(format!("void g() {{ {expected} }}")), "{text}");
        }
    }

    #[test]
    fn arguments_change_their_place() {
        for (text, at, verb, expected) in [
            ("f(a, b, c);", 0, Verb::Move(3), Some("f(b, c, a);")),
            ("f(a, b, c);", 2, Verb::Move(0), Some("f(c, a, b);")),
            ("f(a, b);", 2, Verb::Copy(0), Some("f(a, b, a);")),
            // What is computed twice must do nothing else.
            ("f(i++, b);", 2, Verb::Copy(0), None),
            ("f(g(), b);", 2, Verb::Copy(0), None),
            ("f(a, b);", 2, Verb::Copy(2), None),
            ("f(a, b);", 2, Verb::Move(0), None),
        ] {
            let found = made("a.cu", text, at, verb);
            assert_eq!(found.as_deref(), expected, "{text} {at}");
        }
    }
}
