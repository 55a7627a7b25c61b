//! Under which conditions a place is compiled, as the file writes them.

use crate::cpp::conditions::expression::{Atom, AtomKind};
use crate::cpp::conditions::groups::{Branch, Group, constant_of, groups, outcomes};
use crate::syntax::{Document, TokenIndex};
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
    device_compilers_branch(document, at).is_some()
}

/// The outermost branch around an offset that no compiler reads but nvcc, and hipcc once the condition names it.
pub(crate) fn device_compilers_branch(document: &Document<'_>, at: u32) -> Option<TextRange> {
    let groups = groups(document);
    let is_for_them = |&(group, position): &(&Group, usize)| {
        let (earlier, own) = group.branches.split_at(position);
        let is_taken = |it: &Branch| without_device_compiler(document, it) == Some(true);
        let is_out = |it: &Branch| without_device_compiler(document, it) == Some(false);
        own.first().is_some_and(is_out) || earlier.iter().any(is_taken)
    };
    let mut around = groups.around(document, at).filter(is_for_them);
    let outermost = around.by_ref().last();
    outermost.map(|(group, position)| group.branches[position].body)
}

/// What the condition of a branch says to a compiler of the host, where that does not depend on other macros.
fn without_device_compiler(document: &Document<'_>, branch: &Branch) -> Option<bool> {
    const NAMES: &[&[u8]] = &[
        b"__CUDACC__",
        b"__NVCC__",
        b"__CUDA_ARCH__",
        b"__HIPCC__",
        b"__HIP_DEVICE_COMPILE__",
    ];
    let is_theirs = |at: TokenIndex| NAMES.contains(&document.bytes(at));
    let truth = |atom: &Atom| {
        let asks = matches!(atom.kind, AtomKind::Defined | AtomKind::Value);
        let is_theirs = asks && atom.tokens.clone().any(is_theirs);
        is_theirs.then_some(false)
    };
    let condition = branch.condition.as_ref()?;
    let truths: Vec<Option<bool>> = condition.atoms().into_iter().map(truth).collect();
    constant_of(&outcomes(condition, &truths))
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
            ("#if __CUDACC__", [false, true]),
            ("#if defined(USE_GPU) && defined(__CUDACC__)", [false, true]),
            (
                "#if defined(USE_GPU) || defined(__CUDACC__)",
                [false, false],
            ),
            (
                "#if defined(__CUDACC__) || defined(__HIPCC__)",
                [false, true],
            ),
            ("#ifndef __CUDACC__\nchar y;\n#else", [false, true]),
            ("#ifdef __CUDACC__\nchar y;\n#else", [false, false]),
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
