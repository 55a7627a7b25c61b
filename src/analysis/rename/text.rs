//! Text that a fix copies elsewhere, with the plain renames of the tables applied.

use crate::analysis::unit::Unit;
use crate::cpp::expressions::holds_comment;
use crate::cpp::names::is_members_name;
use crate::edit::Edit;
use crate::syntax::{TokenIndex, flags};
use crate::text::TextRange;

/// The text of a range with the plain renames of the tables applied: for text that a fix copies elsewhere.
pub(in crate::analysis) fn renamed_text(cx: &Unit<'_, '_>, range: TextRange) -> String {
    let (mut text, mut copied) = (String::new(), range.start);
    for index in cx.doc.token_at(range.start)..cx.doc.token_at(range.end) {
        let word = cx.doc.bytes(index);
        let hit = cx.table().get(word).filter(|_| {
            cx.doc.is_ident(index) && !cx.is_own_at(index) && !is_members_name(cx.doc, index)
        });
        let target = hit.and_then(|hit| {
            hit.entry
                .target(&cx.options().choices, cx.options().rocm, None)
        });
        if let Some(target) = target.filter(|target| target.name.as_bytes() != word) {
            let token = cx.range(index);
            text.push_str(&cx.text_of(TextRange::new(copied, token.start)));
            text.push_str(target.name);
            copied = token.end;
        }
    }
    text.push_str(&cx.text_of(TextRange::new(copied, range.end)));
    text
}

/// A part of what is written anew.
#[derive(Clone)]
pub(crate) enum Part {
    Text(&'static str),
    /// Code of the file, as other rules make it.
    Code(TextRange),
}

/// Writes parts in place of a range, with whatever other rules make of the code among them. Code of the range that no part has is gone.
pub(crate) fn written_anew(cx: &Unit<'_, '_>, range: TextRange, parts: &[Part]) -> Edit {
    let (mut text, mut moved) = (String::new(), Vec::new());
    for part in parts {
        match part {
            Part::Text(written) => text.push_str(written),
            Part::Code(from) => {
                let code = cx.text_of(*from);
                // Bytes that are no text have another length as text.
                if code.len() == from.len() as usize {
                    moved.push((text.len(), *from));
                }
                text.push_str(&code);
            }
        }
    }
    let edit = match range.is_empty() {
        true => Edit::insert(range.start, text),
        false => Edit::replace(range, text).without(range),
    };
    moved
        .into_iter()
        .fold(edit, |edit, (at, from)| edit.moving(at, from))
}

/// Whether a range is code alone: no comment that would be lost where it is written anew, no directive.
pub(crate) fn is_code_alone(cx: &Unit<'_, '_>, range: TextRange) -> bool {
    let tokens = cx.doc.token_at(range.start)..cx.doc.token_at(range.end);
    let in_directive = cx.doc.tokens[tokens.start].has(flags::DIRECTIVE);
    let mut flags = tokens.map(|index| cx.doc.tokens[index].has(flags::DIRECTIVE));
    flags.all(|it| it == in_directive) && !holds_comment(cx.doc, range.start, range.end)
}

/// Whether no rule has a fix for a word but the tables, and those no more than another name.
pub(in crate::analysis) fn is_left_to_tables(cx: &Unit<'_, '_>, index: TokenIndex) -> bool {
    let word = cx.doc.bytes(index);
    let renames = |hit: crate::mapping::Hit<'_>| {
        hit.entry.args.is_empty() && hit.entry.forms.is_empty() && hit.entry.hip.is_some()
    };
    let mut spaces = cx.table().namespaces_ending(word);
    let is_spelled = |name: &str| {
        name.contains("::") && crate::cpp::names::qualified_start(cx.doc, index, name).is_some()
    };
    !spaces.any(|hit| is_spelled(hit.entry.cuda))
        && !cx.rules.edits(cx, index)
        && cx.table().get(word).is_none_or(renames)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::{first, of_file};

    /// Asks about what stands between `begin` and `end`.
    fn about<T>(text: &str, ask: impl FnOnce(&Unit<'_, '_>, TextRange) -> T) -> T {
        let text = format!("#include <cuda_runtime.h>\nvoid f() {{ begin {text} end }}\n");
        of_file(&text, |cx| {
            let (start, end) = (first(cx, "begin") + 1, first(cx, "end") - 1);
            ask(cx, cx.doc.range(start, end))
        })
    }

    #[test]
    fn plain_names_are_renamed_and_the_rest_is_copied() {
        for (text, expected) in [
            ("cudaFree(p)", "hipFree(p)"),
            ("cudaSuccess == e", "hipSuccess == e"),
            ("a  +\r\n b", "a  +\r\n b"),
            (
                "g(/* cudaFree */ \"cudaFree\", cudaFree)",
                "g(/* cudaFree */ \"cudaFree\", hipFree)",
            ),
            ("it.cudaFree(p)", "it.cudaFree(p)"),
            ("mine::cudaFree(p)", "mine::cudaFree(p)"),
            (
                "cudaMemcpy(a, b, n, cudaMemcpyHostToDevice)",
                "hipMemcpy(a, b, n, hipMemcpyHostToDevice)",
            ),
        ] {
            assert_eq!(about(text, renamed_text), expected, "{text}");
        }
    }

    #[test]
    fn names_of_the_project_stay() {
        let text =
            "void cudaFree(int);\nvoid cudaFree(int) {}\nvoid f() { begin cudaFree(1) end }\n";
        let found = of_file(text, |cx| {
            renamed_text(
                cx,
                cx.doc.range(first(cx, "begin") + 1, first(cx, "end") - 1),
            )
        });
        assert_eq!(found, "cudaFree(1)");
    }

    #[test]
    fn a_comment_or_a_directive_is_not_code_alone() {
        for (text, expected) in [
            ("a + b", true),
            ("cudaFree(p)", true),
            ("k<<<1, 2>>>(a)", true),
            ("a /* why */ + b", false),
            ("a\n#ifdef X\n+ b\n#endif\n", false),
        ] {
            assert_eq!(about(text, is_code_alone), expected, "{text}");
        }
    }

    #[test]
    fn code_is_carried_and_text_is_written() {
        let edit = about("(cudaFree)", |cx, range| {
            let parts = [Part::Text("0, "), Part::Code(range), Part::Text(";")];
            let edit = written_anew(cx, range, &parts);
            (edit.content.clone(), edit.moved().len(), edit.moved()[0].at)
        });
        assert_eq!(edit, ("0, (cudaFree);".into(), 1, 3));
    }
}
