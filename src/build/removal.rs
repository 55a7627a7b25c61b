//! What goes with an item of a CMake list that is taken out.

use std::ops::Range;

use crate::build::BuildFile;
use crate::build::command::{Command, command_around, is_called};
use crate::syntax::TokenIndex;
use crate::text::BuildTool;

/// The text that would be empty without an item, of a command that adds to a list, or the command where it adds nothing else:
/// `list(APPEND FLAGS "--extended-lambda")`, `set(FLAGS "${FLAGS} --extended-lambda")`.
pub(crate) fn emptied_argument(
    doc: &BuildFile<'_>,
    item: &Range<TokenIndex>,
) -> Option<Range<TokenIndex>> {
    const ADDING: &[&str] = &[
        "target_compile_options",
        "add_compile_options",
        "list",
        "string",
    ];
    const SCOPES: &[&str] = &["PRIVATE", "PUBLIC", "INTERFACE"];
    if doc.tool != BuildTool::CMake {
        return None;
    }
    let all = doc.commands();
    let command = command_around(all, item.start)?;
    if is_called(doc, command, "set") {
        let is_whole = sets_itself(doc, command, item) && doc.is(command.close, ")");
        return is_whole.then_some(command.name..command.close + 1);
    }
    // `code=\"sm_80\" -x"`: a quote that a backslash escapes is of the option in front.
    let opens = doc.is_before(item.start, "\"") && !doc.is_before(item.start - 1, "\\");
    let quote = usize::from(opens && doc.is(item.end, "\""));
    let (start, end) = (item.start - quote, item.end + quote);
    let is_one_of = |at: TokenIndex, words: &[&str]| words.iter().any(|word| doc.is(at, word));
    let is_alone = match *ADDING.iter().find(|name| is_called(doc, command, name))? {
        "list" | "string" => {
            start == command.open + 3 && is_one_of(start - 2, &["APPEND", "PREPEND"])
        }
        "add_compile_options" => start == command.open + 1,
        _ => start == command.open + 3 && is_one_of(start - 1, SCOPES),
    };
    // The end of the file stands for the `)` of a command that has none.
    match is_alone && end == command.close && doc.is(end, ")") {
        true => Some(command.name..end + 1),
        false => Some(start..end),
    }
}

/// Whether a variable is set to what it is, and an item behind that: `set(F "${F} -x")`.
fn sets_itself(doc: &BuildFile<'_>, command: &Command, item: &Range<TokenIndex>) -> bool {
    let name = command.open + 1;
    let texts = ["\"", "$", "{"];
    let opens = (name + 1..).zip(texts).all(|(at, text)| doc.is(at, text));
    let again = name + 4;
    opens
        && doc.bytes(again) == doc.bytes(name)
        && doc.is(again + 1, "}")
        && item.start == again + 2
        && doc.is(item.end, "\"")
        && item.end + 1 == command.close
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::words::range_of;
    use crate::text::SourceFile;

    #[test]
    fn a_command_that_would_add_nothing_goes() {
        for (text, expected) in [
            ("list(APPEND F -x)\n", Some("list(APPEND F -x)")),
            ("list(APPEND F \"-x\")\n", Some("list(APPEND F \"-x\")")),
            ("list(APPEND F -O3 -x)\n", Some("-x")),
            ("add_compile_options(-x)\n", Some("add_compile_options(-x)")),
            (
                "target_compile_options(a PRIVATE -x)\n",
                Some("target_compile_options(a PRIVATE -x)"),
            ),
            ("list(APPEND F \"-a=\\\"b\\\" -x\")\n", Some("-x")),
            ("set(F -x)\n", None),
            (
                "string(APPEND F \" -x\")\n",
                Some("string(APPEND F \" -x\")"),
            ),
            ("set(F \"${F} -x\")\n", Some("set(F \"${F} -x\")")),
            ("set(F \"${F} -x\" PARENT_SCOPE)\n", None),
            ("set(F \"${G} -x\")\n", None),
            ("set(F \"${F} -O2 -x\")\n", None),
            ("list(APPEND F -x", Some("-x")),
        ] {
            let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let at = (0..doc.tokens.len()).find(|&at| doc.is(at, "-x"));
            let at = at.expect("the text has it");
            let found = emptied_argument(&doc, &(at..at + 1));
            let found = found.map(|tokens| source.text(range_of(&doc, &tokens)).into_owned());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
