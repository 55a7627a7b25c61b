//! Under which conditions a place is compiled, as the file writes them.

use crate::syntax::Document;
use crate::text::TextRange;

/// The branches around a place but those of include guards, outermost first.
pub(crate) fn branches(document: &Document<'_>, at: u32) -> Vec<TextRange> {
    let around = document.branches.around(at);
    around
        .filter(|branch| !is_guard(document, *branch))
        .collect()
}

/// The conditions around a place, include guards apart; `#` for what is none of its own: `#else`, `#elif`.
pub(crate) fn conditions(document: &Document<'_>, at: u32) -> Vec<String> {
    let words = |branch: &TextRange| condition(document, *branch).map(|(words, _)| words);
    let all = branches(document, at);
    let all = all
        .iter()
        .map(|branch| words(branch).unwrap_or_else(|| "#".to_owned()));
    all.collect()
}

/// The words of the condition that opens a branch, and its text as written. None for `#else`, `#elif` and what goes over lines.
pub(crate) fn condition(document: &Document<'_>, branch: TextRange) -> Option<(String, String)> {
    let directive = &document.directives[opener(document, branch)?];
    let opens = directive.kind.opens_group();
    let text = document.source.text(directive.range).into_owned();
    let word = |at: usize| document.source.text(document.tokens[at].range());
    let words: Vec<_> = directive.tokens.clone().map(word).collect();
    (opens && !text.contains(['\n', '\r'])).then(|| (words.join(" "), text))
}

/// Whether a branch around an offset is for compilers other than nvcc, which hipcc is none of once the condition names it.
pub(crate) fn is_for_host_compilers(document: &Document<'_>, at: u32) -> bool {
    const CONDITIONS: &[&str] = &[
        "# ifndef __CUDACC__",
        "# if ! defined ( __CUDACC__ )",
        "# if ! defined __CUDACC__",
        "# ifndef __NVCC__",
        "# if ! defined ( __NVCC__ )",
        "# if ! defined __NVCC__",
    ];
    let all = conditions(document, at);
    all.iter().any(|it| CONDITIONS.contains(&it.as_str()))
}

/// Whether a branch around an offset is for nvcc alone, and for hipcc once the condition names it.
pub(crate) fn is_for_device_compilers(document: &Document<'_>, at: u32) -> bool {
    const CONDITIONS: &[&str] = &[
        "# ifdef __CUDACC__",
        "# if defined ( __CUDACC__ )",
        "# if defined __CUDACC__",
        "# ifdef __NVCC__",
        "# if defined ( __NVCC__ )",
        "# if defined __NVCC__",
    ];
    let all = conditions(document, at);
    all.iter().any(|it| CONDITIONS.contains(&it.as_str()))
}

/// The directive that a branch follows.
fn opener(document: &Document<'_>, branch: TextRange) -> Option<usize> {
    let directives = &document.directives;
    let behind = directives.partition_point(|directive| directive.range.end <= branch.start);
    behind.checked_sub(1)
}

/// Whether a branch is the one behind `#ifndef X` and `#define X`.
fn is_guard(document: &Document<'_>, branch: TextRange) -> bool {
    let guard = opener(document, branch).and_then(|at| document.include_guard(at));
    guard.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;
    use crate::text::SourceFile;

    #[test]
    fn branches_are_for_compilers_of_the_host_or_of_the_device() {
        for (condition, expected) in [
            ("#ifndef __CUDACC__", [true, false]),
            ("#if !defined(__CUDACC__)", [true, false]),
            ("#  if ! defined __NVCC__", [true, false]),
            ("#ifdef __CUDACC__", [false, true]),
            ("#if defined(__NVCC__)", [false, true]),
            (
                "#if !defined(__CUDACC__) && !defined(__HIPCC__)",
                [false, false],
            ),
            ("#ifndef USE_GPU", [false, false]),
        ] {
            let text = format!("{condition}\nint x;\n#endif\n");
            let source = SourceFile::new("a.h", text.clone().into_bytes());
            let doc = Document::new(&source);
            let at = text.find("int").unwrap_or_default() as u32;
            let found = [
                is_for_host_compilers(&doc, at),
                is_for_device_compilers(&doc, at),
            ];
            assert_eq!(found, expected, "{condition}");
        }
    }

    #[test]
    fn conditions_are_told_outermost_first_without_guards() {
        for (text, expected) in [
            ("x;", ""),
            ("#ifdef A\nx;\n#endif", "# ifdef A"),
            (
                "#if A > 1\n#ifndef B\nx;\n#endif\n#endif",
                "# if A > 1, # ifndef B",
            ),
            ("#ifdef A\n#else\nx;\n#endif", "#"),
            ("#ifdef A\n#elif B\nx;\n#endif", "#"),
            ("#ifndef A_H\n#define A_H\nx;\n#endif", ""),
            (
                "#ifndef A_H\n#define A_H\n#ifdef B\nx;\n#endif\n#endif",
                "# ifdef B",
            ),
            ("#if A && \\\n B\nx;\n#endif", "#"),
        ] {
            let found = at_first_x(text, |doc, at| conditions(doc, doc.tokens[at].start));
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }
}
