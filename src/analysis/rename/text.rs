//! Text that a fix copies elsewhere, with the plain renames of the tables applied.

use crate::analysis::unit::Unit;
use crate::cpp::names::is_members_name;
use crate::syntax::{TokenIndex, flags};
use crate::text::TextRange;

/// The text of a range with the plain renames of the tables applied: for text that a fix copies elsewhere.
pub(crate) fn renamed_text(cx: &Unit<'_, '_>, range: TextRange) -> String {
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

/// Whether [`renamed_text`] is all that would be done to a range where it stands: no other rule has an edit in it, and nothing in it is
/// for readers or the preprocessor alone.
pub(crate) fn is_only_renamed(cx: &Unit<'_, '_>, range: TextRange) -> bool {
    let tokens = cx.doc.token_at(range.start)..cx.doc.token_at(range.end);
    let in_directive = cx.doc.tokens[tokens.start].has(flags::DIRECTIVE);
    let within = |inner: TextRange| range.start <= inner.start && inner.end <= range.end;
    // Lists in braces have rules that ask this themselves.
    let is_plain = |index: TokenIndex| {
        cx.doc.tokens[index].has(flags::DIRECTIVE) == in_directive && !cx.doc.is(index, "{")
    };
    tokens.clone().all(is_plain)
        && !cx
            .doc
            .comments
            .iter()
            .any(|comment| within(comment.range()))
        && !cx
            .doc
            .launches
            .iter()
            .any(|launch| within(launch.open_range(cx.doc)))
        && tokens.clone().all(|index| is_left_to_tables(cx, index))
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
    fn a_range_is_only_renamed_where_nobody_else_has_a_word() {
        for (text, expected) in [
            ("a + b", true),
            ("cudaFree(p)", true),
            // Arguments change.
            ("cudaGetSymbolAddress(a, b)", false),
            ("cudaD3D10GetDevice(a, b)", false),
            ("__shfl_sync(~0, a, 1)", false),
            ("k<<<1, 2>>>(a)", false),
            ("a /* why */ + b", false),
            ("float2{1, 2}", false),
            ("a\n#ifdef X\n+ b\n#endif\n", false),
        ] {
            assert_eq!(about(text, is_only_renamed), expected, "{text}");
        }
    }
}
