//! The text that literals come to, with those that macros of the file stand for: `"cp.async.cg" L2_HINT(128) " [%0]"`.

use std::ops::Range;

use super::{Directive, Document, TokenIndex, TokenKind};
use crate::text::escapes::cpp_escape;

/// Texts that a template may come to at most: one of two macros with two definitions each has four.
const MOST: usize = 8;

/// A text so far, and which definition of each macro it is made of.
#[derive(Clone, Default)]
struct Way<'d> {
    chosen: Vec<(&'d [u8], usize)>,
    text: String,
}

/// Each text that literals and macros come to, over the definitions that the file has of a macro; none where a part is something else, or a
/// macro may have another definition elsewhere.
pub(super) fn texts(document: &Document<'_>, tokens: Range<TokenIndex>) -> Vec<String> {
    let ways = ways(document, tokens).unwrap_or_default();
    let mut texts: Vec<String> = ways.into_iter().map(|way| way.text).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

fn ways<'d>(document: &'d Document<'_>, tokens: Range<TokenIndex>) -> Option<Vec<Way<'d>>> {
    let mut ways = vec![Way::default()];
    let mut at = tokens.start;
    while at < tokens.end {
        if let Some(text) = text_of(document, at) {
            ways.iter_mut().for_each(|way| way.text.push_str(&text));
            at += 1;
            continue;
        }
        let name = document.bytes(at);
        let definitions: Vec<&Directive> = document.macros_called(name).take(MOST + 1).collect();
        let is_known = document.is_ident(at) && (1..=MOST).contains(&definitions.len());
        if !is_known || definitions.iter().any(|it| is_default(document, it)) {
            return None;
        }
        let given = Given::behind(document, at, tokens.end);
        ways = ways
            .into_iter()
            .map(|way| forked(document, way, name, &definitions, given.as_ref()))
            .collect::<Option<Vec<_>>>()?
            .concat();
        if ways.len() > MOST {
            return None;
        }
        let has_parameters = definitions
            .first()
            .is_some_and(|it| has_parameters(document, it));
        at = match given {
            Some(given) if has_parameters => given.end,
            _ => at + 1,
        };
    }
    Some(ways)
}

/// A way with each definition of a macro behind it, or with the one that it is made of already.
fn forked<'d>(
    document: &Document<'_>,
    way: Way<'d>,
    name: &'d [u8],
    definitions: &[&Directive],
    given: Option<&Given>,
) -> Option<Vec<Way<'d>>> {
    let known = way.chosen.iter().find(|(of, _)| *of == name);
    let numbers = match known {
        Some((_, number)) => *number..number + 1,
        None => 0..definitions.len(),
    };
    let with = |number: usize| {
        let mut way = way.clone();
        way.text
            .push_str(&expanded(document, definitions[number], given)?);
        way.chosen.push((name, number));
        Some(way)
    };
    numbers.map(with).collect()
}

/// Whether a definition is only made where nobody made another: `#ifndef X`, `#define X …`.
fn is_default(document: &Document<'_>, definition: &Directive) -> bool {
    let own = document.directive_of(definition.tokens.start);
    let before = own.and_then(|it| it.checked_sub(1));
    before.is_some_and(|it| document.include_guard(it).is_some())
}

/// Whether a macro is called as a function is.
fn has_parameters(document: &Document<'_>, definition: &Directive) -> bool {
    let operands = definition.operands();
    let open = operands.start + 1;
    open < operands.end
        && document.is(open, "(")
        && document.tokens[open].start == document.tokens[operands.start].range().end
}

/// What a macro is given.
struct Given {
    arguments: Vec<Range<TokenIndex>>,
    /// The token behind the closing parenthesis.
    end: TokenIndex,
}

impl Given {
    fn behind(document: &Document<'_>, name: TokenIndex, end: TokenIndex) -> Option<Self> {
        let open = document
            .next(name)
            .filter(|&it| it < end && document.is(it, "("))?;
        let close = document.matching_bracket(open).filter(|it| *it < end)?;
        let (mut arguments, mut start, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            if let Some(other) = document.matching_bracket(at).filter(|other| *other > at) {
                at = other;
            } else if document.is(at, ",") {
                arguments.push(start..at);
                start = at + 1;
            }
            at += 1;
        }
        arguments.push(start..close);
        Some(Self {
            arguments,
            end: close + 1,
        })
    }
}

