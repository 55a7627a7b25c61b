//! Releases in a CMake list: `3.18...3.29`, and comparisons with a release of CUDA.

use rustc_hash::FxHashSet;

use crate::build::BuildFile;
use crate::build::cmake_reference::{reference, whole_argument};
use crate::build::command::{Command, is_called};
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// The last release of CUDA whose interfaces HIP has.
const COVERED: (u32, u32) = (12, 9);

/// The first two numbers of a release; `None` for a variable.
pub(crate) fn release(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
    Some((parts.next()??, parts.next().flatten().unwrap_or(0)))
}

/// The variables to which the list gives a release of CUDA and nothing else: `set(toolkit ${CMAKE_CUDA_COMPILER_VERSION})`.
pub(crate) fn release_variables<'s>(doc: &BuildFile<'s>) -> FxHashSet<&'s [u8]> {
    let is_release = |command: &Command| {
        let mut words = (command.open + 2..command.close).filter(|&at| doc.is_ident(at));
        let value = words.next().filter(|&at| names_release(doc.bytes(at)));
        let range = value.and_then(|value| whole_argument(doc, value));
        range.is_some_and(|range| doc.token_at(range.start) == command.open + 2)
    };
    let sets = |command: &&Command| is_called(doc, command, "set");
    let (mut releases, mut others) = (FxHashSet::default(), FxHashSet::default());
    for command in doc.commands().iter().filter(sets) {
        let known = if is_release(command) {
            &mut releases
        } else {
            &mut others
        };
        known.insert(doc.bytes(command.open + 1));
    }
    releases.retain(|name| !others.contains(name));
    releases
}

/// The comparison that begins with a word, which is a release of CUDA by its name or one of `variables`, and whether it holds on AMD:
/// HIP counts its releases otherwise, and has what CUDA 12 has.
pub(crate) fn comparison(
    doc: &BuildFile<'_>,
    name: TokenIndex,
    variables: &FxHashSet<&[u8]>,
) -> Option<(TextRange, bool)> {
    if !names_release(doc.bytes(name)) && !variables.contains(doc.bytes(name)) {
        return None;
    }
    let (mut first, mut last) = match reference(doc, name) {
        Some(_) => (name - 2, name + 1),
        None => (name, name),
    };
    if first > 0 && doc.is(first - 1, "\"") && doc.is(last + 1, "\"") {
        (first, last) = (first - 1, last + 1);
    }
    let text = |at: TokenIndex| Some(doc.source.text(doc.tokens.get(at)?.range()));
    let quote = usize::from(doc.is(last + 2, "\""));
    let value = last + 2 + quote;
    let holds = holds_on_amd(&text(last + 1)?, release(&text(value)?)?)?;
    // A file may end within the quotes.
    let end = doc.tokens.get(value + quote)?.end();
    Some((TextRange::new(doc.tokens[first].start, end), holds))
}

/// Whether a variable is one in which CMake has the release of CUDA.
fn names_release(word: &[u8]) -> bool {
    matches!(
        word,
        b"CUDAToolkit_VERSION"
            | b"CUDA_VERSION"
            | b"CUDA_VERSION_STRING"
            | b"CMAKE_CUDA_COMPILER_VERSION"
    )
}

/// What a comparison of CUDA's release with one comes to where all that CUDA 12 has is covered.
fn holds_on_amd(operator: &str, release: (u32, u32)) -> Option<bool> {
    let is_covered = release <= COVERED;
    match operator.trim_start_matches("VERSION_") {
        "LESS" | "LESS_EQUAL" => Some(!is_covered),
        "GREATER" | "GREATER_EQUAL" => Some(is_covered),
        "EQUAL" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn a_comparison_holds_where_hip_has_what_the_release_has() {
        for (text, expected) in [
            (
                "if(CUDA_VERSION VERSION_LESS 11.0)",
                Some(("CUDA_VERSION VERSION_LESS 11.0", false)),
            ),
            (
                "if(\"${CUDAToolkit_VERSION}\" VERSION_GREATER_EQUAL \"12.10\")",
                Some((
                    "\"${CUDAToolkit_VERSION}\" VERSION_GREATER_EQUAL \"12.10\"",
                    false,
                )),
            ),
            (
                "if(CUDA_VERSION GREATER 9)",
                Some(("CUDA_VERSION GREATER 9", true)),
            ),
            (
                "if(CUDA_VERSION VERSION_EQUAL 12.4)",
                Some(("CUDA_VERSION VERSION_EQUAL 12.4", false)),
            ),
            ("if(CUDA_VERSION VERSION_LESS ${OTHER})", None),
            ("if(CUDA_VERSION)", None),
            ("if(VERSION VERSION_LESS 3.18)", None),
        ] {
            let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let name = (0..doc.tokens.len()).find(|&at| doc.bytes(at).ends_with(b"VERSION"));
            let found = name.and_then(|at| comparison(&doc, at, &release_variables(&doc)));
            let found = found.map(|(range, holds)| (source.text(range), holds));
            let found = found.as_ref().map(|(text, holds)| (&**text, *holds));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_variable_is_a_release_where_nothing_else_is_set_to_it() {
        let text = "set(A ${CUDA_VERSION})\nset(B ${CUDA_VERSION})\nset(B 1)\nset(C ${OTHER})\n";
        let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
        let found = release_variables(&BuildFile::new(&source));
        assert_eq!(found, [&b"A"[..]].into_iter().collect());
    }
}
