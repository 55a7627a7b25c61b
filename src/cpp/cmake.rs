//! The commands of a CMake list: what they do for a language, and which branch each stands in.

use crate::cpp::build_file::{Command, commands, is_called};
use crate::syntax::{Document, TokenIndex};

/// Whether a command makes CMake compile CUDA: a language, or the old package with its `cuda_add_executable`.
pub(crate) fn enables_cuda(doc: &Document<'_>, command: &Command) -> bool {
    let has = |word: &str| (command.open + 2..command.close).any(|at| doc.is(at, word));
    is_called(doc, command, "project") && has("CUDA")
        || is_called(doc, command, "enable_language") && doc.is(command.open + 1, "CUDA")
        || is_called(doc, command, "find_package") && doc.is(command.open + 1, "CUDA")
}

/// Whether a list serves AMD by itself: it enables the language HIP, or looks for HIP's package.
pub fn serves_amd(bytes: &[u8]) -> bool {
    const SIGNS: &[&[u8]] = &[
        b"enable_language(HIP",
        b"enable_language( HIP",
        b"check_language(HIP",
        b"find_package(hip ",
        b"find_package(HIP ",
        b"find_package(hip)",
        b"find_package(HIP)",
        b"hip::host",
        b"hip::device",
        b"LANGUAGE HIP",
        b"option(USE_HIP ",
    ];
    let mut code = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii_start().starts_with(b"#"));
    code.any(|line| {
        SIGNS
            .iter()
            .any(|sign| memchr::memmem::find(line, sign).is_some())
    })
}

/// The branch that each command stands in: the openings around it, outermost first. A branch of `if` is `if`, `elseif` or `else`.
pub(crate) fn branches(doc: &Document<'_>, commands: &[Command]) -> Vec<Vec<TokenIndex>> {
    const OPEN: &[&str] = &["if", "foreach", "while", "function", "macro", "block"];
    const CLOSE: &[&str] = &[
        "endif",
        "endforeach",
        "endwhile",
        "endfunction",
        "endmacro",
        "endblock",
    ];
    let is_one =
        |command: &Command, names: &[&str]| names.iter().any(|name| is_called(doc, command, name));
    let mut open: Vec<TokenIndex> = Vec::new();
    let mut found = Vec::new();
    for command in commands {
        if is_one(command, CLOSE) || is_one(command, &["elseif", "else"]) {
            open.pop();
        }
        found.push(open.clone());
        if is_one(command, OPEN) || is_one(command, &["elseif", "else"]) {
            open.push(command.name);
        }
    }
    found
}

/// Whether what is done in one branch holds in another: it is the same, or around it.
pub(crate) fn holds_in(outer: &[TokenIndex], inner: &[TokenIndex]) -> bool {
    inner.starts_with(outer)
}

/// Whether the list is the one that a build begins with: it names the project.
pub(crate) fn is_top_list(doc: &Document<'_>) -> bool {
    let all = commands(doc);
    let mut named = all
        .iter()
        .filter(|command| is_called(doc, command, "project"));
    named.next().is_some()
}
