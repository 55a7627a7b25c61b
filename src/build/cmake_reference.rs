//! References to variables in a CMake list, `${NAME}`, and the arguments and lists that they stand in.

use crate::build::BuildFile;
use crate::build::command::{Command, command_around, is_called};
use crate::build::words::is_joined;
use crate::mapping::BuildTable;
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// `${NAME}` around a name.
pub(crate) fn reference(doc: &BuildFile<'_>, name: TokenIndex) -> Option<TextRange> {
    let is_reference =
        name > 1 && doc.is(name - 1, "{") && doc.is(name - 2, "$") && doc.is(name + 1, "}");
    is_reference.then(|| doc.range(name - 2, name + 1))
}

/// The argument that a reference to a variable is all of, its quotes included.
pub(crate) fn whole_argument(doc: &BuildFile<'_>, name: TokenIndex) -> Option<TextRange> {
    reference(doc, name)?;
    let (mut first, mut last) = (name - 2, name + 1);
    if first > 0 && doc.is(first - 1, "\"") && doc.is(last + 1, "\"") {
        (first, last) = (first - 1, last + 1);
    }
    let is_free = |at: TokenIndex| !is_joined(doc, at) || doc.is(at, ")");
    let starts = !is_joined(doc, first) || doc.is_before(first, "(");
    let ends = last + 1 >= doc.tokens.len() || is_free(last + 1);
    (starts && ends).then(|| doc.range(first, last))
}

/// Whether another variable in the same list of libraries becomes the same target: the libraries of the runtime are one on AMD.
pub(crate) fn is_linked_before(doc: &BuildFile<'_>, name: TokenIndex, target: &str) -> bool {
    const LINKING: &[&str] = &["target_link_libraries", "link_libraries"];
    let links = |command: &&Command| LINKING.iter().any(|name| is_called(doc, command, name));
    let Some(command) = command_around(doc.commands(), name).filter(links) else {
        return false;
    };
    // A list without its `)` ends with the file.
    let ends =
        name + 2 == command.close || name + 2 < doc.tokens.len() && !is_joined(doc, name + 2);
    let stands_alone = reference(doc, name).is_some() && !is_joined(doc, name - 2) && ends;
    let mut before = (command.open + 1..name)
        .rev()
        .take_while(|&at| !starts_list(doc, at));
    let is_same = |at: TokenIndex| {
        let becomes = BuildTable::builtin().cmake(&doc.source.text(doc.tokens[at].range()));
        let becomes = becomes.and_then(|(_, becomes)| becomes);
        reference(doc, at).is_some() && becomes.as_deref() == Some(target)
    };
    target.contains("::") && stands_alone && before.any(is_same)
}

/// Whether what stands behind a word, `PRIVATE` or `debug`, is a list of its own.
fn starts_list(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_build = matches!(word, b"debug" | b"optimized" | b"general");
    let is_upper = word.len() > 2 && word.iter().all(u8::is_ascii_uppercase);
    reference(doc, at).is_none() && doc.is_ident(at) && (is_build || is_upper)
}
