//! Code that a fix writes anew, with what other rules make of it.

use crate::analysis::unit::Unit;
use crate::cpp::expressions::holds_comment;
use crate::edit::Edit;
use crate::syntax::flags;
use crate::text::TextRange;

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
