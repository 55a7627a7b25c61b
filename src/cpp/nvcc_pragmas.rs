//! Pragmas that switch warnings of nvcc on and off.

use crate::cpp::guarding::conditions;
use crate::syntax::{Directive, DirectiveKind, Document};
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

/// Whether a condition about nvcc guards the pragma: then AMD never sees it.
pub(crate) fn is_guarded(doc: &Document<'_>, directive: &Directive) -> bool {
    // No rule makes AMD define this one.
    const ASKED: [&str; 2] = [
        "# ifdef __NVCC_DIAG_PRAGMA_SUPPORT__",
        "# if defined ( __NVCC_DIAG_PRAGMA_SUPPORT__ )",
    ];
    let around = conditions(doc, directive.range.start);
    if around.iter().any(|it| ASKED.contains(&it.as_str())) {
        return true;
    }
    let before = doc.directives.iter().rev().find(|other| {
        other.range.start < directive.range.start && other.kind != DirectiveKind::Pragma
    });
    before.is_some_and(|guard| {
        matches!(
            guard.kind,
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Elif
        ) && guard.operands().any(|at| {
            matches!(
                doc.bytes(at),
                b"__NVCC_DIAG_PRAGMA_SUPPORT__" | b"__NVCC__" | b"__CUDACC__"
            )
        })
    })
}

/// Whether `body` holds pragmas for nvcc, the conditions around them, and nothing else. The older spellings, which EDG has in other
/// compilers too, count among them.
pub(crate) fn holds_only_nvcc_pragmas(doc: &Document<'_>, body: TextRange) -> bool {
    let first = doc
        .directives
        .partition_point(|it| it.range.start < body.start);
    let end = doc
        .directives
        .partition_point(|it| it.range.end <= body.end);
    let sums = doc.fact(Sums::new);
    first < end
        && sums.code[end + 1] == sums.code[first]
        && sums.others[end] == sums.others[first]
        && sums.pragmas[end] > sums.pragmas[first]
}

/// What stands in front of each directive, counted once: branches lie in each other, and a file may have thousands.
struct Sums {
    /// Places between directives that hold code; one more than there are directives, for the end of the file.
    code: Vec<u32>,
    /// Directives that are neither pragmas about warnings nor conditions.
    others: Vec<u32>,
    pragmas: Vec<u32>,
}

impl Sums {
    fn new(doc: &Document<'_>) -> Self {
        let (mut code, mut others, mut pragmas) = (vec![0], vec![0], vec![0]);
        let add = |sums: &mut Vec<u32>, more: bool| {
            let last = sums.last().copied().unwrap_or_default();
            sums.push(last + u32::from(more));
        };
        let mut behind = 0;
        for directive in &doc.directives {
            let is_pragma =
                directive.kind == DirectiveKind::Pragma && is_about_warnings(doc, directive);
            let is_condition = directive.kind.is_condition()
                || matches!(directive.kind, DirectiveKind::Else | DirectiveKind::Endif);
            add(&mut code, directive.tokens.start != behind);
            add(&mut pragmas, is_pragma);
            add(&mut others, !is_pragma && !is_condition);
            behind = directive.tokens.end;
        }
        add(&mut code, behind != doc.tokens.len());
        Self {
            code,
            others,
            pragmas,
        }
    }
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
