//! What a CMake list looks for on the machine that configures it: headers, functions, programs that compile.

use crate::build::BuildFile;
use crate::build::command::{Command, is_called};
use crate::build::words::is_keyword;
use crate::syntax::TokenIndex;

/// What the arguments of a command that looks for something are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LooksFor {
    /// Files of headers: `find_path(DIR cudnn.h)`.
    Headers,
    /// Headers, names and programs of C++: `check_symbol_exists(cudaMalloc cuda_runtime.h HAVE)`.
    Code,
    /// What a header says of its release: `file(STRINGS ${DIR}/cudnn.h LINE REGEX …)`.
    Text,
}

/// What a command looks for; `None` for one that looks for nothing of a library's.
pub(crate) fn looks_for(doc: &BuildFile<'_>, command: &Command) -> Option<LooksFor> {
    const HEADERS: &[&str] = &["find_path", "find_file"];
    const CODE: &[&str] = &[
        "check_c_source_compiles",
        "check_c_source_runs",
        "check_cxx_source_compiles",
        "check_cxx_source_runs",
        "check_cxx_symbol_exists",
        "check_function_exists",
        "check_include_file",
        "check_include_file_cxx",
        "check_include_files",
        "check_library_exists",
        "check_prototype_definition",
        "check_source_compiles",
        "check_source_runs",
        "check_struct_has_member",
        "check_symbol_exists",
        "check_type_size",
    ];
    let is_one = |names: &[&str]| names.iter().any(|name| is_called(doc, command, name));
    if is_one(HEADERS) {
        Some(LooksFor::Headers)
    } else if is_one(CODE) {
        Some(LooksFor::Code)
    } else {
        let is_text = is_called(doc, command, "file")
            && ["READ", "STRINGS"]
                .iter()
                .any(|word| doc.is(command.open + 1, word));
        is_text.then_some(LooksFor::Text)
    }
}

/// Whether a word stands in the description of what a command looks for, `DOC "the folder of cudnn.h"`, which people read.
pub(crate) fn is_described(doc: &BuildFile<'_>, command: &Command, at: TokenIndex) -> bool {
    // Lists behind a keyword are short.
    let from = (command.open + 1).max(at.saturating_sub(40));
    let keyword = (from..at).rev().find(|&it| is_keyword(doc, it));
    keyword.is_some_and(|it| doc.is(it, "DOC"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn commands_look_for_headers_code_or_text() {
        for (text, expected) in [
            ("find_path(DIR NAMES here)\n", "Headers false"),
            ("FIND_FILE(F here DOC \"a file\")\n", "Headers false"),
            (
                "find_path(DIR cudnn.h DOC \"the CUDA one, here\")\n",
                "Headers true",
            ),
            ("check_symbol_exists(here cuda.h HAVE)\n", "Code false"),
            ("file(STRINGS ${DIR}/here LINE)\n", "Text false"),
            ("file(GLOB here *.cu)\n", ""),
            ("set(here find_path)\n", ""),
        ] {
            let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let all = doc.commands();
            let at = (0..doc.tokens.len()).find(|&at| doc.bytes(at).ends_with(b"here"));
            let at = at.expect("it is there");
            let found = looks_for(&doc, &all[0]);
            let found = found.map(|it| format!("{it:?} {}", is_described(&doc, &all[0], at)));
            assert_eq!(found.unwrap_or_default(), expected, "{text}");
        }
    }
}