/// What a use of a definition comes to: literals, parameters that are given literals, and parameters behind `#`.
fn expanded(
    document: &Document<'_>,
    definition: &Directive,
    given: Option<&Given>,
) -> Option<String> {
    let operands = definition.operands();
    let mut at = operands.start + 1;
    let mut parameters: Vec<&[u8]> = Vec::new();
    if has_parameters(document, definition) {
        let close = document.matching_bracket(at)?;
        let names = (at + 1..close).filter(|it| document.is_ident(*it));
        parameters.extend(names.map(|it| document.bytes(it)));
        given.filter(|it| it.arguments.len() == parameters.len())?;
        at = close + 1;
    }
    let argument = |at: TokenIndex| {
        let position = parameters.iter().position(|it| *it == document.bytes(at))?;
        given?.arguments.get(position).cloned()
    };
    let mut text = String::new();
    while at < operands.end {
        if document.is(at, "#") {
            at += 1;
            text.push_str(&stringized(document, argument(at)?)?);
        } else if let Some(literal) = text_of(document, at) {
            text.push_str(&literal);
        } else {
            let literals = argument(at)?.map(|it| text_of(document, it));
            text.push_str(&literals.collect::<Option<String>>()?);
        }
        at += 1;
    }
    Some(text)
}

/// What `#` makes of an argument of one word, or of words without quotes.
fn stringized(document: &Document<'_>, argument: Range<TokenIndex>) -> Option<String> {
    let last = argument.clone().last()?;
    let range = document.range(argument.start, last);
    let text = document.source.text(range).into_owned();
    (!text.contains(['"', '\\', '\n'])).then_some(text)
}

/// The text of a literal, escapes resolved.
pub(super) fn text_of(document: &Document<'_>, index: TokenIndex) -> Option<String> {
    let text = String::from_utf8_lossy(document.bytes(index)).into_owned();
    match document.tokens.get(index)?.kind {
        TokenKind::Str => Some(unescape(text.trim_matches('"'))),
        TokenKind::RawStr => {
            let open = text.find('(')? + 1;
            let close = text.rfind(')')?;
            text.get(open..close).map(str::to_owned)
        }
        _ => None,
    }
}

fn unescape(text: &str) -> String {
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while at < bytes.len() {
        // What is no escape loses its backslash, as compilers have it.
        let unknown = || match bytes[at] {
            b'\\' => (1, Vec::new()),
            byte => (1, vec![byte]),
        };
        let (len, text) = cpp_escape(&bytes[at..]).unwrap_or_else(unknown);
        out.extend_from_slice(&text);
        at += len;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::syntax::{AsmStatement, Document};
    use crate::text::SourceFile;

    fn templates(head: &str, template: &str) -> Vec<String> {
        let text = format!("{head}asm({template} : \"=r\"(x));");
        let source = SourceFile::new("a.cu".to_owned(), text.into_bytes());
        let document = Document::new(&source);
        let keyword = (0..document.tokens.len()).find(|&it| document.is(it, "asm"));
        AsmStatement::at(&document, keyword.unwrap())
            .unwrap()
            .templates
    }

    #[test]
    fn macros_of_the_file_stand_for_their_texts() {
        let hint = "#if NEW\n#define HINT(size) \".L2::\" #size \"B\"\n#else\n#define HINT(size)\n#endif\n";
        for (head, template, expected) in [
            (
                hint,
                "\"ld\" HINT(128) \".u32;\"",
                &["ld.L2::128B.u32;", "ld.u32;"][..],
            ),
            // One definition for a whole text.
            (hint, "HINT(1) \" \" HINT(2)", &[" ", ".L2::1B .L2::2B"]),
            ("#define T \"u32\"\n", "\"ld.\" T \";\"", &["ld.u32;"]),
            (
                "#define ADD(t, e) \"add.\" t #e\n",
                "ADD(\"u32\", a + 1)",
                &["add.u32a + 1"],
            ),
            ("", "\"a\" \"b\"", &["ab"]),
        ] {
            assert_eq!(templates(head, template), expected, "{head}{template}");
        }
    }

    #[test]
    fn what_others_may_define_is_not_guessed() {
        for (head, template) in [
            ("", "\"ld\" HINT \".u32\""),
            ("#ifndef T\n#define T \"u32\"\n#endif\n", "\"ld.\" T \";\""),
            (
                "#if !defined(T)\n#define T \"u32\"\n#endif\n",
                "\"ld.\" T \";\"",
            ),
            ("#define T(x) x\n", "\"ld.\" T(u32) \";\""),
            ("#define T(x) #x\n", "\"ld.\" T \";\""),
            ("#define T(x) #x\n", "\"ld.\" T(a, b) \";\""),
            ("#define T f()\n", "\"ld.\" T \";\""),
            ("", "\n#if A\n\"x;\"\n#else\n\"y;\"\n#endif\n"),
        ] {
            assert!(templates(head, template).is_empty(), "{head}{template}");
        }
        let many = ["A", "B", "C", "D"].map(|name| {
            format!("#if {name}_1\n#define {name} \"a\"\n#else\n#define {name} \"b\"\n#endif\n")
        });
        assert!(templates(&many.concat(), "A B C D").is_empty());
    }
}
