//! What the tables say about the arguments of a call, as edits.

use crate::analysis::unit::Unit;
use crate::edit::Edit;
use crate::mapping::{ArgEdit, Verb};
use crate::syntax::{Call, TokenKind};
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
        (Verb::Cast(ty), Some(range)) if !is_cast(&cx.text_of(range), ty) => {
            let open = if cx.doc.source.path.ends_with(".c") {
                format!("({ty})(")
            } else {
                format!("reinterpret_cast<{ty}>(")
            };
            edits.extend([
                Edit::insert(range.start, open),
                Edit::insert(range.end, ")"),
            ]);
        }
        (Verb::Wrap(with), Some(range)) if !cx.text_of(range).starts_with(with) => {
            edits.extend([
                Edit::insert(range.start, format!("{with}(")),
                Edit::insert(range.end, ")"),
            ]);
        }
        (Verb::Drop, _) => edits.push(gone(cx, call, all, at)),
        (Verb::Replace { text, when }, Some(range))
            if when.is_none_or(|when| same_text(&cx.text_of(range), when)) =>
        {
            edits.push(Edit::replace(range, *text).without(range));
        }
        (Verb::Move(to), Some(range)) => {
            let moved = moved(cx, call, usize::from(*to), range);
            let is_carried = !moved.moved().is_empty();
            edits.push(moved);
            edits.push(match is_carried {
                true => gone(cx, call, all, at),
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
fn gone(cx: &Unit<'_, '_>, call: &Call, all: &[ArgEdit<'_>], at: usize) -> Edit {
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
    [&wanted, &plain]
        .iter()
        .any(|ty| bare.starts_with(&format!("({ty})")))
        || bare.starts_with(&format!("reinterpret_cast<{wanted}>"))
        || matches!(bare.as_str(), "NULL" | "nullptr" | "0")
}

fn same_text(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
