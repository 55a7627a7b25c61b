//! How the C++ of an asm statement is laid out where the statement stood: indentation, lines, comments.

use super::Found;
use crate::analysis::unit::Unit;
use crate::edit::Edit;
use crate::ptx::{Layout, Translation};
use crate::syntax::{TokenKind, flags};
use crate::text::TextRange;

/// The edit that puts the translation in the statement's place.
pub(crate) fn replacement(cx: &Unit<'_, '_>, found: &Found, translation: &Translation) -> Edit {
    let layout = layout(cx, found);
    let text = translation.render(&layout);
    let comments = comments(cx, found, &layout);
    if !text.is_empty() {
        return found.carried.replaced(found.range, &(comments + &text));
    }
    if !layout.semicolon {
        return found.carried.replaced(found.range, &(comments + "(void)0"));
    }
    if !layout.in_list {
        return found.carried.replaced(found.range, &(comments + "{}"));
    }
    if !comments.is_empty() {
        return found.carried.replaced(found.range, comments.trim_end());
    }
    let lines = whole_lines(cx, found.range).unwrap_or(found.range);
    found.carried.replaced(lines, "")
}

fn layout(cx: &Unit<'_, '_>, found: &Found) -> Layout {
    let keyword = found.statement.keyword;
    let start = found.range.start as usize;
    let bytes = &cx.doc.source.bytes;
    let line = bytes[..start]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let indent: String = bytes[line..start]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .map(|&byte| char::from(byte))
        .collect();
    let unit = if indent.contains('\t') {
        "\t"
    } else if indent.len().is_multiple_of(4) {
        "    "
    } else {
        "  "
    };
    let in_list = cx
        .doc
        .prev(keyword)
        .is_some_and(|before| matches!(cx.doc.bytes(before), b";" | b"{" | b"}"));
    Layout {
        indent,
        unit,
        one_line: cx.doc.tokens[keyword].has(flags::DIRECTIVE),
        in_list,
        semicolon: found.statement.semicolon.is_some(),
    }
}

/// Comments within the statement, which stay in front of what replaces it.
fn comments(cx: &Unit<'_, '_>, found: &Found, layout: &Layout) -> String {
    let mut text = String::new();
    for comment in &cx.doc.comments {
        let range = comment.range();
        if range.start < found.range.start || range.end > found.range.end {
            continue;
        }
        let words = cx.text_of(range).trim_end().to_owned();
        match comment.kind {
            TokenKind::LineComment if layout.in_list && !layout.one_line => {
                text.push_str(&format!("{words}\n{}", layout.indent));
            }
            TokenKind::LineComment => {
                let inner = words.trim_start_matches('/').replace("*/", "* /");
                text.push_str(&format!("/*{inner} */ "));
            }
            _ => text.push_str(&format!("{words} ")),
        }
    }
    text
}

/// The lines of a statement that stands alone on them.
fn whole_lines(cx: &Unit<'_, '_>, range: TextRange) -> Option<TextRange> {
    let bytes = &cx.doc.source.bytes;
    let start = bytes[..range.start as usize]
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(0, |at| at + 1);
    let behind = &bytes[range.end as usize..];
    let blanks = behind
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))?;
    let alone = (start == 0 || bytes[start - 1] == b'\n') && behind[blanks] == b'\n';
    alone.then(|| TextRange::new(start as u32, range.end + blanks as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::inline_asm::find;
    use crate::engine::probe::{applied, first, of_file};

    /// The body of a device function with its statement of assembly replaced.
    fn made(body: &str) -> String {
        let (head, end) = ("__device__ void f(int a, unsigned b) {\n", "\n}\n");
        of_file(&[head, body, end].concat(), |cx| {
            let found = find(cx, first(cx, "asm")).expect("it is PTX");
            let translation = found.outcome.as_ref().expect("it is translated");
            let text = applied(cx, &[replacement(cx, &found, translation)]);
            text[head.len()..text.len() - end.len()].to_owned()
        })
    }

    #[test]
    fn a_statement_keeps_its_place_and_its_comments() {
        for (body, expected) in [
            ("  asm(\"bar.sync 0;\");", "  __syncthreads();"),
            (
                "  if (a) asm(\"bar.sync 0;\");",
                "  if (a) __syncthreads();",
            ),
            (
                "  asm(\"bar.sync 0;\"); // all",
                "  __syncthreads(); // all",
            ),
            (
                "  asm(\"bar.sync 0;\" /* all */);",
                "  /* all */ __syncthreads();",
            ),
            (
                "  asm(\"add.u32 %0, %1, 1;\" : \"=r\"(b) : \"r\"(b));",
                "  b = b + 1u;",
            ),
        ] {
            assert_eq!(made(body), expected, "{body}");
        }
    }
}
