//! What stands in front of a token of a build file: open quotes, commands that speak to people, arguments of functions.

use crate::build::BuildFile;
use crate::syntax::{TokenIndex, flags};
use crate::text::BuildTool;

/// What stands on its line in front of a token; in CMake in its command, where that speaks to people.
pub(super) fn in_front(doc: &BuildFile<'_>, index: TokenIndex) -> InFront {
    doc.fact(Lines::new).0[index]
}

/// For each token, what its line holds in front of it: a line of generated text has thousands of them.
struct Lines(Vec<InFront>);

/// What stands on a line in front of a token.
#[derive(Clone, Copy, Default)]
pub(super) struct InFront {
    /// A double quote that no backslash escapes is open.
    pub(super) in_quotes: bool,
    /// A quote is open, escaped ones counted: a double one, a single one.
    pub(super) in_text: [bool; 2],
    /// A command that speaks to people.
    pub(super) is_speech: bool,
    /// The next comma parts two arguments of a function of make, `$(patsubst %`, or of `$<IF:` of CMake.
    pub(super) parts_arguments: bool,
}

impl Lines {
    fn new(doc: &BuildFile<'_>) -> Self {
        let mut before = InFront::default();
        let mut open = Vec::new();
        // Of CMake: brackets of a command that speaks to people, and for each generator expression whether commas part its arguments.
        let is_cmake = doc.tool == BuildTool::CMake;
        let (mut spoken, mut expressions) = (0_usize, Vec::new());
        // Whether what speaks is a command of a shell.
        let mut is_echo = false;
        let at_each = (0..doc.tokens.len()).map(|at| {
            if doc.tokens[at].has(flags::LINE_START) && spoken == 0 {
                before = InFront::default();
                if at > 0 && !doc.is(at - 1, "\\") {
                    open.clear();
                }
            }
            let found = InFront {
                parts_arguments: open.last().is_some_and(|commas| *commas > 0)
                    || expressions.last() == Some(&true),
                ..before
            };
            if is_cmake {
                match doc.bytes(at) {
                    b"(" if before.is_speech && !before.in_quotes => spoken += 1,
                    b")" if !before.in_quotes => spoken = spoken.saturating_sub(1),
                    b"<" if doc.is_before(at, "$") => {
                        expressions.push(at + 1 < doc.tokens.len() && doc.is(at + 1, "IF"));
                    }
                    b">" => drop(expressions.pop()),
                    _ => {}
                }
            }
            match doc.bytes(at) {
                b"(" | b"{" => open.push(commas_of_function(doc, at)),
                b")" | b"}" => drop(open.pop()),
                b"," => open
                    .last_mut()
                    .map_or((), |commas| *commas = commas.saturating_sub(1)),
                b"\"" => {
                    before.in_text[0] ^= true;
                    before.in_quotes ^= !doc.is_before(at, "\\");
                }
                b"'" => before.in_text[1] ^= true,
                sign if !is_cmake && is_separator(sign) && before.in_text == [false; 2] => {
                    // Texts of make's `$(info …)` go on behind one.
                    before.is_speech &= !is_echo;
                }
                word if is_speech(word) => {
                    before.is_speech = true;
                    is_echo = matches!(word, b"echo" | b"-echo" | b"printf");
                }
                word => before.is_speech |= is_cmake && is_option(word),
            }
            found
        });
        Self(at_each.collect())
    }
}

/// How many commas part the arguments of the function of make that a bracket opens: further ones belong to the last argument.
fn commas_of_function(doc: &BuildFile<'_>, open: TokenIndex) -> usize {
    let is_of_make = !matches!(doc.tool, BuildTool::CMake | BuildTool::Shell);
    let is_called = is_of_make && doc.is_before(open, "$") && open + 1 < doc.tokens.len();
    match doc.bytes(open + usize::from(is_called)) {
        b"filter" | b"filter-out" | b"addprefix" | b"addsuffix" | b"join" => 1,
        b"subst" | b"patsubst" | b"foreach" | b"if" => 2,
        b"or" | b"and" | b"call" => usize::MAX,
        _ => 0,
    }
}

/// Whether a word is the command of CMake that has the description of an option in quotes.
fn is_option(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"option")
}

/// Whether a sign ends a command of a shell: what `echo` says goes no further.
fn is_separator(sign: &[u8]) -> bool {
    matches!(sign, b";" | b";;" | b"&&" | b"&" | b"||" | b"|")
}

/// Whether a word is a command that prints what stands behind it.
fn is_speech(word: &[u8]) -> bool {
    let commands: [&[u8]; 8] = [
        b"echo", b"message", b"print", b"printf", b"-echo", b"info", b"warning", b"error",
    ];
    commands
        .iter()
        .any(|command| word.eq_ignore_ascii_case(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn what_is_printed_ends_with_its_command() {
        let cases = [
            ("\techo x; nvcc here", false),
            ("\techo nvcc x ;\\\n\tnvcc here", false),
            ("\techo x && nvcc here", false),
            ("\techo \"x; y\" here", true),
            ("\techo nvcc here", true),
            ("$(info x; here)", true),
        ];
        for (text, expected) in cases {
            let source = SourceFile::new("Makefile", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let at = doc.all("here").next().expect("it is there");
            assert_eq!(in_front(&doc, at).is_speech, expected, "{text}");
        }
    }

    #[test]
    fn texts_and_arguments_are_told_apart() {
        // In CMake: whether the word `here` is in a text that a command prints, and whether a comma there parts arguments.
        let cases = [
            ("message(\"here\")", (true, false)),
            ("message(here)", (false, false)),
            ("message(FATAL_ERROR\n  \"a\n here\")", (true, false)),
            ("message(\"a (\")\nset(X \"here\")", (false, false)),
            ("set(X\n  \"here\")", (false, false)),
            ("option(X \"-lineinfo here\" OFF)", (true, false)),
            ("set(X $<IF:$<CONFIG:Debug>,here)", (false, true)),
            ("set(X $<IF:a,b,c> $<$<CONFIG:Debug>:here)", (false, false)),
        ];
        for (text, expected) in cases {
            let source = SourceFile::new("a.cmake", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let at = doc.all("here").next().expect("it is there");
            let before = in_front(&doc, at);
            let is_printed = before.is_speech && before.in_text[0];
            assert_eq!((is_printed, before.parts_arguments), expected, "{text}");
        }
    }
}
