//! Lines of a build file that give nvcc its options.

use crate::build::BuildFile;
use crate::build::make::is_told;
use crate::build::words::{line_of, words};
use crate::mapping::BuildTable;
use crate::syntax::{TokenIndex, flags};
use crate::text::BuildTool;

/// Whether the line around a word calls nvcc, or collects options for it.
pub(crate) fn is_for_nvcc(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let names = |at: TokenIndex| {
        let word = doc.bytes(at).to_ascii_uppercase();
        let in_generator = word == b"CUDA" && doc.is_before(at, ":");
        memchr::memmem::find(&word, b"NVCC").is_some()
            || word.starts_with(b"CMAKE_CUDA")
            || word == b"CUDA_FLAGS"
            || in_generator
    };
    (line_of(doc, index)..index).any(names)
        || stands_beside_nvccs(doc, index)
        || fills_variable_of_nvcc(doc, index)
}

/// Whether another option of the line is one that nvcc alone has: `OPTIONS += -G -lineinfo`.
fn stands_beside_nvccs(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    // A longer line is no list of options for people.
    const LONGEST: usize = 200;
    let line = line_of(doc, index);
    let behind = index + 1..doc.tokens.len().min(index + LONGEST);
    let behind = behind.take_while(|&at| !doc.tokens[at].has(flags::LINE_START));
    let front = line.max(index.saturating_sub(LONGEST))..index;
    front.chain(behind).any(|at| {
        let word = doc.source.text(doc.tokens[at].range());
        let option = BuildTable::builtin().option(&word, "");
        doc.is_ident(at) && option.is_some_and(|(option, _)| !option.shared)
    })
}

/// Whether the line sets a variable of a Makefile that a line with nvcc takes, itself or by a variable: `FLAGS = -t 0`,
/// `nvcc $(FLAGS) a.cu`.
fn fills_variable_of_nvcc(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let line = line_of(doc, index);
    let is_set = (line + 1..(line + 4).min(index)).any(|at| doc.is(at, "="));
    if doc.tool != BuildTool::Make || !is_set || !doc.is_ident(line) {
        return false;
    }
    let is_nvcc = |at: TokenIndex| {
        let word = doc.bytes(at).to_ascii_lowercase();
        memchr::memmem::find(&word, b"nvcc").is_some()
    };
    // `CC = nvcc`
    let names_nvcc = |at: TokenIndex| is_told(doc, &[at], &is_nvcc);
    let is_taken = |at: TokenIndex| doc.is_before(at, "(") || doc.is_before(at, "{");
    words(doc)
        .filter(|&at| at != line && doc.bytes(at) == doc.bytes(line) && is_taken(at))
        .any(|at| (line_of(doc, at)..at).any(names_nvcc))
}
