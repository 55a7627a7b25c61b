//! Pragmas that switch warnings of nvcc on and off.

use crate::syntax::{Directive, DirectiveKind, Document, flags};
use crate::text::{TextRange, next_line};

/// Whether only nvcc knows the pragma: `#pragma nv_diag_suppress 177`.
pub(crate) fn is_nvcc_pragma(doc: &Document<'_>, directive: &Directive) -> bool {
    matches!(
        first_word(doc, directive),
        b"nv_diag_suppress"
            | b"nv_diag_default"
            | b"nv_diag_error"
            | b"nv_diag_warning"
            | b"nv_diag_remark"
            | b"nv_diag_once"
            | b"nv_diagnostic"
            | b"nv_exec_check_disable"
            | b"hd_warning_disable"
    )
}

/// Whether `body` holds pragmas for nvcc, the conditions around them, and nothing else. The older spellings, which EDG has in other
/// compilers too, count among them.
pub(crate) fn holds_only_nvcc_pragmas(doc: &Document<'_>, body: TextRange) -> bool {
    let tokens = &doc.tokens[doc.token_at(body.start)..doc.token_at(body.end)];
    if tokens.iter().any(|token| !token.has(flags::DIRECTIVE)) {
        return false;
    }
    let inside = |it: &&Directive| body.start <= it.range.start && it.range.end <= body.end;
    let mut pragmas = 0;
    for directive in doc.directives.iter().filter(inside) {
        match directive.kind {
            DirectiveKind::Pragma if is_about_warnings(doc, directive) => pragmas += 1,
            kind if kind.is_condition() => {}
            DirectiveKind::Else | DirectiveKind::Endif => {}
            _ => return false,
        }
    }
    pragmas > 0
}

/// The pragma with the `//` comment behind it, which speaks of the warning.
pub(crate) fn with_comment(doc: &Document<'_>, directive: &Directive) -> TextRange {
    let bytes = &doc.source.bytes;
    let end = directive.range.end;
    let next = next_line(bytes, end).map_or(bytes.len(), |at| at as usize);
    let rest = bytes[end as usize..next].trim_ascii_end();
    if rest.trim_ascii_start().starts_with(b"//") {
        return TextRange::new(directive.range.start, end + rest.len() as u32);
    }
    directive.range
}

fn is_about_warnings(doc: &Document<'_>, directive: &Directive) -> bool {
    let older = matches!(
        first_word(doc, directive),
        b"push"
            | b"pop"
            | b"diag_suppress"
            | b"diag_default"
            | b"diag_error"
            | b"diag_warning"
            | b"diag_remark"
            | b"diag_once"
    );
    older || is_nvcc_pragma(doc, directive)
}

fn first_word<'s>(doc: &Document<'s>, directive: &Directive) -> &'s [u8] {
    directive.operands().next().map_or(b"", |at| doc.bytes(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn on<T>(text: &str, ask: impl Fn(&Document<'_>) -> T) -> T {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        ask(&Document::new(&source))
    }

    #[test]
    fn a_branch_of_pragmas_is_told_from_one_of_code() {
        for (text, expected) in [
            ("#pragma nv_diag_suppress 177\n", true),
            ("#pragma push\n#pragma diag_suppress 20012 // a\n", true),
            (
                "#ifdef A\n#pragma nv_diag_suppress 1\n#else\n#pragma diag_suppress 1\n#endif\n",
                true,
            ),
            ("#pragma unroll\n", false),
            (
                "#pragma GCC diagnostic push\n#pragma nv_diag_suppress 1\n",
                false,
            ),
            ("#pragma nv_diag_suppress 1\n#define A\n", false),
            ("#pragma nv_diag_suppress 1\nint a;\n", false),
            ("#ifdef A\n#endif\n", false),
            ("", false),
        ] {
            let all = TextRange::new(0, text.len() as u32);
            assert_eq!(
                on(text, |doc| holds_only_nvcc_pragmas(doc, all)),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn the_comment_behind_a_pragma_belongs_to_it() {
        for (text, expected) in [
            (
                "#pragma nv_diag_suppress 177 // unused\nint a;\n",
                "#pragma nv_diag_suppress 177 // unused",
            ),
            (
                "#pragma nv_diag_suppress 177 // unused\r\n",
                "#pragma nv_diag_suppress 177 // unused",
            ),
            (
                "#pragma nv_diag_suppress 177\n// of a\nint a;\n",
                "#pragma nv_diag_suppress 177",
            ),
            (
                "#pragma nv_diag_suppress 177 // unused",
                "#pragma nv_diag_suppress 177 // unused",
            ),
        ] {
            let range = on(text, |doc| with_comment(doc, &doc.directives[0]));
            assert_eq!(&text[range.start as usize..range.end as usize], expected);
        }
    }
}
